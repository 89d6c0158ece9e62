/** Castor's side of the benchmarks of motion. */
import {
  createModel,
  createSystem,
  FORCES,
  type Integrator,
  type IntegratorOptions,
  type ModelDescription,
  type Stepper,
  type System,
} from "castor";

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

/** The same without the accounts of energy and momentum that the audit of a run reads: what they cost is the difference. */
export function withoutLedger(system: System): System {
  const { layout, fullProgram: whole } = system;
  const ny = layout.nq + layout.nu + layout.nz;
  return {
    ...system,
    layout: { ...layout, ny },
    fullProgram: whole && { ...whole, outputs: { ydot: ny }, results: whole.results.slice(0, ny) },
  };
}

/** What `simulate` steps with where whole steps run inside WebAssembly. From the build: it lies below the surface of the package. */
export async function loopStepperOf(): Promise<(system: System, integrator: Integrator, settings: IntegratorOptions) => Stepper> {
  const built = new URL("../../dist/sim/run/step-loop.js", import.meta.url).href;
  const { stepLoop, loopStepper } = (await import(built)) as StepLoopModule;
  return (system, integrator, settings) => loopStepper(system, integrator, settings, stepLoop(system, integrator)!);
}

/** src/sim/run/step-loop.ts, as far as it is used here. */
interface StepLoopModule {
  stepLoop(system: System, integrator: Integrator): ((...args: never) => void) | undefined;
  loopStepper(system: System, integrator: Integrator, settings: IntegratorOptions, loop: (...args: never) => void): Stepper;
}
