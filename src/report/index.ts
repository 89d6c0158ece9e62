/** Reports: the data of a report from a run, its plots, and the scales and number formats of their axes. Runs in every engine. */

export { numberText, powerOfTen, shortNumber, type TickLabels, tickLabels, unitText } from "./numbers.ts";
export type { MeshTriangles } from "./pictures/shape-faces.ts";
export { type AxisScale, decadeScale, ticksBetween, valueScale } from "./plots/axis-scale.ts";
export { type LegendEntry, legendRows, textWidth } from "./plots/line-labels.ts";
export { plotSvg } from "./plots/plot-svg.ts";
export { packFloats, type ReplaySource, replayData } from "./replay/replay-data.ts";
export type { ReplayCurve, ReplayData, ReplayMesh, ReplayPlot } from "./replay/replay-format.ts";
export { castorViewScript, replayPage } from "./replay/replay-page.ts";
export type {
  AuditLine,
  EventLine,
  Fact,
  LimitLine,
  Picture,
  Plot,
  Provenance,
  RunOutcome,
  RunReport,
  Series,
  TreeBody,
} from "./report-data.ts";
export { buildRunReport } from "./run-report.ts";
