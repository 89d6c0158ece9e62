/** Closing of loops while some hinges are held, from several starts of the others. */
import type { ClosedLoops } from "../../dynamics/loops/multipliers/closed-loops.ts";
import type { Model } from "../../model/model.ts";

/** Residual at which a loop counts as closed, m or rad. */
const CLOSED = 1e-9;
/** Further starts, if the loops do not close from the given one: it may be singular, or too far away. */
const FURTHER_STARTS = 16;
/** Irrational steps of a sequence that fills the unit interval evenly, for each freedom another one [Weyl]. */
const GOLDEN = 0.6180339887498949;
const PLASTIC = 0.7548776662466927;

/**
 * The nearest coordinates with closed loops among those that are reached from a few starts; the held ones have the bits of the start. If none
 * is closed, those with the smallest residual.
 * @param close closes the loops in the coordinates that it gets, by the free speeds. Returns the largest residual
 */
export function closeHolding(
  closed: ClosedLoops,
  model: Model,
  t: number,
  start: Float64Array,
  free: readonly number[],
  close: (q: Float64Array, free: readonly number[]) => number,
  isAcceptable: (q: Float64Array) => boolean,
): { readonly q: Float64Array; readonly residual: number } {
  const held = heldCoordinates(model, free);
  const attempt = (trial: Float64Array) => {
    const residual = close(trial, free);
    for (const i of held) trial[i] = start[i]!;
    return { q: trial, residual: residual <= CLOSED && !isAcceptable(trial) ? Number.POSITIVE_INFINITY : residual };
  };
  const first = attempt(Float64Array.from(start));
  if (first.residual <= CLOSED || free.length === 0) return first;
  const reach = Math.max(largestResidual(closed, model, t, start), 1e-3);
  const attempts = Array.from({ length: FURTHER_STARTS }, (_, k) => attempt(displaced(closed, model, start, free, k, reach)));
  const successes = attempts.filter(({ residual }) => residual <= CLOSED);
  const distance = ({ q }: { readonly q: Float64Array }): number =>
    q.reduce((most, v, i) => Math.max(most, Math.abs(v - start[i]!)), 0);
  if (successes.length > 0) return successes.reduce((a, b) => (distance(b) < distance(a) ? b : a));
  return attempts.reduce((a, b) => (b.residual < a.residual ? b : a), first);
}

/** Indices of the coordinates of hinges without free speeds. */
function heldCoordinates(model: Model, free: readonly number[]): readonly number[] {
  const isFree = new Set(free);
  return model.bodies.flatMap(({ hinge }) =>
    Array.from({ length: hinge.nu }).some((_, i) => isFree.has(hinge.u + i))
      ? []
      : Array.from({ length: hinge.nq }, (_, i) => hinge.q + i),
  );
}

/** The largest residual of the loops, m or rad. */
export function largestResidual(closed: ClosedLoops, model: Model, t: number, q: Float64Array): number {
  const [f, rates] = [new Float64Array(closed.rows), new Float64Array(closed.rows)];
  closed.residual(t, q, new Float64Array(model.nu), f, rates);
  return f.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
}

/** Coordinates displaced along the free speeds: rotations by up to half a turn, slides by up to `reach`. Elastic bodies stay as they are. */
function displaced(
  closed: ClosedLoops,
  model: Model,
  start: Float64Array,
  free: readonly number[],
  k: number,
  reach: number,
): Float64Array {
  const elastic = new Set(model.springs.flatMap(({ joints }) => joints.map(({ hinge }) => hinge)));
  const isRotation = new Map<number, boolean>();
  for (const { hinge } of model.bodies) {
    if (elastic.has(hinge.name)) continue;
    const partials = hinge.elements.flatMap((element) => element.partials);
    for (const [i, { angular }] of partials.entries())
      isRotation.set(
        hinge.u + i,
        angular.some((v) => v !== 0),
      );
  }
  const change = new Float64Array(model.nu);
  const amplitude = (k + 1) / FURTHER_STARTS;
  for (const i of free) {
    if (!isRotation.has(i)) continue;
    const fraction = ((k + 1) * GOLDEN + (i + 1) * PLASTIC) % 1;
    change[i] = amplitude * (2 * fraction - 1) * (isRotation.get(i) ? Math.PI : reach);
  }
  const q = Float64Array.from(start);
  closed.advanceCoordinates(q, change, 1);
  return q;
}
