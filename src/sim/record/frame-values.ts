/** Poses and velocities of the needed frames at a sample. */
import { compile, type Kernel } from "../../kernel/run/kernel.ts";
import { type Frame, frameOf } from "../../model/model.ts";
import { toQuaternion } from "../../spatial/rotation.ts";
import type { Layout } from "../system/layout.ts";
import { framesProgram } from "../system/motion-program.ts";
import { PER_FRAME } from "../system/numeric-elements.ts";

export class FrameValues {
  /** All frames: bodies first, then the frames of the model. */
  readonly frames: readonly Frame[];
  /** Index in `values` of the first number of each needed frame. */
  readonly start: Int32Array;
  /** Per needed frame: R by rows (9), position (3), angular and linear velocity (6). */
  values: Float64Array = new Float64Array(0);
  readonly #layout: Layout;
  readonly #quaternions: { sample: number; q: readonly number[] }[];
  #kernel: Kernel | undefined;
  /** Number of samples so far. */
  #sample = 0;

  constructor(layout: Layout) {
    const { model } = layout;
    this.#layout = layout;
    this.frames = [...model.bodies.map((b) => frameOf(model, b.name)), ...model.frames];
    this.start = new Int32Array(this.frames.length);
    this.#quaternions = this.frames.map(() => ({ sample: -1, q: [1, 0, 0, 0] }));
  }

  /** Evaluates the needed frames. They must be the same at every sample. */
  take(y: Float64Array, needed: readonly number[]): void {
    this.#kernel ??= this.#compile(needed);
    const { x } = this.#kernel;
    const count = this.#layout.nq + this.#layout.nu;
    for (let i = 0; i < count; i++) x[i] = y[i]!;
    this.#kernel.evaluate();
    this.#sample++;
  }

  /** Quaternion of frame f, computed once per sample. */
  quaternion(f: number): readonly number[] {
    const last = this.#quaternions[f]!;
    if (last.sample !== this.#sample) {
      last.sample = this.#sample;
      last.q = quaternionAt(this.values, this.start[f]!);
    }
    return last.q;
  }

  #compile(needed: readonly number[]): Kernel {
    const frames = needed.map((f) => this.frames[f]!);
    const kernel = compile(framesProgram(this.#layout, frames));
    for (const [i, f] of needed.entries()) this.start[f] = PER_FRAME * i;
    this.values = kernel.y;
    return kernel;
  }
}

function quaternionAt(values: Float64Array, start: number): readonly number[] {
  const v = (k: number): number => values[start + k]!;
  return toQuaternion([
    [v(0), v(1), v(2)],
    [v(3), v(4), v(5)],
    [v(6), v(7), v(8)],
  ]);
}
