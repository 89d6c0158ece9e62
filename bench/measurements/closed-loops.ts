/** Machines with closed loops: time per step, and cost against the number of loops. */
import type { BodyDescription, ModelDescription, State, System } from "castor";
import { createModel, createSystem, FORMULATIONS, INTEGRATORS, Simulation, simulate } from "castor";
import type { LoopDescription } from "castor/model";
import { prepareScenario, runScenario } from "castor/scenario";
import { builtInScenario } from "../machines/built-in-scenario.ts";
import { workspaceOf } from "../machines/workspace.ts";
import { type BatchTiming, type Contender, perturbedContender, timeInTurns, warmUp } from "../run/interleaved-timing.ts";

export const STEP = 0.001;
const SIZES = [5, 10, 20, 40, 80] as const;
const REDUNDANT_SIZES = [1, 2, 4] as const;
const STEADY_MS = 300;
/** Number of steps before the machine is put back to its start, so that all batches do the same work. */
const STEPS_PER_RESTART = 200;
/** Steps of a run without samples before it is started again, and the time between samples that never come, s. */
const STEPS_PER_RUN = 2000;
const LONG_RUN = 1e4;
const PAIRS = ["stewart-platform", "docking-retract"] as const;

export interface PlatformRow {
  /** ns per step. */
  readonly step: BatchTiming;
  /** Simulated time divided by wall time: of the steps alone, and of a complete run of 10 s with samples and audit. */
  readonly realTime: number;
  readonly wholeRun: number;
  /** ns: a step of a run without samples (stages, projection, check of the weakest equation), and four calls of the kernel of its motion. */
  readonly wholeStep: number;
  readonly fourKernels: number;
}

export interface FourBarsRow {
  readonly loops: number;
  /** Time from the description to the first step, ms. */
  readonly compile: number;
  /** ns per step. */
  readonly step: BatchTiming;
}

/** Motion of two states at once. */
export interface PairRow {
  readonly scenario: string;
  /** ns of one state, and of each of two states at once. */
  readonly one: number;
  readonly two: number;
}

/** Cost of redundant equations by the matrix method. */
export interface RedundancyRow {
  readonly loops: number;
  /** Equations of the loops that are needed, closed by revolutes (5 each), and with every loop twice. */
  readonly equations: readonly [number, number, number];
  /** ns of the accelerations for each of these. */
  readonly times: readonly [number, number, number];
}

export interface LoopsResult {
  readonly platform: PlatformRow;
  readonly fourBars: readonly FourBarsRow[];
  readonly redundancy: readonly RedundancyRow[];
  readonly pairs: readonly PairRow[];
}

export function measureLoops(milliseconds: number): LoopsResult {
  return {
    platform: measurePlatform(milliseconds),
    fourBars: SIZES.map((n) => measureFourBars(n, milliseconds)),
    redundancy: REDUNDANT_SIZES.map((n) => measureRedundancy(n, milliseconds)),
    pairs: PAIRS.map((scenario) => measurePair(scenario, milliseconds)),
  };
}

export interface ColdRun {
  /** Simulated time, s. */
  readonly duration: number;
  /** Time of the run, and of the compilation before it, s. */
  readonly seconds: number;
  readonly compileSeconds: number;
}

/** Andrews' squeezer in a new process. The run takes milliseconds, so the time that the engine needs to optimise the code counts. */
export async function measureColdRun(): Promise<ColdRun> {
  const { scenario, seconds, compileSeconds } = await runScenario(builtInScenario("andrews-squeezer"));
  return { duration: scenario.duration, seconds, compileSeconds };
}

/** The built-in Stewart platform: six legs, each with a universal, a prismatic and a spherical hinge. */
function measurePlatform(milliseconds: number): PlatformRow {
  const { system, start: initial, options } = prepareScenario(builtInScenario("stewart-platform"));
  const step = timeSteps(system, initial, milliseconds);
  let run = Number.POSITIVE_INFINITY;
  for (let lap = 0; lap < 5; lap++) {
    const start = performance.now();
    simulate(system, initial, options);
    run = Math.min(run, performance.now() - start);
  }
  const [wholeStep, fourKernels] = timeWholeSteps(system, initial, milliseconds);
  return { step, realTime: (1e9 * STEP) / step.min, wholeRun: (1000 * options.duration) / run, wholeStep, fourKernels };
}

/** ns of a step of a run without samples, and of four calls of the kernel of its motion; both in turns in the same process. */
function timeWholeSteps(system: System, initial: State, milliseconds: number): [number, number] {
  const start = (): Simulation =>
    new Simulation(system, initial, {
      duration: LONG_RUN,
      sample: LONG_RUN,
      integrator: INTEGRATORS.rk4,
      settings: { step: STEP },
    });
  let run = start();
  const steps: Contender = {
    name: "whole steps",
    run(calls) {
      if (run.t > STEPS_PER_RUN * STEP) run = start();
      for (const end = run.t + (calls - 0.5) * STEP; run.t < end; ) run.advance(end);
    },
  };
  const workspace = workspaceOf(system, initial);
  workspace.problem.derivative(0, initial.y, new Float64Array(initial.y.length));
  const { kernel, y } = workspace.problem.code!()!;
  kernel.x.set(initial.y, y);
  const { evaluate } = kernel;
  const kernels = perturbedContender("four kernels", kernel.x, y, () => {
    evaluate();
    evaluate();
    evaluate();
    evaluate();
  });
  warmUp([steps, kernels], STEADY_MS);
  const [whole, four] = timeInTurns([steps, kernels], milliseconds);
  return [whole!.min, four!.min];
}

