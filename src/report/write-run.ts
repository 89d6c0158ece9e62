/** Writes the output folder of a run: log, report, plots and summary. The folder appears complete or not at all. For Node only. */

import { createHash } from "node:crypto";
import { closeSync, lstatSync, openSync, readFileSync, readSync } from "node:fs";
import { join } from "node:path";
import { checkList, checkMembers, checkName, checkText } from "../arguments.ts";
import { csvBytes } from "../formats/log/log-csv.ts";
import { jsonBytes } from "../formats/log/log-json.ts";
import { plotSvg } from "./plots/plot-svg.ts";
import { renderPng } from "./plots/png.ts";
import type { RunReport } from "./report-data.ts";
import { checkReport, reportHtml } from "./report-html.ts";
import { summaryJson } from "./summary-json.ts";
import { checkFolder, type OutputFile, type WriteOptions, writeFolder } from "./write-folder.ts";

export type OutputFormat = "csv" | "json" | "html" | "svg" | "png";

export const OUTPUT_FORMATS: readonly OutputFormat[] = ["csv", "json", "html", "svg", "png"];

/** Formats that are written unless others are given. PNG is left out: drawing pixels takes longer than most runs, and the page and the SVG files show the same. */
const DEFAULT_FORMATS: readonly OutputFormat[] = ["csv", "json", "html", "svg"];

export interface RunOutput {
  readonly report: RunReport;
  /** Text of the scenario with its model, which reproduces the run. */
  readonly scenario?: string;
  /** Contents of files that the scenario names, such as maps, by their paths relative to it. */
  readonly otherFiles?: ReadonlyMap<string, () => Uint8Array>;
  /** Formats to write. Default: all except PNG. `summary.json` is always written. */
  readonly formats?: readonly OutputFormat[];
}

/**
 * Writes `log.csv`, `log.json`, `report.html`, `plots/*`, `scenario.yaml` and `summary.json`. An earlier output in the folder is replaced
 * when the new one is complete. A folder with other files is refused. @throws WriteError, FormatError.
 * @returns the names of the files, relative to the folder.
 */
export async function writeRun(
  folder: string,
  run: RunOutput,
  { signal }: Pick<WriteOptions, "signal"> = {},
): Promise<readonly string[]> {
  checkText("folder", folder, "the path of the output folder");
  checkMembers("run", run, ["report"], "an object with the report of a run");
  checkReport(run.report);
  const { formats } = run;
  if (formats !== undefined) {
    checkList("run.formats", formats, "formats");
    for (const [i, format] of formats.entries()) checkName(`run.formats[${i}]`, format, OUTPUT_FORMATS, "format");
  }
  const files = outputFiles(run);
  await writeFolder(folder, files, { ...(signal && { signal }), obstacle: foreignFile });
  return files.map(({ name }) => name);
}

/** Checks that `writeRun` can write to the folder. @throws WriteError */
export const checkOutputFolder = (folder: string): void => checkFolder(folder, { obstacle: foreignFile });

function outputFiles({ report, scenario, otherFiles = new Map(), formats = DEFAULT_FORMATS }: RunOutput): readonly OutputFile[] {
  const { log, plots } = report;
  const isWanted = (format: OutputFormat): boolean => formats.includes(format);
  const logs = (["csv", "json"] as const).filter(isWanted).map((format) => ({
    name: `log.${format}`,
    content: () => (format === "csv" ? csvBytes(log) : jsonBytes(log)),
  }));
  const plotFiles = plots.map((plot, i) => {
    const name = `plots/${plotFileName(plot.title, i, plots.length)}`;
    let drawing: string | undefined;
    const draw = (): string => {
      drawing ??= plotSvg(log, plot);
      return drawing;
    };
    const svg: OutputFile = { name: `${name}.svg`, content: draw };
    const png: OutputFile = { name: `${name}.png`, content: () => renderPng(draw()) };
    return [...(isWanted("svg") ? [svg] : []), ...(isWanted("png") ? [png] : [])];
  });
  const pictureFiles = report.pictures.flatMap(({ title, svg, size }): OutputFile[] => {
    if (size !== "large") return [];
    const name = `pictures/${plotFileName(title, 0, 1)}`;
    return [
      ...(isWanted("svg") ? [{ name: `${name}.svg`, content: () => svg }] : []),
      ...(isWanted("png") ? [{ name: `${name}.png`, content: () => renderPng(svg) }] : []),
    ];
  });
  const links = {
    logs: [...logs.map(({ name }) => name), "summary.json"],
    plots: plotFiles.map((drafts) => drafts.map(({ name }) => name)),
  };
  const page: OutputFile = { name: "report.html", content: () => reportHtml(report, links) };
  const files: OutputFile[] = [...logs, ...(isWanted("html") ? [page] : []), ...plotFiles.flat(), ...pictureFiles];
  if (scenario !== undefined) files.push({ name: "scenario.yaml", content: () => scenario });
  for (const [name, content] of otherFiles) files.push({ name, content });
  const names = [...files.map(({ name }) => name), "summary.json"];
  const digests: Record<string, string> = {};
  return [
    ...files.map((file) => withDigest(file, digests)),
    { name: "summary.json", content: () => summaryJson(report, names, digests) },
  ];
}

/** The same file; its digest is stored when its content has been written. */
const withDigest = ({ name, content }: OutputFile, digests: Record<string, string>): OutputFile => ({
  name,
  content() {
    const hash = createHash("sha256");
    const whole = content();
    if (typeof whole === "string" || whole instanceof Uint8Array) {
      digests[name] = hash.update(whole).digest("hex");
      return whole;
    }
    return (function* () {
      for (const piece of whole) {
        hash.update(piece);
        yield piece;
      }
      digests[name] = hash.digest("hex");
    })();
  },
});

/** File name of a plot, e.g. `02-hinge-rates`: its number in the report, then the title in plain letters. */
export function plotFileName(title: string, index: number, count: number): string {
  const number = String(index + 1).padStart(String(count).length, "0");
  const words = title
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, "-")
    .slice(0, 50)
    .replace(/^-+|-+$/g, "");
  return words === "" ? number : `${number}-${words}`;
}

/** The first file that is not what an earlier run has written, according to the summary of that run. */
function foreignFile(folder: string, files: readonly string[]): string | undefined {
  const digests = earlierDigests(folder);
  const foreign = files.find((file) => digests === undefined || (file !== "summary.json" && !Object.hasOwn(digests, file)));
  if (foreign !== undefined) return foreign;
  const changed = files.find((file) => file !== "summary.json" && digests![file] !== fileDigest(join(folder, file)));
  return changed === undefined ? undefined : `${changed}, which was changed after the run`;
}

/** Digests of the files of an earlier run, by name. Undefined if the folder has no summary of one. */
function earlierDigests(folder: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const { castor, digests } = JSON.parse(readFileSync(join(folder, "summary.json"), "utf8"));
    return castor === "run" && typeof digests === "object" && digests !== null ? digests : undefined;
  } catch {
    return undefined;
  }
}

/** SHA-256 of a file; undefined if it is not a regular file. */
function fileDigest(path: string): string | undefined {
  if (!lstatSync(path).isFile()) return undefined;
  const hash = createHash("sha256");
  const handle = openSync(path, "r");
  const piece = new Uint8Array(1 << 20);
  try {
    for (let size = readSync(handle, piece); size > 0; size = readSync(handle, piece)) hash.update(piece.subarray(0, size));
  } finally {
    closeSync(handle);
  }
  return hash.digest("hex");
}
