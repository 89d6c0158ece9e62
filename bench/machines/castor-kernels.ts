/** Castor's forward-dynamics kernels as contenders. */
import { type Body, compile, createModel, type Kernel, type ModelDescription, type Program, programs } from "castor";
import { offsetsOf } from "castor/kernel";
import { type Contender, perturbedContender } from "../run/interleaved-timing.ts";
import type { BenchState } from "./models.ts";

/** Kernels in WebAssembly for one state and for two states at once, and in JavaScript. */
export interface ForwardDynamicsKernels {
  readonly program: Program;
  readonly single: Kernel;
  readonly pair: Kernel;
  readonly js: Kernel;
}

/** A free base has no motor. Its forces are not inputs of the kernels; they are zero in the states of the models. */
const hasMotor = ({ hinge }: Body): boolean => hinge.kind !== "free";

export function forwardDynamicsKernels(description: ModelDescription, state: BenchState): ForwardDynamicsKernels {
  const model = createModel(description);
  const actuated = model.bodies.filter(hasMotor);
  const program = programs.forwardDynamics(model, { actuated: actuated.map((body) => body.hinge.name) });
  const tau = actuated.flatMap(({ hinge }) => [...state.tau.subarray(hinge.u, hinge.u + hinge.nu)]);
  const x = [...state.q, ...state.u, ...tau];
  const compileKernel = (options: Parameters<typeof compile>[1]): Kernel => {
    const kernel = compile(program, options);
    x.forEach((value, i) => {
      for (let lane = 0; lane < kernel.lanes; lane++) kernel.x[kernel.lanes * i + lane] = value;
    });
    return kernel;
  };
  return { program, single: compileKernel({}), pair: compileKernel({ lanes: 2 }), js: compileKernel({ target: "js" }) };
}

/** A contender whose last hinge moves a little from call to call. */
export function kernelContender(name: string, kernel: Kernel): Contender {
  return perturbedContender(name, kernel.x, kernel.lanes * (kernel.inputs.q! - 1), kernel.evaluate);
}

/** Largest difference of the accelerations, in any lane, relative to the largest expected one. */
export function differenceFrom(expected: Float64Array, kernel: Kernel): number {
  kernel.evaluate();
  const offset = offsetsOf(kernel.outputs).udot!;
  let worst = 0;
  expected.forEach((value, i) => {
    for (let lane = 0; lane < kernel.lanes; lane++)
      worst = Math.max(worst, Math.abs(kernel.y[kernel.lanes * (offset + i) + lane]! - value));
  });
  return worst / Math.max(...expected.map(Math.abs));
}
