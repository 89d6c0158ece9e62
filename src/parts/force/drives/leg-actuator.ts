/** Legs of a docking mechanism: each has a drive along its slide (or about its turn), all with the same settings. */

import { forceKind } from "../kind.ts";
import { checkDrive, DRIVE_PARAMETERS, driveInputs, traceDrive } from "./drive-law.ts";

export const legActuator = forceKind({
  name: "leg-actuator",
  about:
    "Leg drives of a docking mechanism, one per freedom: -clip(stiffness (q - reference) + damping (u - rate of the reference), ±clutch) " +
    "- friction u / √(u² + frictionSpeed²), brake and end stops. `stiffness`, `damping`, `position` and, if given, `ramp` and `brake` are " +
    "inputs that events can set; the reference moves to the position at the speed `ramp`. The rotor inertia is the hinge's `armature`. " +
    "The channel `absorbed` is the energy that all legs have taken from the machine.",
  acts: "between bodies",
  parameters: { hinge: { type: "freedoms", about: "Freedoms of the legs." }, ...DRIVE_PARAMETERS },
  examples: [
    { hinge: "slider", stiffness: 300, damping: 300, clutch: 450, friction: 3, lower: -0.2, upper: 0.2 },
    { hinge: ["shoulder", "elbow"], stiffness: 60, damping: 8, position: 0.3, ramp: 0.1, brake: 20, brakeStiffness: 500 },
    { hinge: ["shoulder", "elbow"], stiffness: 60, damping: 8, position: 0.3, ramp: 0.1, references: "each" },
  ],
  element(_name, { hinge: freedoms, ...drive }, note) {
    checkDrive(drive, freedoms, note);
    return {
      ...driveInputs(drive, freedoms.length),
      trace(s, out) {
        const legs = freedoms.map(({ name, hinge, speedInHinge, coordinateInHinge }) => {
          const { q, u } = s.hinge(hinge);
          return { name, x: q[coordinateInHinge!]!, v: u[speedInHinge]! };
        });
        for (const [i, force] of traceDrive(drive, freedoms[0]!, legs, s, out).entries())
          out.hinge(freedoms[i]!.hinge, freedoms[i]!.speedInHinge, force);
      },
    };
  },
});
