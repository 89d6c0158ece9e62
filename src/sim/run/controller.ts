/** Controllers. A sampled one updates its commands at a period; they are held or ramped in between. A continuous one is a law of time and state. */
import type { Channel } from "../../log/log.ts";
import type { Model } from "../../model/model.ts";
import type { Snapshot } from "../system/force-element.ts";

/** Planned path and known obstacles of a controller on the ground, for pictures. A new object whenever it changes. */
export interface Intent {
  /** The planned path: x and y of its points in turn. */
  readonly way: Float64Array;
  /** Centres of square cells found since the last intent that the path must avoid, x and y in turn; and the side of a cell. */
  readonly obstacles?: Float64Array;
  readonly cell?: number;
}

/**
 * A law that commands held inputs. One object serves any number of runs at the same time: everything that one update passes to a later one,
 * to `report`, `finished` or `intent` is in its memory. The object itself may keep only scratch and what follows from its model.
 */
export interface Controller<Memory = unknown> {
  readonly name: string;
  /**
   * Seconds between updates; the first update is at the start. 0: a continuous law. It is evaluated at every stage of the integrator and
   * wherever the state is observed, not in the order of time, so its memory is scratch only.
   */
  readonly period: number;
  /**
   * Commands between updates of a sampled controller. "hold" (default): constant. "ramp": linear from their present values to the new
   * commands, which are reached at the next update. Then nothing jumps, and adaptive integrators keep long steps.
   */
  readonly between?: "hold" | "ramp";
  /** Held inputs that it commands, as "element.input", e.g. "waist-motor.torque". */
  readonly commands: readonly string[];
  /** Frames whose poses and velocities it needs. */
  readonly frames?: readonly string[];
  /**
   * Channels that it measures, such as "load.face.fx": their values at each update, with the commands before it, are `measured` of the
   * snapshot. Sampled controllers only; `start` measures nothing.
   */
  readonly measures?: readonly string[];
  /**
   * Times, increasing, at which a continuous law jumps. Steps end there, and both sides are recorded. At such a time the law returns its
   * value after the jump. For the side before, it is evaluated at the last number before that time.
   */
  readonly breaks?: readonly number[];
  /** Values to record, in the log as "controller.channel", such as control errors. */
  readonly channels?: readonly Channel[];
  /** Memory at the start of a run, from the state there. Plain data that `structuredClone` accepts, unless `encode` and `decode` are given. */
  start(model: Model, s: Snapshot): Memory;
  /** Writes every command, one number each: their values before are undefined. Returns the memory for the next update. */
  update(s: Snapshot, memory: Memory, command: Float64Array): Memory;
  /** Reason to end the run after this update; undefined to continue. Sampled controllers only. */
  finished?(memory: Memory): string | undefined;
  /** The present intent, if any. */
  intent?(memory: Memory): Intent | undefined;
  /** Writes one number per channel, as of the last update. */
  report?(memory: Memory, out: Float64Array): void;
  /** The memory as plain data that `structuredClone` accepts: a copy that later updates do not change. */
  encode?(memory: Memory): unknown;
  /**
   * The memory from encoded data, which it does not change or keep; the run then continues bit for bit. `start` need not have been called.
   * @throws FormatError if the data are not those of this controller
   */
  decode?(data: unknown, model: Model): Memory;
}

/** The memory of a controller as plain data: a copy. */
export const encodeMemory = <Memory>(controller: Controller<Memory>, memory: Memory): unknown =>
  controller.encode ? controller.encode(memory) : structuredClone(memory);

/** The memory from encoded data, which it does not keep. @throws FormatError if the data are not those of this controller */
export const decodeMemory = <Memory>(controller: Controller<Memory>, data: unknown, model: Model): Memory =>
  controller.decode ? controller.decode(data, model) : (structuredClone(data) as Memory);
