/**
 * Leads any integrator over singular configurations of loops. After each step the weakest equation is checked. If it is about to vanish, or has
 * changed its sign within the step, one step of `SingularPassage` replaces the integrator and goes over the point. If the passage finds no smooth
 * motion, the integrator goes nearer and it is tried again. At the point itself the run ends.
 */
import { StepError } from "../../errors.ts";
import { savedEntries, takeSaved } from "../../saved-data.ts";
import type { Integrator, IntegratorOptions, Stepper } from "../integrators/integrator.ts";
import { checkCounts } from "../integrators/stepping/stepper.ts";
import type { Workspace } from "../system/workspace.ts";
import { classifyStart } from "./singular-loops.ts";
import { SingularPassage } from "./singular-passage.ts";
import { NEARER, SingularityTracker, STRONG } from "./singularity-tracker.ts";

/** Number of steps before the singular point at which a passage begins. Adaptive steps shrink before the point, so they begin earlier. */
const REACH = { fixed: 3, adaptive: 8 } as const;
/** A passage also begins below this part of the largest strength: slow passages need room, because stages near the point have rounding errors. */
const WEAK = 0.05;
/** No passage begins above this part of the largest strength: long steps often predict points that never come, and real ones are found later. */
const FAIR = 0.5;
/** Below this part of the largest strength the point is reached, and no passage has succeeded. */
const REACHED = 1e-7;
/** A step that reduces the strength below this part has come too near to an unexpected point. */
const DROP = 0.25;
/** Smallest cosine of the turn of the direction within one step on the same branch. */
const TURNED = 0.7;
/** Returns within one step after which strong equations are accepted, and after which the run fails. */
const MAX_FAILURES = 4;
const MAX_RETURNS = 40;
/** Passages tried from one state, and the strength of the equation behind the point that is required, relative to that before. */
const MAX_TRIES = 6;
const BEHIND = 0.3;
/** Shortest passage tried out of a singular start, relative to the longest. */
const SHORTEST = 1e-3;
/** Rounding of an end on the grid, relative to the step. */
const ON_GRID = 1e-6;

/** Name of the event in the results of a run. */
export const SINGULARITY_PASSED = "singular position of the loops passed";

/** The integrator's stepper, led over singular positions. @param note called with the time of every singular position that is passed */
export function singularityStepper(
  workspace: Workspace,
  inner: Stepper,
  integrator: Integrator,
  options: IntegratorOptions,
  note: (t: number) => void = () => {},
): Stepper {
  const { loops, openLoops } = workspace.model;
  if (loops.length + openLoops.length === 0) return inner;
  return new SingularityStepper(workspace, inner, integrator.adaptive ? undefined : options.step, note);
}

