/** Reading of channels at any state: the interfaces. `recorder.ts` implements them. */
import type { Channel } from "../../log/log.ts";

export interface ChannelReader {
  /** Number of channels. */
  readonly size: number;
  readonly channels: readonly Channel[];
  /** True if all of them depend on time, state and held inputs only: they cost almost nothing. */
  readonly isState: boolean;
  /** Index in y of each channel that is a component of it; -1 for the others. */
  readonly components: Int32Array;
  /** Writes the values at a state into `out`, by default into an array that the next call uses again. */
  read(t: number, y: Float64Array, out?: Float64Array): Float64Array;
}

/** A channel that a name or pattern stands for. */
export interface SelectedChannel extends Channel {
  /**
   * Dependence of the value: time, state and held inputs only ("state"), the motion that follows from them ("motion"), also the loads of
   * elements ("loads"), or the course of the run ("run").
   */
  readonly dependsOn: "state" | "motion" | "loads" | "run";
}

/** Several readers of one workspace. The list of all channels is made once, and once more for each reader that needs more than the state. */
export interface ChannelReaders {
  /** The channels that names and patterns stand for. */
  select(names: readonly string[]): readonly SelectedChannel[];
  read(names: readonly string[]): ChannelReader;
}
