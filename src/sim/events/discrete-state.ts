/** What holds from one sample of a run to the next and is no number of the state: which loops hold and how, which friction sticks. */

import type { HeldLoops } from "../system/loop-sets.ts";
import type { System } from "../system/system.ts";
import type { FrictionMode } from "./dry-friction.ts";

/** From one sample on, by its number, until the next phase. Plain data. */
export interface DiscreteState {
  readonly from: number;
  /** Time and state of that sample: the equations of loops are compiled for the first state that they hold in. */
  readonly t: number;
  readonly y: Float64Array;
  readonly loops: HeldLoops;
  readonly friction: readonly FrictionMode[];
}

export class DiscreteStateHistory {
  readonly #system: System;
  readonly states: DiscreteState[] = [];

  constructor(system: System) {
    this.#system = system;
  }

  /** A sample is recorded. */
  recordSample(sample: number, t: number, y: Float64Array): void {
    const { friction, loops } = this.#system;
    const last = this.states.at(-1);
    if (last?.loops === loops.held && last.friction.every((mode, i) => mode === friction.modeOf(i))) return;
    const modes = Array.from({ length: friction.count }, (_, i) => friction.modeOf(i));
    this.states.push({ from: sample, t, y: y.slice(), loops: loops.held, friction: modes });
  }
}
