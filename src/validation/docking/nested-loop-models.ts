/** Docking mechanisms with loops inside loops [docking study 3]: models d1, d2 and d3 of the study. */
import type { LoopDescription } from "../../model/description.ts";
import type { NumericMat3 } from "../../spatial/rotation.ts";
import { apply } from "../../spatial/rotation.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { scale } from "../../spatial/vec3.ts";
import { axesOf, less, type Mechanism, type MechanismPart, pin, sum, unit, X } from "./mechanism.ts";
import { ballOn, legParts, type RingOptions, ringOf, ringOnLegs } from "./models.ts";

/**
 * d1: a lever and a link between cylinder and rod of legs 1 and 4: loops inside dependent legs. Closed by pins, or by revolutes, of whose five
 * equations three are redundant.
 */
export function ringWithInnerLoops(options: RingOptions & { readonly closing?: "pin" | "revolute" } = {}): Mechanism {
  const outer = ringOnLegs({ name: "ring with inner loops", ...options });
  const inner = [1, 4];
  return {
    ...outer,
    parts: [
      ...outer.parts,
      ...inner.flatMap((i): MechanismPart[] => [
        {
          name: `lever${i}`,
          parent: `cyl${i}`,
          at: [0.1, 0.05, 0],
          motions: ["Rz"],
          mass: 0.8,
          com: [0.05, 0.01, 0],
          inertia: [0.001, 0.004, 0.005],
        },
        {
          name: `link${i}`,
          parent: `lever${i}`,
          at: [0.12, 0, 0],
          motions: ["Rz"],
          mass: 0.4,
          com: [0.1, 0, 0],
          inertia: [0.0002, 0.0015, 0.0015],
        },
      ]),
    ],
    loops: [
      ...outer.loops,
      ...inner.map((i): LoopDescription => {
        const made = pin(`inner${i}`, { body: `rod${i}`, at: [-0.22, 0.05, 0] }, { body: `link${i}`, at: [0.2, 0, 0] });
        return options.closing === "revolute" ? ({ ...made, kind: "revolute" } as LoopDescription) : made;
      }),
    ],
  };
}

/** d2: a four-bar on the ring; leg 1 ends on its rocker, so that a loop lies on the branch of another loop. */
export function ringWithFourBar(options: RingOptions = {}): Mechanism {
  const ring = ringOf(options);
  const [first] = ring.legs;
  const radial = unit(first!.to);
  const axes = axesOf(X, radial);
  const rocker = less(first!.to, [0.1, 0, 0]);
  const bar = (
    name: string,
    parent: string,
    at: NumericVec3,
    mass: number,
    com: number,
    inertia: readonly number[],
    turned?: NumericMat3,
  ): MechanismPart => ({
    name,
    parent,
    at,
    ...(turned && { axes: turned }),
    motions: ["Rz"],
    mass,
    com: [com, 0, 0],
    inertia,
  });
  return {
    name: options.name ?? "ring with a four-bar",
    parts: [
      ...ring.parts,
      bar("drive", "ring", less(rocker, scale(0.12, radial) as NumericVec3), 0.9, 0.03, [0.0005, 0.002, 0.002], axes),
      bar("rocker", "ring", rocker, 0.7, 0.05, [0.0004, 0.0015, 0.0015], axes),
      bar("coupler", "rocker", [0.07, 0, 0], 0.3, 0.06, [0.0001, 0.0006, 0.0006]),
      ...ring.legs.flatMap((leg) => legParts(leg, ring, options, ["Px"])),
    ],
    loops: [
      pin("four-bar", { body: "drive", at: [0.05, 0, 0] }, { body: "coupler", at: [0.13, 0, 0] }),
      ...ring.legs.map((leg, i) => (i === 0 ? ballOn("rocker", leg, [0.1, 0, 0]) : ballOn("ring", leg))),
    ],
  };
}

/** d3: leg 1 is a four-bar with a rod on its coupler: two mutually dependent loops form one block. */
export function ringWithMutualLoops(options: RingOptions = {}): Mechanism {
  const ring = ringOf(options);
  const [first, ...others] = ring.legs;
  const { from, to } = first!;
  const axes = axesOf(unit(from), X);
  const turning = (
    name: string,
    rest: Omit<MechanismPart, "name" | "motions" | "mass" | "com" | "inertia">,
  ): Pick<MechanismPart, "name" | "motions"> & typeof rest => ({
    name,
    motions: ["Rz"],
    ...rest,
  });
  return {
    name: options.name ?? "ring with loops that need each other",
    parts: [
      ...ring.parts,
      ...others.flatMap((leg) => legParts(leg, ring, options, ["Px"])),
      {
        ...turning("crank1", { ...ring.carrier, at: from, axes }),
        mass: 2.2,
        com: [0.1, 0, 0.01],
        inertia: [0.003, 0.012, 0.012],
      },
      {
        ...turning("coupler1", { parent: "crank1", at: [0.15, 0, 0] }),
        mass: 0.9,
        com: [0.05, 0.02, 0],
        inertia: [0.001, 0.003, 0.003],
      },
      {
        name: "rod1",
        parent: "coupler1",
        at: [0.05, 0.08, 0],
        motions: ["Rz", "Ry"],
        mass: 1,
        com: [0.2, 0, 0],
        inertia: [0.0008, 0.02, 0.02],
      },
      {
        ...turning("rocker1", { ...ring.carrier, at: sum(from, apply(axes, [0.1, 0, 0]) as NumericVec3), axes }),
        mass: 1.1,
        com: [0.07, 0, 0],
        inertia: [0.001, 0.004, 0.004],
      },
    ],
    loops: [
      ...others.map((leg) => ballOn("ring", leg)),
      { name: "outer1", kind: "spherical", from: { body: "ring", at: to }, to: { body: "rod1", at: [0.5, 0, 0] } },
      pin("inner1", { body: "rocker1", at: [0.16, 0, 0] }, { body: "coupler1", at: [0.1, 0, 0] }),
    ],
  };
}
