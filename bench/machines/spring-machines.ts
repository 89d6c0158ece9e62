/** Castor's systems and steppers for the throughput benchmark. */
import type { ModelDescription, System } from "castor";
import { createModel, createSystem } from "castor";
import { FORCES } from "castor/force";
import type { Integrator, IntegratorOptions, Stepper } from "castor/sim";
import type { BenchWorkspace } from "./workspace.ts";

export interface HingeSpring {
  readonly stiffness: number;
  readonly damping: number;
}

/** A machine with a spring and a damper in every revolute hinge. */
export function sprungSystem(description: ModelDescription, spring: HingeSpring): System {
  const model = createModel(description);
  const hinge = model.bodies.filter((body) => body.hinge.kind === "revolute").map((body) => body.hinge.name);
  return createSystem(model, [FORCES["hinge-spring"].create("springs", { hinge, ...spring }, model)]);
}

/** The equations without the energy and momentum ledger of the audit. The difference in time is the cost of the ledger. */
export function withoutLedger(workspace: BenchWorkspace): BenchWorkspace {
  const { layout, fullProgram: whole } = workspace;
  const ny = layout.nq + layout.nu + layout.nz;
  return {
    ...workspace,
    layout: { ...layout, ny },
    fullProgram: whole && { ...whole, outputs: { ydot: ny }, results: whole.results.slice(0, ny) },
  };
}

/** The stepper of `simulate` whose steps run completely in WebAssembly. It is imported from dist/ because the package does not export it. */
export async function loopStepperOf(): Promise<
  (workspace: BenchWorkspace, integrator: Integrator, settings: IntegratorOptions) => Stepper
> {
  const built = new URL("../../dist/sim/run/fixed-steps/step-loop.js", import.meta.url).href;
  const { stepLoop, loopStepper } = (await import(built)) as StepLoopModule;
  return (workspace, integrator, settings) => loopStepper(workspace, integrator, settings, stepLoop(workspace, integrator)!);
}

/** The functions of src/sim/run/fixed-steps/step-loop.ts that are used here. */
interface StepLoopModule {
  stepLoop(workspace: BenchWorkspace, integrator: Integrator): ((...args: never) => void) | undefined;
  loopStepper(
    workspace: BenchWorkspace,
    integrator: Integrator,
    settings: IntegratorOptions,
    loop: (...args: never) => void,
  ): Stepper;
}
