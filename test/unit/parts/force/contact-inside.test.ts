/** A solid that is inside of another one as a whole, or at the same place: it touches, with its whole depth, and its loads are finite. */
import { describe, expect, it } from "vitest";
import { ridge } from "../../../../src/ground/shapes.ts";
import { createModel } from "../../../../src/model/build/create-model.ts";
import { readForce } from "../../../../src/parts/force/forces.ts";
import { applyElement } from "../../../fixtures/numeric-loads.ts";

/** Solids whose origin is inside, with a size of about r. */
const SOLIDS: Readonly<Record<string, (r: number) => object>> = {
  sphere: (r) => ({ kind: "sphere", radius: r }),
  capsule: (r) => ({ kind: "capsule", at: [-r / 2, 0, 0], to: [r / 2, 0, 0], radius: r }),
  cylinder: (r) => ({ kind: "cylinder", radius: r, length: 2 * r }),
  disc: (r) => ({ kind: "disc", at: [0, 0, r], radius: r, thickness: 2 * r }),
  cone: (r) => ({ kind: "cone", at: [0, 0, -r], radius: r, tip: r / 2, length: 2 * r }),
  box: (r) => ({ kind: "box", size: [2 * r, 1.8 * r, 1.6 * r] }),
  hull: (r) => ({
    kind: "hull",
    points: [-r, r].flatMap((x) => [-r, r].flatMap((y) => [-r, r].map((z) => [x, y, z]))),
  }),
};
const names = Object.keys(SOLIDS);

const model = createModel({
  name: "two",
  bodies: ["a", "b"].map((name) => ({ name, mass: 1, inertia: [1, 1, 1], hinge: { kind: "free" } })),
});

/** Channels and wrenches of a pair with body a at p and body b at the origin, both at the same attitude and with rates. */
function loadsOf(a: object, b: object, p: readonly number[]) {
  const element = readForce(
    "contact",
    "contact",
    {
      shapes: [{ ...a, name: "a", on: "a" }],
      against: [{ ...b, name: "b", ...(!("kind" in b && b.kind === "ground") && { on: "b" }) }],
      law: "pressure",
      modulus: 1e6,
      damping: 0.5,
      friction: 0.4,
    },
    model,
    { terrain: ridge(0.3, 0.6) },
  );
  const attitude = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const frames = [...attitude, ...p, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, ...attitude, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  return applyElement(element, model, frames.slice(0, 18 * element.frames!.length));
}

describe("a solid inside of another one", () => {
  it.each(names.flatMap((a) => names.map((b) => [a, b] as const)))("small %s, large %s", (a, b) => {
    const { wrenches, channels } = loadsOf(SOLIDS[a]!(0.05), SOLIDS[b]!(1), [0.01, 0.02, 0.1]);
    expect(channels.count).toBe(1);
    expect(channels.depth).toBeGreaterThan(0.01);
    expect(wrenches.every(Number.isFinite)).toBe(true);
  });

  it.each(names)("%s below a plane", (a) => {
    const { wrenches, channels } = loadsOf(SOLIDS[a]!(0.05), { kind: "plane" }, [0, 0, -1]);
    expect(channels.count).toBe(1);
    expect(channels.depth).toBeGreaterThan(0.01);
    expect(wrenches.every(Number.isFinite)).toBe(true);
  });

  it.each(names)("%s below the ground, over corners of its grid and beside them", (a) => {
    for (const p of [
      [0, 0, -1],
      [3, 0, -20],
      [0.4, 0.123, -0.2],
    ]) {
      const { wrenches, channels } = loadsOf(SOLIDS[a]!(0.05), { kind: "ground" }, p);
      expect(channels.count).toBe(1);
      expect(channels.depth).toBeGreaterThan(0.01);
      expect(wrenches.every(Number.isFinite)).toBe(true);
    }
  });

  it.each(names)("%s at the place of an equal one", (a) => {
    const { wrenches, channels } = loadsOf(SOLIDS[a]!(0.5), SOLIDS[a]!(0.5), [0, 0, 0]);
    expect(channels.count).toBe(1);
    expect(channels.depth).toBeGreaterThan(0.1);
    expect(wrenches.every(Number.isFinite)).toBe(true);
  });
});
