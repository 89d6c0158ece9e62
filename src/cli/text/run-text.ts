/** Summary of a run as text and as JSON. */

import type { Problem } from "../../errors.ts";
import type { Log } from "../../log/log.ts";
import { drivingFacts } from "../../report/driving-facts.ts";
import { countText, durationText, shortNumber } from "../../report/numbers.ts";
import type { Fact } from "../../report/report-data.ts";
import { auditLines, runDriving, timelineLines } from "../../report/run-report.ts";
import { absorbedEnergies } from "../../scenario/limits/limit-peaks.ts";
import { reachedLimits } from "../../scenario/limits/reached-limits.ts";
import { comparedChannels } from "../../scenario/measured/compare-run.ts";
import type { ScenarioRun } from "../../scenario/run.ts";
import { SINGULARITY_PASSED } from "../../sim/singular/passage-events.ts";
import { problemText } from "../failure.ts";
import { comparisonText } from "./comparison-text.ts";
import type { Style, TextFormat } from "./terminal.ts";
import { exponentialText, formatTable } from "./text-table.ts";
import { wrapText } from "./wrap-text.ts";

/** The summary as text. */
export function runText(result: ScenarioRun, format: TextFormat): string {
  const { scenario, system, run } = result;
  const { style } = format;
  return [
    style.bold(scenario.name),
    `${endText(result)}, formulation ${system.formulation}, integrator ${scenario.integrator.name}`,
    ...(result.stiffnessNote === undefined
      ? []
      : wrapText(`${scenario.integrator.name} was ${result.stiffnessNote}`, format.width, "")),
    speedText(result),
    [countText(run.counts.steps, "step"), countText(run.counts.evaluations, "evaluation"), samplesText(run.log)].join(", "),
    ...assemblyText(result, style),
    ...restText(result, style),
    ...(result.redundant.length > 0
      ? ["", style.bold("Redundant loops"), ...result.redundant.flatMap((line) => wrapText(line, format.width, "  "))]
      : []),
    ...singularitiesText(result, format),
    ...warningsText(scenario.warnings, format),
    ...approachText(result, style),
    ...timelineText(result, style),
    ...drivingText(result, format),
    ...limitsText(result, style),
    ...comparisonText(result, format),
    ...absorbedText(result, style),
    "",
    `${style.bold("Audit")}${style.dim("  largest drift, relative to the amount exchanged")}`,
    ...auditTable(result, style),
  ].join("\n");
}

/** Robot files may have many warnings; --json and castor inspect show all of them. */
const MAX_WARNINGS = 12;

function warningsText(warnings: readonly Problem[], format: TextFormat): readonly string[] {
  const { style } = format;
  const shown = warnings.slice(0, MAX_WARNINGS).map((w) => `\n${style.warn("Warning")}\n${problemText(w, format)}`);
  const more = warnings.length - shown.length;
  return more === 0 ? shown : [...shown, "", style.warn(`and ${countText(more, "more warning")}; --json shows all`)];
}

/** Times of singular configurations, where loop equations became dependent and the motion continued on its branch. */
function singularitiesText({ run }: ScenarioRun, { style, width }: TextFormat): string[] {
  const times = run.events.filter(({ name }) => name === SINGULARITY_PASSED).map(({ t }) => `${shortNumber(t)} s`);
  if (times.length === 0) return [];
  const more = times.length > MAX_SINGULAR_TIMES ? `, and ${times.length - MAX_SINGULAR_TIMES} more` : "";
  const text = `loop equations became dependent, and the motion continued on its branch, at ${times.slice(0, MAX_SINGULAR_TIMES).join(", ")}${more}`;
  return ["", style.bold("Singular configurations"), ...wrapText(text, width, "  ")];
}

const MAX_SINGULAR_TIMES = 12;

function endText({ scenario, run, failure }: ScenarioRun): string {
  const end = `${shortNumber(run.t)} s`;
  if (failure) return `failed at ${end} of ${shortNumber(scenario.duration)} s`;
  if (run.end === "complete") return `simulated ${end}`;
  if (run.end === "paused") return `paused at ${end} of ${shortNumber(scenario.duration)} s`;
  if (run.end === "interrupted") return `interrupted at ${end} of ${shortNumber(scenario.duration)} s`;
  return `stopped at ${end} by "${run.events.at(-1)!.name}"`;
}

