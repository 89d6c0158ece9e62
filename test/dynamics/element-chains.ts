/** A machine whose hinges are chains that no kind has yet: slides after turns, screws after screws, a ball in the middle. */
import { createModel } from "../../src/model/build/create-model.ts";
import { ball, type Element, screw, slide, turn } from "../../src/model/hinge.ts";
import type { Model } from "../../src/model/model.ts";
import type { Vec3 } from "../../src/spatial/vec3.ts";
import { randomModel } from "../random-model.ts";

const [x, y, z]: readonly Vec3<number>[] = [
  [1, 0, 0],
  [0, 1, 0],
  [0, 0, 1],
];
const oblique: Vec3<number> = [2 / 7, 3 / 7, 6 / 7];

const CHAINS: readonly (readonly Element[])[] = [
  [turn(z!), slide(x!), turn(y!)],
  [screw(oblique, 1, 0.3), screw(x!, 1, -0.2), slide(oblique)],
  [slide(y!), ball, slide(z!)],
  [slide(x!), turn(oblique), slide(z!), turn(x!)],
  [ball, slide(x!), slide(y!)],
];

export function chainModel(seed: number): Model {
  const drawn = createModel(randomModel(seed, { freedoms: 9, kinds: ["revolute"], massless: "none", base: "fixed" }));
  let [nq, nu] = [0, 0];
  const bodies = drawn.bodies.map((body, i) => {
    const elements = CHAINS[i % CHAINS.length]!;
    const count = (of: "nq" | "nu"): number => elements.reduce((n, e) => n + e[of], 0);
    const hinge = { ...body.hinge, elements, q: nq, u: nu, nq: count("nq"), nu: count("nu") };
    nq += hinge.nq;
    nu += hinge.nu;
    return { ...body, hinge };
  });
  return { ...drawn, name: "chains of elements", bodies, nq, nu };
}
