/** Cost of a change in the studio: every built-in scenario read, compiled and simulated with all channels, as the studio's worker does it. */
import { readdirSync } from "node:fs";
import { simulate } from "castor";
import { prepareScenario } from "castor/scenario";
import { roverScenario } from "../machines/rovers.ts";
import type { BenchSection } from "../run/section.ts";
import { textTable } from "../run/table.ts";

interface ScenarioTimesRow {
  readonly name: string;
  /** Processor time, ms, so that other processes have little influence. */
  readonly read: number;
  readonly compile: number;
  readonly simulate: number;
  readonly duration: number;
  readonly samples: number;
}

const FOLDER = new URL("../../scenarios/", import.meta.url);

/** Scenarios that take minutes. "quick" leaves them out. */
const LONG = ["rover-traverse"];

export const scenarios: BenchSection = {
  name: "scenarios",
  about: "every built-in scenario, read, compiled and simulated with all channels",
  run({ effort }) {
    const names = readdirSync(FOLDER).filter((name) => readdirSync(new URL(name, FOLDER)).includes("scenario.yaml"));
    measureScenario("simple-pendulum"); // warm up, as in the worker of the studio
    const rows = names.filter((name) => effort === "full" || !LONG.includes(name)).map(measureScenario);
    return { results: rows, verdicts: [], text: textOf(rows) };
  },
};

function measureScenario(name: string): ScenarioTimesRow {
  let last = process.cpuUsage().user;
  const lapTime = (): number => {
    const before = last;
    last = process.cpuUsage().user;
    return (last - before) / 1000;
  };
  const scenario = roverScenario(name);
  const read = lapTime();
  const prepared = prepareScenario({ ...scenario, channels: scenario.available });
  const compile = lapTime();
  const { log } = simulate(prepared.system, prepared.start, prepared.options);
  return { name, read, compile, simulate: lapTime(), duration: scenario.duration, samples: log.length };
}

const textOf = (rows: readonly ScenarioTimesRow[]): string =>
  [
    "Built-in scenarios with all channels, ms of processor time.",
    textTable(
      rows.map(({ name, read, compile, simulate: run, duration, samples }) => ({
        scenario: name,
        read: read.toFixed(0),
        compile: compile.toFixed(0),
        simulate: run.toFixed(0),
        samples,
        "times real time": (duration / (run / 1000)).toPrecision(2),
      })),
    ),
  ].join("\n");
