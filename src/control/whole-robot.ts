/** What laws share that drive every hinge of a free-flying robot. */
import type { FreeFlyer } from "../dynamics/free-flyer.ts";
import type { Note } from "../sim/create-checked.ts";
import type { Freedom } from "../sim/freedom.ts";

export interface WholeRobot {
  readonly commands: readonly string[];
  /** τ = H* φ̈ + C* of every hinge, each in the place of its command. Needs Hstar and Cstar. */
  torques(phidd: Float64Array, command: Float64Array): void;
}

/** `hinges` are those with motors, in the order of commands: all that the robot has. */
export function wholeRobot(flyer: FreeFlyer, motors: string, hinges: readonly Freedom[], note: Note): WholeRobot {
  const { n, robot, values } = flyer;
  const places = robot.speeds.map((u) => hinges.findIndex((f) => f.u === u));
  for (const [j, i] of places.entries()) if (i < 0) note("hinges", `${robot.names[j]} is missing: this law drives every hinge`);
  if (hinges.length > n) note("hinges", `has ${hinges.length} freedoms, the robot has ${n} hinges`);
  return {
    commands: hinges.map((f) => `${motors}.${f.speedName}`),
    torques(phidd, command) {
      const { Hstar, Cstar } = values;
      for (let j = 0; j < n; j++) {
        let torque = Cstar[j]!;
        for (let k = 0; k < n; k++) torque += Hstar[j * n + k]! * phidd[k]!;
        command[places[j]!] = torque;
      }
    },
  };
}
