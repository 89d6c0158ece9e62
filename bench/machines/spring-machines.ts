/** Castor's systems and steppers for the throughput benchmark. */
import type { ModelDescription, System } from "castor";
import { createModel, createSystem } from "castor";
import { FORCES } from "castor/force";
import type { Integrator, IntegratorOptions, Stepper } from "castor/sim";

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

/** The system without the energy and momentum ledger of the audit. The difference in time is the cost of the ledger. */
export function withoutLedger(system: System): System {
  const { layout, fullProgram: whole } = system;
  const ny = layout.nq + layout.nu + layout.nz;
  return {
    ...system,
    layout: { ...layout, ny },
    fullProgram: whole && { ...whole, outputs: { ydot: ny }, results: whole.results.slice(0, ny) },
  };
}

/** The stepper of `simulate` whose steps run completely in WebAssembly. It is imported from dist/ because the package does not export it. */
export async function loopStepperOf(): Promise<(system: System, integrator: Integrator, settings: IntegratorOptions) => Stepper> {
  const built = new URL("../../dist/sim/run/step-loop.js", import.meta.url).href;
  const { stepLoop, loopStepper } = (await import(built)) as StepLoopModule;
  return (system, integrator, settings) => loopStepper(system, integrator, settings, stepLoop(system, integrator)!);
}

/** The functions of src/sim/run/step-loop.ts that are used here. */
interface StepLoopModule {
  stepLoop(system: System, integrator: Integrator): ((...args: never) => void) | undefined;
  loopStepper(system: System, integrator: Integrator, settings: IntegratorOptions, loop: (...args: never) => void): Stepper;
}
