/** Tables of forces that are CSV files beside the scenario. They are read into the scenario, so that it contains all its data. */

import { didYouMean } from "../../../declare/names.ts";
import { childPath, type Fields } from "../../../declare/plain-data.ts";
import { ModelError, type Problem, valueText } from "../../../errors.ts";
import { parseCsvLog } from "../../../formats/log/log-csv.ts";
import { parseJsonLog } from "../../../formats/log/log-json.ts";
import type { Log } from "../../../log/log.ts";
import { WRENCH_COLUMNS } from "../../../parts/force/loads/wrench-table.ts";
import { fieldsOf } from "../../fields-of.ts";
import { pathProblem, type ScenarioFiles } from "../../files.ts";

const UNIT_OF_COLUMN = { t: "s", f: "N", tx: "N m", ty: "N m", tz: "N m" } as const;
const unitOf = (column: string): string =>
  column in UNIT_OF_COLUMN ? UNIT_OF_COLUMN[column as keyof typeof UNIT_OF_COLUMN] : UNIT_OF_COLUMN.f;

/** The data of a scenario with `columns` and `table` in the place of `file` in every force of kind wrench-table. */
export function withTableFiles(data: unknown, files: ScenarioFiles, problems: Problem[]): unknown {
  const forces = fieldsOf(fieldsOf(data).forces);
  const read = Object.entries(forces).flatMap(([name, force]) => {
    const { kind, file, ...rest } = fieldsOf(force);
    if (kind !== "wrench-table" || typeof file !== "string" || file === "") return [];
    if ("table" in rest || "columns" in rest) {
      const advice = "Leave out file, or columns and table";
      problems.push({ path: childPath(childPath("forces", name), "file"), message: "the table is given twice", advice });
    }
    const table = readTableFile(file, childPath(childPath("forces", name), "file"), files, problems);
    return [[name, { kind, ...rest, ...(table ?? EMPTY_TABLE) }] as const];
  });
  return read.length === 0 ? data : { ...(data as Fields), forces: { ...forces, ...Object.fromEntries(read) } };
}

/** Takes the place of a file with a problem, so that the problem is reported once. */
const EMPTY_TABLE = { columns: WRENCH_COLUMNS, table: [WRENCH_COLUMNS.map(() => 0)] };

function readTableFile(file: string, path: string, files: ScenarioFiles, problems: Problem[]): Fields | undefined {
  return readLogBeside(file, path, files, problems, (log, source, text) => {
    const columns = log.channels.map(({ name }) => name);
    const before = problems.length;
    for (const { name, unit } of log.channels) {
      const inHeader = { path, file: source, line: 1 };
      if (!(WRENCH_COLUMNS as readonly string[]).includes(name))
        problems.push({
          ...inHeader,
          message: `"${name}" is no column of a wrench table`,
          advice: `${didYouMean(name, [...WRENCH_COLUMNS])}. The columns are ${WRENCH_COLUMNS.join(", ")}`,
        });
      else if (unit !== "" && unit !== unitOf(name))
        problems.push({
          ...inHeader,
          message: `column "${name}" must be in ${unitOf(name)}, is in ${unit}`,
          advice: "Convert it",
        });
    }
    const times = columns.includes("t") ? log.column("t") : [];
    const late = times.findIndex((t, i) => i > 0 && !(t > times[i - 1]!));
    if (late > 0)
      problems.push({
        ...{ path, file: source, line: lineOfRow(text, late + 1) },
        message: "times must increase",
        value: String(times[late]),
        advice: `The row before has t = ${times[late - 1]}`,
      });
    return problems.length > before ? undefined : { columns, table: tableOf(log, columns) };
  });
}

/** Line of the given sample, from 1; empty lines do not count as samples. */
export function lineOfRow(text: string, row: number): number {
  let samples = -1; // the header
  for (const [i, line] of text.split("\n").entries()) if (line.trim() !== "" && ++samples === row) return i + 1;
  return 1;
}

/** Rows of numbers: the given columns of a log. */
export function tableOf(log: Log, columns: readonly string[]): readonly (readonly number[])[] {
  const values = columns.map((name) => log.column(name));
  return Array.from({ length: log.length }, (_, i) => values.map((column) => column[i]!));
}

/** Reads a log (CSV, or JSON as `castor run` writes it) in the scenario's folder. Problems are reported at `path`, with their lines. */
export function readLogBeside<T>(
  file: string,
  path: string,
  files: ScenarioFiles,
  problems: Problem[],
  use: (log: Log, source: string, text: string) => T,
): T | undefined {
  const refusal = pathProblem(file);
  if (refusal !== undefined) {
    problems.push({ path, message: refusal, value: valueText(file), advice: "Put the file into the scenario's folder" });
    return undefined;
  }
  try {
    const { text, source } = files.readBeside(file);
    return use(/\.json$/i.test(file) ? parseJsonLog(text, source) : parseCsvLog(text, source), source, text);
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    for (const p of error.problems)
      problems.push(p.line === undefined ? { ...p, path, value: valueText(file) } : { ...p, path, file: error.source });
    return undefined;
  }
}
