/** Files of a report: the page, bitmaps of plots, and the folder of a run. Needs Node. */

export { renderPng } from "./plots/png.ts";
export { type ReportLinks, reportHtml } from "./report-html.ts";
export type { WriteOptions } from "./write-folder.ts";
export { OUTPUT_FORMATS, type OutputFormat, type RunOutput, writeRun } from "./write-run.ts";
