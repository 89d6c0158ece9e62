/** Finds unknown values of a scenario from measured histories: those for which its run differs least from them. */

import type { CurveFit, MeasuredCurve } from "../../analysis/identification/curve-problem.ts";
import { samplesIn } from "../../analysis/identification/curve-search.ts";
import { fitCurves } from "../../analysis/identification/fit-curves.ts";
import { spreadOf } from "../../analysis/identification/fit-summary.ts";
import { fitWarnings } from "../../analysis/identification/fit-warnings.ts";
import { checkOptions, refuseArgument } from "../../arguments.ts";
import { MIN_DURATION } from "../../declare/limits.ts";
import { childPath } from "../../declare/plain-data.ts";
import { ArgumentError, ModelError, type Problem } from "../../errors.ts";
import type { Channel } from "../../log/log.ts";
import { INTEGRATORS } from "../../sim/integrators/index.ts";
import { DEFAULT_TOLERANCES } from "../../sim/record/audit.ts";
import { simulate } from "../../sim/run/simulate.ts";
import type { ScenarioFiles } from "../files.ts";
import { loadScenario } from "../load.ts";
import type { Override } from "../override.ts";
import { isRunFailure, prepareScenario } from "../prepare.ts";
import { checkScenario, type Scenario, type ScenarioIdentification } from "../scenario.ts";
import { sampleAt } from "./compare-run.ts";

export interface IdentifyRunOptions {
  /** Access to the maps of the scenario. */
  readonly files?: ScenarioFiles;
  /** Called before every simulation with their number so far. */
  readonly progress?: (runs: number) => void;
}

/** Values that were found from measured histories. The curves are named by their channels. */
export interface IdentifiedScenario extends CurveFit {
  /** The found values as changes of the scenario, as for --set. */
  readonly overrides: readonly Override[];
  /** Channel, name of the comparison, and number of measured samples outside the run, of each curve. */
  readonly measured: readonly { readonly channel: Channel; readonly comparison: string; readonly outside: number }[];
  /** What must be known before trusting the result, in words. */
  readonly warnings: readonly string[];
}

/** Runs of a fit are at least this accurate, so that differences between them give derivatives. */
const RELATIVE_TOLERANCE = 1e-8;
const ABSOLUTE_TOLERANCE = 1e-10;
/** Relative distance up to which a time counts as the end of the run: 0.1 times 30 is not 3. */
const ROUNDING = 1e-12;

/** The audit is for the accuracy of the scenario, and `castor run` with the found values makes it. */
const NO_AUDIT = Object.fromEntries(Object.keys(DEFAULT_TOLERANCES).map((key) => [key, Number.POSITIVE_INFINITY]));

/** A measured history of one channel, at the times within the run. */
interface History extends MeasuredCurve {
  readonly channel: Channel;
  readonly comparison: string;
  readonly times: Float64Array;
  readonly outside: number;
}

/** @throws ModelError if the scenario has nothing to identify, too few samples, or cannot run with its start values. */
export function identifyScenario(scenario: Scenario, options: IdentifyRunOptions = {}): IdentifiedScenario {
  checkScenario(scenario);
  checkOptions("options", options, ["files", "progress"]);
  const { files, progress } = options;
  if (progress !== undefined && typeof progress !== "function") refuseArgument("options.progress", "a function", progress);
  const { identify } = scenario;
  const refuse = (problem: Problem): never => {
    throw new ModelError(scenario.name, [problem]);
  };
  if (identify === undefined)
    return refuse({
      path: "identify",
      message: "is missing: nothing is unknown",
      advice: "Give identify: { unknowns: { NAME: { path: ... } } }, and compare with a measured history",
    });
  const histories = historiesOf(scenario, identify);
  const runner = new FitRunner(scenario, identify, histories, files);
  runner.firstRun();
  let runs = 0;
  const biases = biasUnknowns(identify, histories);
  const count = identify.unknowns.length;
  const problem = {
    unknowns: [...identify.unknowns, ...biases],
    curves: histories,
    accuracy: RELATIVE_TOLERANCE,
    starts: identify.starts,
    simulate: (values: readonly number[], portion: number): readonly Float64Array[] | undefined => {
      progress?.(++runs);
      return runner.curves(values.slice(0, count), portion)?.map((curve, c) => {
        const bias = biases.findIndex(({ curves }) => curves.includes(c));
        return bias < 0 ? curve : curve.map((v) => v + values[count + bias]!);
      });
    },
  };
  const fit = fitOrRefuse(problem, refuse);
  return {
    ...fit,
    overrides: overridesFor(
      identify,
      fit.unknowns.slice(0, count).map(({ value }) => value),
    ),
    measured: histories.map(({ channel, comparison, outside }) => ({ channel, comparison, outside })),
    warnings: [...outsideWarnings(histories, scenario.duration), ...fitWarnings(fit)],
  };
}

/** A constant error of each sensor that has one, and its curves. */
const biasUnknowns = ({ bias }: ScenarioIdentification, histories: readonly History[]) =>
  bias.map((channel) => {
    const curves = histories.flatMap(({ name }, c) => (name === channel ? [c] : []));
    const scale = Math.max(...curves.map((c) => spreadOf(histories[c]!.values))) || 1;
    return { name: `bias of ${channel}`, start: 0, scale, curves };
  });

