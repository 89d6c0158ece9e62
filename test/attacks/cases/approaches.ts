/**
 * Random approaches: two bodies with random shapes fly towards each other, freely and with constant spins, from up to 1 km away at 0.01 to
 * 100 m/s. The exact flight is known, so whether and when they touch is found independently by dense samples of it. A run must find the
 * touch: for spheres and planes at the time of the closed form within 1e-9 s + 1e-12 of the flight time, with any integrator.
 */
import { CastorError } from "../../../src/errors.ts";
import { mound, ridge } from "../../../src/ground/shapes.ts";
import { plane, sumOf, type Terrain } from "../../../src/ground/terrain.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { HIT_SIZE } from "../../../src/parts/force/contact/narrow-phase.ts";
import { contactCandidates, PAIR_KINDS } from "../../../src/parts/force/contact/pair-kinds.ts";
import { type ContactShape, type ContactShapeValues, readShapes } from "../../../src/parts/force/contact/shape.ts";
import { readForce } from "../../../src/parts/force/forces.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { INTEGRATORS, type IntegratorName } from "../../../src/sim/integrators/index.ts";
import { Simulation } from "../../../src/sim/run/simulation.ts";
import { uniform } from "../../fixtures/models/random-model.ts";
import type { AttackCase, CaseGenerator } from "./case.ts";

export const shortCases = 60;

type V3 = readonly [number, number, number];
type Quaternion = readonly [number, number, number, number];
type Shape = Partial<ContactShapeValues> & { readonly kind: ContactShapeValues["kind"] };

/** Free flight: p + v t, and the attitude exp(w t) q. */
interface Flight {
  readonly p: V3;
  readonly v: V3;
  readonly q: Quaternion;
  readonly w: V3;
}

interface Approach {
  readonly first: Shape;
  readonly second: Shape;
  readonly terrain: Terrain;
  readonly flights: readonly [Flight, Flight];
  /** True if the second shape is fixed in the world. */
  readonly isFixed: boolean;
  readonly integrator: IntegratorName;
  readonly step: number;
  readonly duration: number;
  readonly speed: number;
  /** Size of the smaller shape, m; deviations of this share of it decide nothing. */
  readonly size: number;
}

const UNDECIDED_SHARE = 1e-4;
const SAMPLES = 20_000;

class Random {
  readonly next: () => number;
  constructor(seed: number) {
    this.next = uniform(seed);
  }
  between = (low: number, high: number): number => low + (high - low) * this.next();
  /** Evenly distributed logarithm. */
  scale = (low: number, high: number): number => low * (high / low) ** this.next();
  of = <T>(list: readonly T[]): T => list[Math.floor(this.next() * list.length)]!;
  direction(): V3 {
    const z = this.between(-1, 1);
    const angle = this.between(0, 2 * Math.PI);
    const r = Math.sqrt(1 - z * z);
    return [r * Math.cos(angle), r * Math.sin(angle), z];
  }
  attitude(): Quaternion {
    const half = this.between(0, Math.PI);
    const [x, y, z] = this.direction();
    return [Math.cos(half), Math.sin(half) * x, Math.sin(half) * y, Math.sin(half) * z];
  }
}

const plus = (a: V3, b: V3, s = 1): V3 => [a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]];
const dot = (a: V3, b: V3): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const cross = (a: V3, b: V3): V3 => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const scaled = (a: V3, s: number): V3 => [s * a[0], s * a[1], s * a[2]];
const ORIGIN: V3 = [0, 0, 0];
const REST: Flight = { p: ORIGIN, v: ORIGIN, q: [1, 0, 0, 0], w: ORIGIN };

