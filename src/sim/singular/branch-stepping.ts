/**
 * Steps of an integrator on a branch at a singular configuration: a BranchChart replaces the equations while the state is near the singular
 * point, so that any number of steps, events and updates may fall there.
 */
import { refuseSaved, savedEntries, takeSaved } from "../../saved-data.ts";
import type { Stepper } from "../integrators/integrator.ts";
import type { Workspace } from "../system/workspace.ts";
import { BranchChart } from "./branch-chart.ts";
import { type BranchSearch, findBranch, INSIDE } from "./branch-search.ts";

/** Largest residual of the loops at the end of a step, m or rad. A larger one shows that the path has left the branch. */
const CLOSED = 1e-9;
/** Largest distance of coordinates from the branch at a restart. A smaller one is left: moving the state would repeat events there. */
const OFF_BRANCH = 1e-9;
/** Repetitions of a step, each with a new path and half as long. */
const MAX_REPETITIONS = 12;
/** Distance beyond which nodes no longer surround the state, relative to the radius. */
const SURROUNDED = 2.5;
/** Accuracy of the time of a passage, relative to its time and at least to 1 s. */
const TIME_ACCURACY = 1e-10;
const MAX_LOCATIONS = 60;
/** Distances below this, rad, are rounding: a machine at rest in the singular point does not pass it. */
const SMALLEST_DISTANCE = 1e-9;
/** Slowest motion along the path, rad/s, that passes the point if it is there at a restart. */
const SLOWEST_PASSAGE = 1e-6;

