/** The file summary.json: the result of a run for other programs. */
import type { RunReport } from "./report-data.ts";

/**
 * JSON text of the summary. It contains no dates and no paths. NaN and infinities, which JSON lacks, become text.
 * @param digests SHA-256 of each file, by its name
 */
export function summaryJson(report: RunReport, files: readonly string[], digests: Readonly<Record<string, string>> = {}): string {
  const { title, scenario, outcome, summary, facts, audit, limits = [], notes, log } = report;
  const last = log.length - 1;
  const finalState = Object.fromEntries(last < 0 ? [] : log.channels.map(({ name }) => [name, log.column(name)[last]!]));
  const content = {
    castor: "run",
    title,
    scenario,
    outcome,
    passed: outcome === "complete" && audit.every(({ pass }) => pass),
    withinLimits: limits.every(({ within }) => within),
    summary,
    audit,
    limits,
    facts,
    notes,
    samples: log.length,
    final: finalState,
    files,
    digests,
  };
  const nonFiniteAsText = (_: string, value: unknown): unknown =>
    typeof value === "number" && !Number.isFinite(value) ? String(value) : value;
  return `${JSON.stringify(content, nonFiniteAsText, 2)}\n`;
}
