/**
 * Channels of a run that were not recorded, computed afterwards from the samples of those that were: bit for bit what would have been
 * recorded. A run that is `replayable` records the state and the held inputs, and what is not a function of these.
 */
import type { Log } from "../../log/log.ts";
import type { DiscreteState } from "../events/discrete-state.ts";
import { DISSIPATED, LEDGER, SUPPLIED } from "../system/layout.ts";
import type { System } from "../system/system.ts";
import { stateChannels } from "./channel-source.ts";
import { channelReader } from "./recorder.ts";

export class Replay {
  readonly #system: System;
  readonly #phases: DiscreteState[] = [];
  readonly #y: Float64Array;
  readonly #ydot: Float64Array;
  /** Where each kept channel goes. */
  readonly #places: readonly { readonly name: string; readonly in: Float64Array; readonly at: number }[];
  readonly #readers = new Map<string, ReturnType<typeof channelReader>>();
  #phase: DiscreteState | undefined;
  /** How many phases have been begun. */
  #begun = 0;

  /** @param system compiled at the start of the run as it was for the run, and for nothing else. */
  constructor(system: System) {
    this.#system = system;
    const { layout, held } = system;
    const { q, u, z, held: inputs } = stateChannels(layout);
    const ledger = layout.ny - LEDGER;
    this.#y = new Float64Array(layout.ny);
    this.#ydot = new Float64Array(layout.ny);
    this.#places = [
      ...[...q, ...u, ...z].map((name, at) => ({ name, in: this.#y, at })),
      { name: "energy.dissipated", in: this.#y, at: ledger + DISSIPATED },
      { name: "energy.supplied", in: this.#y, at: ledger + SUPPLIED },
      ...inputs.map((name, at) => ({ name, in: held, at })),
    ];
  }

  /** The next phases of the run. */
  add(phases: readonly DiscreteState[]): void {
    this.#phases.push(...phases);
  }

  /**
   * Channels at some samples, all of the first channel, then all of the second. Kept are the channels that the run has recorded, at these
   * samples, of which the first is number `first` of the run; their phases have been added.
   */
  values(names: readonly string[], kept: Log, first: number): Float64Array {
    const key = names.join(" ");
    const read = this.#readers.get(key) ?? channelReader(this.#system, names);
    this.#readers.set(key, read);
    const t = kept.column("t");
    const columns = this.#places.map(({ name }) => kept.column(name));
    const out = new Float64Array(names.length * kept.length);
    for (let i = 0; i < kept.length; i++) {
      this.#enter(first + i);
      for (let c = 0; c < columns.length; c++) this.#places[c]!.in[this.#places[c]!.at] = columns[c]![i]!;
      const values = read(t[i]!, this.#y);
      for (let c = 0; c < names.length; c++) out[c * kept.length + i] = values[c]!;
    }
    return out;
  }

  /** Puts the system into the phase of a sample, after those before it: each set of loops is compiled where it first held. */
  #enter(sample: number): void {
    let wanted = this.#phases.length - 1;
    while (wanted > 0 && this.#phases[wanted]!.from > sample) wanted--;
    while (this.#begun <= wanted) this.#take(this.#phases[this.#begun++]!);
    if (this.#phase !== this.#phases[wanted]) this.#take(this.#phases[wanted]!);
  }

  #take(phase: DiscreteState): void {
    const { loops, friction, problem } = this.#system;
    if (this.#phase === undefined || !sameLoops(this.#phase, phase)) {
      loops.hold(phase.loops);
      problem.derivative(phase.t, phase.y, this.#ydot);
    }
    friction.setModes(phase.friction);
    this.#phase = phase;
  }
}

const sameLoops = (a: DiscreteState, b: DiscreteState): boolean => JSON.stringify([...a.loops]) === JSON.stringify([...b.loops]);
