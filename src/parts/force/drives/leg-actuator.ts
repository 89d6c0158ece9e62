/** The legs of a docking mechanism: each a drive along its own slide (or about its own turn), all with the same settings. */

import { forceKind } from "../kind.ts";
import { checkDrive, DRIVE_PARAMETERS, driveInputs, traceDrive } from "./drive-law.ts";

export const legActuator = forceKind({
  name: "leg-actuator",
  about:
    "Leg drives of a docking mechanism, each in its own freedom: -clip(stiffness (q - reference) + damping (u - rate of the reference), " +
    "±clutch) - friction u / √(u² + frictionSpeed²), brake and end stops. `stiffness`, `damping`, `position` and, where they are given, " +
    "`ramp` and `brake` are inputs that events set; the reference goes to the position at the speed `ramp`. The rotor is the hinge's `armature`. " +
    "The channel `absorbed` is the energy taken from the machine by all of them.",
  acts: "between bodies",
  parameters: { hinge: { type: "freedoms", about: "Freedoms of the legs." }, ...DRIVE_PARAMETERS },
  examples: [
    { hinge: "slider", stiffness: 300, damping: 300, clutch: 450, friction: 3, lower: -0.2, upper: 0.2 },
    { hinge: ["shoulder", "elbow"], stiffness: 60, damping: 8, position: 0.3, ramp: 0.1, brake: 20, brakeStiffness: 500 },
  ],
  element(_name, { hinge: freedoms, ...drive }, note) {
    checkDrive(drive, freedoms, note);
    return {
      ...driveInputs(drive, freedoms.length),
      trace(s, out) {
        const legs = freedoms.map(({ name, hinge, speedInHinge: part, coordinateInHinge: coordinate }) => {
          const { q, u } = s.hinge(hinge);
          return { name, x: q[coordinate!]!, v: u[part]! };
        });
        for (const [i, force] of traceDrive(drive, freedoms[0]!, legs, s, out).entries())
          out.hinge(freedoms[i]!.hinge, freedoms[i]!.speedInHinge, force);
      },
    };
  },
});
