/**
 * A workspace: the compiled kernels of a system, their memory, and the discrete state that they are in. Every run has its own, so any number
 * of runs can use one system at the same time. y = [q, u, z, ledger] (see layout.ts).
 */

import type { FormulationName } from "../../dynamics/formulation.ts";
import type { ClosedLoops } from "../../dynamics/loops/multipliers/closed-loops.ts";
import { SingularError } from "../../errors.ts";
import type { Target } from "../../kernel/run/kernel.ts";
import type { Model } from "../../model/model.ts";
import { FrictionContacts } from "../events/dry-friction.ts";
import type { pairableSteps } from "../integrators/explicit/pairable-steps.ts";
import type { IntegratorName } from "../integrators/index.ts";
import type { InitialValueProblem, Integrator, IntegratorOptions, Stepper } from "../integrators/integrator.ts";
import type { ChannelReaders } from "../record/channel-reader.ts";
import type { FollowedPeaks, PeakOptions } from "../record/peaks/peak-options.ts";
import type { FixedSteps, ManyStepper } from "../run/fixed-steps/fixed-steps.ts";
import type { BranchChart } from "../singular/branch-chart.ts";
import type { DiscreteState, SavedLoopSet, State } from "../state.ts";
import { DependentCompletion } from "./dependent-completion.ts";
import type { ForceElement, Snapshot } from "./force-element.ts";
import type { Layout } from "./layout.ts";
import type { Impulse, LoopChange } from "./loop-change.ts";
import { type EquationMethods, type LoopEquationMethods, LoopSets } from "./loop-sets.ts";
import { MotionEvaluator } from "./motion-evaluator.ts";
import type { MotionProgram } from "./motion-program.ts";
import { NumericElements } from "./numeric-elements.ts";
import { type Observation, Observer } from "./observer.ts";
import { RightHandSide } from "./right-hand-side.ts";

export interface LoopChannel {
  readonly name: string;
  readonly unit: string;
  /** Quantity to compute at a sample before `read`. */
  readonly needs: "nothing" | "motion" | "loads";
  read(): number;
}

export interface LoopChannels {
  readonly channels: readonly LoopChannel[];
  see(workspace: Workspace, t: number, y: Float64Array, needs: { readonly motion: boolean; readonly loads: boolean }): void;
}

/** What systems with loops can do. */
export interface LoopMethods extends LoopEquationMethods {
  readonly change: (workspace: Workspace, t: number, y: Float64Array, change: LoopChange) => Impulse;
  /** Adds the jump of the speeds in y under a generalised impulse, with the engaged loops kept; the ledger is the caller's. */
  readonly push: (workspace: Workspace, t: number, y: Float64Array, impulse: Float64Array) => Impulse;
  readonly channels: (layout: Layout) => LoopChannels;
  /** The state itself, or a nearby one at which the loops lose no equations. */
  readonly regularStateNear: (closed: ClosedLoops, layout: Layout, t: number, y: Float64Array) => Float64Array;
  /** The stepper, led over singular positions. `note` is called with the time of every singular position that is passed. */
  readonly singularityStepper: (
    workspace: Workspace,
    inner: Stepper,
    integrator: Integrator,
    options: IntegratorOptions,
    note: (t: number) => void,
  ) => Stepper;
  /** That stepper, with usual fixed steps inside WebAssembly, if the integrator and the machine allow it. */
  readonly closedStepper: (
    workspace: Workspace,
    stepper: Stepper,
    integrator: Integrator,
    options: IntegratorOptions,
  ) => ManyStepper | undefined;
}

/** Search of the peaks of runs. */
export interface PeakMethod {
  /** @throws ArgumentError if the option `peaks` of a run is wrong */
  readonly check: (peaks: unknown) => void;
  /** @param order that of the integrator */
  readonly follow: (
    workspace: Workspace,
    options: readonly PeakOptions[],
    readers: ChannelReaders,
    order: number,
  ) => FollowedPeaks;
}

/** Methods of the systems of one kind: formulations, integrators, loops, peaks of runs, and fixed steps inside WebAssembly. */
export interface SystemMethods extends EquationMethods {
  readonly integrators: Readonly<Partial<Record<IntegratorName, Integrator>>>;
  readonly loops: LoopMethods | undefined;
  readonly peaks: PeakMethod | undefined;
  /** Lets two runs compute their steps together. */
  readonly pairs: typeof pairableSteps | undefined;
  /** Without it, and where it gives nothing, the integrator makes each step. */
  readonly fixedSteps:
    | ((
        workspace: Workspace,
        integrator: Integrator,
        settings: IntegratorOptions,
        interval: number | undefined,
      ) => FixedSteps | undefined)
    | undefined;
}

