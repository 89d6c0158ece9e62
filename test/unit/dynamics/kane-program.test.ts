import { describe, expect, it } from "vitest";
import { FORMULATIONS } from "../../../src/dynamics/formulations.ts";
import { SingularError } from "../../../src/errors.ts";
import { compile } from "../../../src/kernel/run/kernel.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { Model } from "../../../src/model/model.ts";
import { randomModel, randomState } from "../../fixtures/models/random-model.ts";

/** u̇ and the mark of validity from the program. */
function fromProgram(model: Model, { q, u, tau, w }: ReturnType<typeof randomState>): readonly [Float64Array, number] {
  const program = FORMULATIONS.kane.derive(model).program!()!;
  const kernel = compile(program);
  kernel.x.set([...q, ...u, ...tau, ...w, 0]);
  kernel.evaluate();
  return [kernel.y.slice(0, model.nu), kernel.y[model.nu]!];
}

describe("the accelerations of kane as one program", () => {
  it("have the bits of the factorisation in loops", () => {
    let compared = 0;
    for (let seed = 1; seed <= 40; seed++) {
      const model = createModel(randomModel(seed, { freedoms: 1 + (seed % 24), massless: "none" }));
      const state = randomState(model, seed);
      const own = new Float64Array(0);
      const udot = new Float64Array(model.nu);
      FORMULATIONS.kane.derive(model).accelerations(state.q, state.u, state.tau, own, udot);
      const [values, invalid] = fromProgram(model, { ...state, w: own });
      expect(invalid, `seed ${seed}`).toBe(0);
      expect(values, `seed ${seed}`).toEqual(udot);
      compared += model.nu;
    }
    expect(compared).toBeGreaterThan(400);
  });

  it("are marked as invalid where the mass matrix is singular or not finite", () => {
    const model = createModel({
      name: "two turns about one axis with no mass between them",
      bodies: [
        { name: "ring", mass: 0, inertia: "none", hinge: { name: "inner", kind: "revolute", at: [1, 0, 0] } },
        {
          name: "wheel",
          parent: "ring",
          mass: 1,
          com: [0.2, 0, 0],
          inertia: [1, 1, 1],
          hinge: { name: "outer", kind: "revolute" },
        },
      ],
    });
    const zero = (): Float64Array => new Float64Array(2);
    const state = { q: Float64Array.of(0.3, 0.3), u: zero(), tau: zero(), w: new Float64Array(0) };
    const refuse = (): void => FORMULATIONS.kane.derive(model).accelerations(state.q, state.u, state.tau, state.w, zero());
    expect(refuse).toThrow(SingularError);
    expect(fromProgram(model, state)[1]).not.toBeLessThan(1);
    const [, notFinite] = fromProgram(model, { ...state, q: Float64Array.of(Number.NaN, 0) });
    expect(notFinite).not.toBeLessThan(1);
  });

  it("remain loops for models whose code would be large", () => {
    expect(FORMULATIONS.kane.derive(createModel(randomModel(3, { freedoms: 60, shape: "chain" }))).program!()).toBeUndefined();
  });
});
