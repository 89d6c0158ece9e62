/** All kinds of forces on one audited machine; and arbitrary input for the reading of parameters. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ModelError } from "../../src/errors.ts";
import { CONTROLLERS, readController } from "../../src/parts/control/controllers.ts";
import { FORCES, readForce } from "../../src/parts/force/forces.ts";
import { ARM } from "../fixtures/force-bench.ts";
import { drift, runFor } from "../fixtures/force-run.ts";

describe("all kinds together", () => {
  it("the audit balances over a run with slipping, sticking, stops, saturation and switching", () => {
    const elements = Object.entries(FORCES).map(([kind, { examples }], i) => readForce(kind, `e${i}`, examples[0], ARM));
    // The wheel on soil starts above the ground: it would return energy that nobody has put in.
    const q = [1, 0, 0, 0, 0, 0, 0.6, 0.2, 0.45, 0.1, 1, 0, 0, 0];
    // It falls slowly on the ground: a wheel that stays in soil takes 500 000 steps per second at these tolerances.
    const u = [0.1, -0.2, 0.05, 0, 0.1, 1, -0.5, 1.5, 0.2, 0.3, 0.1, -0.4];
    const { run, dissipated } = runFor(ARM, elements, 3, { q, u });
    expect(run.events.length).toBeGreaterThan(0);
    expect(dissipated).toBeGreaterThan(0);
    expect(drift(run, "energy")).toBeLessThan(1e-9);
    expect(drift(run, "angular momentum")).toBeLessThan(1e-9);
    expect(drift(run, "linear momentum")).toBeLessThan(1e-9);
  });
});

describe("hostile parameters", () => {
  const creators = [
    ...Object.keys(FORCES).map((kind) => ({ kind, known: FORCES, create: readForce })),
    ...Object.keys(CONTROLLERS).map((kind) => ({ kind, known: CONTROLLERS, create: readController })),
  ];

  it.each(creators)("$kind turns any input into an element or a ModelError", ({ kind, known, create }) => {
    const { parameters } = known[kind as keyof typeof known] as { parameters: object };
    const keys = Object.keys(parameters);
    const anything = fc.dictionary(fc.constantFrom(...keys, "__proto__", "extra"), fc.anything({ maxDepth: 3 }), { maxKeys: 5 });
    const numbers = fc.dictionary(
      fc.constantFrom(...keys),
      fc.oneof(fc.double(), fc.constantFrom("elbow", "hand", "base", "x"), fc.array(fc.double(), { maxLength: 4 })),
    );
    fc.assert(
      fc.property(fc.oneof(anything, numbers, fc.anything()), (written) => {
        try {
          create(kind, "e", written, ARM);
        } catch (error) {
          expect(error).toBeInstanceOf(ModelError);
          expect((error as ModelError).problems.length).toBeGreaterThan(0);
        }
      }),
      { numRuns: 200, seed: 7 },
    );
  });
});