function fitOrRefuse(problem: Parameters<typeof fitCurves>[0], refuse: (problem: Problem) => never): CurveFit {
  try {
    return fitCurves(problem);
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    const advice = "Give more samples within the run, or fewer unknowns";
    return refuse({ path: "identify.unknowns", message: error.message.replace(/^\w+: /, ""), advice });
  }
}

/** The measured samples within the run. */
const historiesOf = ({ compare, duration }: Scenario, { noise }: ScenarioIdentification): readonly History[] =>
  compare.flatMap(({ name, times, series }) => {
    const slack = ROUNDING * duration;
    const within = Array.from(times.keys()).filter((i) => times[i]! >= -slack && times[i]! <= duration + slack);
    return series.map(({ channel, values }): History => {
      const sigma = noise.get(channel.name);
      return {
        ...{ name: channel.name, channel, comparison: name, outside: times.length - within.length },
        times: Float64Array.from(within, (i) => Math.min(Math.max(times[i]!, 0), duration)),
        values: Float64Array.from(within, (i) => values[i]!),
        ...(sigma !== undefined && { noise: sigma }),
      };
    });
  });

const outsideWarnings = (histories: readonly History[], duration: number): readonly string[] =>
  histories.flatMap(({ channel, comparison, outside, times }) =>
    outside === 0
      ? []
      : [
          `${outside} of ${outside + times.length} measured samples of ${channel.name} in ${comparison} are outside the run, 0 to ${duration} s, and were left out. Change duration or offset, if they should count.`,
        ],
  );

const overridesFor = ({ unknowns }: ScenarioIdentification, values: readonly number[]): readonly Override[] =>
  unknowns.flatMap(({ name, paths }, j) =>
    paths.map((path) => ({ path, value: values[j]!, from: childPath("identify.unknowns", name) })),
  );

/** Runs the scenario with other values, and samples its channels at the measured times. */
class FitRunner {
  readonly #text: string;
  readonly #times: readonly number[];
  readonly #channels: readonly string[];
  #integrator: readonly Override[] = [];

  constructor(
    scenario: Scenario,
    readonly identify: ScenarioIdentification,
    readonly histories: readonly History[],
    readonly files: ScenarioFiles | undefined,
  ) {
    this.#channels = [...new Set(histories.map(({ channel }) => channel.name))];
    this.#times = [...new Set(histories.flatMap(({ times }) => Array.from(times)))].sort((a, b) => a - b);
    // JSON is YAML. Only what the motion needs is read again for every run.
    const { compare: _, identify: __, plots: ___, limits: ____, ...motion } = scenario.document;
    this.#text = JSON.stringify({ ...motion, channels: this.#channels });
  }

  /** Runs with the start values, and keeps the integrator that was chosen. @throws ModelError if that fails */
  firstRun(): void {
    const { unknowns } = this.identify;
    const scenario = this.#load(unknowns.map(({ start }) => start));
    const prepared = prepareScenario(scenario);
    const { name, relativeTolerance = 1, absoluteTolerance = 1 } = prepared.scenario.integrator;
    const from = "identify";
    this.#integrator = [
      { path: "integrator.name", value: name, from },
      ...(INTEGRATORS[name].adaptive
        ? [
            { path: "integrator.relativeTolerance", value: Math.min(relativeTolerance, RELATIVE_TOLERANCE), from },
            { path: "integrator.absoluteTolerance", value: Math.min(absoluteTolerance, ABSOLUTE_TOLERANCE), from },
          ]
        : []),
    ];
    const values = unknowns.map(({ start }) => start);
    try {
      if (this.#simulate(values, 1) !== undefined) return;
    } catch (error) {
      if (!isRunFailure(error)) throw error;
      const message = `the run with the start values fails: ${error.message}`;
      throw new ModelError(scenario.name, [{ path: "identify.unknowns", message, advice: "Give other starts" }], {
        cause: error,
      });
    }
    const message = `the run with the start values ends before the last measured sample, at ${this.#times.at(-1)} s`;
    throw new ModelError(scenario.name, [{ path: "identify", message, advice: "Give other starts, or remove stop" }]);
  }

  /** The channels at the measured times; undefined if these values give no motion. */
  curves(values: readonly number[], portion: number): readonly Float64Array[] | undefined {
    try {
      return this.#simulate(values, portion);
    } catch (error) {
      if (!isRunFailure(error)) throw error;
      return undefined; // e.g. a negative mass: the search takes a shorter step
    }
  }

  #load(values: readonly number[]): Scenario {
    const overrides = [...overridesFor(this.identify, values), ...this.#integrator];
    return loadScenario(this.#text, "scenario", { overrides, ...(this.files && { files: this.files }) });
  }

  /** Simulates until the last sample of the first part. */
  #simulate(values: readonly number[], portion: number): readonly Float64Array[] | undefined {
    const { system, start, options } = prepareScenario(this.#load(values));
    const counts = this.histories.map(({ times }) => samplesIn(times, portion));
    const last = Math.max(...this.histories.map(({ times }, c) => times[counts[c]! - 1]!), MIN_DURATION);
    const sample = this.#times.filter((t) => t <= last);
    const { log } = simulate(system, start, { ...options, duration: last, sample, peaks: [], tolerances: NO_AUDIT });
    const logTimes = log.column("t");
    const curves = this.histories.map(({ channel, times }, c) =>
      sampleAt(logTimes, log.column(channel.name), times.subarray(0, counts[c]!)),
    );
    return curves.every((curve) => curve.every(Number.isFinite)) ? curves : undefined;
  }
}
