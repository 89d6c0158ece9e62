/**
 * Any integrator, led over singular configurations of loops. After each step the weakest equation is looked at; where it is about to
 * vanish, or has changed its sign within the step, the integrator is set aside, and one step of `singularPassage` goes over the point.
 * Where that finds no smooth motion the integrator goes nearer, and it is tried again; at the point itself the run ends.
 */
import type { ClosedLoops } from "../../dynamics/loops/multipliers/closed-loops.ts";
import type { Integrator, IntegratorOptions, Stepper } from "../integrators/integrator.ts";
import { StepError } from "../integrators/integrator.ts";
import type { System } from "../system/system.ts";
import { classifyStart } from "./singular-loops.ts";
import { singularPassage } from "./singular-passage.ts";
import { type WeakestEquation, type WeakestEquationSample, weakestEquation } from "./weakest-equation.ts";

/** The passage begins so many steps before the singular point: farther for adaptive steps, which shrink before it. */
const REACH = { fixed: 3, adaptive: 8 } as const;
/** And where the equation is weaker than this part of the largest strength seen: slow passages need room, for stages near the point are noise. */
const WEAK = 0.05;
/** Not where it is stronger than this part: long steps foresee many a point that never comes, and one that does is found behind it. */
const FAIR = 0.5;
/** After a failure the next is tried when the distance is this part. */
const NEARER = 0.6;
/** Of the largest strength seen: below, the point is reached, and nothing has led over it. */
const REACHED = 1e-7;
/** Of the largest strength seen: equations at least so strong are not near a singular point, whatever their sign says. */
const STRONG = 0.1;
/**
 * Where a strong equation has changed its sign within a step, and a state that is nearer to the end of that step by this factor still has more
 * than this part of the strength, nothing vanishes there: one equation has only become weaker than another.
 */
const CLOSER = 4;
const AS_STRONG = 0.6;
/** A step after which the strength is less than this part of what it was has come too near to a point that it did not know of. */
const DROP = 0.25;
/** A direction that turned farther within one step is not that of the same branch. */
const TURNED = 0.7;
/** Returns within one step until strong equations are believed, and until the run is given up. */
const MOST_FAILURES = 4;
const MOST_RETURNS = 40;
/** Passages tried from one state, and how strong the equation must be behind the point, relative to before. */
const MOST_TRIES = 6;
const BEHIND = 0.3;
/** The narrowest passage tried out of a singular start, relative to the widest. */
const SHORTEST = 1e-3;
/** An end on the grid but for rounding, relative to the step. */
const ON_GRID = 1e-6;

/** What a run calls it. */
export const SINGULARITY_PASSED = "singular position of the loops passed";

