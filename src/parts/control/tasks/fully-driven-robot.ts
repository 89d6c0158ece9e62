/** A free-flying robot whose hinges all have motors: commands and torques. */
import type { Freedom } from "../../../declare/freedom.ts";
import type { Robot } from "../../../dynamics/free-flying/robot.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";

interface EvaluatedRobot {
  readonly values: { readonly Hstar: Float64Array; readonly Cstar: Float64Array };
}

export interface FullyDrivenRobot {
  readonly commands: readonly string[];
  /** Writes τ = H* φ̈ + C* of every hinge to its command. The robot has been evaluated with outputs Hstar and Cstar. */
  torques(robot: EvaluatedRobot, phidd: Float64Array, command: Float64Array): void;
}

/** `hinges` are all hinges of the robot, in the order of commands. */
export function fullyDrivenRobot(
  robot: Robot<number>,
  motors: string,
  hinges: readonly Freedom[],
  note: NoteProblem,
): FullyDrivenRobot {
  const n = robot.speeds.length;
  const commandIndices = robot.speeds.map((u) => hinges.findIndex((f) => f.u === u));
  for (const [j, i] of commandIndices.entries())
    if (i < 0) note("hinges", `${robot.names[j]} is missing: this law drives every hinge`);
  if (hinges.length > n) note("hinges", `has ${hinges.length} freedoms, the robot has ${n} hinges`);
  return {
    commands: hinges.map((f) => `${motors}.${f.speedName}`),
    torques({ values: { Hstar, Cstar } }, phidd, command) {
      for (let j = 0; j < n; j++) {
        let torque = Cstar[j]!;
        for (let k = 0; k < n; k++) torque += Hstar[j * n + k]! * phidd[k]!;
        command[commandIndices[j]!] = torque;
      }
    },
  };
}