/** Wall time 35 ms (228 times real time), compilation 12 ms. */
function speedText({ run, seconds, compileSeconds }: ScenarioRun): string {
  const ratio = (run.t - (run.log.column("t")[0] ?? 0)) / seconds;
  return `wall time ${durationText(seconds)} (${shortNumber(ratio, 3)} times real time), compilation ${durationText(compileSeconds)}`;
}

const samplesText = ({ length, channels }: Log): string =>
  `${countText(length, "sample")} of ${countText(channels.length, "channel")}`;

/** Maximum number of coordinates listed that were changed at the start. */
const MAX_MOVED = 8;

function assemblyText({ moved }: ScenarioRun, style: Style): string[] {
  if (moved.length === 0) return [];
  const title = `${style.bold("Assembly")}${style.dim("  coordinates changed at the start to close the loops, SI units")}`;
  return ["", title, ...movedTable(moved, "assembled", style)];
}

/** The rest position in which the run starts. */
function restText({ rest }: ScenarioRun, style: Style): string[] {
  if (!rest) return [];
  const stability = rest.isStable ? "" : ", not stable: a small push drives the machine away";
  const changes = rest.moved.length > 0 ? "; changed coordinates, SI units" : "; no coordinate changed";
  const about = `  position in which the loads balance, found in ${countText(rest.iterations, "step")}${stability}${changes}`;
  return [
    "",
    `${style.bold("Rest")}${style.dim(about)}`,
    ...(rest.moved.length > 0 ? movedTable(rest.moved, "at rest", style) : []),
  ];
}

function movedTable(moved: ScenarioRun["moved"], head: string, style: Style): string[] {
  const shown = moved.slice(0, MAX_MOVED);
  const more = moved.length - shown.length;
  return [
    ...formatTable(
      [
        { head: "", cells: shown.map((m) => m.name) },
        { head: "given", cells: shown.map((m) => shortNumber(m.from)), align: "point" },
        { head, cells: shown.map((m) => shortNumber(m.to)), align: "point" },
      ],
      style,
    ),
    ...(more > 0 ? [`  and ${more} more`] : []),
  ];
}

/** Table of planned events: time, actions, impulses and lost energy. */
function timelineText(result: ScenarioRun, style: Style): string[] {
  const lines = timelineLines(result);
  if (lines.length === 0) return [];
  const number = (x: number | undefined, unit: string): string => (x === undefined ? "" : `${shortNumber(x, 4)} ${unit}`);
  return [
    "",
    style.bold("Events"),
    ...formatTable(
      [
        { head: "time", cells: lines.map((l) => (l.t === undefined ? "never" : `${shortNumber(l.t)} s`)), align: "right" },
        { head: "", cells: lines.map((l) => l.name) },
        { head: "", cells: lines.map((l) => l.done) },
        { head: "impulse", cells: lines.map((l) => number(l.force, "N s")), align: "right" },
        { head: "angular impulse", cells: lines.map((l) => number(l.torque, "N m s")), align: "right" },
        { head: "energy lost", cells: lines.map((l) => number(l.lost, "J")), align: "right" },
      ],
      style,
    ),
  ];
}

/** Driving statistics: distance, energy, slip, and when the rover was stuck. */
function drivingText(result: ScenarioRun, { style, width }: TextFormat): string[] {
  const statistics = runDriving(result);
  const facts = statistics ? drivingFacts(statistics) : [];
  if (facts.length === 0) return [];
  const widest = Math.max(...facts.map(({ label }) => label.length));
  const line = ({ label, value, unit = "" }: Fact): string[] => {
    const text = `${typeof value === "number" ? shortNumber(value) : value} ${unit}`.trimEnd();
    const [first = "", ...rest] = wrapText(text, Math.max(30, width - widest - 4), "");
    return [`  ${label.padEnd(widest)}  ${first}`, ...rest.map((continuation) => `${" ".repeat(widest + 4)}${continuation}`)];
  };
  return ["", style.bold("Driving"), ...facts.flatMap(line)];
}

function approachText({ scenario: { approach } }: ScenarioRun, style: Style): string[] {
  if (approach === undefined) return [];
  return [
    "",
    `${style.bold("Approach")}  gap ${shortNumber(1000 * approach.gap, 6)} mm${approach.found ? ", found by search" : ""}`,
  ];
}

