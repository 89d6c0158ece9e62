/** Elastic bodies: step response of the two-link arm, modes of a boom with many freedoms, and cost of a rod against its number of joints. */
import { buildElasticModel, linearise, modesOf } from "castor";
import { prepareScenario, runScenario } from "castor/scenario";
import { builtInScenario } from "../machines/built-in-scenario.ts";
import { workspaceOf } from "../machines/workspace.ts";

export const JOINTS = [4, 8, 16, 32, 64] as const;
const EVALUATIONS = 200;

export interface FlexibleResult {
  /** Processor time of the first run in a new process, and of the fastest run, s. */
  readonly arm: { readonly first: number; readonly fastest: number };
  readonly boom: { readonly first: number; readonly fastest: number; readonly freedoms: number };
  readonly rod: readonly {
    readonly joints: number;
    /** Time of one evaluation of the motion, µs. */
    readonly evaluation: number;
    /** Processor time of the scenario, including compilation, s. */
    readonly run: number;
    readonly steps: number;
    readonly integrator: string;
  }[];
}

export async function measureFlexible(rounds: number): Promise<FlexibleResult> {
  const arm = await timeRounds(rounds, () => runScenario(builtInScenario("flexible-two-link")));
  const boom = await timeRounds(rounds, async () => modesOf(linearise(elasticBoom(FREEDOMS))));
  const rod: FlexibleResult["rod"][number][] = [];
  for (const joints of JOINTS) {
    const changes = { "model.bodies.rod.elastic.joints": joints, plots: [], channels: ["frame.tip.*"] };
    const { system, start: initial } = prepareScenario(builtInScenario("flexible-cantilever", changes));
    const ydot = new Float64Array(initial.y.length);
    const { problem } = workspaceOf(system, initial);
    const evaluateBatch = (): void => {
      for (let i = 0; i < EVALUATIONS; i++) problem.derivative(0, initial.y, ydot);
    };
    evaluateBatch();
    let evaluation = Number.POSITIVE_INFINITY;
    for (let k = 0; k < 50; k++) {
      const start = performance.now();
      evaluateBatch();
      evaluation = Math.min(evaluation, (1000 * (performance.now() - start)) / EVALUATIONS);
    }
    const start = process.cpuUsage();
    const { run, scenario } = await runScenario(builtInScenario("flexible-cantilever", changes));
    rod.push({ joints, evaluation, run: cpuSeconds(start), steps: run.counts.steps, integrator: scenario.integrator.name });
  }
  return { arm, boom: { ...boom, freedoms: FREEDOMS }, rod };
}

/** Number of freedoms of a round boom that bends in two planes. */
const FREEDOMS = 200;

const elasticBoom = (freedoms: number) =>
  buildElasticModel("boom")
    .body({
      name: "boom",
      elastic: {
        length: 20,
        material: "aluminium",
        section: { kind: "tube", outer: 0.06, inner: 0.056 },
        freedoms: ["ry", "rz"],
        joints: freedoms / 2,
        damping: 0.005,
      },
      hinge: { kind: "fixed" },
    })
    .build();

const cpuSeconds = (start: NodeJS.CpuUsage): number => {
  const { user, system } = process.cpuUsage(start); // of all threads, as if one core did all the work
  return (user + system) / 1e6;
};

async function timeRounds(
  rounds: number,
  runOnce: () => Promise<unknown>,
): Promise<{ readonly first: number; readonly fastest: number }> {
  const times: number[] = [];
  for (let k = 0; k < rounds; k++) {
    const start = process.cpuUsage();
    await runOnce();
    times.push(cpuSeconds(start));
  }
  return { first: times[0]!, fastest: Math.min(...times) };
}