/** A shape of a kind, about `size` large. Edges have an outside, because two edges need one. */
function shapeOf(kind: Shape["kind"], size: number, random: Random): Shape {
  const axis = random.direction();
  const at = scaled(random.direction(), 0.3 * size);
  const radius = size * random.between(0.2, 0.6);
  if (kind === "ground") return { kind };
  if (kind === "point") return { kind, at };
  if (kind === "sphere") return { kind, at, radius };
  if (kind === "plane") return { kind, axis };
  if (kind === "box")
    return {
      kind,
      at,
      size: [size * random.between(0.3, 1), size * random.between(0.3, 1), size * random.between(0.3, 1)],
      rpy: axis,
    };
  if (kind === "rim") return { kind, at, axis, radius, ...(random.next() < 0.5 && { outer: 1.5 * radius }) };
  if (kind === "disc")
    return {
      kind,
      at,
      axis,
      radius,
      ...(random.next() < 0.5 && { inner: 0.5 * radius }),
      ...(random.next() < 0.7 && { thickness: 0.3 * size }),
    };
  if (kind === "cylinder") return { kind, at, axis, radius, length: size };
  if (kind === "cone")
    return {
      kind,
      at,
      axis,
      radius,
      length: size,
      tip: radius * random.between(0, 0.8),
      ...(random.next() < 0.5 && { thickness: 0.1 * size }),
    };
  const to = plus(at, axis, size);
  if (kind === "capsule") return { kind, at, to, radius: 0.3 * radius };
  return { kind, at, to, out: cross(axis, random.direction()), reach: 0.5 * size, fade: 0.1 * size };
}

function drawApproach(random: Random): Approach {
  const { of } = random.of(PAIR_KINDS);
  const [size1, size2] = [random.scale(0.05, 2), random.scale(0.05, 2)];
  const first = shapeOf(of[0], size1, random);
  const second = shapeOf(of[1], size2, random);
  const isUnbounded = second.kind === "plane" || second.kind === "ground";
  const isFixed = second.kind === "ground" || random.next() < 0.4;
  const terrain = sumOf([
    plane(random.between(-1, 1), random.between(-0.15, 0.15), random.between(-0.15, 0.15)),
    ...(random.next() < 0.5
      ? [ridge(random.between(0.5, 2), random.between(15, 40)), mound(random.between(0.5, 2), random.between(10, 30))]
      : []),
  ]);
  const speed = random.scale(0.01, 100);
  const distance = random.scale(1, 1000) + 4 * (size1 + size2) + (second.kind === "ground" ? 20 : 0);
  const flight = distance / speed;
  // At most some turns, so that a case takes a few thousand steps at most.
  const spin = (): V3 => scaled(random.direction(), random.next() < 0.3 ? 0 : random.between(0, Math.min(5, 40 / flight)));
  const target: Flight = isFixed
    ? REST
    : {
        p: scaled(random.direction(), random.scale(0.1, 100)),
        v: scaled(random.direction(), random.between(0, speed)),
        q: random.attitude(),
        w: isUnbounded ? ORIGIN : spin(),
      };
  // From above for planes and the ground, with an oblique velocity.
  const normal = second.kind === "ground" ? ([0, 0, 1] as const) : rotated(target.q, second.axis ?? [0, 0, 1]);
  const from = isUnbounded ? plus(normal, random.direction(), 0.25) : random.direction();
  const unit = scaled(from, 1 / Math.sqrt(dot(from, from)));
  const aside = cross(unit, random.direction());
  const miss = isUnbounded ? 0 : random.between(0, 1.3) * (size1 + size2);
  const flights: Approach["flights"] = [
    {
      p: plus(plus(target.p, unit, distance), aside, miss),
      v: plus(target.v, unit, -speed),
      q: random.attitude(),
      w: spin(),
    },
    target,
  ];
  const integrator = random.of([
    "dop853",
    "dop853",
    "dop853",
    "dopri5",
    "radau5",
    "dopri5-radau5",
    "rk4",
    "rkg",
    "gauss6",
  ] as const);
  const duration = 2 * flight;
  const turns = Math.max(...flights.map(({ w }) => Math.sqrt(dot(w, w)))) * duration;
  const step = duration / Math.max(random.scale(20, 1000), 20 * turns);
  return { first, second, terrain, flights, isFixed, integrator, step, duration, speed, size: Math.min(size1, size2) };
}

/** A vector turned by a unit quaternion. */
function rotated([s, x, y, z]: Quaternion, v: V3): V3 {
  const t = scaled(cross([x, y, z], v), 2);
  return plus(plus(v, t, s), cross([x, y, z], t));
}

