/** Phases of a run: the discrete state between samples, from which channels can be computed afterwards. See replay.ts. */

import type { FrictionMode, HeldLoops } from "../state.ts";
import type { Workspace } from "../system/workspace.ts";

/** Engaged loops, and stick or slip, from sample number `from` until the next phase. Plain data. */
export interface Phase {
  readonly from: number;
  /** Time and state of that sample. The equations of the loops are compiled at the first state in which the loops hold. */
  readonly t: number;
  readonly y: Float64Array;
  readonly loops: HeldLoops;
  readonly friction: readonly FrictionMode[];
}

export class PhaseHistory {
  readonly #workspace: Workspace;
  readonly phases: Phase[] = [];

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Call at every recorded sample. Adds a phase if the discrete state has changed. */
  recordSample(sample: number, t: number, y: Float64Array): void {
    const { friction, loops } = this.#workspace;
    const last = this.phases.at(-1);
    if (last?.loops === loops.held && last.friction.every((mode, i) => mode === friction.modeOf(i))) return;
    this.phases.push({ from: sample, t, y: y.slice(), loops: loops.held, friction: friction.modes });
  }
}
