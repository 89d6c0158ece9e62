/**
 * Computes channels of a finished run that were not recorded, bit for bit as if they had been recorded. A run with `replayable` records the
 * state, the held inputs, and everything that is not a function of these.
 */
import { checkCount, checkList, checkMembers, checkNames } from "../../arguments.ts";
import { ArgumentError } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import { DISSIPATED, LEDGER, SUPPLIED } from "../system/layout.ts";
import { openWorkspace, type System } from "../system/system.ts";
import type { Workspace } from "../system/workspace.ts";
import { stateChannels } from "./channel-source.ts";
import type { Phase } from "./phases.ts";
import { channelReader } from "./recorder.ts";

export class Replay {
  readonly #workspace: Workspace;
  readonly #states: Phase[] = [];
  readonly #y: Float64Array;
  readonly #ydot: Float64Array;
  /** Destination of each recorded channel in the state or the held inputs. */
  readonly #targets: readonly { readonly name: string; readonly in: Float64Array; readonly at: number }[];
  readonly #readers = new Map<string, ReturnType<typeof channelReader>>();
  #current: Phase | undefined;
  /** Number of discrete states that have been entered so far. */
  #entered = 0;

  /** @param system the system of the run, or an equal one */
  constructor(system: System) {
    const workspace = openWorkspace(system);
    this.#workspace = workspace;
    const { layout, held } = workspace;
    const { q, u, z, origin, held: inputs } = stateChannels(layout);
    const ledger = layout.ny - LEDGER;
    this.#y = new Float64Array(layout.ny);
    this.#ydot = new Float64Array(layout.ny);
    this.#targets = [
      ...[...q, ...u, ...z, ...origin].map((name, at) => ({ name, in: this.#y, at })),
      { name: "energy.dissipated", in: this.#y, at: ledger + DISSIPATED },
      { name: "energy.supplied", in: this.#y, at: ledger + SUPPLIED },
      ...inputs.map((name, at) => ({ name, in: held, at })),
    ];
  }

  /** Adds the next discrete states of the run. */
  add(phases: readonly Phase[]): void {
    checkList("phases", phases, "phases of a replayable run");
    this.#states.push(...phases);
  }

  /**
   * Channels at some samples: all samples of the first channel, then all of the second, and so on. `kept` holds the recorded channels at
   * these samples. Its first sample is number `first` of the run. The discrete states of these samples must have been added before.
   */
  values(names: readonly string[], kept: Log, first: number): Float64Array {
    checkNames("names", names, "names of channels");
    checkMembers("kept", kept, ["column", "length"], "a log of a replayable run");
    checkCount("first", first);
    if (this.#states.length === 0)
      throw new ArgumentError("values", "no phases were added. Call add(run.phases) of a run with replayable: true first");
    const key = names.join(" ");
    const reader = this.#readers.get(key) ?? channelReader(this.#workspace, names);
    this.#readers.set(key, reader);
    const t = kept.column("t");
    const columns = this.#targets.map(({ name }) => kept.column(name));
    const out = new Float64Array(names.length * kept.length);
    for (let i = 0; i < kept.length; i++) {
      this.#seek(first + i);
      for (let c = 0; c < columns.length; c++) this.#targets[c]!.in[this.#targets[c]!.at] = columns[c]![i]!;
      const values = reader.read(t[i]!, this.#y);
      for (let c = 0; c < names.length; c++) out[c * kept.length + i] = values[c]!;
    }
    return out;
  }

  /** Puts the system into the discrete state of a sample. Enters the earlier ones first: a set of loops is compiled where it first held. */
  #seek(sample: number): void {
    let target = this.#states.length - 1;
    while (target > 0 && this.#states[target]!.from > sample) target--;
    while (this.#entered <= target) this.#enterState(this.#states[this.#entered++]!);
    if (this.#current !== this.#states[target]) this.#enterState(this.#states[target]!);
  }

  #enterState(state: Phase): void {
    const { loops, friction, problem } = this.#workspace;
    if (this.#current === undefined || !sameLoops(this.#current, state)) {
      loops.hold(state.loops);
      problem.derivative(state.t, state.y, this.#ydot);
    }
    friction.setModes(state.friction);
    this.#current = state;
  }
}

const sameLoops = (a: Phase, b: Phase): boolean => JSON.stringify([...a.loops]) === JSON.stringify([...b.loops]);