export interface Workspace {
  readonly model: Model;
  readonly layout: Layout;
  readonly methods: SystemMethods;
  readonly formulation: FormulationName;
  /** Inputs held between updates, element by element. */
  readonly held: Float64Array;
  /** Writes the commands at a time and state into `held` before an evaluation, if they change between samples. Set by the run. */
  inputLaw: ((t: number, y: Float64Array) => void) | undefined;
  /** Replaces the equations near a singular configuration of the loops, while the run is there. Set by the run. */
  branch: BranchChart | undefined;
  readonly friction: FrictionContacts;
  readonly problem: InitialValueProblem;
  /** The possible sets of engaged loops, and the present one: see engagement.ts. */
  readonly loops: LoopSets;
  /** The loops that are engaged now; undefined if there are none. */
  readonly closed: ClosedLoops | undefined;
  /** The program of the whole right-hand side if one kernel computes all of it; then step loops may run inside WebAssembly. */
  readonly fullProgram: MotionProgram | undefined;
  readonly channels: readonly { readonly name: string; readonly unit: string }[];
  /** The snapshot of an element with events or start checks. Valid until the next call. */
  snapshot(element: ForceElement, t: number, y: Float64Array): Snapshot;
  /** Valid until the next call. */
  observe(t: number, y: Float64Array): Observation;
  /** Takes the inputs and the discrete state of a state, and what the formulation keeps. There is no input law. */
  enter(state: Pick<State, "inputs" | "discrete" | "method">): void;
  /** The present discrete state, without that of controllers and events: a copy. */
  discrete(): DiscreteState;
  /** What the formulation keeps for each set of loops: a copy. */
  saveEquations(): readonly SavedLoopSet[];
  /** Compiles the equations of engaged loops for this state, as every run does at its start. */
  compileLoopsAt(t: number, y: Float64Array): void;
  /** Call at the end of an accepted step: elements update their memories. */
  accept(t: number, y: Float64Array): void;
  /** Call where the motion starts anew: at the start of a run and after jumps. */
  restart(t: number, y: Float64Array): void;
  /** Reasons why elements could not compute their loads at some time since `since`. */
  elementWarnings(since: number): readonly string[];
  /** u̇ and hinge reactions at a state (6 per body: torque, force; see Equations.reactions). */
  reactions(t: number, y: Float64Array, out: Float64Array): void;
}

export function createWorkspace(
  layout: Layout,
  methods: SystemMethods,
  formulation: FormulationName,
  kernelTarget: Target,
): Workspace {
  const target = { target: kernelTarget };
  const { nq, nu } = layout;
  const loops = new LoopSets(layout, methods, formulation, target);
  const motion = new MotionEvaluator(layout, loops, formulation, target);
  const numeric = new NumericElements(layout, motion.held, target);
  const friction = new FrictionContacts(layout);
  const dependents = new DependentCompletion(layout, loops, motion);
  const parts = { layout, loops, motion, dependents, numeric, friction };
  const rightHandSide = new RightHandSide(parts, target);
  const observer = new Observer(parts, rightHandSide, target);
  const problem = { ...rightHandSide.problem(), pairs: methods.pairs };

  return {
    model: layout.model,
    layout,
    methods,
    formulation,
    held: motion.held,
    friction,
    fullProgram: motion.fullProgram,
    loops,
    problem,
    channels: observer.channels,
    get inputLaw() {
      return rightHandSide.inputLaw;
    },
    set inputLaw(law) {
      rightHandSide.inputLaw = law;
    },
    get branch() {
      return motion.branch;
    },
    set branch(chart) {
      motion.branch = chart;
    },
    get closed() {
      return loops.current.closed;
    },
    snapshot: (element, t, y) => numeric.snapshot(element, t, y),
    observe: (t, y) => observer.observe(t, y),
    enter({ inputs, discrete, method }) {
      rightHandSide.inputLaw = undefined;
      motion.branch = undefined;
      motion.held.set(inputs);
      loops.enter(discrete.loops, method?.equations);
      friction.setModes(discrete.friction);
      dependents.begin();
      numeric.enter(discrete.memories);
    },
    discrete: () => ({ loops: new Map(loops.held), friction: friction.modes, memories: numeric.memories() }),
    saveEquations: () => loops.save(),
    compileLoopsAt(t, y) {
      const { closed } = loops.current;
      if (!closed) return;
      const regular = methods.loops?.regularStateNear(closed, layout, t, y) ?? y;
      try {
        problem.derivative(t, regular, new Float64Array(y.length));
        problem.project?.(regular.slice(), t);
      } catch (error) {
        if (!(error instanceof SingularError)) throw error; // the first step finds out whether a branch leads on
      }
    },
    accept: (t, y) => numeric.accept(t, y),
    restart: (t, y) => numeric.restart(t, y),
    elementWarnings: (since) => [...numeric.elementWarnings(since), ...dependents.failures(since)],
    reactions(t, y, out) {
      const { tau, wrenches } = observer.observe(t, y);
      loops.current.equations().reactions(y.subarray(0, nq), y.subarray(nq, nq + nu), tau, wrenches, out, t);
    },
  };
}
