/** Cost of forward dynamics against the length of a chain, and time to compile a kernel; in turn with another build for very long chains. */
import type * as Castor from "castor";
import type { BodyDescription, FormulationName, Kernel, Model, ModelDescription } from "castor";
import { compile, createModel, FORMULATIONS, programs } from "castor";
import { kernelContender } from "../machines/castor-kernels.ts";
import { entryOf } from "../machines/scenario-of-build.ts";
import { cpuMilliseconds } from "../run/cpu-time.ts";
import { type BatchTiming, type Contender, perturbedContender, timeInTurns, warmUp } from "../run/interleaved-timing.ts";

export interface ScalingRow {
  readonly hinges: number;
  /** Operations, if one kernel does all the work. */
  readonly ops?: number;
  /** Time from the description to the first accelerations, ms. */
  readonly compile: number;
  /** ns per call */
  readonly time: BatchTiming;
}

const LENGTHS = [10, 20, 50, 100, 200] as const;
const STEADY_MS = 200;
const AXES = ["z", "y", "y", "x"] as const;

/** A free base with an arm of equal links whose hinge axes alternate. */
export function chain(hinges: number): ModelDescription {
  const base: BodyDescription = { name: "base", mass: 60, inertia: [9, 12, 10], hinge: { kind: "free" } };
  const links = Array.from(
    { length: hinges },
    (_, i): BodyDescription => ({
      name: `link${i}`,
      parent: i === 0 ? "base" : `link${i - 1}`,
      mass: 4,
      com: [0.2, 0, 0],
      inertia: [0.08, 0.09, 0.1],
      hinge: { kind: "revolute", axis: AXES[i % AXES.length]!, at: [i === 0 ? 0.5 : 0.4, 0, 0] },
    }),
  );
  return { name: `chain of ${hinges}`, bodies: [base, ...links] };
}

export function measureScaling(formulation: FormulationName, milliseconds: number): ScalingRow[] {
  const prepare = formulation === "articulated" ? kernelOf : (model: Model) => equationsOf(model, formulation);
  return LENGTHS.map((hinges) => {
    const start = performance.now();
    const { ops, contender } = prepare(createModel(chain(hinges)));
    contender.run(1);
    const compile = performance.now() - start;
    warmUp([contender], STEADY_MS);
    return { hinges, ...(ops !== undefined && { ops }), compile, time: timeInTurns([contender], milliseconds)[0]! };
  });
}

interface PreparedChain {
  readonly ops?: number;
  readonly contender: Contender;
}

function kernelOf(model: Model): PreparedChain {
  const kernel = compile(programs.forwardDynamics(model));
  kernel.x.set(stateOf(model.bodies.length - 1));
  return { ops: kernel.ops, contender: kernelContender(model.name, kernel) };
}

function equationsOf(model: Model, formulation: FormulationName): PreparedChain {
  const equations = FORMULATIONS[formulation].derive(model);
  const state = stateOf(model.bodies.length - 1);
  const q = Float64Array.from(state.slice(0, model.nq));
  const u = Float64Array.from(state.slice(model.nq));
  const [tau, udot, none] = [new Float64Array(model.nu), new Float64Array(model.nu), new Float64Array(0)];
  return {
    contender: perturbedContender(model.name, q, model.nq - 1, () => equations.accelerations(q, u, tau, none, udot)),
  };
}

/** q, then u: a wave-shaped arm with all hinges moving. */
function stateOf(hinges: number): number[] {
  const perHinge = (value: (i: number) => number): number[] => Array.from({ length: hinges }, (_, i) => value(i));
  return [
    1,
    0,
    0,
    0,
    0,
    0,
    0,
    ...perHinge((i) => 0.3 * Math.sin(i)),
    0.1,
    -0.1,
    0.2,
    0,
    0,
    0,
    ...perHinge((i) => 0.5 * Math.cos(2 * i)),
  ];
}

export interface LargeMachineRow {
  readonly hinges: number;
  readonly ops: number;
  /** Smallest processor time for tracing and compiling forward dynamics in several rounds, ms. */
  readonly compile: number;
  /** The same of the other build. */
  readonly compileBefore?: number;
  /** ns per call */
  readonly time: number;
}

const LARGE_LENGTHS = [100, 300, 1000, 3000] as const;

export async function measureLargeMachines(rounds: number, milliseconds: number, before?: string): Promise<LargeMachineRow[]> {
  const own = await import("castor");
  const other = before === undefined ? undefined : ((await import(entryOf(before, "."))) as typeof Castor);
  return LARGE_LENGTHS.map((hinges) => {
    let [compile, compileBefore] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
    for (let round = 0; round < rounds; round++) {
      const description = variant(chain(hinges), round);
      compile = Math.min(compile, compileTime(own, description));
      if (other) compileBefore = Math.min(compileBefore, compileTime(other, description));
    }
    const kernel = kernelBy(own, chain(hinges));
    kernel.x.set(stateOf(hinges));
    const contender = kernelContender(`${hinges} hinges`, kernel);
    warmUp([contender], STEADY_MS);
    const time = timeInTurns([contender], milliseconds)[0]!.min;
    return { hinges, ops: kernel.ops, compile, ...(other && { compileBefore }), time };
  });
}

/** The chain with two hinges about other axes: its program has another form, so its code is not in the cache. */
function variant(description: ModelDescription, round: number): ModelDescription {
  const turned = [description.bodies.length >> 1, 2 + round];
  const bodies = description.bodies.map((body, i) =>
    turned.includes(i) ? { ...body, hinge: { ...body.hinge, axis: [0.6, 0, 0.8] } } : body,
  );
  return { ...description, bodies: bodies as ModelDescription["bodies"] };
}

const kernelBy = ({ compile, createModel, programs }: typeof Castor, description: ModelDescription): Kernel =>
  compile(programs.forwardDynamics(createModel(description)));

function compileTime({ compile, createModel, programs }: typeof Castor, description: ModelDescription): number {
  const model = createModel(description);
  return cpuMilliseconds(() => void compile(programs.forwardDynamics(model)));
}
