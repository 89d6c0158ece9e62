/** Small linkages of the docking study: a planar four-bar, the same in space, Bennett's, and a planar platform. */

import type { LoopDescription } from "../../model/description.ts";
import type { NumericMat3 } from "../../spatial/rotation.ts";
import { apply, transpose } from "../../spatial/rotation.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { cross } from "../../spatial/vec3.ts";
import { axesOf, less, type Mechanism, type MechanismPart, pin, sum, unit } from "./mechanism.ts";

const link = (
  name: string,
  at: NumericVec3,
  mass: number,
  com: NumericVec3,
  inertia: readonly number[],
  parent?: string,
): MechanismPart => ({
  name,
  ...(parent !== undefined && { parent }),
  at,
  motions: ["Rz"],
  mass,
  com,
  inertia,
});

/** a: crank 0.3, coupler 0.8, rocker 0.6, ground 0.9 m; closed in the plane. */
export const planarFourBar: Mechanism = {
  name: "planar four-bar",
  gravity: [0, -9.81, 0],
  parts: [
    link("crank", [0, 0, 0], 1, [0.14, 0.01, 0], [0.002, 0.01, 0.01]),
    link("rocker", [0.9, 0, 0], 2, [0.33, -0.02, 0], [0.003, 0.07, 0.07]),
    link("coupler", [0.6, 0, 0], 2.5, [0.38, 0.05, 0], [0.005, 0.15, 0.15], "rocker"),
  ],
  loops: [pin("pin", { body: "crank", at: [0.3, 0, 0] }, { body: "coupler", at: [0.8, 0, 0] })],
};

/** The same four-bar tilted in space and closed by a revolute: five equations of rank 2. The rows of `axes` are the axes of the base. */
export function tiltedFourBar(axes: NumericMat3): Mechanism {
  const turned = (v: NumericVec3): NumericVec3 => apply(axes, v) as NumericVec3;
  const loop = planarFourBar.loops[0]!;
  return {
    ...planarFourBar,
    name: "four-bar in space",
    gravity: turned(planarFourBar.gravity!),
    parts: planarFourBar.parts.map((part) => (part.parent === undefined ? { ...part, at: turned(part.at!), axes } : part)),
    loops: [{ ...loop, kind: "revolute" } as LoopDescription],
  };
}

/** Bennett's linkage: four revolutes, links a and b with twists of 40 and 75 degrees in turn, b = a sin β / sin α; rank 2 of 5. */
export function bennett(a = 0.5, alpha = 40, beta = 75): Mechanism {
  const radians = (degrees: number): number => (degrees * Math.PI) / 180;
  const about = (degrees: number): NumericMat3 => {
    const [c, s] = [Math.cos(radians(degrees)), Math.sin(radians(degrees))];
    return [
      [1, 0, 0],
      [0, c, -s],
      [0, s, c],
    ];
  };
  const b = (a * Math.sin(radians(beta))) / Math.sin(radians(alpha));
  const one = (k: number, length: number, rest: Pick<MechanismPart, "parent" | "at" | "axes">): MechanismPart => ({
    name: `link${k}`,
    ...rest,
    motions: ["Rz"],
    mass: 0.8 + 0.2 * k,
    com: [length / 2, 0.02, 0.01],
    inertia: [
      [0.003 + 0.001 * k, 0.0005, 0],
      [0.0005, 0.012, 0.0003],
      [0, 0.0003, 0.013],
    ],
  });
  const back = transpose(about(beta)) as NumericMat3;
  return {
    name: "Bennett's linkage",
    gravity: [0, 0, -9.81],
    parts: [
      one(1, a, {}),
      one(2, b, { parent: "link1", at: [a, 0, 0], axes: about(alpha) }),
      one(3, a, { parent: "link2", at: [b, 0, 0], axes: about(beta) }),
    ],
    loops: [
      {
        name: "fourth",
        kind: "revolute",
        axis: "z",
        from: { body: "world", at: apply(back, [-b, 0, 0]) as NumericVec3, rotation: { matrix: back } },
        to: { body: "link3", at: [a, 0, 0], rotation: { matrix: about(alpha) } },
      },
    ],
  };
}

/** e: a platform in the plane on a telescopic leg (RP) and two cranks with rods (RR). */
export function planarPlatform(): Mechanism {
  const [A0, pA]: [NumericVec3, NumericVec3] = [
    [0.6, 0, 0],
    [0.25, -0.1, 0],
  ];
  const along = less(sum(pA, [0, 0.5, 0]), A0);
  const x = unit(along);
  const two = (name: string, at: NumericVec3, first: number, second: number): MechanismPart[] => [
    link(`l1${name}`, at, 1.5, [first / 2, 0.01, 0], [0.001, 0.02, 0.02]),
    link(`l2${name}`, [first, 0, 0], 1.1, [second / 2, 0, 0], [0.001, 0.012, 0.012], `l1${name}`),
  ];
  return {
    name: "planar platform",
    gravity: [0, -9.81, 0],
    parts: [
      { name: "plat", at: [0, 0.5, 0], motions: ["Px", "Py", "Rz"], mass: 6, com: [0.01, 0.02, 0], inertia: [0.2, 0.3, 0.45] },
      { ...link("cylA", A0, 3, [0.15, 0.01, 0], [0.005, 0.04, 0.04]), axes: axesOf(x, cross([0, 0, 1], x) as NumericVec3) },
      {
        ...link("rodA", [Math.hypot(...along), 0, 0], 1.2, [-0.15, 0, 0], [0.001, 0.015, 0.015], "cylA"),
        motions: ["Px"],
      },
      ...two("B", [-0.6, 0, 0], 0.35, 0.3),
      ...two("C", [0, 1.1, 0], 0.3, 0.35),
    ],
    loops: [
      pin("A", { body: "plat", at: pA }, { body: "rodA", at: [0, 0, 0] }),
      pin("B", { body: "plat", at: [-0.25, -0.1, 0] }, { body: "l2B", at: [0.3, 0, 0] }),
      pin("C", { body: "plat", at: [0, 0.2, 0] }, { body: "l2C", at: [0.35, 0, 0] }),
    ],
  };
}
