/** Phases of a controlled docking, and the conditions under which one follows the other. */
import { hypotenuse } from "../../../math/elementary/hypotenuse.ts";

export const PHASES = ["ready", "lunge", "attenuate", "align", "retract", "hold"] as const;
export const [READY, LUNGE, ATTENUATE, ALIGN, RETRACT, HOLD] = [0, 1, 2, 3, 4, 5] as const;

export interface PhaseMemory {
  phase: number;
  /** Time at which the phase began, and at which its condition has become true, s; the time of the last update while it is not. */
  since: number;
  calmSince: number;
  /** Displacement along the docking axis at which the ring is kept, or from which it is retracted, m. */
  axial: number;
}

/** What the conditions depend on. Poses and twists are those of the ring relative to the base, angular first. */
export interface PhaseInputs {
  readonly t: number;
  /** Largest force that the sensor shows, N. */
  readonly force: number;
  readonly pose: Float64Array;
  readonly twist: Float64Array;
  /** 1 for each latch that is engaged. */
  readonly engaged: Float64Array;
}

export interface PhaseConditions {
  /** Force that shows contact, N. */
  readonly contact: number;
  /** Angular rate and speed below which the ring is at rest, rad/s and m/s. */
  readonly rest: readonly number[];
  /** Angle and distance within which the ring is aligned, rad and m. */
  readonly within: readonly number[];
  /** Time for which a condition must hold, s. */
  readonly dwell: number;
  /** Position along the docking axis at which it is retracted, m. */
  readonly retracted: number;
  /** Longest duration of each phase, s; undefined: any. */
  readonly timeouts: readonly (number | undefined)[];
  readonly latches: readonly string[];
}

export class DockingPhases {
  readonly #conditions: PhaseConditions;

  constructor(conditions: PhaseConditions) {
    this.#conditions = conditions;
  }

  start = (t: number): PhaseMemory => ({ phase: READY, since: t, calmSince: t, axial: 0 });

  /** Goes on to the next phase if its conditions are met. */
  update(memory: PhaseMemory, now: PhaseInputs): void {
    const { t, engaged, force, pose } = now;
    const { contact, dwell } = this.#conditions;
    const { phase } = memory;
    if (phase === HOLD) return;
    if (phase <= LUNGE) {
      if (engaged.every((e) => e > 0.5)) this.#begin(memory, ATTENUATE, now);
      else if (phase === READY && force > contact) this.#begin(memory, LUNGE, now);
      return;
    }
    if (phase === ATTENUATE) memory.axial = pose[3]!;
    if (!this.#isCalm(phase, now)) memory.calmSince = t;
    else if (t - memory.calmSince >= dwell) this.#begin(memory, phase + 1, now);
  }

  /** What a phase that has lasted too long waits for; undefined if none has. */
  timedOut({ phase, since }: PhaseMemory, now: PhaseInputs): string | undefined {
    const limit = this.#conditions.timeouts[phase];
    if (limit === undefined || now.t - since < limit) return undefined;
    return `${PHASES[phase]} has lasted ${limit} s, and ${this.#unmet(phase, now)}`;
  }

  #begin(memory: PhaseMemory, phase: number, { t }: PhaseInputs): void {
    memory.phase = phase;
    memory.since = t;
    memory.calmSince = t;
  }

  #isCalm(phase: number, { pose, twist }: PhaseInputs): boolean {
    const { rest, within, retracted } = this.#conditions;
    const isAtRest = angular(twist) <= rest[0]! && linear(twist) <= rest[1]!;
    if (phase === ATTENUATE) return isAtRest;
    const isAligned = isAtRest && angular(pose) <= within[0]! && hypotenuse(pose[4]!, pose[5]!) <= within[1]!;
    return isAligned && (phase === ALIGN || Math.abs(pose[3]! - retracted) <= within[1]!);
  }

  #unmet(phase: number, { pose, twist, engaged, force }: PhaseInputs): string {
    const { contact, rest, within, latches, retracted } = this.#conditions;
    if (phase === READY) return `the sensor shows ${force.toPrecision(3)} N, less than the ${contact} N of a contact`;
    if (phase === LUNGE) return `${latches.filter((_, i) => !(engaged[i]! > 0.5)).join(", ")} not engaged`;
    return (
      `the ring turns at ${angular(twist).toPrecision(3)} rad/s (rest: ${rest[0]}), moves at ${linear(twist).toPrecision(3)} m/s ` +
      `(rest: ${rest[1]}), is tilted by ${angular(pose).toPrecision(3)} rad (within: ${within[0]}), ` +
      `off by ${hypotenuse(pose[4]!, pose[5]!).toPrecision(3)} m (within: ${within[1]})` +
      (phase === RETRACT ? `, and at ${pose[3]!.toPrecision(3)} m (retracted: ${retracted})` : "")
    );
  }
}

const angular = (v: Float64Array): number => hypotenuse(v[0]!, v[1]!, v[2]!);
const linear = (v: Float64Array): number => hypotenuse(v[3]!, v[4]!, v[5]!);
