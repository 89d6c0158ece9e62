/** Builds the report of a run from the scenario and its result. */

import { type Driving, drivingOf } from "../analysis/driving.ts";
import { checkMembers, checkText } from "../arguments.ts";
import { absorbedEnergies } from "../scenario/limits/limit-peaks.ts";
import { reachedLimits } from "../scenario/limits/reached-limits.ts";
import type { ScenarioRun } from "../scenario/run.ts";
import type { ScenarioPlot } from "../scenario/scenario.ts";
import { drawnForces } from "../sim/record/drawn-forces.ts";
import { bodyTree } from "./body-tree.ts";
import { comparisonFacts, withMeasurements } from "./comparison.ts";
import { drivingFacts } from "./driving-facts.ts";
import { durationText, numberText } from "./numbers.ts";
import { contactPicture } from "./pictures/contact-picture.ts";
import { posturePicture } from "./pictures/postures.ts";
import { recordedPoses } from "./pictures/recorded-poses.ts";
import { sideView } from "./pictures/side-view.ts";
import { topView } from "./pictures/top-view.ts";
import { posesAtTimes, replayData } from "./replay/replay-data.ts";
import type { AuditLine, EventLine, Fact, Picture, Plot, RunReport } from "./report-data.ts";

export function buildRunReport(name: string, result: ScenarioRun): RunReport {
  checkText("name", name, "the name of the scenario");
  checkMembers("run", result, ["scenario", "run", "system"], "a run, as runScenario returns it");
  const { scenario, run, failure, system } = result;
  return {
    title: scenario.name,
    summary: runSummary(result),
    scenario: name,
    outcome: failure ? "failed" : run.end === "interrupted" ? "interrupted" : "complete",
    facts: runFacts(result),
    audit: auditLines(result),
    timeline: timelineLines(result),
    limits: reachedLimits(result),
    plots: withMeasurements(scenario.plots.filter((p) => p.channels.length > 0).map(reportPlot), result),
    log: run.log,
    tree: bodyTree(system.model),
    notes: [
      ...(failure ? [failure.message] : []),
      ...scenario.warnings.map((w) => `${w.path}: ${w.message}${w.advice === undefined ? "" : `. ${w.advice}`}`),
    ],
    pictures: runPictures(result),
    ...runReplay(result),
  };
}

/** The motion for the player of the page. Nothing if the log does not contain all coordinates, or there is nothing to see. */
function runReplay({ scenario, system, run }: ScenarioRun): Pick<RunReport, "replay"> {
  const { log } = run;
  const posesAt = recordedPoses(system.model, log);
  if (posesAt === undefined || log.length < 2) return {};
  const times = log.column("t");
  const source = {
    ...{ title: scenario.name, model: system.model, terrain: scenario.terrain },
    ...{ from: times[0]!, to: times.at(-1)! },
    posesAt: posesAtTimes(times, posesAt),
  };
  return { replay: replayData(source) };
}

/** Times for the side view: changes of mode if there are more than two, else all events. */
function pictureMoments({ run }: ScenarioRun): ScenarioRun["run"]["timeline"] {
  const modes = run.timeline.filter(({ done }) => done.some((d) => d.startsWith("mode ")));
  return modes.length > 2 ? modes : run.timeline;
}

function runPictures(result: ScenarioRun): Picture[] {
  const { scenario, system, run } = result;
  const { model, layout } = system;
  const { terrain } = scenario;
  const drivingPicture = terrain && topView({ model, elements: layout.elements, terrain, log: run.log, intents: run.intents });
  const contactForces = contactPicture(model, run.log, drawnForces(layout.elements));
  const { approach } = scenario;
  const approachPicture = approach && sideView({ model, log: run.log, moments: pictureMoments(result), ...approach });
  return [posturePicture(model, run.log), contactForces, approachPicture, drivingPicture].filter(
    (picture) => picture !== undefined,
  );
}

export const auditLines = ({ run }: ScenarioRun): AuditLine[] =>
  run.audit.map(({ channel, worst, at, tolerance }) => ({ channel, worst, at, tolerance, pass: worst <= tolerance }));

/** Events that happened, in order of time, then events that did not happen. */
export function timelineLines({ run }: ScenarioRun): EventLine[] {
  const size = (wrench: readonly number[], first: number): number => Math.hypot(...wrench.slice(first, first + 3));
  return [
    ...run.timeline.map(({ name, t, done, impulse }): EventLine => {
      const impactedLoops = (impulse?.loops ?? []).filter(({ loop }) =>
        done.some((d) => d === `engaged ${loop}` || d === `bumped ${loop}`),
      );
      const wrenches = [
        ...impactedLoops.flatMap(({ wrench }) => (wrench ? [wrench] : [])),
        ...(impulse?.applied ? [impulse.applied.wrench] : []),
      ];
      return {
        name,
        t,
        done: done.join(", "),
        ...(wrenches.length > 0 && {
          force: Math.max(...wrenches.map((w) => size(w, 3))),
          torque: Math.max(...wrenches.map((w) => size(w, 0))),
        }),
        ...(impulse && (impactedLoops.length > 0 || impulse.dissipated !== 0) && { lost: impulse.dissipated }),
      };
    }),
    ...run.waiting.map((name): EventLine => {
      const reason = run.reasons[name];
      return { name, done: reason === undefined ? "did not happen" : `did not happen: ${reason}` };
    }),
  ];
}

