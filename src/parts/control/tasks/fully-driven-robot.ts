/** What laws share that drive every hinge of a free-flying robot. */

import type { Freedom } from "../../../declare/freedom.ts";
import type { Robot } from "../../../dynamics/free-flying/robot.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";

interface EvaluatedRobot {
  readonly values: { readonly Hstar: Float64Array; readonly Cstar: Float64Array };
}

export interface FullyDrivenRobot {
  readonly commands: readonly string[];
  /** τ = H* φ̈ + C* of every hinge, each in the place of its command. The robot has been evaluated, with Hstar and Cstar. */
  torques(robot: EvaluatedRobot, phidd: Float64Array, command: Float64Array): void;
}

/** `hinges` are those with motors, in the order of commands: all that the robot has. */
export function fullyDrivenRobot(
  robot: Robot<number>,
  motors: string,
  hinges: readonly Freedom[],
  note: NoteProblem,
): FullyDrivenRobot {
  const n = robot.speeds.length;
  const places = robot.speeds.map((u) => hinges.findIndex((f) => f.u === u));
  for (const [j, i] of places.entries()) if (i < 0) note("hinges", `${robot.names[j]} is missing: this law drives every hinge`);
  if (hinges.length > n) note("hinges", `has ${hinges.length} freedoms, the robot has ${n} hinges`);
  return {
    commands: hinges.map((f) => `${motors}.${f.speedName}`),
    torques({ values: { Hstar, Cstar } }, phidd, command) {
      for (let j = 0; j < n; j++) {
        let torque = Cstar[j]!;
        for (let k = 0; k < n; k++) torque += Hstar[j * n + k]! * phidd[k]!;
        command[places[j]!] = torque;
      }
    },
  };
}
