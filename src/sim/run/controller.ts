/** Controllers: sampled at a period, their commands held in between or led over, or continuous: laws that hold at every instant. */
import type { Channel } from "../../log/log.ts";
import type { Model } from "../../model/model.ts";
import type { Snapshot } from "../system/force-element.ts";

/** What a controller has in mind on the ground, for pictures. Another object whenever it changes. */
export interface Intent {
  /** The way that it means to go, x and y in turn. */
  readonly way: Float64Array;
  /** Middles of square cells that it has found since the last intent and will not enter, x and y in turn; and their side. */
  readonly obstacles?: Float64Array;
  readonly cell?: number;
}

export interface Controller<Memory = unknown> {
  readonly name: string;
  /**
   * Seconds between updates; the first is at the start. 0 is a continuous law: it is asked at every stage of the integrator and
   * wherever the state is looked at, forth and back in time, so its memory is scratch only.
   */
  readonly period: number;
  /**
   * What commands do between updates: "hold", if not given, or "ramp": they go linearly from where they are to the new ones, which are
   * reached at the next update. Nothing jumps then, and adaptive integrators go on in long steps. Of sampled controllers.
   */
  readonly between?: "hold" | "ramp";
  /** Held inputs that it commands, as "element.input", e.g. "waist-motor.torque". */
  readonly commands: readonly string[];
  /** Frames that it wants to see. */
  readonly frames?: readonly string[];
  /**
   * Times, increasing, at which a continuous law jumps: steps end there, and both sides are recorded. At such a time the law gives
   * its value from then on; for the side before it is asked at the last number before that time.
   */
  readonly breaks?: readonly number[];
  /** Values worth recording, in the log as "controller.channel": how far it is from what it shall do. */
  readonly channels?: readonly Channel[];
  /** Memory at the start of a run, with the state there. */
  start(model: Model, s: Snapshot): Memory;
  /** Writes one number per command; returns the memory for the next update. */
  update(s: Snapshot, memory: Memory, command: Float64Array): Memory;
  /** Why the run shall end after this update, in a few words; undefined if it shall go on. Asked of sampled controllers. */
  finished?(memory: Memory): string | undefined;
  /** What it has in mind, if anything. */
  intent?(memory: Memory): Intent | undefined;
  /** Writes one number per channel, of the last update. */
  report?(memory: Memory, out: Float64Array): void;
}