function poseAt({ p, v, q, w }: Flight, t: number): { readonly q: Quaternion; readonly p: V3 } {
  const rate = Math.sqrt(dot(w, w));
  if (rate === 0) return { p: plus(p, v, t), q };
  const half = 0.5 * rate * t;
  const [c, [x, y, z]] = [Math.cos(half), scaled(w, Math.sin(half) / rate)];
  const turned: Quaternion = [
    c * q[0] - x * q[1] - y * q[2] - z * q[3],
    c * q[1] + x * q[0] + y * q[3] - z * q[2],
    c * q[2] + y * q[0] + z * q[1] - x * q[3],
    c * q[3] + z * q[0] + x * q[2] - y * q[1],
  ];
  return { p: plus(p, v, t), q: turned };
}

/** Largest depth of all candidates of two shapes at a time of the exact flight. */
function depthFunction(a: ContactShape, b: ContactShape, [first, second]: Approach["flights"]): (t: number) => number {
  const candidates = contactCandidates(a, b)!;
  const X = new Float64Array(12);
  const hit = new Float64Array(HIT_SIZE);
  return (t) => {
    const [A, B] = [poseAt(first, t), poseAt(second, t)];
    let deepest = Number.NEGATIVE_INFINITY;
    for (const { first: one, second: other, narrow, swapped } of candidates) {
      const [from, to] = swapped ? [B, A] : [A, B];
      const back: Quaternion = [to.q[0], -to.q[1], -to.q[2], -to.q[3]];
      const axes = [rotated(from.q, [1, 0, 0]), rotated(from.q, [0, 1, 0]), rotated(from.q, [0, 0, 1])].map((e) =>
        rotated(back, e),
      );
      const p = rotated(back, plus(from.p, to.p, -1));
      for (let i = 0; i < 3; i++) {
        for (let j = 0; j < 3; j++) X[3 * i + j] = axes[j]![i]!;
        X[9 + i] = p[i]!;
      }
      narrow(one.data, other.data, X, hit);
      // Depths of zero mean that nothing is known about the gap.
      deepest = Math.max(deepest, hit[0] === 0 ? Number.NEGATIVE_INFINITY : hit[0]!);
    }
    return deepest;
  };
}

/** The time span in which shapes of this reach can touch: while their centres are near, or the first is near the plane. */
function window({ flights: [a, b], second, duration }: Approach, reach: number, highest: number): readonly [number, number] {
  const [p, v] = [plus(a.p, b.p, -1), plus(a.v, b.v, -1)];
  if (second.kind === "plane" || second.kind === "ground") {
    const n = second.kind === "ground" ? ([0, 0, 1] as const) : rotated(b.q, second.axis ?? [0, 0, 1]);
    return [Math.max(0, (reach + highest - dot(p, n)) / dot(v, n)), duration];
  }
  const [vv, pv] = [dot(v, v), dot(p, v)];
  const root = pv * pv - vv * (dot(p, p) - reach * reach);
  if (!(root > 0)) return [0, 0];
  return [Math.max(0, (-pv - Math.sqrt(root)) / vv), Math.min(duration, (-pv + Math.sqrt(root)) / vv)];
}

/** Time of the first touch in closed form, for a sphere against a sphere or a plane, if centres of spheres are on the axes of spin. */
function closedForm({ first, second, flights: [a, b] }: Approach): number | undefined {
  if (first.kind !== "sphere" || dot(a.w, a.w) !== 0 || dot(b.w, b.w) !== 0) return undefined;
  const centre = plus(a.p, rotated(a.q, (first.at ?? ORIGIN) as V3));
  const v = plus(a.v, b.v, -1);
  const r = first.radius!;
  if (second.kind === "plane") {
    const n = rotated(b.q, second.axis as V3);
    return (r - dot(plus(centre, b.p, -1), n)) / dot(v, n);
  }
  if (second.kind !== "sphere") return undefined;
  const p = plus(centre, plus(b.p, rotated(b.q, (second.at ?? ORIGIN) as V3)), -1);
  const reach = r + second.radius!;
  const [vv, pv] = [dot(v, v), dot(p, v)];
  // The distance of closest approach without cancellation: |p × v|² = p² v² - (p·v)².
  const c = cross(p, v);
  const root = vv * reach * reach - dot(c, c);
  return root > 0 ? (dot(p, p) - reach * reach) / (-pv + Math.sqrt(root)) : undefined;
}

