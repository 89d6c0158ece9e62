/** Cost of forward dynamics against the length of a chain, and time to compile a kernel. */
import type { BodyDescription, FormulationName, Model, ModelDescription } from "castor";
import { compile, createModel, FORMULATIONS, programs } from "castor";
import { kernelContender } from "../machines/castor-kernels.ts";
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
