/**
 * Telemetry of a vehicle as a message: t, q, u, poses and velocities of frames, measured channels, the engaged loops, and 1 if the law on
 * board has ended. Each loop has 0 (open), 1 (engaged as declared) or 2 (engaged as found), and the parameters that it then took.
 */
import type { Loop } from "../../../model/loop.ts";
import { engagedParameterCount } from "../../../model/loops/engaged-loop-parameters.ts";
import type { Model } from "../../../model/model.ts";
import type { HeldLoops } from "../../../sim/state.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";
import { declaredLoops } from "../../../sim/system/loop-sets.ts";

/** Values per frame; see `Snapshot`. */
const VALUES_PER_FRAME = 18;
const [DECLARED, FOUND] = [1, 2] as const;

export class TelemetryFormat {
  /** Number of entries of a message. */
  readonly size: number;
  readonly #model: Model;
  /** All loops, with the number of parameters that each takes when it engages as found. */
  readonly #loops: readonly { readonly name: string; readonly parameters: number }[];
  readonly #declared: HeldLoops;
  /** Index at which each part begins. */
  readonly #begins: Readonly<Record<"q" | "u" | "frames" | "measured" | "loops" | "end", number>>;

  constructor(model: Model, frameCount: number, measureCount: number) {
    this.#model = model;
    this.#loops = [...model.loops, ...model.openLoops].map((loop: Loop) => ({
      name: loop.name,
      parameters: engagedParameterCount({ ...loop, heldAsFound: true }),
    }));
    this.#declared = declaredLoops(model);
    const q = 1;
    const u = q + model.nq;
    const frames = u + model.nu;
    const measured = frames + VALUES_PER_FRAME * frameCount;
    const loops = measured + measureCount;
    const end = this.#loops.reduce((sum, { parameters }) => sum + 1 + parameters, loops);
    this.#begins = { q, u, frames, measured, loops, end };
    this.size = end + 1;
  }

  write(s: Snapshot, hasEnded: boolean, out: Float64Array): void {
    const { q, u, frames, measured, loops, end } = this.#begins;
    out[0] = s.t;
    out.set(s.q, q);
    out.set(s.u, u);
    out.set(s.frames, frames);
    if (s.measured) out.set(s.measured, measured);
    this.#writeLoops(s.loops ?? this.#declared, out.subarray(loops, end));
    out[end] = hasEnded ? 1 : 0;
  }

  hasEnded(message: Float64Array): boolean {
    return message[this.#begins.end] === 1;
  }

  /** The state in a message, which changes with it. Its loops are a new map whenever they change. */
  stateIn(message: Float64Array): Snapshot {
    const { q, u, frames, measured, loops, end } = this.#begins;
    const numbers = message.subarray(loops, end);
    const last = numbers.slice();
    const readLoops = (): HeldLoops => this.#readLoops(last);
    let held = readLoops();
    return {
      model: this.#model,
      q: message.subarray(q, u),
      u: message.subarray(u, frames),
      z: new Float64Array(0),
      frames: message.subarray(frames, measured),
      measured: message.subarray(measured, loops),
      get t() {
        return message[0]!;
      },
      get loops() {
        if (numbers.some((value, i) => value !== last[i])) {
          last.set(numbers);
          held = readLoops();
        }
        return held;
      },
    };
  }

  #writeLoops(held: HeldLoops, out: Float64Array): void {
    out.fill(0);
    let first = 0;
    for (const { name, parameters } of this.#loops) {
      const engaged = held.get(name);
      if (engaged === "declared") out[first] = DECLARED;
      else if (engaged !== undefined) {
        out[first] = FOUND;
        out.set(engaged, first + 1);
      }
      first += 1 + parameters;
    }
  }

  #readLoops(numbers: Float64Array): HeldLoops {
    const held = new Map<string, "declared" | readonly number[]>();
    let first = 0;
    for (const { name, parameters } of this.#loops) {
      if (numbers[first] === DECLARED) held.set(name, "declared");
      else if (numbers[first] === FOUND) held.set(name, [...numbers.subarray(first + 1, first + 1 + parameters)]);
      first += 1 + parameters;
    }
    return held;
  }
}
