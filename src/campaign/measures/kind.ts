/** A kind of measure: one number of a case. One file for each kind. */
import type { DeclaredKind, Parameters, ParameterValues } from "../../declare/parameters.ts";
import type { Expression } from "../../scenario/read/condition.ts";
import type { Scenario } from "../../scenario/scenario.ts";
import type { PeakOptions } from "../../sim/record/peaks/peak-options.ts";
import type { SimulationRun } from "../../sim/run/simulation.ts";

export interface Measure {
  readonly name: string;
  readonly kind: string;
  /** SI unit; "" if it is a pure number or not known. */
  readonly unit: string;
  /** What the run must follow. */
  readonly peaks: readonly PeakOptions[];
  /** Channels whose last values it needs. */
  readonly channels: readonly string[];
  /** The measure of a run; NaN if it has none, e.g. if an event has not happened. `known`: inputs and earlier measures of the case. */
  value(run: SimulationRun, known: ReadonlyMap<string, number>): number;
}

export interface MeasureContext {
  readonly name: string;
  /** The scenario of the middle case. */
  readonly scenario: Scenario;
  /** Names of numeric inputs and of earlier measures. */
  readonly known: readonly string[];
  /** A sum of channels; undefined after a problem. */
  expression(key: string, text: string): Expression | undefined;
  problem(key: string, message: string, value?: unknown, advice?: string): void;
}

export interface MeasureKind<D extends Parameters = Parameters> extends DeclaredKind {
  readonly name: string;
  readonly parameters: D;
  create(values: ParameterValues<D>, context: MeasureContext): Omit<Measure, "name" | "kind"> | undefined;
}

/** Returns the kind; TypeScript infers the types of its parameters. */
export const measureKind = <const D extends Parameters>(kind: MeasureKind<D>): MeasureKind => kind as never;

/** SI unit of an expression: that of its channels if it only adds and subtracts them and numbers; otherwise "". */
export function unitOfExpression({ text, channels }: Expression, { available }: Scenario): string {
  const units = new Set(channels.map((name) => available.find((channel) => channel.name === name)?.unit ?? ""));
  const isSum = channels.reduce((rest, name) => rest.replaceAll(name, ""), text).search(/[*/]/) < 0;
  return units.size === 1 && isSum ? [...units][0]! : "";
}

/** The value of an expression from the last sample of a log. */
export function finalValue({ channels, value }: Expression, { log }: SimulationRun): number {
  return log.length === 0 ? Number.NaN : value(Float64Array.from(channels, (name) => log.column(name).at(-1)!));
}
