/**
 * Notices motions that diverge: gains that are unstable at their period, negative damping, steps that are too long for the stiffness. It
 * follows the largest speed. Growth by a factor of ten in nearly constant times, decade after decade, is exponential. It is a divergence
 * where it goes on to absurd speeds, where it makes the steps endless, or where it ends in a failure. A fall from an unstable position is
 * exponential too, but it ends at ordinary speeds; a spin-up takes ten times as long for each decade.
 */
import { DivergenceError, SingularError } from "../../errors.ts";
import { coordinateNames } from "../../model/model.ts";
import { checkSavedInteger, takeSaved } from "../../saved-data.ts";
import { heldInputNames, type Layout } from "../system/layout.ts";
import type { Controller } from "./controller.ts";

/**
 * A decade that takes at most this many times as long as the longer of the two before continues an exponential growth: updates make the times
 * uneven.
 */
const STEADY = 1.5;
/** Exponential growth explains a failure after this many decades. */
const DECADES = 3;
/** Growth that has not ended yet: the present decade may take this many times as long as the last one. */
const STILL_GROWING = 2;
/** Absurd speeds: the machine moves by this multiple of 1 rad or 1 m in the time of a tenfold growth. */
const ABSURD_TRAVEL = 1e6;
/** Endless steps: more steps than this remain at the present rate, which is measured over `STEPS_PER_LOOK` steps. */
const ENDLESS_STEPS = 3e6;
const STEPS_PER_LOOK = 1000;
/** Changes of sign in a row that count as alternating. */
const ALTERNATING = 4;

/** What the advice of a divergence depends on. */
export interface MonitoredRun {
  readonly layout: Layout;
  readonly controllers: readonly Controller[];
  readonly integrator: { readonly name: string; readonly adaptive: boolean };
  readonly duration: number;
}

export class GrowthMonitor {
  readonly #run: MonitoredRun;
  /**
   * Times and sizes at which the largest speed has exceeded ten times the last size; the last is the present one. `streak`: number of decades
   * of the present growth. `lookStep`, `lookTime`: the last look at the rate of steps.
   */
  readonly #memory: ReturnType<typeof newMemory>;

  constructor(run: MonitoredRun) {
    this.#run = run;
    this.#memory = newMemory(heldInputNames(run.layout).length);
  }

