/** Measured histories that a run is compared with: the section `compare` of a scenario. */

import { MAX_PARTS } from "../../declare/limits.ts";
import { didYouMean } from "../../declare/names.ts";
import type { NoteRule, Parameter, ParameterValues } from "../../declare/parameters.ts";
import { childPath, type Fields, isFields, itemsOf } from "../../declare/plain-data.ts";
import { factorTo } from "../../declare/units.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { Channel, Log } from "../../log/log.ts";
import { fieldsOf } from "../fields-of.ts";
import type { ScenarioFiles } from "../files.ts";
import { lineOfRow, readLogBeside, tableOf } from "../read/files/table-files.ts";
import type { ScenarioComparison } from "../scenario.ts";

/** Maximum number of measured samples of a comparison. */
const MAX_ROWS = 100_000;
const LONGEST_COLUMN = 200;
/** Largest share of samples that are at the time of the one before: the values after a jump. If there are more, the times are rounded. */
const MOST_JUMPS = 0.4;

export const COMPARE = {
  type: "record",
  nouns: "comparisons",
  most: MAX_PARTS,
  named: true,
  optional: true,
  about:
    "Measured histories by name. The report draws them over the simulated curves, and the summary gives the rms and the largest difference.",
  of: {
    type: "object",
    id: "comparison",
    about: "A measured history: a CSV or log file, or its rows.",
    rule: comparisonRule,
    of: {
      file: {
        type: "file",
        optional: true,
        about:
          "CSV file in the scenario's folder, or a log in JSON. The first line of a CSV file names the columns, each with its unit in brackets or without.",
      },
      columns: {
        type: "texts",
        noun: "column",
        most: MAX_PARTS,
        optional: true,
        about: "Names of the columns of table, instead of a file.",
      },
      table: {
        type: "matrix",
        unit: "",
        free: true,
        optional: true,
        about: "Rows of numbers; the times increase. Two rows at one time are the values before and after a jump.",
      },
      time: {
        type: "text",
        longest: LONGEST_COLUMN,
        optional: true,
        about: "Column with the times; the first column if not given.",
      },
      timeUnit: {
        type: "text",
        optional: true,
        about: "Unit of the times, e.g. ms; that of the header if not given, and s if it has none.",
      },
      offset: {
        type: "number",
        unit: "s",
        default: 0,
        about: "Time of the run at which the times of the file are zero.",
      },
      channels: {
        type: "items",
        noun: "channel",
        nouns: "channels",
        least: 1,
        most: MAX_PARTS,
        about: "Channels of the run that were measured.",
        of: {
          type: "object",
          id: "compared-channel",
          about: "A channel and its column.",
          of: {
            channel: { type: "text", about: "Channel of the run." },
            column: {
              type: "text",
              longest: LONGEST_COLUMN,
              optional: true,
              about: "Column; that of the same name if not given.",
            },
            unit: {
              type: "text",
              optional: true,
              about: "Unit of the column, e.g. deg; that of the header if not given, and that of the channel if it has none.",
            },
          },
        },
      },
    },
  },
} as const satisfies Parameter;

type WrittenComparison = Partial<ParameterValues<(typeof COMPARE)["of"]["of"]>>;
type WrittenChannel = Partial<ParameterValues<(typeof COMPARE)["of"]["of"]["channels"]["of"]["of"]>>;
export type WrittenComparisons = Readonly<Record<string, WrittenComparison | undefined>>;

function comparisonRule({ file, columns, table }: Fields, note: NoteRule): void {
  if (file !== undefined && (columns !== undefined || table !== undefined))
    note("file", "the history is given twice", "Leave out file, or columns and table");
  else if (file === undefined && (columns === undefined || table === undefined))
    note("", "has no history", "Give file, or columns and table");
}

