/**
 * Stacks of boxes of random sizes, masses and directions, each put on the one below. A stack stands if, for each box, the centre of mass of all
 * boxes above is inside of the polygon on which they rest; otherwise it falls. A stack that stands must come to rest at its place, and its energy
 * must never grow.
 */
import { createModel } from "../../../src/model/build/create-model.ts";
import { readForce } from "../../../src/parts/force/forces.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import type { CaseGenerator, Outcome } from "./case.ts";
import { all, Draw, judge, outcomeOf } from "./draw.ts";

/** They take about a second each. */
export const shortCases = 2;

const G = 9.81;
/** Stiff enough that the heaviest stack sinks in by less than a millimetre and does not tilt over its edge; damping of rocking, s/m. */
const [MODULUS, DAMPING] = [3e7, 200];
/** Distance from the edge of the support at least, m, of a stack that stands, and of one that falls. */
const [INSIDE, OUTSIDE] = [0.025, 0.01];
/** Times of a stack that stands (some rock for 20 s) and of one that falls, s; how far the latter sinks in that time at least, m. */
const [STANDS, FALLS, FALL] = [30, 2, 0.03];
/** Speed at the end, m/s and rad/s. */
const REST = 1e-6;
/** Boxes sink into each other: by at most this, m. */
const SINK = 1e-3;
/** Growth of the energy by rounding and by the tolerance of the steps, relative to the potential energy. */
const ROUNDING = 1e-9;

type Point = readonly [number, number];

interface Box {
  readonly size: readonly [number, number, number];
  readonly mass: number;
  readonly at: Point;
  readonly angle: number;
}

const corners = ({ size, at, angle }: Box): Point[] => {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  return [
    [-1, -1],
    [1, -1],
    [1, 1],
    [-1, 1],
  ].map(([i, j]) => {
    const [x, y] = [(i! * size[0]) / 2, (j! * size[1]) / 2];
    return [at[0] + c * x - s * y, at[1] + s * x + c * y];
  });
};

/** Distance of p from the line through a and b, positive on the left. */
function leftOf(a: Point, b: Point, p: Point): number {
  const [x, y] = [b[0] - a[0], b[1] - a[1]];
  return (x * (p[1] - a[1]) - y * (p[0] - a[0])) / Math.hypot(x, y);
}

const edges = (polygon: readonly Point[]): (readonly [Point, Point])[] =>
  polygon.map((p, i) => [p, polygon[(i + 1) % polygon.length]!]);

/** The common part of two convex polygons, counterclockwise. */
function overlap(first: readonly Point[], second: readonly Point[]): readonly Point[] {
  let polygon = first;
  for (const [a, b] of edges(second))
    polygon = edges(polygon).flatMap(([p, q]): Point[] => {
      const [dp, dq] = [leftOf(a, b, p), leftOf(a, b, q)];
      const t = dp / (dp - dq);
      const cut: Point = [p[0] + t * (q[0] - p[0]), p[1] + t * (q[1] - p[1])];
      return [...(dp >= 0 ? [p] : []), ...(dp >= 0 !== dq >= 0 ? [cut] : [])];
    });
  return polygon;
}

/** For each box but the lowest: how far the centre of mass of it and of all above is inside of the polygon on which it rests. */
const margins = (boxes: readonly Box[]): number[] =>
  boxes.slice(1).map((box, i) => {
    const support = overlap(corners(box), corners(boxes[i]!));
    if (support.length < 3) return Number.NEGATIVE_INFINITY;
    const above = boxes.slice(i + 1);
    const mass = above.reduce((sum, b) => sum + b.mass, 0);
    const centre: Point = [
      above.reduce((sum, b) => sum + b.mass * b.at[0], 0) / mass,
      above.reduce((sum, b) => sum + b.mass * b.at[1], 0) / mass,
    ];
    return Math.min(...edges(support).map(([a, b]) => leftOf(a, b, centre)));
  });

export function drawStack(draw: Draw, stands: boolean): readonly Box[] {
  const count = Math.floor(draw.between(2, 7));
  for (;;) {
    const boxes: Box[] = [];
    let at: Point = [0, 0];
    for (let i = 0; i < count; i++) {
      const size = [draw.between(0.12, 0.3), draw.between(0.12, 0.3), draw.between(0.08, 0.25)] as const;
      const mass = size[0] * size[1] * size[2] * draw.scale(100, 500);
      boxes.push({ size, mass, at, angle: draw.between(0, 2 * Math.PI) });
      at = [at[0] + draw.between(-0.1, 0.1), at[1] + draw.between(-0.1, 0.1)];
    }
    const least = Math.min(...margins(boxes));
    if (stands ? least > INSIDE : least < -OUTSIDE && least > -1) return boxes;
  }
}

function run(boxes: readonly Box[], stands: boolean): Outcome {
  const bodies = boxes.map(({ size: [x, y, z], mass: m }, i) => ({
    name: `b${i}`,
    mass: m,
    inertia: [(m * (y * y + z * z)) / 12, (m * (x * x + z * z)) / 12, (m * (x * x + y * y)) / 12],
    hinge: { kind: "free" as const },
  }));
  const model = createModel({ name: "stack", gravity: [0, 0, -G], bodies });
  const shapes = boxes.map(({ size }, i) => ({ kind: "box", name: `b${i}`, on: `b${i}`, size }));
  const contact = readForce(
    "contact",
    "contact",
    { shapes: [...shapes, { kind: "plane", name: "floor" }], modulus: MODULUS, damping: DAMPING, friction: 0.5 },
    model,
  );
  let top = 0;
  const heights = boxes.map(({ size }) => {
    top += size[2];
    return top - size[2] / 2;
  });
  const q = boxes.flatMap(({ at, angle }, i) => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2), ...at, heights[i]!]);
  const system = createSystem(model, [contact]);
  const {
    q: end,
    u,
    log,
  } = simulate(system, system.start({ q }), {
    duration: stands ? STANDS : FALLS,
    sample: 0.01,
    channels: ["energy.*"],
    integrator: "dopri5-radau5",
    settings: { relativeTolerance: 1e-7, absoluteTolerance: 1e-9 },
    tolerances: { energy: 1e-5 },
  });
  const [kinetic, potential] = [log.column("energy.kinetic"), log.column("energy.potential")];
  const energy = Array.from(kinetic, (T, i) => T + potential[i]!);
  let growth = 0;
  for (let i = 1; i < energy.length; i++) growth = Math.max(growth, energy[i]! - energy[i - 1]!);
  const sinks = heights.map((h, i) => h - end[7 * i + 6]!);
  return all([
    judge("growth of the energy", Math.max(0, growth), 0, ROUNDING * energy[0]!),
    ...(stands
      ? [
          ...sinks.map((sink, i) => judge(`sinking of box ${i}`, sink, 0, SINK)),
          judge("largest speed at the end", Math.max(...u.map(Math.abs)), 0, REST),
        ]
      : [hasFallen(Math.max(...sinks))]),
  ]);
}

const hasFallen = (sink: number): Outcome => (sink > FALL ? "right" : { wrong: `it has sunk by ${sink} m only` });

const stacks: CaseGenerator = (seed) => {
  const draw = new Draw(seed);
  const stands = seed % 4 !== 2;
  const boxes = drawStack(draw, stands);
  const least = Math.min(...margins(boxes));
  return {
    description: `a stack of ${boxes.length} boxes, supported ${Math.abs(least).toFixed(3)} m ${stands ? "inside" : "outside"}`,
    run: () => outcomeOf(() => run(boxes, stands)),
  };
};

export default stacks;
