/** Sources of channels: everything that can be read at a sample, by name. */
import type { Channel } from "../../log/log.ts";
import { coordinateNames } from "../../model/model.ts";
import { heldInputNames, type Layout } from "../system/layout.ts";
import type { LoopChannel } from "../system/workspace.ts";
import type { SelectedChannel } from "./channel-reader.ts";

/** A channel, and how to read its value after a sample was taken. */
export interface ChannelSource extends SelectedChannel {
  readonly needs?: LoopChannel["needs"];
  /** Indices of the frames that it needs. */
  readonly frames?: readonly number[];
  /** Location of the value, if it only has to be copied. */
  readonly location?: ValueLocation;
  read(): number;
}

/** An array that each sample fills or replaces. */
export interface ValueArray {
  values: Float64Array;
}

/** A number in such an array. */
export interface ValueLocation {
  readonly array: ValueArray;
  readonly index: number;
}

/** Channels of controllers, and their present values. */
export interface ControllerChannels {
  readonly channels: readonly Channel[];
  readonly values: Float64Array;
}
export const NO_CONTROLLERS: ControllerChannels = { channels: [], values: new Float64Array(0) };

/**
 * True if a channel must be recorded for a replay; all others can be computed from these. Loads of elements with a memory (tracks in the
 * ground) cannot be computed afterwards, nor can anything that depends on them.
 */
export const isKeptForReplay = ({ dependsOn }: ChannelSource, { elements }: Layout): boolean =>
  dependsOn === "state" || dependsOn === "run" || (dependsOn === "loads" && elements.some((e) => e.memory !== undefined));

/** Names of the channels of the state, in its order, and of the held inputs. */
export function stateChannels(layout: Layout) {
  const { model, elements } = layout;
  const names = coordinateNames(model);
  return {
    q: names.q.map((name) => `q.${name}`),
    u: names.u.map((name) => `u.${name}`),
    z: elements.flatMap((e) => (e.z0 ?? []).map((_, k) => `z.${e.name}.${k + 1}`)),
    origin: layout.origin === undefined ? [] : ["x", "y", "z", "vx", "vy", "vz"].map((part) => `mass-centre.${part}`),
    held: heldInputNames(layout).map((name) => `held.${name}`),
  };
}

/** Quantities to compute at each sample for a choice of channels. */
export interface SampleNeeds {
  /** Indices of frames, increasing. */
  readonly frames: readonly number[];
  readonly bodyLoads: boolean;
  readonly accelerations: boolean;
  readonly specificForces: boolean;
  readonly reactions: boolean;
  /** Loads that follow from the reactions: see hinge-loads-program.ts. */
  readonly hingeLoads: boolean;
  readonly loops: { readonly motion: boolean; readonly loads: boolean };
}

export function sampleNeeds(chosen: readonly ChannelSource[]): SampleNeeds {
  const hasPrefix = (prefix: string): boolean => chosen.some(({ name }) => name.startsWith(prefix));
  const hingeLoads = hasPrefix("effort.") || hasPrefix("carried.");
  return {
    frames: [...new Set(chosen.flatMap((source) => source.frames ?? []))].sort((a, b) => a - b),
    bodyLoads: hasPrefix("load."),
    accelerations: hasPrefix("acceleration."),
    specificForces: hasPrefix("accelerometer."),
    reactions: hingeLoads || hasPrefix("reaction."),
    hingeLoads,
    loops: {
      motion: chosen.some(({ needs }) => needs === "motion"),
      loads: hingeLoads || chosen.some(({ needs }) => needs === "loads"),
    },
  };
}
