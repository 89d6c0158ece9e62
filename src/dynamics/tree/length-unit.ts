/**
 * A unit of length for one kernel. Most constant factors of a kernel are distances between hinges. With the most frequent distance as the
 * unit of length these factors are one and fold. The unit of mass is chosen with it, so that torques and inertias keep their
 * values: only forces and sliding freedoms are converted at the inputs and outputs.
 */
import { isNumber, mul, type Scalar } from "../../kernel/trace/scalar.ts";
import type { HingeElement } from "../../model/hinge.ts";
import type { Frame, Model, Placement } from "../../model/model.ts";
import { scale, type Vec3 } from "../../spatial/vec3.ts";
import type { LinkTree } from "./link-tree.ts";

/** Operations that a factor of one saves on each hinge, and operations of the conversion of each sliding freedom. */
const SAVED_PER_HINGE = 10;
const COST_PER_SLIDE = 4;

/** The most frequent distance between hinges if it saves operations as the unit of length, else 1. */
export function lengthUnit(tree: LinkTree): number {
  const counts = new Map<number, number>();
  let slides = 0;
  for (const link of tree.links) {
    if (link.element.nu === 6) slides += 3;
    else if (link.element.screw?.turn === 0) slides++;
    const offsets = [...link.constantSteps.flatMap((s) => (s.kind === "shift" ? s.p : [])), link.zero.offset];
    for (const d of offsets) {
      if (!isNumber(d)) return 1;
      const size = Number(Math.abs(d).toPrecision(14)); // distances that differ by rounding count as equal
      if (size > 0) counts.set(size, (counts.get(size) ?? 0) + 1);
    }
  }
  const [unit, frequency] = [...counts].reduce((best, entry) => (entry[1] > best[1] ? entry : best), [1, 0]);
  return frequency * SAVED_PER_HINGE > slides * COST_PER_SLIDE ? unit : 1;
}

/** The model in units of length `unit` and mass 1 / unit². */
export function modelInLengthUnit(model: Model, unit: number): Model {
  if (unit === 1) return model;
  const inUnit = (p: Vec3<number>): Vec3<number> => scale(1 / unit, p) as Vec3<number>;
  const placementInUnit = ({ R, p }: Placement): Placement => ({ R, p: inUnit(p) });
  return {
    ...model,
    gravity: inUnit(model.gravity),
    bodies: model.bodies.map((b) => ({
      ...b,
      mass: b.mass * unit * unit,
      com: inUnit(b.com),
      hinge: {
        ...b.hinge,
        onParent: placementInUnit(b.hinge.onParent),
        onBody: placementInUnit(b.hinge.onBody),
        elements: b.hinge.elements.map((e) => elementInLengthUnit(e, unit)),
      },
    })),
    frames: model.frames.map((f): Frame => ({ ...f, placement: placementInUnit(f.placement) })),
  };
}

/** The element in another unit of length. A turn keeps its angle and its rotor's inertia. A slide keeps its direction; its rotor is a mass. */
function elementInLengthUnit(e: HingeElement, unit: number): HingeElement {
  const { screw, armature } = e;
  if (screw === undefined) return e;
  if (screw.turn === 0) return armature === undefined ? e : { ...e, armature: armature * unit * unit };
  return screw.slide === 0 ? e : { ...e, screw: { ...screw, slide: screw.slide / unit } };
}

/** For each coordinate and each speed: true if it is a length. */
function lengthFlags(model: Model): { readonly q: readonly boolean[]; readonly u: readonly boolean[] } {
  const flagsOf = (which: "q" | "u"): boolean[] =>
    model.bodies.flatMap((b) => b.hinge.elements.flatMap((e) => e.units[which].map((unit) => unit.startsWith("m"))));
  return { q: flagsOf("q"), u: flagsOf("u") };
}

/** Conversions of the inputs and outputs of a kernel that computes in another unit of length. */
export function lengthUnitConverter(model: Model, unit: number) {
  const isLength = lengthFlags(model);
  const convert = (values: readonly Scalar[], flags: readonly boolean[], factor: number): Scalar[] =>
    values.map((v, i) => (flags[i] && unit !== 1 ? mul(factor, v) : v));
  return {
    q: (q: readonly Scalar[]): Scalar[] => convert(q, isLength.q, 1 / unit),
    u: (u: readonly Scalar[]): Scalar[] => convert(u, isLength.u, 1 / unit),
    tau: (tau: readonly Scalar[]): Scalar[] => convert(tau, isLength.u, unit),
    /** Torque (3), force (3) of each frame. */
    wrenches: (w: readonly Scalar[]): Scalar[] => w.map((v, i) => (i % 6 >= 3 && unit !== 1 ? mul(unit, v) : v)),
    udot: (udot: readonly Scalar[]): Scalar[] => convert(udot, isLength.u, unit),
  };
}