/** @param note told of every singular position that is passed, and when it was. */
export function singularityStepper(
  system: System,
  inner: Stepper,
  integrator: Integrator,
  options: IntegratorOptions,
  note: (t: number) => void = () => {},
): Stepper {
  const { layout } = system;
  if (system.model.loops.length + system.model.openLoops.length === 0) return inner;
  /** Of the loops that hold: others take hold and let go in a run. */
  let closed: ClosedLoops | undefined;
  let weakest: WeakestEquation | undefined;
  const { nq, nu } = layout;
  const fixed = integrator.adaptive ? undefined : options.step;
  const passage = singularPassage(system);
  const saved = new Float64Array(layout.ny);
  let previous = Number.NaN;
  let passing = false;
  let now: WeakestEquationSample | undefined;
  let sight: WeakestEquationSample = { t: 0, strength: 0, turn: 0, direction: saved, w: saved };
  /** When the weakest equation vanishes, as far as is known; NaN if it does not. */
  let singular = Number.NaN;
  /** A sign has been seen to change before this. */
  let bracket = Number.POSITIVE_INFINITY;
  /** How far that was away when it was seen first, and how strong the equation was there. */
  let bracketAhead = 0;
  let bracketStrength = 0;
  /** Until this time a strong equation may change its sign: that has been looked into. */
  let doubted = Number.NEGATIVE_INFINITY;
  let largest = 0;
  let pace = fixed ?? 0;
  let failedAt = Number.POSITIVE_INFINITY;
  let passed = 0;
  /** The state is another than the one that was looked at. */
  let moved = false;

  const q = (y: Float64Array): Float64Array => y.subarray(0, nq);
  /** A look at a state, from the one that was accepted last. */
  const look = (t: number, y: Float64Array): void => {
    if (now) weakest!.next(t, q(y), now, sight);
    else weakest!.first(t, q(y), sight);
    largest = Math.max(largest, Math.abs(sight.strength));
  };
  /** Takes the state that has been reached; the line through the last two strengths tells when they vanish. */
  const accept = (): void => {
    const slope = now ? (sight.strength - now.strength) / (sight.t - now.t) : 0;
    const ahead = -sight.strength / slope;
    const strength = Math.abs(sight.strength);
    const closer = CLOSER * (bracket - sight.t) <= bracketAhead;
    if (bracket < Number.POSITIVE_INFINITY && closer && strength > Math.max(STRONG * largest, AS_STRONG * bracketStrength))
      doubted = bracket;
    if (!(bracket > sight.t) || doubted === bracket) bracket = Number.POSITIVE_INFINITY;
    singular = ahead >= 0 || bracket < Number.POSITIVE_INFINITY ? Math.min(sight.t + Math.abs(ahead), bracket) : Number.NaN;
    if (!(singular - sight.t < failedAt / NEARER)) failedAt = Number.POSITIVE_INFINITY;
    [now, sight] = [sight, now ?? weakest!.newSample()];
  };

  const follow = (): void => {
    closed = system.closed;
    weakest = closed && weakestEquation(closed, nu);
    if (weakest) sight = weakest.newSample();
    now = undefined;
    largest = 0;
  };
  /** A look at where the motion begins anew; when equations will vanish is not known from there. */
  const begin = (): void => {
    look(inner.t, inner.y);
    [now, sight] = [sight, now ?? weakest!.newSample()];
    singular = Number.NaN;
    bracket = failedAt = Number.POSITIVE_INFINITY;
    moved = false;
  };

  /** Ends of a passage to try: on the grid of fixed steps first, else as far behind the point as it lies ahead. */
  const ends = (end: number): number[] => {
    const ahead = singular - inner.t;
    const onGrid = fixed === undefined ? [] : [Math.ceil(Math.max(2 * ahead, ahead + fixed) / fixed - ON_GRID) * fixed];
    return [...onGrid, 2 * ahead].map((size) => Math.min(inner.t + size, end)).filter((t) => t > inner.t);
  };
  /** Over the point, if it can be. A passage that ends before the point, or next to it, has shown where it is, and is made anew. */
  const attempt = (end: number): boolean => {
    const before = now!;
    for (let tries = 0, [t1, ...others] = ends(end); t1 !== undefined && tries < MOST_TRIES; tries++) {
      const done = passage.attempt(inner.t, inner.y, t1, singular);
      if (done) look(t1, passage.y);
      if (done && (t1 === end || sight.strength / before.strength < -BEHIND)) {
        previous = inner.t;
        inner.restart(t1, passage.y);
        passing = true;
        passed++;
        note(singular);
        bracket = failedAt = Number.POSITIVE_INFINITY;
        accept();
        return true;
      }
      if (done) {
        const found = inner.t + (t1 - inner.t) / (1 - sight.strength / before.strength);
        if (!(found > inner.t)) break; // it turned away before the point
        singular = found;
        [t1, ...others] = ends(end);
      } else [t1, ...others] = others;
    }
    failedAt = singular - inner.t;
    return false;
  };
  /** From a state that is singular itself, or nearly: its speeds must tell the branch. The first passage that succeeds is taken, from wide to narrow. */
  const leaveSingularStart = (end: number): boolean => {
    const { t, y } = inner;
    const start = classifyStart(system, t, y);
    if (start === "regular") return false;
    const rates = new Float64Array(layout.ny);
    system.problem.derivative(t, y, rates);
    if (!rates.some((v, i) => i < nq + nu && v !== 0)) return false; // it stays where it is
    if (start === "singular" && !y.some((v, i) => i >= nq && i < nq + nu && v !== 0))
      throw new StepError(`the motion starts at rest in a singular configuration of the loops, at t = ${t} s`, t);
    const first = fixed === undefined ? (end - t) / 4 : Math.min(4 * fixed, end - t);
    for (let size = first; size > SHORTEST * first; size /= 2) {
      if (!passage.attempt(t, y, t + size, t)) continue;
      previous = t;
      inner.restart(t + size, passage.y);
      passing = true;
      passed++;
      note(t);
      now = undefined;
      return true;
    }
    if (start === "near") return false;
    throw new StepError(`no smooth motion leads out of the singular configuration of the loops at t = ${t} s`, t);
  };
  const reach = (): number => pace * (fixed === undefined ? REACH.adaptive : REACH.fixed);

  return {
    get t() {
      return inner.t;
    },
    get y() {
      return inner.y;
    },
    get previous() {
      return passing ? previous : inner.previous;
    },
    get onManifold() {
      return passing;
    },
    get counts() {
      const { steps, rejected, evaluations } = inner.counts;
      return { steps: steps + passed, rejected, evaluations: evaluations + passage.evaluations };
    },
    restart(t, y) {
      inner.restart(t, y);
      if (now?.t !== t) moved = true;
      if (system.closed !== closed) follow();
    },
    step(end) {
      passing = false;
      if (!weakest) {
        inner.step(end);
        return;
      }
      if (!now && leaveSingularStart(end)) return;
      if (!now || moved) begin();
      const from = now!;
      for (let failures = 0; ; ) {
        const ahead = singular - inner.t;
        const strength = Math.abs(from.strength);
        const known = failures > 0 || bracket < Number.POSITIVE_INFINITY;
        const near = (ahead <= reach() && (known || strength < FAIR * largest)) || (ahead > 0 && strength < WEAK * largest);
        if (near && ahead <= NEARER * failedAt && attempt(end)) return;
        if (failures === MOST_RETURNS || (near && Math.abs(from.strength) < REACHED * largest))
          throw new StepError(`no smooth motion leads over the singular configuration of the loops at t = ${inner.t} s`, inner.t);
        const halfway = inner.t + ahead / 2;
        saved.set(inner.y);
        if (strength > STRONG * largest) weakest.prepareNext(from); // nearer to the point it is looked at where the step has ended
        inner.step(near && halfway > inner.t ? Math.min(end, halfway) : end);
        look(inner.t, inner.y);
        const flipped = sight.strength * from.strength < 0 || sight.turn < TURNED;
        const dropped = Math.abs(sight.strength) < DROP * Math.abs(from.strength);
        const strong = Math.min(Math.abs(sight.strength), Math.abs(from.strength)) > STRONG * largest;
        if (!(flipped || dropped) || (strong && (failures >= MOST_FAILURES || from.t < doubted))) {
          pace = fixed ?? Math.max(inner.t - inner.previous, pace / 2);
          accept();
          return;
        }
        // The point lies within the step, or just behind it: back, and over it.
        const after = flipped ? -Math.abs(sight.strength) : Math.abs(sight.strength);
        singular = from.t + (Math.abs(from.strength) / (Math.abs(from.strength) - after)) * (sight.t - from.t);
        pace = Math.max(pace, sight.t - from.t);
        if (flipped) {
          if (bracket === Number.POSITIVE_INFINITY) {
            bracketAhead = sight.t - from.t;
            bracketStrength = Math.abs(from.strength);
          }
          bracket = sight.t;
        }
        failures++;
        failedAt = Number.POSITIVE_INFINITY;
        inner.restart(from.t, saved);
      }
    },
    interpolate(t, out) {
      if (!passing) inner.interpolate(t, out);
      else if (t === inner.t) out.set(inner.y);
      else passage.interpolate(t, out);
    },
  };
}
