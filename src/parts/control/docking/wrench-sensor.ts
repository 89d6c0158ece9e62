/**
 * A six-axis force sensor: noise, a low-pass filter and a delay of whole updates, in this order. The noise of update k is a sum of three
 * uniform pseudo-random numbers of k and the seed: it has the standard deviation that is given, and stays within three of them.
 */
import { gridHash } from "../../../ground/procedural.ts";
import { exponential } from "../../../math/elementary/exponential.ts";

export interface WrenchSensorMemory {
  /** Number of updates so far. */
  updates: number;
  /** Filtered wrench, and the wrenches under way, by the number of the update modulo their number. */
  readonly filtered: Float64Array;
  readonly line: Float64Array;
}

export interface WrenchSensorOptions {
  readonly period: number;
  /** Standard deviation of torque and force, N m and N. */
  readonly noise: readonly number[];
  /** Time constant of the filter, and delay, s. The delay is rounded to whole updates. */
  readonly filter: number;
  readonly delay: number;
  readonly seed: number;
}

const UNIFORMS = 3;

export class WrenchSensor {
  readonly #options: WrenchSensorOptions;
  readonly #latency: number;
  /** Share of the difference that the filter keeps from one update to the next. */
  readonly #kept: number;

  constructor(options: WrenchSensorOptions) {
    this.#options = options;
    this.#latency = Math.round(options.delay / options.period);
    this.#kept = options.filter > 0 ? exponential(-options.period / options.filter) : 0;
  }

  start(): WrenchSensorMemory {
    return { updates: 0, filtered: new Float64Array(6), line: new Float64Array(6 * (this.#latency + 1)) };
  }

  /** Takes the true torque and force; writes what the sensor shows. */
  read(truth: Float64Array, memory: WrenchSensorMemory, out: Float64Array): void {
    const { noise, seed } = this.#options;
    const { filtered, line } = memory;
    const places = this.#latency + 1;
    const k = memory.updates++;
    for (let i = 0; i < 6; i++) {
      const deviation = noise[i < 3 ? 0 : 1]!;
      let value = truth[i]!;
      if (deviation > 0) for (let n = 0; n < UNIFORMS; n++) value += deviation * gridHash(k, UNIFORMS * i + n, seed);
      filtered[i] = value + this.#kept * (filtered[i]! - value);
      line[6 * (k % places) + i] = filtered[i]!;
      out[i] = line[6 * ((k + 1) % places) + i]!; // that of update k - latency
    }
  }
}
