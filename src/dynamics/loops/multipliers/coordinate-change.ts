/** Changes of coordinates along speeds, with unit quaternions. */
import { compile, type Kernel } from "../../../kernel/run/kernel.ts";
import { cachedPerOwner } from "../../../kernel/run/program-cache.ts";
import { trace } from "../../../kernel/trace/program.ts";
import { hypotenuse } from "../../../math/elementary/hypotenuse.ts";
import { type Model, quaternionStarts } from "../../../model/model.ts";
import { coordinateRates } from "../../tree/kinematics.ts";
import type { LoopKernelOptions } from "./loop-system.ts";

export class CoordinateChange {
  readonly quaternions: readonly number[];
  readonly #nq: number;
  readonly #nu: number;
  readonly #rates: Kernel;

  constructor(model: Model, { target }: Pick<LoopKernelOptions, "target">) {
    const { nq, nu } = model;
    this.#nq = nq;
    this.#nu = nu;
    this.quaternions = quaternionStarts(model);
    this.#rates = compile(
      cachedPerOwner(model, "coordinate rates", () =>
        trace(`${model.name} coordinate rates`, { q: nq, u: nu }, ({ q, u }) => ({ qdot: coordinateRates(model, q, u) })),
      ),
      { target },
    );
  }

  /** Adds `factor` times a change in the space of speeds to the coordinates. */
  advance(q: Float64Array, change: Float64Array, factor: number): void {
    const { x, y } = this.#rates;
    const nq = this.#nq;
    const nu = this.#nu;
    x.set(q);
    for (let i = 0; i < nu; i++) x[nq + i] = factor * change[i]!;
    this.#rates.evaluate();
    for (let i = 0; i < nq; i++) q[i]! += y[i]!;
    this.normalise(q);
  }

  /** Normalises the quaternions. Their norm deviates by rounding of the step, which is no loop error. */
  normalise(q: Float64Array): void {
    for (const k of this.quaternions) {
      const size = 1 / hypotenuse(q[k]!, q[k + 1]!, q[k + 2]!, q[k + 3]!);
      for (let i = k; i < k + 4; i++) q[i]! *= size;
    }
  }
}
