/**
 * Leads any integrator over singular configurations of loops. After each step the weakest equation is checked. If it is about to vanish, or has
 * changed its sign within the step, one step of `SingularPassage` replaces the integrator and goes over the point. Where that is not possible
 * (the motion is slow, or an event, an update, the start or the end falls next to the point), the integrator makes its own steps on the branch
 * of the motion (`BranchStepping`). If there is no smooth branch, the integrator goes nearer and both are tried again. At the point itself
 * the run ends.
 */
import { arraysEqual } from "../../math/linear/array-equal.ts";
import { savedEntries, takeSaved } from "../../saved-data.ts";
import type { Integrator, IntegratorOptions, Stepper } from "../integrators/integrator.ts";
import { checkCounts } from "../integrators/stepping/stepper.ts";
import type { Workspace } from "../system/workspace.ts";
import { BranchStepping } from "./branch-stepping.ts";
import { isLaterPassage, isSamePassage, newPassageMemory, type PassageMemory, passageEnds } from "./passage-events.ts";
import { BranchError, checkStaysAtRest, classifyStart } from "./singular-loops.ts";
import { SingularPassage } from "./singular-passage.ts";
import { NEARER, SingularityTracker, STRONG } from "./singularity-tracker.ts";
import { DROP, FAIR, REACH, type SmoothSteps, TURNED } from "./smooth-steps.ts";

/** A passage also begins below this part of the largest strength: slow passages need room, because stages near the point have rounding errors. */
const WEAK = 0.05;
/** Below this part of the largest strength the point is reached, and no passage has succeeded. */
const REACHED = 1e-7;
/** Returns within one step after which strong equations are accepted, and after which the run fails. */
const MAX_FAILURES = 4;
const MAX_RETURNS = 40;
/** Passages tried from one state, and the strength of the equation behind the point that is required, relative to that before. */
const MAX_TRIES = 6;
const BEHIND = 0.3;

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

export class SingularityStepper implements Stepper {
  readonly #workspace: Workspace;
  readonly #inner: Stepper;
  /** Step of a fixed-step integrator. */
  readonly #fixed: number | undefined;
  readonly #note: (t: number) => void;
  readonly #passage: SingularPassage;
  readonly #branch: BranchStepping;
  readonly #tracker: SingularityTracker;
  /** The state at the start of a step. */
  readonly #startState: Float64Array;
  readonly #memory: PassageMemory;
  readonly #smooth: SmoothSteps | undefined;

