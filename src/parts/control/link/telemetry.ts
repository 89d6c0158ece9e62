/** Telemetry of a vehicle as a message: t, q, u, poses and velocities of frames, and 1 if the law on board has ended. */
import type { Model } from "../../../model/model.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";

/** Values per frame; see `Snapshot`. */
const VALUES_PER_FRAME = 18;

export class TelemetryFormat {
  /** Number of entries of a message. */
  readonly size: number;
  readonly #model: Model;
  /** Indices at which q, u, frames and the end flag begin. */
  readonly #begins: readonly [q: number, u: number, frames: number, end: number];

  constructor(model: Model, frameCount: number) {
    const frames = 1 + model.nq + model.nu;
    this.#model = model;
    this.#begins = [1, 1 + model.nq, frames, frames + VALUES_PER_FRAME * frameCount];
    this.size = this.#begins[3] + 1;
  }

  write(s: Snapshot, hasEnded: boolean, out: Float64Array): void {
    const [q, u, frames, end] = this.#begins;
    out[0] = s.t;
    out.set(s.q, q);
    out.set(s.u, u);
    out.set(s.frames, frames);
    out[end] = hasEnded ? 1 : 0;
  }

  hasEnded(message: Float64Array): boolean {
    return message[this.#begins[3]] === 1;
  }

  /** The state in a message, which changes with it. */
  stateIn(message: Float64Array): Snapshot {
    const [q, u, frames, end] = this.#begins;
    return {
      model: this.#model,
      q: message.subarray(q, u),
      u: message.subarray(u, frames),
      z: new Float64Array(0),
      frames: message.subarray(frames, end),
      get t() {
        return message[0]!;
      },
    };
  }
}