/** The data of a scenario with `columns` and `table` in the place of `file` in every comparison. A comparison with a problem is left out. */
export function withComparedFiles(data: unknown, files: ScenarioFiles, problems: Problem[]): unknown {
  const comparisons = fieldsOf(fieldsOf(data).compare);
  if (!Object.values(comparisons).some((c) => typeof fieldsOf(c).file === "string")) return data;
  const read = Object.entries(comparisons).flatMap(([name, comparison]) => {
    const { file, ...rest } = fieldsOf(comparison);
    if (typeof file !== "string" || file === "" || "table" in rest || "columns" in rest) return [[name, comparison] as const];
    const path = childPath("compare", name);
    const content = readLogBeside(file, childPath(path, "file"), files, problems, (log, source, text) =>
      columnsOfFile(rest, log, { path, source, text }, problems),
    );
    return content === undefined ? [] : [[name, { ...rest, ...content }] as const];
  });
  return { ...(data as Fields), compare: Object.fromEntries(read) };
}

interface FilePlace {
  readonly path: string;
  readonly source: string;
  readonly text: string;
}

/** The columns of a file that a comparison names, and their units. */
function columnsOfFile(comparison: Fields, log: Log, { path, source, text }: FilePlace, problems: Problem[]): Fields | undefined {
  const before = problems.length;
  const names = log.channels.map(({ name }) => name);
  const columnProblem = (at: string, column: string): void => {
    const advice = `${didYouMean(column, names)}. The columns are ${names.slice(0, 20).join(", ")}`;
    problems.push({ path: at, message: `${source} has no such column`, value: valueText(column), advice });
  };
  const unitIn = (column: string): string => log.channels.find(({ name }) => name === column)?.unit ?? "";
  /** The unit of a column: the written one, or that of the header. They must not contradict each other. */
  const unitOf = (column: string, written: unknown, at: string): string => {
    const unit = unitIn(column);
    if (typeof written !== "string" || unit === "" || unit === written) return typeof written === "string" ? written : unit;
    const advice = "Remove one of them, or correct it";
    problems.push({ path: at, message: `column "${column}" of ${source} is in ${unit}`, value: valueText(written), advice });
    return unit;
  };
  const time = typeof comparison.time === "string" ? comparison.time : names[0]!;
  if (!names.includes(time)) columnProblem(childPath(path, "time"), time);
  const timeUnit = unitOf(time, comparison.timeUnit, childPath(path, "timeUnit"));
  const used = new Set([time]);
  const channels = (itemsOf(comparison.channels) ?? []).map((item, i) => {
    if (!isFields(item) || typeof item.channel !== "string") return item; // reported later
    const column = typeof item.column === "string" ? item.column : item.channel;
    const at = childPath(childPath(path, "channels"), i);
    if (!names.includes(column)) columnProblem(childPath(at, typeof item.column === "string" ? "column" : "channel"), column);
    used.add(column);
    const unit = unitOf(column, item.unit, childPath(at, "unit"));
    return { ...item, ...(unit !== "" && { unit }) };
  });
  if (problems.length === before) {
    const problem = timesProblem(log.column(time));
    if (problem !== undefined) {
      const { row, ...rest } = problem;
      problems.push({ ...rest, path: childPath(path, "file"), file: source, ...(row > 0 && { line: lineOfRow(text, row) }) });
    }
  }
  if (problems.length > before) return undefined;
  const columns = names.filter((name) => used.has(name));
  return { columns, table: tableOf(log, columns), time, ...(timeUnit !== "" && { timeUnit }), channels };
}

/** Why a list of times cannot be used, with the row, from 1; row 0 means all of them. */
function timesProblem(times: ArrayLike<number>): { row: number; message: string; advice: string } | undefined {
  if (times.length < 2 || times.length > MAX_ROWS)
    return {
      row: 0,
      message: `must have 2 to ${MAX_ROWS} samples, has ${times.length}`,
      advice: times.length < 2 ? "Give the history as one line per sample" : "Leave out samples",
    };
  let jumps = 0;
  for (let i = 1; i < times.length; i++) {
    const isJump = times[i]! === times[i - 1]! && !(times[i]! === times[i - 2]!);
    if (isJump) jumps++;
    if (!isJump && !(times[i]! > times[i - 1]!))
      return {
        row: i + 1,
        message: `the times must increase: sample ${i + 1} is at ${times[i]}, the one before at ${times[i - 1]}`,
        advice: "Sort the samples, and remove those that are there twice",
      };
  }
  if (jumps > MOST_JUMPS * times.length)
    return {
      row: 0,
      message: `the times must increase: ${jumps} of ${times.length} samples are at the time of the one before`,
      advice: "Write the times with more digits. Two samples at one time are the values before and after a jump",
    };
  return undefined;
}

