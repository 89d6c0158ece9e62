/** Controllers: sampled at a period, with explicit memory. Between samples their commands are held. */
import type { Model } from "../model/model.ts";
import type { Snapshot } from "./force-element.ts";

export interface Controller<Memory = unknown> {
  readonly name: string;
  /** Seconds between updates; the first is at the start. */
  readonly period: number;
  /** Held inputs that it commands, as "element.input", e.g. "waist-motor.torque". */
  readonly commands: readonly string[];
  /** Frames that it wants to see. */
  readonly frames?: readonly string[];
  start(model: Model): Memory;
  /** Writes one number per command; returns the memory for the next update. */
  update(s: Snapshot, memory: Memory, command: Float64Array): Memory;
}
