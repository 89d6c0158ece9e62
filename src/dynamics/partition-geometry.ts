/** Which dependent branches have coordinates in closed form, read off the axes of their hinges. */
import type { FrameLoop } from "../model/loop.ts";
import type { Model } from "../model/model.ts";
import type { Placement } from "../spatial/placement.ts";
import { apply, compose, IDENTITY, type Mat3, transpose } from "../spatial/rotation.ts";
import { cross, dot, minus, plus, scale, type Vec3 } from "../spatial/vec3.ts";
import type { Chain } from "./partition-chains.ts";
import type { LoopEntry } from "./partition-table.ts";

type V3 = Vec3<number>;

/** A branch in closed form: coordinate i of the model is that of the chain minus its zero. */
export interface PlacedChain {
  /** With an elbow of +1, where it has one; the state says which it is. */
  readonly chain: Chain;
  /** O1 on the root, and the axes of the chain's frame as rows, in axes of the root's body. */
  readonly origin: V3;
  readonly axes: Mat3<number>;
  readonly q: readonly number[];
  readonly zeros: readonly number[];
}

/** Lengths (m) and cosines that differ by less are equal. */
const EQUAL = 1e-12;

interface Joint {
  readonly turns: boolean;
  readonly axis: V3;
  readonly at: V3;
  readonly q: number;
}

/** The chain of a loop's dependent branch, if it is one of those that have a closed form. */
export function chainOf(model: Model, loop: FrameLoop, { root, terminal }: LoopEntry): PlacedChain | undefined {
  const branch = branchAtZero(model, root!, terminal!);
  const { placement } = loop.to.body === terminal ? loop.to : loop.from;
  if (!branch) return undefined;
  const { joints, X } = branch;
  const end = plus(X.p, apply(X.R, placement.p)) as V3;
  const shape = joints.map((j) => (j.turns ? "R" : "P")).join("");
  const found = FORMS[`${loop.kind} ${shape}`]?.(joints, end);
  return found && { ...found, q: joints.map((j) => j.q) };
}

type Form = (joints: readonly Joint[], end: V3) => Omit<PlacedChain, "q"> | undefined;

/** By kind of the closing loop and motions of the branch. Others register the same way. */
const FORMS: Readonly<Record<string, Form>> = {
  "spherical RRP": leg,
  "spherical RRR": crankAndRod,
  "point-on-line RR": planarCrankAndRod,
  "point-on-line RP": planarLeg,
};

/** Axes and points of the elements of a branch where all its coordinates are zero, in axes of the root; single freedoms only. */
function branchAtZero(model: Model, root: number, terminal: number): { joints: Joint[]; X: Placement } | undefined {
  const path: number[] = [];
  for (let i = terminal; i !== root; i = model.bodies[i]!.parent) path.unshift(i);
  let X: Placement = { R: IDENTITY, p: [0, 0, 0] };
  const joints: Joint[] = [];
  for (const i of path) {
    const { hinge } = model.bodies[i]!;
    X = after(X, hinge.onParent);
    for (const [k, { screw }] of hinge.elements.entries()) {
      if (!screw || (screw.turn !== 0 && screw.slide !== 0)) return undefined;
      joints.push({
        turns: screw.turn !== 0,
        axis: apply(X.R, scale(screw.turn || screw.slide, screw.axis)) as V3,
        at: X.p,
        q: hinge.q + k,
      });
    }
    const back = transpose(hinge.onBody.R) as Mat3<number>;
    X = after(X, { R: back, p: scale(-1, apply(back, hinge.onBody.p)) as V3 });
  }
  return { joints, X };
}

const after = (A: Placement, B: Placement): Placement => ({
  R: compose(A.R, B.R) as Mat3<number>,
  p: plus(A.p, apply(A.R, B.p)) as V3,
});

const length = (v: V3): number => Math.hypot(...v);
const unit = (v: V3): V3 => scale(1 / length(v), v) as V3;
const less = (a: V3, b: V3): V3 => minus(a, b) as V3;
const product = (a: V3, b: V3): number => dot(a, b) as number;
const isSame = (a: V3, b: V3): boolean => length(less(a, b)) < EQUAL;
/** What is left of v without its part along a unit vector. */
const across = (v: V3, n: V3): V3 => less(v, scale(product(v, n), n) as V3);

/** Turns about y and z that meet in O1, a slide along x, the end on x. */
function leg([a, b, c]: readonly Joint[], end: V3): Omit<PlacedChain, "q"> | undefined {
  const [y, z, x] = [a!.axis, b!.axis, c!.axis];
  const origin = meeting(a!, b!);
  if (!origin || !isSame(cross(y, z) as V3, x)) return undefined;
  const reach = product(less(end, origin), x);
  if (!isSame(end, plus(origin, scale(reach, x)) as V3)) return undefined;
  return { chain: { kind: "R2P1R3", length: reach }, origin, axes: [x, y, z], zeros: [0, 0, 0] };
}

/** Two parallel turns; then, where the rod begins, one across both. */
function crankAndRod([a, b, c]: readonly Joint[], end: V3): Omit<PlacedChain, "q"> | undefined {
  const planar = planarCrankAndRod([a!, b!], end);
  const pin = b && c && meeting(b, c);
  if (planar?.chain.kind !== "RR" || !pin) return undefined;
  const z = a!.axis;
  const rod = less(end, pin);
  if (Math.abs(product(rod, z)) > EQUAL || !isSame(cross(z, unit(rod)) as V3, c!.axis)) return undefined;
  const { chain, ...place } = planar;
  const offset = product(less(pin, a!.at), z);
  return { chain: { ...chain, kind: "R1R2R3", offset }, ...place, zeros: [...place.zeros, 0] };
}

/** Two parallel turns about z, the crank along x. */
function planarCrankAndRod([a, b]: readonly Joint[], end: V3): Omit<PlacedChain, "q"> | undefined {
  const z = a!.axis;
  if (!isSame(z, b!.axis)) return undefined;
  const [crank, rod] = [across(less(b!.at, a!.at), z), across(less(end, b!.at), z)];
  if (length(crank) < EQUAL || length(rod) < EQUAL) return undefined;
  const x = unit(crank);
  const y = cross(z, x) as V3;
  return {
    chain: { kind: "RR", crank: length(crank), rod: length(rod), elbow: 1 },
    origin: a!.at,
    axes: [x, y, z],
    zeros: [0, Math.atan2(product(rod, y), product(rod, x))],
  };
}

/** A turn about z, a slide along x, the end on x. */
function planarLeg([a, b]: readonly Joint[], end: V3): Omit<PlacedChain, "q"> | undefined {
  const [z, x] = [a!.axis, b!.axis];
  const reach = across(less(end, a!.at), z);
  const y = cross(z, x) as V3;
  if (Math.abs(product(x, z)) > EQUAL || Math.abs(product(reach, y)) > EQUAL) return undefined;
  return { chain: { kind: "RP", length: product(reach, x) }, origin: a!.at, axes: [x, y, z], zeros: [0, 0] };
}

/** Where two turns across each other meet. */
function meeting(a: Joint, b: Joint): V3 | undefined {
  if (Math.abs(product(a.axis, b.axis)) > EQUAL) return undefined;
  const between = less(b.at, a.at);
  const point = plus(a.at, scale(product(between, a.axis), a.axis)) as V3;
  const other = less(b.at, scale(product(between, b.axis), b.axis) as V3);
  return isSame(point, other) ? point : undefined;
}