function measureFourBars(n: number, milliseconds: number): FourBarsRow {
  const start = performance.now();
  const system = createSystem(createModel(nFourBar(n)), []);
  const { nq, nu } = system.layout;
  const hingeValues = (vertical: number, horizontal: number): Float64Array =>
    Float64Array.from({ length: nq }, (_, i) => (i <= n ? vertical : horizontal));
  const initial = system.start({ q: hingeValues(Math.PI / 2, -Math.PI / 2), u: hingeValues(-1, 1).subarray(0, nu) });
  const stepper = INTEGRATORS.rk4.start(workspaceOf(system, initial).problem, { step: STEP });
  stepper.restart(0, initial.y);
  stepper.step(1);
  const compile = performance.now() - start;
  return { loops: n, compile, step: timeSteps(system, initial, milliseconds) };
}

/** Accelerations by the matrix method of the same four-bars with loops that have the equations that they need, more, and most of them twice. */
function measureRedundancy(n: number, milliseconds: number): RedundancyRow {
  const needed = nFourBar(n);
  const revolutes = Array.from(
    { length: n },
    (_, i): LoopDescription => ({
      name: `pin${i + 1}`,
      kind: "revolute",
      from: { body: `h${i + 1}`, at: [1, 0, 0] },
      to: { body: `v${i + 1}`, at: [1, 0, 0] },
    }),
  );
  const twice = [...revolutes, ...revolutes.map((loop) => ({ ...loop, name: `${loop.name}-again` }))];
  const descriptions = [needed, { ...needed, loops: revolutes }, { ...needed, loops: twice }];
  const contenders = descriptions.map((description, k): Contender => {
    const model = createModel(description);
    const equations = FORMULATIONS.matrix.derive(model);
    const q = Float64Array.from({ length: model.nq }, (_, i) => (i <= n ? Math.PI / 2 : -Math.PI / 2));
    const u = Float64Array.from({ length: model.nu }, (_, i) => (i <= n ? -1 : 1));
    const [tau, none, udot] = [new Float64Array(model.nu), new Float64Array(0), new Float64Array(model.nu)];
    return {
      name: `${description.name} ${k}`,
      run(calls) {
        for (let i = 0; i < calls; i++) equations.accelerations(q, u, tau, none, udot);
      },
    };
  });
  warmUp(contenders, STEADY_MS);
  const [a, b, c] = timeInTurns(contenders, milliseconds).map(({ min }) => min) as [number, number, number];
  return { loops: n, equations: [2 * n, 5 * n, 10 * n], times: [a, b, c] };
}

/** The motion with loops of one state, and of two states at once. */
function measurePair(scenario: string, milliseconds: number): PairRow {
  const { system, start } = prepareScenario(builtInScenario(scenario));
  const workspace = workspaceOf(system, start);
  workspace.compileLoopsAt(start.t, start.y);
  const { closed, layout, loops, methods } = workspace;
  const motion = { layout, model: loops.current.model, closed };
  const one = loops.current.motion()!;
  const two = methods.loops.motionPair(motion, motion)!.kernel;
  one.x.set(start.y, 1);
  for (const [i, v] of one.x.entries()) two.x.fill(v, 2 * i, 2 * i + 2);
  const contenders = [one, two].map((kernel) => perturbedContender(scenario, kernel.x, kernel.lanes, kernel.evaluate));
  warmUp(contenders, STEADY_MS);
  const [single, both] = timeInTurns(contenders, milliseconds);
  return { scenario, one: single!.min, two: both!.min / 2 };
}

function timeSteps(system: System, initial: State, milliseconds: number): BatchTiming {
  const stepper = INTEGRATORS.rk4.start(workspaceOf(system, initial).problem, { step: STEP });
  let stepsLeft = 0;
  const contender: Contender = {
    name: system.model.name,
    run(calls) {
      for (let i = 0; i < calls; i++) {
        if (stepsLeft === 0) {
          stepper.restart(0, initial.y);
          stepsLeft = STEPS_PER_RESTART;
        }
        stepper.step(1);
        stepsLeft--;
      }
    },
  };
  warmUp([contender], STEADY_MS);
  return timeInTurns([contender], milliseconds)[0]!;
}

/** N four-bars in a row, IFToMM benchmark A02: slender rods of 1 m and 1 kg, the vertical rods first. */
function nFourBar(n: number): ModelDescription {
  const rodDescription = (name: string, x: number, parent?: string): BodyDescription => ({
    name,
    ...(parent !== undefined && { parent }),
    mass: 1,
    com: [0.5, 0, 0],
    inertia: [1e-6, 1 / 12, 1 / 12],
    hinge: { kind: "revolute", at: [x, 0, 0] },
  });
  const numbers = Array.from({ length: n }, (_, i) => i + 1);
  return {
    name: `N four-bar, N = ${n}`,
    gravity: [0, -9.81, 0],
    bodies: [
      ...[0, ...numbers].map((i) => rodDescription(`v${i}`, i)),
      ...numbers.map((i) => rodDescription(`h${i}`, 1, `v${i - 1}`)),
    ],
    loops: numbers.map((i) => ({
      name: `pin${i}`,
      kind: "general",
      freedoms: ["z", "rx", "ry", "rz"],
      from: { body: `h${i}`, at: [1, 0, 0] },
      to: { body: `v${i}`, at: [1, 0, 0] },
    })),
  };
}
