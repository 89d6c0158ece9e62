/** How the cost of forward dynamics grows with the length of a chain, and how long a kernel takes to make. */
import { type BodyDescription, compile, createModel, type ModelDescription, programs } from "castor";
import { kernelContender } from "./castor-kernels.ts";
import { race, type Timing, warmUp } from "./measure.ts";

export interface ScalingRow {
  readonly hinges: number;
  readonly ops: number;
  /** Description to kernel, the first call included, ms. */
  readonly compile: number;
  /** ns per call */
  readonly time: Timing;
}

const LENGTHS = [10, 20, 50, 100, 200] as const;
const AXES = ["z", "y", "y", "x"] as const;

/** A free base and an arm of equal links whose axes alternate, like a snake in orbit. */
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

export function measureScaling(milliseconds: number): ScalingRow[] {
  return LENGTHS.map((hinges) => measureChain(hinges, milliseconds));
}

function measureChain(hinges: number, milliseconds: number): ScalingRow {
  const start = performance.now();
  const model = createModel(chain(hinges));
  const kernel = compile(programs.forwardDynamics(model));
  kernel.x.set(stateOf(hinges));
  kernel.evaluate();
  const made = performance.now() - start;

  const runners = [kernelContender(model.name, kernel)];
  warmUp(runners, 200);
  return { hinges, ops: kernel.ops, compile: made, time: race(runners, milliseconds)[0]! };
}

/** q, then u: bent like a wave, all hinges moving. */
function stateOf(hinges: number): number[] {
  const each = (value: (i: number) => number): number[] => Array.from({ length: hinges }, (_, i) => value(i));
  return [1, 0, 0, 0, 0, 0, 0, ...each((i) => 0.3 * Math.sin(i)), 0.1, -0.1, 0.2, 0, 0, 0, ...each((i) => 0.5 * Math.cos(2 * i))];
}