  constructor(workspace: Workspace, inner: Stepper, fixed: number | undefined, note: (t: number) => void) {
    const { nq, nu, ny } = workspace.layout;
    this.#workspace = workspace;
    this.#inner = inner;
    this.#fixed = fixed;
    this.#note = note;
    this.#passage = new SingularPassage(workspace);
    this.#branch = new BranchStepping(workspace, inner, (t) => this.#notePassage(t));
    this.#tracker = new SingularityTracker(nq, nu);
    this.#startState = new Float64Array(ny);
    this.#memory = newPassageMemory(fixed ?? 0);
    this.#smooth = inner.gridSteps && { gridSteps: inner.gridSteps, tracker: this.#tracker };
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
    const { closed, layout } = this.#workspace;
    const nx = layout.nq + layout.nu;
    const isMoved = t !== this.#inner.t || !arraysEqual(y.subarray(0, nx), this.#inner.y.subarray(0, nx));
    if (this.#branch.isActive && (isMoved || closed !== this.#tracker.closed)) {
      this.#branch.leave();
      this.#memory.moved = true;
    }
    if (isLaterPassage(this.#memory.noted, t)) this.#memory.noted = Number.NaN;
    this.#inner.restart(t, y);
    if (this.#tracker.accepted?.t !== t) this.#memory.moved = true;
    if (closed !== this.#tracker.closed) this.#tracker.follow(closed);
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
      branch: this.#branch.save(),
      inner: this.#inner.save(),
    };
  }

  /** To be called after the workspace was restored: the tracker follows the loops that are engaged there. */
  restore(saved: unknown): void {
    const where = "singularity stepper";
    const entries = savedEntries(saved, ["memory", "passage", "tracker", "branch", "inner"], where);
    const memory = { ...this.#memory, evaluations: 0 };
    takeSaved(memory, entries.memory, `${where}.memory`);
    const { evaluations, ...own } = memory;
    checkCounts({ steps: own.passed, rejected: 0, evaluations }, `${where}.memory`);
    if (own.passing) this.#passage.restore(entries.passage);
    else takeSaved({ passage: null }, { passage: entries.passage }, where);
    this.#tracker.restore(entries.tracker, this.#workspace.closed);
    this.#branch.restore(entries.branch);
    this.#inner.restore(entries.inner);
    Object.assign(this.#memory, own);
    this.#passage.evaluations = evaluations;
  }

  /** The integrator's steps that other code may make instead of `step`; undefined if the next step needs a decision. */
  smoothSteps(): SmoothSteps | undefined {
    const { t } = this.#inner;
    const tracker = this.#tracker;
    if (!tracker.isSmoothAt(t) || this.#memory.moved || this.#branch.isActive || this.#branch.isDone) return undefined;
    const isNear = this.#isNear(tracker.predicted - t, Math.abs(tracker.accepted!.strength), false);
    return isNear ? undefined : this.#smooth;
  }

  /** Call after steps of other code. */
  madeSmoothSteps(): void {
    this.#memory.passing = false;
    this.#memory.pace = this.#fixed!;
  }

  step(end: number): void {
    const tracker = this.#tracker;
    this.#memory.passing = false;
    if (!tracker.isActive) {
      this.#inner.step(end);
      return;
    }
    if (this.#branch.isDone) {
      this.#branch.continueRegular();
      this.#begin();
    }
    if (this.#branch.isActive || this.#enterBranchAtStart()) {
      if (this.#branch.step(end)) return;
      this.#begin();
    }
    for (let failures = 0; !this.#tryStep(end, failures); failures++);
  }

  #begin(): void {
    this.#tracker.begin(this.#inner.t, this.#inner.y);
    this.#memory.moved = false;
  }

  /** A passage if the point is near, else a step of the integrator. False if the integrator went over a point: it is back at its start then. */
  #tryStep(end: number, failures: number): boolean {
    const [tracker, inner] = [this.#tracker, this.#inner];
    const from = tracker.accepted!;
    const ahead = tracker.predicted - inner.t;
    const strength = Math.abs(from.strength);
    const near = this.#isNear(ahead, strength, failures > 0);
    if (near && ahead <= NEARER * tracker.failedDistance) {
      if (this.#tryPassage(end)) return true;
      if (this.#branch.enter(ahead)) {
        this.#noteUnlocated();
        if (this.#branch.step(end)) return true;
        this.#begin();
        return false;
      }
    }
    if (failures === MAX_RETURNS || (near && strength < REACHED * tracker.largest))
      throw new BranchError(
        "No smooth motion leads over it: a drive may command more than the mechanism can reach, or branches of the motion meet there",
        inner.t,
      );
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

  /** Passes over the point if possible. A passage that ends before the point, or next to it, shows where the point is and is repeated. */
  #tryPassage(end: number): boolean {
    const [tracker, inner, passage] = [this.#tracker, this.#inner, this.#passage];
    const before = tracker.accepted!;
    for (
      let tries = 0, [t1, ...others] = passageEnds(inner.t, tracker.predicted, end, this.#fixed);
      t1 !== undefined && tries < MAX_TRIES;
      tries++
    ) {
      const isDone = passage.attempt(inner.t, inner.y, t1, tracker.predicted);
      if (isDone) tracker.look(t1, passage.y);
      if (isDone && tracker.latest.strength / before.strength < -BEHIND) {
        const singular = tracker.locatePassage((t, y) => passage.interpolate(t, y), this.#startState);
        this.#memory.unlocated = Number.isNaN(singular);
        this.#finishPassage(t1, singular);
        tracker.acceptPassage();
        return true;
      }
      if (isDone && t1 === end) break; // it ends next to the point
      if (isDone) {
        const located = inner.t + (t1 - inner.t) / (1 - tracker.latest.strength / before.strength);
        if (!(located > inner.t)) break; // the motion turned away before the point
        tracker.predicted = located;
        [t1, ...others] = passageEnds(inner.t, tracker.predicted, end, this.#fixed);
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
    this.#notePassage(singular);
  }

  /** Notes the last passage, if its time was not known at its end. */
  #noteUnlocated(): void {
    if (!this.#memory.unlocated) return;
    this.#memory.unlocated = false;
    const { timeAtPoint } = this.#branch;
    if (timeAtPoint <= this.#inner.t) this.#notePassage(timeAtPoint);
  }

  #notePassage(t: number): void {
    if (Number.isNaN(t) || isSamePassage(this.#memory.noted, t)) return;
    this.#memory.noted = t;
    this.#note(t);
  }

  /**
   * At the start and after events: steps on the branch that the speeds determine, if the state is singular or nearly singular. Elsewhere the
   * tracker begins.
   */
  #enterBranchAtStart(): boolean {
    const tracker = this.#tracker;
    const isStart = !tracker.accepted;
    if (!(isStart || this.#memory.moved)) return false;
    const { t, y } = this.#inner;
    const kind = classifyStart(this.#workspace, t, y);
    if (kind !== "regular") {
      if (this.#branch.enter(0)) {
        this.#noteUnlocated();
        if (kind === "singular" && isStart) this.#notePassage(t);
        return true;
      }
      if (kind === "singular") checkStaysAtRest(this.#workspace, t, y);
    }
    this.#begin();
    return kind === "regular" && Math.abs(tracker.accepted!.strength) < WEAK * tracker.largest && this.#branch.enter(0);
  }
}