/** Time of the first touch of a run, and that of the end of the run. */
function firstTouchOf({
  first,
  second,
  terrain,
  flights,
  isFixed,
  integrator,
  step,
  duration,
  speed,
  size,
}: Approach): number | undefined {
  const body = (name: string) => ({ name, mass: 1, inertia: [0.1, 0.1, 0.1], hinge: { kind: "free" } }) as const;
  const model = createModel({ name: "approach", gravity: [0, 0, 0], bodies: isFixed ? [body("a")] : [body("a"), body("b")] });
  const parameters = {
    shapes: [{ ...first, on: "a" }],
    against: [isFixed ? second : { ...second, on: "b" }],
    stiffness: (speed / (0.05 * size)) ** 2,
  };
  const system = createSystem(model, [readForce("contact", "contact", parameters, model, { terrain })]);
  const moving = isFixed ? [flights[0]] : flights;
  const simulation = new Simulation(
    system,
    system.start({ q: moving.flatMap(({ q, p }) => [...q, ...p]), u: moving.flatMap(({ w, v }) => [...w, ...v]) }),
    { duration, integrator, sample: [duration], ...(INTEGRATORS[integrator].adaptive ? {} : { settings: { step } }) },
  );
  while (simulation.end === undefined && simulation.result().events.length === 0) simulation.advance();
  return simulation.result().events[0]?.t;
}

/** Largest depth at a time of the exact flight. */
function depthOf({ first, second, terrain, flights }: Approach): (t: number) => number {
  const fail = (key: string, message: string): never => {
    throw new Error(`${key} ${message}`);
  };
  const read = (shape: Shape): ContactShape =>
    readShapes("shapes", [{ at: [0, 0, 0], copies: 1, ...shape } as ContactShapeValues], fail, terrain)[0]!;
  return depthFunction(read(first), read(second), flights);
}

function judge(approach: Approach): ReturnType<AttackCase["run"]> {
  const depth = depthOf(approach);
  const [from, to] = window(approach, REACH, REACH);
  const undecided = UNDECIDED_SHARE * approach.size;
  let deep: number | undefined;
  let isGraze = false;
  for (let i = 0; i <= SAMPLES && deep === undefined; i++) {
    const t = from + ((to - from) * i) / SAMPLES;
    const d = depth(t);
    if (d > undecided) deep = t;
    else if (d > -undecided) isGraze = true;
  }
  const found = firstTouchOf(approach);
  const exact = closedForm(approach);
  if (exact !== undefined && exact > 0 && exact < approach.duration && !(isGraze && deep === undefined)) {
    if (found === undefined) return { wrong: `the touch at ${exact} s was missed` };
    const allowed = 1e-9 + 1e-12 * exact;
    return Math.abs(found - exact) <= allowed ? "right" : { wrong: `touched at ${found} s, by closed form at ${exact} s` };
  }
  if (found === undefined) return deep === undefined ? "right" : { wrong: `the contact at ${deep} s was missed` };
  const margin = undecided / approach.speed + (to - from) / SAMPLES;
  const isAtContact = [-1, -0.5, 0, 0.5, 1].some((s) => depth(found + s * margin) > -undecided);
  if (!isAtContact) return { wrong: `touched at ${found} s, where the gap is ${-depth(found)} m` };
  return deep !== undefined && found > deep + margin ? { wrong: `touched at ${found} s, but in contact at ${deep} s` } : "right";
}

/** More than the distance of any point of two shapes from their frames, and the height of the terrain, m. */
const REACH = 8;

const approaches: CaseGenerator = (seed) => {
  const random = new Random(seed);
  let approach = drawApproach(random);
  while (depthOf(approach)(0) > 0) approach = drawApproach(random); // behind the face of a disc of unlimited thickness
  const { first, second, speed, duration, integrator, isFixed } = approach;
  return {
    description:
      `${first.kind} against ${second.kind}${isFixed ? " in the world" : ""}, ${speed.toPrecision(3)} m/s, ` +
      `${((duration * speed) / 2).toPrecision(3)} m away, ${integrator}`,
    run() {
      try {
        return judge(approach);
      } catch (error) {
        if (error instanceof CastorError) return { refused: error.message };
        throw error;
      }
    },
  };
};
export default approaches;
