/** The wrench that the legs exert on the ring in each phase: W = clip(K (r - x) + D (ṙ - ẋ), ±most) + gain F. */
import { ALIGN, HOLD, LUNGE, type PhaseMemory, READY, RETRACT } from "./docking-phases.ts";
import type { LegControlSettings } from "./leg-control-parameters.ts";
import type { Platform } from "./platform.ts";

/** Index of the docking axis among the components of poses and wrenches. */
export const AXIAL = 3;

export class ImpedanceLaw {
  readonly wrench = new Float64Array(6);
  readonly #settings: LegControlSettings;
  /** Settings of each phase. */
  readonly #laws: readonly LegControlSettings["attenuate"][];
  /** Reference along the docking axis, and its rate. */
  readonly #axial = { position: 0, rate: 0 };

  constructor(settings: LegControlSettings) {
    const { lunge, attenuate, align, retract } = settings;
    this.#settings = settings;
    this.#laws = [lunge, lunge, attenuate, align, retract, retract];
  }

  /**
   * Writes the wrench of the present phase under a measured load. Over the time `blend` its stiffness and damping replace those of the phase
   * before. Its gain acts at once: behind closed latches, feedback with a delay would make the contacts hammer.
   */
  update(memory: PhaseMemory, t: number, platform: Platform, load: Float64Array): void {
    const { phase, since } = memory;
    const { blend } = this.#settings;
    const isBlended = phase > READY && phase < HOLD && t - since < blend; // hold has the law of retract
    const weight = isBlended ? (t - since) / blend : 1;
    for (let k = 0; k < 6; k++) this.wrench[k] = this.#laws[phase]!.gain * load[k]!;
    this.#add(phase, weight, memory, t, platform);
    if (isBlended) this.#add(phase - 1, 1 - weight, memory, t, platform);
  }

  /** Adds weight × clip(K (r - x) + D (ṙ - ẋ), ±most) of a phase. */
  #add(phase: number, weight: number, memory: PhaseMemory, t: number, { pose, twist }: Platform): void {
    const { stiffness, damping, most } = this.#laws[phase]!;
    this.#setAxialReference(phase, memory, t);
    for (let k = 0; k < 6; k++) {
      const [r, rate] = k === AXIAL ? [this.#axial.position, this.#axial.rate] : [0, 0];
      const bound = most?.[k] ?? Number.POSITIVE_INFINITY;
      const demand = stiffness[k]! * (r - pose[k]!) + damping[k]! * (rate - twist[k]!);
      this.wrench[k]! += weight * Math.min(bound, Math.max(-bound, demand));
    }
  }

  #setAxialReference(phase: number, { since, axial }: PhaseMemory, t: number): void {
    const { lunge, retract } = this.#settings;
    const reference = this.#axial;
    reference.position = phase < ALIGN ? 0 : phase === HOLD ? retract.position : axial;
    reference.rate = phase === LUNGE ? lunge.speed : 0;
    if (phase !== RETRACT) return;
    const way = retract.position - axial;
    const moved = retract.speed * (t - since);
    const isMoving = moved < Math.abs(way);
    reference.position = isMoving ? axial + Math.sign(way) * moved : retract.position;
    reference.rate = isMoving ? Math.sign(way) * retract.speed : 0;
  }
}