/** Table of limits: largest value, limit, time and channel. */
function limitsText(result: ScenarioRun, style: Style): string[] {
  const peaks = reachedLimits(result);
  if (peaks.length === 0) return [];
  const lines = formatTable(
    [
      { head: "", cells: peaks.map((p) => (p.within ? "✓" : "✗")) },
      { head: "", cells: peaks.map((p) => p.name) },
      { head: "reached", cells: peaks.map((p) => shortNumber(p.value, 5)), align: "point" },
      {
        head: "limit",
        cells: peaks.map((p) => `${p.bound === "least" ? "≥ " : ""}${shortNumber(p.limit, 5)} ${p.unit}`),
        align: "right",
      },
      { head: "at t", cells: peaks.map((p) => `${shortNumber(p.at, 5)} s`), align: "right" },
      { head: "in", cells: peaks.map((p) => p.channel) },
      { head: "confidence", cells: peaks.map((p) => p.confidence ?? "") },
    ],
    style,
  );
  const broken = peaks.filter((p) => !p.within).length;
  const heading =
    broken === 0 ? style.bold("Limits") : `${style.bold("Limits")}  ${style.bad(`${broken} of ${peaks.length} broken`)}`;
  return ["", heading, ...lines.map((line, i) => (i === 0 || peaks[i - 1]!.within ? line : style.bad(line)))];
}

/** Energy that each element absorbed until the end. */
function absorbedText({ run }: ScenarioRun, style: Style): string[] {
  const energies = absorbedEnergies(run.log);
  if (energies.length === 0) return [];
  return [
    "",
    style.bold("Energy absorbed"),
    ...formatTable(
      [
        { head: "", cells: energies.map((a) => a.element) },
        { head: "J", cells: energies.map((a) => shortNumber(a.energy, 5)), align: "point" },
      ],
      style,
    ),
  ];
}

function auditTable(result: ScenarioRun, style: Style): string[] {
  const rows = auditLines(result);
  const lines = formatTable(
    [
      { head: "", cells: rows.map((r) => (r.pass ? "✓" : "✗")) },
      { head: "", cells: rows.map((r) => r.channel) },
      { head: "drift", cells: rows.map((r) => exponentialText(r.worst, 2)), align: "right" },
      { head: "at t", cells: rows.map((r) => `${shortNumber(r.at, 4)} s`), align: "right" },
      { head: "tolerance", cells: rows.map((r) => exponentialText(r.tolerance, 1)), align: "right" },
    ],
    style,
  );
  return lines.map((line, i) => (i === 0 ? line : rows[i - 1]!.pass ? line.replace("✓", style.good("✓")) : style.bad(line)));
}

/** The summary as JSON. docs/commands.md explains the keys. */
export function runJson(name: string, result: ScenarioRun, files: readonly string[]): object {
  const { scenario, system, run, moved, failure, seconds, compileSeconds } = result;
  const driving = runDriving(result);
  return {
    scenario: name,
    title: scenario.name,
    formulation: system.formulation,
    integrator: scenario.integrator,
    ...(result.stiffnessNote !== undefined && { stiff: result.stiffnessNote }),
    duration: scenario.duration,
    end: failure ? "failed" : run.end,
    ...(failure && { failure: { name: failure.name, code: failure.code, message: failure.message } }),
    t: run.t,
    events: run.events,
    ...(run.timeline.length + run.waiting.length > 0 && {
      timeline: run.timeline,
      waiting: run.waiting,
      reasons: run.reasons,
    }),
    ...(scenario.approach && { approach: scenario.approach }),
    ...(scenario.limits.length > 0 && { limits: reachedLimits(result) }),
    ...(scenario.compare.length > 0 && { compare: comparedChannels(result) }),
    ...(absorbedEnergies(run.log).length > 0 && { absorbed: absorbedEnergies(run.log) }),
    counts: run.counts,
    samples: run.log.length,
    channels: run.log.channels.map((c) => c.name),
    audit: auditLines(result),
    ...(driving && { driving }),
    final: Object.fromEntries(run.log.channels.map(({ name: channel }) => [channel, run.log.column(channel).at(-1)])),
    seconds,
    compileSeconds,
    ...(moved.length > 0 && { moved }),
    ...(result.rest && { rest: result.rest }),
    ...(result.redundant.length > 0 && { redundant: result.redundant }),
    warnings: scenario.warnings,
    files,
  };
}