/** The comparisons whose channels and columns exist. `known`: all channels of the run. */
export function resolveComparisons(
  comparisons: WrittenComparisons,
  known: readonly Channel[],
  duration: number | undefined,
  problems: Problem[],
): readonly ScenarioComparison[] {
  return Object.entries(comparisons).flatMap(
    ([name, comparison]) => (comparison && resolveComparison(name, comparison, known, duration, problems)) ?? [],
  );
}

function resolveComparison(
  name: string,
  { file, columns: writtenColumns = [], table = [], time, timeUnit = "s", offset = 0, channels = [] }: WrittenComparison,
  known: readonly Channel[],
  duration: number | undefined,
  problems: Problem[],
): ScenarioComparison | undefined {
  const path = childPath("compare", name);
  const before = problems.length;
  const report = (keys: string | readonly (string | number)[], message: string, value?: unknown, advice?: string): void => {
    problems.push({
      path: [keys].flat().reduce<string>((parent, key) => childPath(parent, key), path),
      message,
      ...(value !== undefined && { value: valueText(value) }),
      ...(advice !== undefined && { advice }),
    });
  };
  if (file !== undefined) {
    report("file", "cannot be read here", file, "Load the scenario from its folder, or give columns and table");
    return undefined;
  }
  const columns = writtenColumns.map((column) => column ?? "");
  const wrong = table.findIndex((row) => row.length !== columns.length);
  if (wrong >= 0) {
    report("table", `row ${wrong + 1} must have ${columns.length} numbers, one per column, has ${table[wrong]!.length}`);
    return undefined;
  }
  const timeFactor = factorTo(timeUnit, "s");
  if (timeFactor === undefined) report("timeUnit", "is no unit of time", timeUnit, "For example s or ms");
  const timeIndex = time === undefined ? 0 : columns.indexOf(time);
  if (timeIndex < 0) report("time", "there is no such column", time, didYouMean(time, columns));
  const rowTimes = table.map((row) => row[Math.max(0, timeIndex)]!);
  const problem = timesProblem(rowTimes);
  if (problem !== undefined) report("table", problem.message, undefined, problem.advice);
  const times = Float64Array.from(rowTimes, (t) => offset + t / (timeFactor ?? 1));
  if (problem === undefined && duration !== undefined && !times.some((t) => t >= 0 && t <= duration))
    report("offset", `no sample lies in the run, 0 to ${duration} s: they are from ${times[0]} to ${times.at(-1)} s`, offset);
  const series = (channels as readonly (WrittenChannel | undefined)[]).flatMap((item, i) => {
    if (item?.channel === undefined) return [];
    const at = ["channels", i];
    const channel = known.find((c) => c.name === item.channel);
    if (channel === undefined) {
      const advice = didYouMean(item.channel, known.map((c) => c.name)); // biome-ignore format: one line
      report([...at, "channel"], "there is no such channel", item.channel, advice);
      return [];
    }
    const column = columns.indexOf(item.column ?? item.channel);
    if (column < 0) {
      report(at, "there is no such column", item.column ?? item.channel, didYouMean(item.column ?? item.channel, columns));
      return [];
    }
    const factor = factorTo(item.unit ?? channel.unit, channel.unit);
    if (factor === undefined) {
      report([...at, "unit"], `cannot be the unit of a channel in ${channel.unit || "plain numbers"}`, item.unit);
      return [];
    }
    return [{ channel, values: Float64Array.from(table, (row) => row[column]! / factor) }];
  });
  const repeated = series.find(({ channel }, i) => series.findIndex((s) => s.channel === channel) < i);
  if (repeated) report("channels", "a channel is there twice", repeated.channel.name);
  return problems.length > before ? undefined : { name, times, series };
}