class SingularityStepper implements Stepper {
  readonly #workspace: Workspace;
  readonly #inner: Stepper;
  /** Step of a fixed-step integrator. */
  readonly #fixed: number | undefined;
  readonly #note: (t: number) => void;
  readonly #passage: SingularPassage;
  readonly #tracker: SingularityTracker;
  /** The state at the start of a step. */
  readonly #startState: Float64Array;
  readonly #memory: {
    /** Typical size of the last steps. */
    pace: number;
    /** The last step was a passage that began at `passageStart`. */
    passing: boolean;
    passageStart: number;
    /** Number of passages. */
    passed: number;
    /** The state is not the one that the tracker accepted last. */
    moved: boolean;
  };

  constructor(workspace: Workspace, inner: Stepper, fixed: number | undefined, note: (t: number) => void) {
    const { nq, nu, ny } = workspace.layout;
    this.#workspace = workspace;
    this.#inner = inner;
    this.#fixed = fixed;
    this.#note = note;
    this.#passage = new SingularPassage(workspace);
    this.#tracker = new SingularityTracker(nq, nu);
    this.#startState = new Float64Array(ny);
    this.#memory = { pace: fixed ?? 0, passing: false, passageStart: Number.NaN, passed: 0, moved: false };
  }

  get t(): number {
    return this.#inner.t;
  }

  get y(): Float64Array {
    return this.#inner.y;
  }

  get previous(): number {
    return this.#memory.passing ? this.#memory.passageStart : this.#inner.previous;
  }

  get onManifold(): boolean {
    return this.#memory.passing;
  }

  get counts(): Stepper["counts"] {
    const { steps, rejected, evaluations } = this.#inner.counts;
    return { steps: steps + this.#memory.passed, rejected, evaluations: evaluations + this.#passage.evaluations };
  }

  restart(t: number, y: Float64Array): void {
    this.#inner.restart(t, y);
    if (this.#tracker.accepted?.t !== t) this.#memory.moved = true;
    if (this.#workspace.closed !== this.#tracker.closed) this.#tracker.follow(this.#workspace.closed);
  }

  interpolate(t: number, out: Float64Array): void {
    if (!this.#memory.passing) this.#inner.interpolate(t, out);
    else if (t === this.#inner.t) out.set(this.#inner.y);
    else this.#passage.interpolate(t, out);
  }

  save(): unknown {
    return {
      memory: { ...this.#memory, evaluations: this.#passage.evaluations },
      passage: this.#memory.passing ? this.#passage.save() : null,
      tracker: this.#tracker.save(),
      inner: this.#inner.save(),
    };
  }

  /** To be called after the workspace was restored: the tracker follows the loops that are engaged there. */
  restore(saved: unknown): void {
    const where = "singularity stepper";
    const entries = savedEntries(saved, ["memory", "passage", "tracker", "inner"], where);
    const memory = { ...this.#memory, evaluations: 0 };
    takeSaved(memory, entries.memory, `${where}.memory`);
    const { evaluations, ...own } = memory;
    checkCounts({ steps: own.passed, rejected: 0, evaluations }, `${where}.memory`);
    if (own.passing) this.#passage.restore(entries.passage);
    else takeSaved({ passage: null }, { passage: entries.passage }, where);
    this.#tracker.restore(entries.tracker, this.#workspace.closed);
    this.#inner.restore(entries.inner);
    Object.assign(this.#memory, own);
    this.#passage.evaluations = evaluations;
  }

  step(end: number): void {
    const tracker = this.#tracker;
    this.#memory.passing = false;
    if (!tracker.isActive) {
      this.#inner.step(end);
      return;
    }
    if (!tracker.accepted && this.#leaveSingularStart(end)) return;
    if (!tracker.accepted || this.#memory.moved) {
      tracker.begin(this.#inner.t, this.#inner.y);
      this.#memory.moved = false;
    }
    for (let failures = 0; !this.#tryStep(end, failures); failures++);
  }

  /** A passage if the point is near, else a step of the integrator. False if the integrator went over a point: it is back at its start then. */
  #tryStep(end: number, failures: number): boolean {
    const [tracker, inner] = [this.#tracker, this.#inner];
    const from = tracker.accepted!;
    const ahead = tracker.predicted - inner.t;
    const strength = Math.abs(from.strength);
    const near = this.#isNear(ahead, strength, failures > 0);
    if (near && ahead <= NEARER * tracker.failedDistance && this.#tryPassage(end)) return true;
    if (failures === MAX_RETURNS || (near && strength < REACHED * tracker.largest))
      throw new StepError(`no smooth motion leads over the singular configuration of the loops at t = ${inner.t} s`, inner.t);
    const halfway = inner.t + ahead / 2;
    this.#startState.set(inner.y);
    if (strength > STRONG * tracker.largest) tracker.prepareLook(); // closer to the point the look is at the end of the step itself
    inner.step(near && halfway > inner.t ? Math.min(end, halfway) : end);
    tracker.look(inner.t, inner.y);
    const { latest } = tracker;
    const isFlipped = latest.strength * from.strength < 0 || latest.turn < TURNED;
    const isDropped = Math.abs(latest.strength) < DROP * strength;
    const isStrong = Math.min(Math.abs(latest.strength), strength) > STRONG * tracker.largest;
    if (!(isFlipped || isDropped) || (isStrong && (failures >= MAX_FAILURES || from.t < tracker.examinedUntil))) {
      this.#memory.pace = this.#fixed ?? Math.max(inner.t - inner.previous, this.#memory.pace / 2);
      tracker.accept();
      return true;
    }
    // The point lies within the step, or just behind it: go back, and pass over it.
    tracker.locate(isFlipped);
    this.#memory.pace = Math.max(this.#memory.pace, latest.t - from.t);
    inner.restart(from.t, this.#startState);
    return false;
  }

  #isNear(ahead: number, strength: number, hasFailed: boolean): boolean {
    const { largest, isBracketed } = this.#tracker;
    const reach = this.#memory.pace * (this.#fixed === undefined ? REACH.adaptive : REACH.fixed);
    const isCertain = hasFailed || isBracketed;
    return (ahead <= reach && (isCertain || strength < FAIR * largest)) || (ahead > 0 && strength < WEAK * largest);
  }

  /** Ends of a passage to try: first on the grid of fixed steps, then as far behind the point as it lies ahead. */
  #passageEnds(end: number): number[] {
    const { t } = this.#inner;
    const fixed = this.#fixed;
    const ahead = this.#tracker.predicted - t;
    const onGrid = fixed === undefined ? [] : [Math.ceil(Math.max(2 * ahead, ahead + fixed) / fixed - ON_GRID) * fixed];
    return [...onGrid, 2 * ahead].map((size) => Math.min(t + size, end)).filter((t1) => t1 > t);
  }

  /** Passes over the point if possible. A passage that ends before the point, or next to it, shows where the point is and is repeated. */
  #tryPassage(end: number): boolean {
    const [tracker, inner, passage] = [this.#tracker, this.#inner, this.#passage];
    const before = tracker.accepted!;
    for (let tries = 0, [t1, ...others] = this.#passageEnds(end); t1 !== undefined && tries < MAX_TRIES; tries++) {
      const isDone = passage.attempt(inner.t, inner.y, t1, tracker.predicted);
      if (isDone) tracker.look(t1, passage.y);
      if (isDone && (t1 === end || tracker.latest.strength / before.strength < -BEHIND)) {
        this.#finishPassage(t1, tracker.predicted);
        tracker.acceptPassage();
        return true;
      }
      if (isDone) {
        const located = inner.t + (t1 - inner.t) / (1 - tracker.latest.strength / before.strength);
        if (!(located > inner.t)) break; // the motion turned away before the point
        tracker.predicted = located;
        [t1, ...others] = this.#passageEnds(end);
      } else [t1, ...others] = others;
    }
    tracker.failedDistance = tracker.predicted - inner.t;
    return false;
  }

  #finishPassage(t1: number, singular: number): void {
    this.#memory.passageStart = this.#inner.t;
    this.#inner.restart(t1, this.#passage.y);
    this.#memory.passing = true;
    this.#memory.passed++;
    this.#note(singular);
  }

  /** Leaves a state that is singular or nearly singular. Its speeds determine the branch. The longest passage that succeeds is used. */
  #leaveSingularStart(end: number): boolean {
    const { t, y } = this.#inner;
    const { layout, problem } = this.#workspace;
    const [first, last] = [layout.nq, layout.nq + layout.nu];
    const start = classifyStart(this.#workspace, t, y);
    if (start === "regular") return false;
    const rates = new Float64Array(layout.ny);
    problem.derivative(t, y, rates);
    if (!rates.some((v, i) => i < last && v !== 0)) return false; // it stays at rest
    if (start === "singular" && !y.some((v, i) => i >= first && i < last && v !== 0))
      throw new StepError(`the motion starts at rest in a singular configuration of the loops, at t = ${t} s`, t);
    const longest = this.#fixed === undefined ? (end - t) / 4 : Math.min(4 * this.#fixed, end - t);
    for (let size = longest; size > SHORTEST * longest; size /= 2) {
      if (!this.#passage.attempt(t, y, t + size, t)) continue;
      this.#finishPassage(t + size, t);
      this.#tracker.forget();
      return true;
    }
    if (start === "near") return false;
    throw new StepError(`no smooth motion leads out of the singular configuration of the loops at t = ${t} s`, t);
  }
}
