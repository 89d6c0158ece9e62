/** Discrete state between samples: engaged loops, stick or slip. The continuous state y does not contain it. */

import type { HeldLoops } from "../system/loop-sets.ts";
import type { Workspace } from "../system/workspace.ts";
import type { FrictionMode } from "./dry-friction.ts";

/** Valid from sample number `from` until the next entry. Plain data. */
export interface DiscreteState {
  readonly from: number;
  /** Time and state of that sample. The equations of the loops are compiled at the first state in which the loops hold. */
  readonly t: number;
  readonly y: Float64Array;
  readonly loops: HeldLoops;
  readonly friction: readonly FrictionMode[];
}

export class DiscreteStateHistory {
  readonly #workspace: Workspace;
  readonly states: DiscreteState[] = [];

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Call at every recorded sample. Adds an entry if the discrete state has changed. */
  recordSample(sample: number, t: number, y: Float64Array): void {
    const { friction, loops } = this.#workspace;
    const last = this.states.at(-1);
    if (last?.loops === loops.held && last.friction.every((mode, i) => mode === friction.modeOf(i))) return;
    const modes = Array.from({ length: friction.count }, (_, i) => friction.modeOf(i));
    this.states.push({ from: sample, t, y: y.slice(), loops: loops.held, friction: modes });
  }
}