export class BranchStepping {
  readonly #workspace: Workspace;
  readonly #inner: Stepper;
  readonly #note: (t: number) => void;
  readonly #start: Float64Array;
  readonly #trial: Float64Array;
  #chart: BranchChart | undefined;
  readonly #memory = {
    /** The chart is in use. */
    isActive: false,
    /** The last step has ended far enough from the singular point: the next one uses the equations of motion. */
    isDone: false,
    /** The path of the chart has been determined before. */
    hasDirection: false,
    /** Distance along the path from the accepted state to the singular point; NaN if it is not between the nodes. */
    distance: Number.NaN,
    /** Sign of the distance when it was last above rounding; 0 if it has not been. */
    side: 0,
    /** Time of the last change of the sign; NaN if there was none since. */
    crossing: Number.NaN,
  };

  constructor(workspace: Workspace, inner: Stepper, note: (t: number) => void) {
    const { ny } = workspace.layout;
    this.#workspace = workspace;
    this.#inner = inner;
    this.#note = note;
    this.#start = new Float64Array(ny);
    this.#trial = new Float64Array(ny);
  }

  get isActive(): boolean {
    return this.#memory.isActive;
  }

  get isDone(): boolean {
    return this.#memory.isDone;
  }

  /** Time at which the motion passes the singular point at its present speed along the path. */
  get timeAtPoint(): number {
    const { t, y } = this.#inner;
    return t + this.#memory.distance / this.#rateAt(y);
  }

  /** Starts steps on the branch through the present state. False if there is no smooth branch, or the state is not near the singular point. */
  enter(ahead: number): boolean {
    const { t, y } = this.#inner;
    const chart = this.#chartOf();
    const path = { ahead, lastDirection: this.#memory.hasDirection ? chart.path.direction.slice() : undefined };
    if (!this.#find(chart, t, y, path)) return false;
    this.#memory.isActive = this.#memory.hasDirection = true;
    this.#memory.side = 0;
    this.#updateSide();
    if (this.#memory.side === 0 && Math.abs(this.#rateAt(y)) > SLOWEST_PASSAGE) this.#note(t);
    this.#workspace.branch = chart;
    this.#restartOnLoops(OFF_BRANCH);
    return true;
  }

  /** Returns to the equations of motion. The caller restarts the integrator. */
  leave(): void {
    this.#memory.isActive = this.#memory.isDone = false;
    this.#workspace.branch = undefined;
  }

  /** Continues with the equations of motion after the last step. */
  continueRegular(): void {
    this.leave();
    this.#restartOnLoops(0);
  }

  /**
   * Restarts the integrator on the loops, if a coordinate is off by more than `tolerance`. Not every integrator projects its states, and
   * their errors grow near the singular point.
   */
  #restartOnLoops(tolerance: number): void {
    const { t, y } = this.#inner;
    const { nq } = this.#workspace.layout;
    const start = this.#start;
    start.set(y);
    this.#workspace.problem.project?.(start, t);
    let worst = 0;
    for (let i = 0; i < nq; i++) worst = Math.max(worst, Math.abs(start[i]! - y[i]!));
    if (!(worst > tolerance)) start.set(y);
    this.#inner.restart(t, start);
  }

  /**
   * One step. After it `isDone` tells whether the state is far enough from the singular point. False if no path leads on from the state: then
   * the equations of motion are in use again.
   */
  step(end: number): boolean {
    const inner = this.#inner;
    const chart = this.#chart!;
    const t0 = inner.t;
    this.#start.set(inner.y);
    for (let repetition = 0, last = end; ; repetition++, last = t0 + (last - t0) / 2) {
      if (this.#tryStep(last)) break;
      inner.restart(t0, this.#start);
      const path = { ahead: Number.NaN, lastDirection: chart.path.direction.slice() };
      if (repetition < MAX_REPETITIONS && this.#find(chart, t0, this.#start, path)) continue;
      this.continueRegular();
      return false;
    }
    const before = this.#memory.distance;
    this.#memory.distance = this.#distanceAt(inner.t, inner.y);
    if (before * this.#memory.distance < 0) this.#memory.crossing = this.#locate(t0, inner.t, before, this.#memory.distance);
    this.#updateSide();
    const s = chart.position(this.#coordinates(inner.y));
    if (!(Math.abs(s) <= INSIDE * chart.path.radius)) this.#memory.isDone = true;
    else if (Number.isFinite(this.#memory.distance)) chart.setOrigin(this.#coordinates(inner.y), this.#memory.distance);
    return true;
  }

  save(): unknown {
    return { memory: { ...this.#memory }, path: this.#chart?.save() ?? null };
  }

  restore(saved: unknown): void {
    const where = "branch";
    const { memory, path } = savedEntries(saved, ["memory", "path"], where);
    takeSaved(this.#memory, memory, `${where}.memory`);
    const isKept = this.#memory.isActive || this.#memory.hasDirection;
    if (isKept && !this.#workspace.closed) refuseSaved(`${where}.memory`, "must not be active if no loop is engaged", memory);
    if (path !== null) this.#chartOf().restore(path);
    else if (isKept) refuseSaved(`${where}.path`, "must be given if the branch is in use", path);
    this.#workspace.branch = this.#memory.isActive ? this.#chart : undefined;
  }

  /** The chart of the loops that are engaged now. */
  #chartOf(): BranchChart {
    const { closed, model } = this.#workspace;
    if (this.#chart?.closed !== closed) {
      this.#chart = new BranchChart(model, closed!);
      this.#memory.hasDirection = false;
    }
    return this.#chart!;
  }

  /** Determines the path at a state. */
  #find(chart: BranchChart, t: number, y: Float64Array, search: BranchSearch): boolean {
    const before = chart.path.direction.slice();
    if (!findBranch(chart, this.#workspace.model, t, y, search)) return false;
    this.#memory.distance = this.#distanceAt(t, y);
    if (chart.path.direction.reduce((sum, v, i) => sum + v * before[i]!, 0) < 0) this.#memory.side *= -1;
    return true;
  }

  /** Notes a passage when the state has left the singular point on the other side. */
  #updateSide(): void {
    const memory = this.#memory;
    if (!(Math.abs(memory.distance) > SMALLEST_DISTANCE)) return;
    const side = Math.sign(memory.distance);
    if (memory.side * side < 0 && Number.isFinite(memory.crossing)) this.#note(memory.crossing);
    memory.side = side;
    memory.crossing = Number.NaN;
  }

  /** Speed along the path. */
  #rateAt(y: Float64Array): number {
    const { direction } = this.#chart!.path;
    const { nq } = this.#workspace.layout;
    let [along, square] = [0, 0];
    for (let i = 0; i < direction.length; i++) {
      along += direction[i]! * y[nq + i]!;
      square += direction[i]! * direction[i]!;
    }
    return along / square;
  }

  /** A step of the integrator. False if its end does not satisfy the loops. */
  #tryStep(end: number): boolean {
    const inner = this.#inner;
    const { nq, nu } = this.#workspace.layout;
    inner.step(end);
    const { closed } = this.#workspace;
    const [f, rates] = [new Float64Array(closed!.rows), new Float64Array(closed!.rows)];
    closed!.residual(inner.t, inner.y.slice(0, nq), inner.y.slice(nq, nq + nu), f, rates);
    return f.every((v) => Math.abs(v) <= CLOSED);
  }

  #coordinates(y: Float64Array): Float64Array {
    return y.slice(0, this.#workspace.layout.nq);
  }

  /** Distance from a state to the singular point, with a sign. */
  #distanceAt(t: number, y: Float64Array): number {
    const chart = this.#chart!;
    const { nq, nu } = this.#workspace.layout;
    const q = y.slice(0, nq);
    const s = chart.position(q);
    if (Math.abs(s) > SURROUNDED * chart.path.radius) return -s;
    return chart.singularPosition(t, q, y.slice(nq, nq + nu)) - s;
  }

  /** Time at which the distance vanishes within the last step. */
  #locate(t0: number, t1: number, d0: number, d1: number): number {
    let [a, da, b, db] = [t0, d0, t1, d1];
    for (let k = 0; k < MAX_LOCATIONS && b - a > TIME_ACCURACY * Math.max(1, b); k++) {
      const secant = a + ((b - a) * da) / (da - db);
      const t = k % 3 === 2 ? 0.5 * (a + b) : secant;
      if (!(t > a && t < b)) return secant;
      this.#inner.interpolate(t, this.#trial);
      this.#workspace.problem.project?.(this.#trial, t);
      const d = this.#distanceAt(t, this.#trial);
      if (d === 0 || Number.isNaN(d)) return t;
      if (d * da > 0) [a, da] = [t, d];
      else [b, db] = [t, d];
    }
    return a + ((b - a) * da) / (da - db);
  }
}
