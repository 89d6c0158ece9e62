/** Massless rods and legs, which only their loops drive. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { FORMULATIONS, formulationsFor } from "../../../src/dynamics/formulations.ts";
import { ModelError, SingularError } from "../../../src/errors.ts";
import { parseModel } from "../../../src/formats/model-file.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { describeModel } from "../../../src/model/build/describe-model.ts";
import type { BodyDescription, ModelDescription } from "../../../src/model/description.ts";
import { homeOf } from "../../../src/model/model.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { assemble } from "../../../src/sim/system/assembly.ts";
import { difference } from "../../fixtures/geometry.ts";
import { answersOf, closedSpeeds } from "../../fixtures/models/loop-states.ts";
import { randomClosedModel, randomState } from "../../fixtures/models/random-model.ts";

const AGREE = 1e-9;

/** A block on a vertical slide, joined by a rod of length 1 to a pivot 0.6 to the side: the rod is a leaf, and the loop is its pin. */
const hung = (rod: Partial<BodyDescription>): ModelDescription => ({
  name: "hung block",
  gravity: [0, -9.81, 0],
  bodies: [
    { name: "block", mass: 2, inertia: [0.1, 0.1, 0.1], hinge: { kind: "prismatic", axis: "y" } },
    { name: "cart", mass: 3, inertia: [0.1, 0.1, 0.1], hinge: { kind: "prismatic", axis: "x", at: [0.6, 0.8, 0] } },
    { name: "rod", parent: "block", mass: 0, inertia: "none", hinge: { kind: "revolute" }, ...rod },
  ],
  loops: [
    {
      name: "pin",
      kind: "point-on-line",
      axis: "z",
      from: { body: "rod", at: [1, 0, 0] },
      to: { body: "cart" },
    },
  ],
});

describe("a massless rod between two slides", () => {
  const angle = Math.atan2(0.8, 0.6);
  const state = {
    q: Float64Array.of(0, 0, angle),
    u: Float64Array.of(0.4, -0.4 * (0.8 / 0.6), 0),
    tau: Float64Array.of(1, 2, 0),
    w: new Float64Array(0),
  };
  // The block rises by y, the cart goes by x: (0.6 + x)² + (0.8 - y)² = 1, so 0.6 x' = 0.8 y'
  state.u[1] = (0.8 / 0.6) * state.u[0]!;
  state.u[2] = (-state.u[0]! * 0.6 - state.u[1]! * 0.8) / 1; // turned by the motion of the ends across the rod
  const model = createModel(hung({}));

  test.each(formulationsFor(model))("%s: as by hand", (name) => {
    const { udot, lambda } = answersOf(FORMULATIONS[name].derive(model), state);
    // Force S of the rod on its ends, along (0.6, 0.8): 3 x'' = 2 - 0.6 S', 2 y'' = 1 - 2 g + 0.8 S', with tension S'
    const [vx, vy] = [state.u[1]!, state.u[0]!];
    const bias = vx * vx + vy * vy; // 0.6 x'' - 0.8 y'' = -bias
    const S = (0.6 * (2 / 3) - 0.8 * ((1 - 2 * 9.81) / 2) + bias) / (0.36 / 3 + 0.64 / 2);
    expect(udot[1]).toBeCloseTo((2 - 0.6 * S) / 3, 10);
    expect(udot[0]).toBeCloseTo((1 - 2 * 9.81 + 0.8 * S) / 2, 10);
    expect(Math.hypot(...lambda)).toBeCloseTo(Math.abs(S), 9);
  });

  test("without the loop it is refused; with an armature it is accepted", () => {
    const { loops: _, ...open } = hung({});
    expect(() => createModel(open)).toThrow(ModelError);
    const { loops: __, ...geared } = hung({ hinge: { kind: "revolute", armature: 0.1 } });
    expect(createModel(geared).nu).toBe(3);
  });

  test("a rod that can turn about itself has no inertia against it", () => {
    const loose = createModel({
      ...hung({ hinge: { kind: "spherical" } }),
      loops: [{ name: "pin", kind: "spherical", from: { body: "rod", at: [1, 0, 0] }, to: { body: "cart" } }],
    });
    const system = createSystem(loose, []);
    expect(() => assemble(system, system.start({ q: homeOf(loose) }))).toThrow(SingularError);
  });
});

test("a platform on six massless legs moves as on legs of one microgram", () => {
  const description = describeModel(parseModel(readFileSync("scenarios/stewart-platform/model.yaml", "utf8"), "model.yaml"));
  const legs = (mass: number): ModelDescription => ({
    ...description,
    bodies: description.bodies.map((body) =>
      body.name === "platform" ? body : { ...body, mass, com: [0, 0, 0], inertia: mass === 0 ? "none" : [mass, mass, mass] },
    ),
  });
  const motions = [0, 1e-9].map((mass) => {
    const model = createModel(legs(mass));
    const answers = formulationsFor(model).map((name) => {
      const system = createSystem(model, [], { formulation: name });
      const q = homeOf(model);
      q[6] = 0.95;
      return system.accelerations(assemble(system, system.start({ q })).state).slice(0, 6);
    });
    for (const other of answers.slice(1)) expect(difference(answers[0]!, other)).toBeLessThan(AGREE);
    return answers[0]!;
  });
  expect(difference(motions[0]!, motions[1]!)).toBeLessThan(1e-8);
});

/** Random models with loops whose closing bodies may be massless. */
test("random models with massless closing leaves: the formulations agree", () => {
  let tried = 0;
  for (let seed = 0; seed < 60 && tried < 12; seed++) {
    const { description, q } = randomClosedModel(seed, { closings: ["fixed"], massless: "none" });
    const closing = description.loops!.flatMap((loop) => ("from" in loop ? [loop.from, loop.to] : []));
    const names = new Set(closing.flatMap((end) => (typeof end === "object" && end !== null && "body" in end ? [end.body] : [])));
    const leaf = description.bodies.find((b) => names.has(b.name) && !description.bodies.some((c) => c.parent === b.name));
    if (!leaf || leaf.hinge.kind === "free") continue;
    const bodies = description.bodies.map((b) =>
      b === leaf ? { ...b, mass: 0, com: [0, 0, 0] as const, inertia: "none" as const } : b,
    );
    const model = createModel({ ...description, bodies });
    const derived = formulationsFor(model).map((name) => FORMULATIONS[name].derive(model, { target: "interpret" }));
    const drawn = randomState(model, seed, 0);
    const state = { ...drawn, q, u: closedSpeeds(derived[0]!, q, drawn.u) };
    const answers = derived.map((equations) => answersOf(equations, state));
    for (const other of answers.slice(1)) {
      expect(difference(answers[0]!.udot, other.udot), `seed ${seed}`).toBeLessThan(AGREE);
      expect(difference(answers[0]!.lambda, other.lambda), `seed ${seed}`).toBeLessThan(1e-8);
    }
    tried++;
  }
  expect(tried).toBe(12);
});
