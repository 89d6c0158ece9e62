/** Creates systems: with everything, or for trees only. */
import { deriveArticulated } from "../dynamics/articulated.ts";
import { articulatedEquations } from "../dynamics/articulated-equations.ts";
import { checkDerivation } from "../dynamics/checked-equations.ts";
import { FORMULATIONS } from "../dynamics/formulations.ts";
import { closedLoops } from "../dynamics/loops/multipliers/closed-loops.ts";
import { ModelError } from "../errors.ts";
import { allowRolling } from "../kernel/run/compile.ts";
import { checkModel, type Model } from "../model/model.ts";
import { changeLoopsIn, pushClosedLoops } from "./events/engagement.ts";
import { dop853 } from "./integrators/dop853.ts";
import { pairableSteps } from "./integrators/explicit/pairable-steps.ts";
import { INTEGRATORS } from "./integrators/index.ts";
import { loopChannels } from "./record/loop-channels.ts";
import { PEAK_METHOD } from "./record/peaks/peaks.ts";
import { closedStepper } from "./run/fixed-steps/closed-stepper.ts";
import { fixedSteps } from "./run/fixed-steps/sampled-steps.ts";
import { regularStateNear } from "./singular/singular-loops.ts";
import { singularityStepper } from "./singular/singularity-stepper.ts";
import type { ForceElement } from "./system/force-element.ts";
import { equationMotion, loopMotion, loopMotionPair } from "./system/loop-motion.ts";
import { type System, type SystemOptions, systemWith } from "./system/system.ts";
import type { SystemMethods } from "./system/workspace.ts";

const ALL_METHODS: SystemMethods = {
  formulations: FORMULATIONS,
  integrators: INTEGRATORS,
  loops: {
    closedLoops,
    deriveArticulated,
    motion: loopMotion,
    motionPair: loopMotionPair,
    change: changeLoopsIn,
    push: pushClosedLoops,
    channels: loopChannels,
    regularStateNear,
    singularityStepper,
    closedStepper,
  },
  equationMotion,
  pairs: pairableSteps,
  peaks: PEAK_METHOD,
  fixedSteps,
};

/** @throws ModelError if the force elements do not fit the model; SingularError if the model cannot be compiled */
export function createSystem(model: Model, elements: readonly ForceElement[] = [], options: SystemOptions = {}): System {
  allowRolling();
  return systemWith(ALL_METHODS, model, elements, options);
}

const TREE_METHODS: SystemMethods = {
  formulations: {
    articulated: {
      derive(model, options = {}) {
        checkDerivation(model, options);
        return articulatedEquations(model, options, undefined, undefined);
      },
    },
  },
  integrators: { dop853 },
  loops: undefined,
  equationMotion: undefined,
  pairs: undefined,
  peaks: undefined,
  fixedSteps: undefined,
};

/**
 * As `createSystem`, but only for models without loops, with the formulation articulated and the integrator dop853, and without `peaks` of runs. It
 * contains a third of the code, for small pages. Other integrators are given as values: `simulate(system, state, { integrator: INTEGRATORS.radau5 })`.
 * Runs with fixed steps take longer than those of `createSystem`, which make these steps inside WebAssembly. So do runs of machines with more than
 * about a hundred hinges, whose programs are not rolled.
 * @throws ModelError if the model has loops
 */
export function createTreeSystem(
  model: Model,
  elements: readonly ForceElement[] = [],
  options: Pick<SystemOptions, "target"> = {},
): System {
  checkModel(model);
  const loop = model.loops[0] ?? model.openLoops[0];
  if (loop !== undefined)
    throw new ModelError(model.name, [
      { path: "loops", message: `a tree has no loops, but this model has ${loop.name}`, advice: "Use createSystem" },
    ]);
  return systemWith(TREE_METHODS, model, elements, options);
}
