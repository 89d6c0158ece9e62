/** The contacts of the docking rings of the specification: petals in rims, sides against sides, faces. */

import type { Model } from "../../src/model/model.ts";
import { readForce } from "../../src/parts/force/forces.ts";
import type { ForceElement } from "../../src/sim/system/force-element.ts";

const [FACE, RIM, OUTER, ROOT, HEIGHT, ANGLE, HEEL] = [0.04, 0.6, 0.68, 0.598, 0.17, 35.5, 0.03];
const [WIDE, NARROW] = [29.4, 18];
const TIP = ROOT - HEIGHT * Math.tan((ANGLE * Math.PI) / 180);

const at = (x: number, radius: number, degrees: number): [number, number, number] => {
  const a = (degrees * Math.PI) / 180;
  return [x, radius * Math.cos(a), radius * Math.sin(a)];
};

/** A line of three petals, 120 degrees apart: side 0 is the middle, -1 and 1 the sides. */
const petals = (on: string, azimuth: number, side: -1 | 0 | 1, more: object = {}) => {
  const [x, way] = on === "ring" ? [FACE, 1] : [0, -1];
  const [root, tip] = [at(x, ROOT, azimuth + side * WIDE), at(x + way * HEIGHT, TIP, azimuth + side * NARROW)];
  return { kind: "edge", on, at: root, to: tip, copies: 3, around: "x", ...more };
};

/** The way out of an active petal through a side: ± x × the middle of the side. */
function outOf(side: -1 | 1): [number, number, number] {
  const { at: a, to: b } = petals("ring", 0, side);
  return [0, (-side * (a[2] + b[2])) / 2, (side * (a[1] + b[1])) / 2];
}

const SIDE = { behind: 0.1, reach: 0.03, fade: 0.01 };

export const RING_CONTACTS: Readonly<Record<string, object>> = {
  active: {
    shapes: ([0, -1, 1] as const).map((side) => petals("ring", 0, side, { heel: HEEL })),
    against: [{ kind: "rim", name: "rim", on: "passive", axis: "x", radius: RIM, outer: OUTER }],
  },
  passive: {
    shapes: ([0, -1, 1] as const).map((side) => petals("passive", 60, side, { heel: HEEL })),
    against: [{ kind: "rim", name: "rim", on: "ring", at: [FACE, 0, 0], axis: [-1, 0, 0], radius: RIM, outer: OUTER }],
  },
  sides: {
    shapes: [petals("ring", 0, 1, { out: outOf(1), ...SIDE }), petals("ring", 0, -1, { out: outOf(-1), ...SIDE })],
    against: [petals("passive", 60, -1, SIDE), petals("passive", -60, 1, SIDE)],
    pairs: "in order",
  },
  face: {
    shapes: [{ kind: "point", on: "ring", at: [FACE, 0.63, 0], copies: 12, around: "x" }],
    against: [{ kind: "disc", name: "face", on: "passive", axis: [-1, 0, 0], inner: 0.58, radius: 0.68, thickness: 0.03 }],
  },
};

export const ringContacts = (model: Model, changes: object = {}): readonly ForceElement[] =>
  Object.entries(RING_CONTACTS).map(([name, parameters]) =>
    readForce("contact", name, { ...parameters, stiffness: 3e5, damping: 3, friction: 0.1, creep: 2e-3, ...changes }, model),
  );
