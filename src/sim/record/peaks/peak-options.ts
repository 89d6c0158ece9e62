/** Peaks of a run as callers see them: what is followed, and what is found. */
import type { Channel } from "../../../log/log.ts";
import type { Stepper } from "../../integrators/integrator.ts";

/** Channels whose peaks are followed. */
export interface PeakOptions {
  /** Names of channels; * stands for any part of a name. */
  readonly channels: readonly string[];
  /** "most": largest values. "least": smallest values. "total": integrals over time. Default: largest and smallest values. */
  readonly bound?: Peak["bound"];
  /** If given, the mean over this time before each instant is followed, s. Before the start of the run values are zero. */
  readonly mean?: number;
  /** Channels of all options with this name matter together: only the largest of their peaks is found exactly, the others may be less. */
  readonly together?: string;
  /** If given, not the channels themselves are followed, but this function of their values. */
  readonly of?: DerivedQuantity;
}

/** A quantity that is computed from channels. */
export interface DerivedQuantity extends Channel {
  /** @param values those of the channels, in the order of their names */
  value(values: Float64Array): number;
}

/** The largest or smallest value of a channel in a run, or its integral. */
export interface Peak {
  readonly channel: string;
  readonly unit: string;
  /** "total": `value` is the integral of the channel over the run, and `unit` the unit of the channel. */
  readonly bound: "most" | "least" | "total";
  /** Time of the mean, s; undefined if the value itself is followed. */
  readonly mean?: number;
  /** NaN before the first step. */
  readonly value: number;
  /** Time of the peak, s; for a mean the end of its window. */
  readonly at: number;
}

/** Peaks that a run follows. */
export interface FollowedPeaks {
  /** The peaks so far. */
  readonly all: readonly Peak[];
  /** Call where inputs or the state may have jumped. */
  jump(): void;
  /** Follows the last step of the stepper up to a time. */
  scan(stepper: Stepper, end: number): void;
  /** @param t the present time */
  save(t: number): unknown;
  /** Continues with saved peaks. Peaks that were not followed before the save start at it. @throws FormatError */
  restore(saved: unknown, t: number): void;
}