function runSummary({ scenario, run, failure }: ScenarioRun): string {
  const about = scenario.about === "" ? "" : `${scenario.about[0]!.toUpperCase()}${scenario.about.slice(1).replace(/\.$/, "")}. `;
  const stopCondition = run.events.at(-1)?.name ?? "";
  const end = `t = ${numberText(run.t)} s`;
  const endingText = failure
    ? `The run failed at ${end}.`
    : run.end === "complete"
      ? `Simulated for ${numberText(run.t)} s.`
      : run.end === "interrupted"
        ? `Interrupted at ${end} of ${scenario.duration} s.`
        : /(^|: )arrived$/.test(stopCondition)
          ? `Goal reached at ${end}.`
          : `Stopped at ${end} by the condition ${stopCondition}.`;
  return about + endingText;
}

/** Driving statistics, if the model has wheels on the ground. */
export const runDriving = ({ system, run }: ScenarioRun): Driving | undefined =>
  drivingOf(system.model, system.layout.elements, run.log, { peaks: run.peaks });

function runFacts(result: ScenarioRun): Fact[] {
  const { scenario, run, system, seconds, compileSeconds } = result;
  const { name: integrator, step, relativeTolerance, absoluteTolerance } = scenario.integrator;
  const settings: Fact[] = [
    { label: "formulation", value: system.formulation },
    ...(scenario.coordinates === "world" ? [] : [{ label: "coordinates", value: scenario.coordinates }]),
    { label: "integrator", value: integrator },
    ...(step === undefined ? [] : [{ label: "step", value: step, unit: "s" }]),
    ...(relativeTolerance === undefined ? [] : [{ label: "relative tolerance", value: relativeTolerance }]),
    ...(absoluteTolerance === undefined ? [] : [{ label: "absolute tolerance", value: absoluteTolerance }]),
    ...(result.rest ? [{ label: "start", value: result.rest.isStable ? "at rest" : "at rest, not stable" }] : []),
    { label: "duration", value: scenario.duration, unit: "s" },
    { label: "sample", value: scenario.sample, unit: "s" },
  ];
  const results: Fact[] = [
    { label: "simulated", value: run.t, unit: "s" },
    { label: "steps", value: run.counts.steps },
    { label: "rejected steps", value: run.counts.rejected },
    { label: "evaluations", value: run.counts.evaluations },
    { label: "samples", value: run.log.length },
    { label: "wall time", value: durationText(seconds) },
    { label: "compilation", value: durationText(compileSeconds) },
  ];
  const { bodies, nu } = system.model;
  const modelFacts: Fact[] = [
    { label: "bodies", value: bodies.length },
    { label: "freedoms", value: nu },
    { label: "mass", value: bodies.reduce((sum, b) => sum + b.mass, 0), unit: "kg" },
  ];
  const inGroup = (group: string, facts: readonly Fact[]): Fact[] => facts.map((fact) => ({ ...fact, group }));
  const driving = runDriving(result);
  const absorbed = absorbedEnergies(run.log).map(({ element, energy }): Fact => ({ label: element, value: energy, unit: "J" }));
  const { approach } = scenario;
  const approachFacts: Fact[] = approach
    ? [{ label: approach.found ? "gap, found by search" : "gap", value: 1000 * approach.gap, unit: "mm" }]
    : [];
  return [
    ...(driving ? inGroup("Driving", drivingFacts(driving)) : []),
    ...inGroup("Energy absorbed", absorbed),
    ...inGroup("Approach", approachFacts),
    ...inGroup("Comparison with measurements", comparisonFacts(result)),
    ...inGroup("Settings", settings),
    ...inGroup("Run", results),
    ...inGroup("Machine", modelFacts),
  ];
}

function reportPlot({ title, channels, unit, times, scale }: ScenarioPlot): Plot {
  const names = channels.map((c) => c.name);
  const common = commonPrefix(names);
  return {
    title,
    unit,
    scale,
    series: channels.map(({ name }) => ({
      channel: name,
      label: name.slice(common.length) || name,
      ...(times !== 1 && { times }),
    })),
  };
}

/** Common beginning of all names, up to a dot: the legend of "q.waist, q.hand" is "waist, hand". */
function commonPrefix(names: readonly string[]): string {
  const [first = ""] = names;
  if (names.length < 2) return "";
  let length = 0;
  while (length < first.length && names.every((name) => name[length] === first[length])) length++;
  return first.slice(0, first.lastIndexOf(".", length - 1) + 1);
}
