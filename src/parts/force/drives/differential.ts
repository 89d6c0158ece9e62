/** A differential: one drive on a combination of hinges. Several of them on the same hinges give τ = -Bᵀ φ(B q, B u), one row of B each. */
import { mul, sum } from "../../../kernel/trace/scalar.ts";
import { forceKind } from "../kind.ts";
import { checkDrive, DRIVE_PARAMETERS, driveInputs, traceDrive } from "./drive-law.ts";

export const differential = forceKind({
  name: "differential",
  about:
    "One drive on the combination x = Σ factor q of several freedoms, as behind a differential: the force φ(x, ẋ) follows the law of a " +
    "leg-actuator, and factor φ acts on each freedom. Rods that share their load but not their motion have stiff differentials of sums " +
    "and soft ones of differences.",
  acts: "between bodies",
  parameters: {
    hinge: { type: "freedoms", about: "Freedoms that are combined, all turns or all slides." },
    factors: { type: "numbers", unit: "", about: "Factor of each freedom." },
    ...DRIVE_PARAMETERS,
  },
  examples: [
    { hinge: ["shoulder", "elbow"], factors: [1, -1], stiffness: 40, damping: 5, clutch: 30 },
    {
      hinge: ["shoulder", "elbow"],
      factors: [0.5, 0.5],
      damping: 20,
      friction: 0.4,
      lower: -0.3,
      upper: 0.4,
      stopStiffness: 2000,
    },
  ],
  element(_name, { hinge: freedoms, factors, ...drive }, note) {
    checkDrive(drive, freedoms, note);
    if (factors.every((f) => f === 0)) note("factors", "are all zero: nothing is driven");
    return {
      ...driveInputs(drive, 1),
      trace(s, out) {
        const combination = (of: "q" | "u") =>
          sum(
            freedoms.map(({ hinge, speedInHinge, coordinateInHinge }, i) =>
              mul(factors[i]!, of === "q" ? s.hinge(hinge).q[coordinateInHinge!]! : s.hinge(hinge).u[speedInHinge]!),
            ),
          );
        const x = combination("q");
        out.channel("combination", freedoms[0]!.motion === "turn" ? "rad" : "m", x);
        const [force] = traceDrive(drive, freedoms[0]!, [{ name: "force", x, v: combination("u") }], s, out);
        for (const [i, { hinge, speedInHinge }] of freedoms.entries()) out.hinge(hinge, speedInHinge, mul(factors[i]!, force!));
      },
    };
  },
});
