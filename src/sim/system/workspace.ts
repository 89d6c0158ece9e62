/** A system: model, force elements and formulation, ready to integrate. y = [q, u, z, ledger] (see layout.ts). */

import type { FormulationName } from "../../dynamics/formulation.ts";
import type { ClosedLoops } from "../../dynamics/loops/multipliers/closed-loops.ts";
import type { Target } from "../../kernel/run/kernel.ts";
import { homeOf, type Model } from "../../model/model.ts";
import { FrictionContacts } from "../events/dry-friction.ts";
import type { InitialValueProblem } from "../integrators/integrator.ts";
import { DependentCompletion } from "./dependent-completion.ts";
import type { ForceElement, Snapshot } from "./force-element.ts";
import { type Layout, layoutOf } from "./layout.ts";
import { type LoopSets, loopSets } from "./loop-sets.ts";
import { MotionEvaluator } from "./motion-evaluator.ts";
import type { MotionProgram } from "./motion-program.ts";
import { NumericElements } from "./numeric-elements.ts";
import { type Observation, Observer } from "./observer.ts";
import { RightHandSide } from "./right-hand-side.ts";

export interface SystemOptions {
  /** Default "articulated". */
  readonly formulation?: FormulationName;
  readonly target?: Target;
}

export interface Workspace {
  readonly model: Model;
  readonly layout: Layout;
  readonly formulation: FormulationName;
  /** Inputs held between updates, element by element. A run starts with zeros (see SimulationOptions.inputs) and leaves the last values. */
  readonly held: Float64Array;
  /** Writes the commands at a time and state into `held` before an evaluation, if they change between samples. Set by the run. */
  inputLaw: ((t: number, y: Float64Array) => void) | undefined;
  readonly friction: FrictionContacts;
  readonly problem: InitialValueProblem;
  /** The possible sets of engaged loops, and the present one: see engagement.ts. */
  readonly loops: LoopSets;
  /** The loops that are engaged now; undefined if there are none. */
  readonly closed: ClosedLoops | undefined;
  /** The program of the whole right-hand side if one kernel computes all of it; then step loops may run inside WebAssembly. */
  readonly fullProgram: MotionProgram | undefined;
  readonly channels: readonly { readonly name: string; readonly unit: string }[];
  /** y at given coordinates and speeds (default: home, at rest), with internal states at their start and an empty ledger. */
  initial(q?: Float64Array, u?: Float64Array): Float64Array;
  /** The snapshot of an element with events or start checks. Valid until the next call. */
  snapshot(element: ForceElement, t: number, y: Float64Array): Snapshot;
  /** Valid until the next call. */
  observe(t: number, y: Float64Array): Observation;
  /** Start of a run: memories of elements are cleared, held inputs are zero, the loops of the model are engaged, and there is no law. */
  begin(): void;
  /** Call at the end of an accepted step: elements update their memories. */
  accept(t: number, y: Float64Array): void;
  /** Reasons why elements could not compute their loads at some time since `since`. */
  elementWarnings(since: number): readonly string[];
  /** u̇ and hinge reactions at a state (6 per body: torque, force; see Equations.reactions). */
  reactions(t: number, y: Float64Array, out: Float64Array): void;
}

export function createWorkspace(model: Model, elements: readonly ForceElement[], options: SystemOptions = {}): Workspace {
  const layout = layoutOf(model, elements);
  const target = { target: options.target ?? ("wasm" as const) };
  const formulation = options.formulation ?? "articulated";
  const { nq, nu } = layout;
  const loops = loopSets(layout, formulation, target);
  const motion = new MotionEvaluator(layout, loops, formulation, target);
  const numeric = new NumericElements(layout, target);
  const friction = new FrictionContacts(layout);
  const dependents = new DependentCompletion(layout, loops, motion);
  const parts = { layout, loops, motion, dependents, numeric, friction };
  const rightHandSide = new RightHandSide(parts, target);
  const observer = new Observer(parts, rightHandSide, target);

  return {
    model,
    layout,
    formulation,
    held: motion.held,
    friction,
    fullProgram: motion.fullProgram,
    loops,
    problem: rightHandSide.problem(),
    channels: observer.channels,
    get inputLaw() {
      return rightHandSide.inputLaw;
    },
    set inputLaw(law) {
      rightHandSide.inputLaw = law;
    },
    get closed() {
      return loops.current.closed;
    },
    initial: (q = homeOf(model), u = new Float64Array(nu)) => initialState(layout, q, u),
    snapshot: (element, t, y) => numeric.snapshot(element, t, y),
    observe: (t, y) => observer.observe(t, y),
    begin() {
      rightHandSide.inputLaw = undefined;
      motion.held.fill(0);
      loops.begin();
      dependents.begin();
      numeric.begin();
    },
    accept: (t, y) => numeric.accept(t, y),
    elementWarnings: (since) => [...numeric.elementWarnings(since), ...dependents.failures(since)],
    reactions(t, y, out) {
      const { tau, wrenches } = observer.observe(t, y);
      loops.current.equations().reactions(y.subarray(0, nq), y.subarray(nq, nq + nu), tau, wrenches, out, t);
    },
  };
}

function initialState({ nq, nu, ny, z, elements }: Layout, q: Float64Array, u: Float64Array): Float64Array {
  const y = new Float64Array(ny);
  y.set(q);
  y.set(u, nq);
  for (const [i, e] of elements.entries()) y.set(e.z0 ?? [], nq + nu + z[i]!);
  return y;
}