  /** Looks at the state after a step. @throws DivergenceError */
  look(t: number, y: Float64Array, steps: number): void {
    const { nq, nu } = this.#run.layout;
    const memory = this.#memory;
    let largest = 0;
    for (let i = 0; i < nu; i++) largest = Math.max(largest, Math.abs(y[nq + i]!));
    if (largest > 10 * memory.size) this.#enterDecade(t, largest);
    if (this.#isGrowing(t) && largest * memory.interval >= ABSURD_TRAVEL) throw this.#error(t, y);
    if (steps - memory.lookStep < STEPS_PER_LOOK) return;
    const remaining = ((this.#run.duration - t) * (steps - memory.lookStep)) / (t - memory.lookTime);
    memory.lookStep = steps;
    memory.lookTime = t;
    if (remaining > ENDLESS_STEPS && remaining < Number.POSITIVE_INFINITY && this.#isGrowing(t)) throw this.#error(t, y);
  }

  /** Begins at a time. */
  start(t: number): void {
    this.#memory.time = this.#memory.lookTime = t;
  }

  /** Looks at the held inputs after an update. */
  lookAtInputs(held: Float64Array): void {
    const { flips, inputs } = this.#memory;
    for (let i = 0; i < held.length; i++) {
      flips[i] = held[i]! * inputs[i]! < 0 ? flips[i]! + 1 : 0;
      inputs[i] = held[i]!;
    }
  }

  /** The error to throw for a failure at t: an exponential growth explains it, unless it is explained already by a singular configuration. */
  explain(error: Error, t: number, y: Float64Array): Error {
    return !(error instanceof SingularError) && this.#isGrowing(t) ? this.#error(t, y, error) : error;
  }

  /** Plain data: a copy. */
  save(): unknown {
    return structuredClone(this.#memory);
  }

  /** @throws FormatError if the data belongs to another system */
  restore(saved: unknown): void {
    takeSaved(this.#memory, saved, "growth");
    checkSavedInteger(this.#memory.streak, 0, Number.MAX_SAFE_INTEGER, "growth.streak");
    checkSavedInteger(this.#memory.lookStep, 0, Number.MAX_SAFE_INTEGER, "growth.lookStep");
  }

  #enterDecade(t: number, largest: number): void {
    const memory = this.#memory;
    const interval = t - memory.time;
    if (memory.size > 0 && interval <= STEADY * this.#longest) memory.streak++;
    else {
      memory.streak = 0;
      memory.firstTime = memory.time;
      memory.firstSize = memory.size;
    }
    memory.intervalBefore = memory.interval;
    memory.interval = interval;
    memory.time = t;
    memory.size = largest;
  }

  #isGrowing(t: number): boolean {
    const { streak, time } = this.#memory;
    return streak >= DECADES && t - time <= STILL_GROWING * this.#longest;
  }

  /** The longer of the times of the last two decades. */
  get #longest(): number {
    return Math.max(this.#memory.interval, this.#memory.intervalBefore);
  }

  #error(t: number, y: Float64Array, cause?: Error): DivergenceError {
    const { layout } = this.#run;
    const { firstTime, firstSize, interval } = this.#memory;
    let fastest = 0;
    for (let i = 1; i < layout.nu; i++) if (Math.abs(y[layout.nq + i]!) > Math.abs(y[layout.nq + fastest]!)) fastest = i;
    const speed = Math.abs(y[layout.nq + fastest]!);
    const name = coordinateNames(layout.model).u[fastest]!;
    return new DivergenceError(
      `the motion diverges: the speed u.${name} has grown from ${firstSize.toExponential(1)} at t = ${+firstTime.toPrecision(6)} s ` +
        `to ${speed.toExponential(1)} at t = ${+t.toPrecision(6)} s, and tenfold in the last ${interval.toExponential(1)} s. ${this.#advice()}` +
        (cause === undefined ? "" : ` (The run ended with: ${cause.message})`),
      { ...(cause && { cause }) },
    );
  }

  #advice(): string {
    const { controllers, integrator, layout } = this.#run;
    const names = heldInputNames(layout);
    const alternating = names.filter((_, i) => this.#memory.flips[i]! >= ALTERNATING);
    const sampled = controllers.filter(({ period }) => period > 0);
    const culprit = sampled.find(({ commands }) => commands.some((command) => alternating.includes(command)));
    if (culprit)
      return (
        `The commands of the controller "${culprit.name}" (${alternating.join(", ")}) change their sign at every update: its gains are unstable at ` +
        `its period of ${culprit.period} s. Try a smaller period or lower gains`
      );
    if (controllers.length > 0)
      return (
        `Its cause may be a controller (${controllers.map((c) => c.name).join(", ")}): ` +
        `try lower gains${sampled.length > 0 ? ", a smaller period" : ""}, and check the sign of the feedback`
      );
    return integrator.adaptive
      ? "A force supplies energy without end: look for negative damping or stiffness. If the machine is stiff, try the integrator radau5"
      : `The step of ${integrator.name} may be too long: try a smaller one, or an implicit integrator (radau5). Or a force supplies energy without end`;
  }
}

const newMemory = (inputs: number) => ({
  time: 0,
  size: 0,
  interval: 0,
  intervalBefore: 0,
  streak: 0,
  firstTime: 0,
  firstSize: 0,
  lookStep: 0,
  lookTime: 0,
  flips: new Int32Array(inputs),
  inputs: new Float64Array(inputs),
});
