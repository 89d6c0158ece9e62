/**
 * A system: model, force elements and formulation, ready to integrate. y = [q, u, z, ledger] (see layout.ts). The right-hand
 * side runs in the kernel's memory and allocates nothing.
 */

import type { Dependents, FormulationName } from "../../dynamics/formulation.ts";
import type { ClosedLoops } from "../../dynamics/loops/multipliers/closed-loops.ts";
import { isOrderSuitable, SUITABLE_BELOW } from "../../dynamics/loops/multipliers/pivot-order-cache.ts";
import { SingularError } from "../../errors.ts";
import { compile, type Kernel, type Target } from "../../kernel/run/kernel.ts";
import { lazy } from "../../kernel/run/lazy.ts";
import { jacobian } from "../../kernel/trace/differentiate.ts";
import { offsetsOf } from "../../kernel/trace/program.ts";
import { UnreachableError } from "../../model/chains/chain.ts";
import { homeOf, type Model, quaternionStarts } from "../../model/model.ts";
import { FrictionContacts } from "../events/dry-friction.ts";
import type { DerivativeCode, InitialValueProblem } from "../integrators/integrator.ts";
import type { ForceElement, Snapshot } from "./force-element.ts";
import { DISSIPATED, type Layout, LEDGER, layoutInputs, layoutOf, SUPPLIED } from "./layout.ts";
import { type LoopSets, loopSets } from "./loop-sets.ts";
import { loadsProgram, type MotionProgram, motionProgram, observationProgram } from "./motion-program.ts";
import { NumericElements } from "./numeric-elements.ts";

export interface SystemOptions {
  /** Default "articulated". */
  readonly formulation?: FormulationName;
  readonly target?: Target;
}

/** What is watched at a sample. Valid until the next is watched: arrays, and the whole, are the same again. */
export interface Observation {
  readonly kinetic: number;
  readonly potential: number;
  /** Angular about the world origin (3), linear (3). */
  readonly momentum: Float64Array;
  readonly centre: Float64Array;
  /** Generalised forces of all elements, dry friction included, and wrenches at the layout's frames. */
  readonly tau: Float64Array;
  readonly wrenches: Float64Array;
  /** The elements' own channels, as listed in `System.channels`. */
  readonly channels: Float64Array;
}

export interface System {
  readonly model: Model;
  readonly layout: Layout;
  readonly formulation: FormulationName;
  /** Inputs held between updates, element by element. A run begins with zeros (see SimulationOptions.inputs) and leaves what it set last. */
  readonly held: Float64Array;
  /** Writes into `held` what is commanded at a time and state, before it is evaluated, where that changes between samples; set by the run. */
  inputLaw: ((t: number, y: Float64Array) => void) | undefined;
  readonly friction: FrictionContacts;
  readonly problem: InitialValueProblem;
  /** The sets of loops that may hold, and the one that does: see engagement.ts. */
  readonly loops: LoopSets;
  /** The loops that hold now, if any. */
  readonly closed: ClosedLoops | undefined;
  /** The program of the whole right-hand side, where one kernel is all of it: then step loops may run inside WebAssembly. */
  readonly fullProgram: MotionProgram | undefined;
  readonly channels: readonly { readonly name: string; readonly unit: string }[];
  /** y at given coordinates and speeds (home and rest if not given), internal states at their start, ledger empty. */
  initial(q?: Float64Array, u?: Float64Array): Float64Array;
  /** What an element that looks at states (for events, for starts) sees. Valid until the next call. */
  snapshot(element: ForceElement, t: number, y: Float64Array): Snapshot;
  /** Valid until the next call. */
  observe(t: number, y: Float64Array): Observation;
  /** A run begins: elements forget what they remember, held inputs are zero, the loops of the model hold, and there is no law. */
  begin(): void;
  /** A step has been accepted and ends in this state: elements remember what they must. */
  accept(t: number, y: Float64Array): void;
  /** In words, why elements had no numbers at a time not before `since`. */
  elementWarnings(since: number): readonly string[];
  /** u̇ and hinge reactions at a state (6 a body: torque, force; see Equations.reactions). */
  reactions(t: number, y: Float64Array, out: Float64Array): void;
}

/** Of larger states the Jacobian has so many entries that a kernel for it takes longer to make, and to run, than differences. */
const LARGEST_JACOBIAN = 64;

export function createSystem(model: Model, elements: readonly ForceElement[], options: SystemOptions = {}): System {
  const layout = layoutOf(model, elements);
  const target = { target: options.target ?? ("wasm" as const) };
  const formulation = options.formulation ?? "articulated";
  const { nq, nu, ny } = layout;
  const ledger = ny - 8;
  const loops = loopSets(layout, formulation, target);
  /** The accelerations of the articulated formulation are in the kernel of the motion while no loop holds. */
  const isInside = (): boolean => formulation === "articulated" && !loops.current.closed;
  const whole = isInside() && !layout.numeric && model.openLoops.length === 0 ? motionProgram(layout) : undefined;
  const motion = lazy(() => compile(whole ?? motionProgram(layout), target));
  const onlyLoads = lazy(() => compile(loadsProgram(layout), target));
  const at = offsetsOf(layoutInputs(layout));
  if (isInside()) motion();
  else loops.current.equations();
  const held = new Float64Array(layout.nheld);
  const numeric = new NumericElements(layout, target);
  /** All that computes in numbers is dry friction: then the Jacobian is known but for the slope of slipping friction. */
  const onlyFriction =
    isInside() && layout.numeric && model.openLoops.length === 0 && layout.elements.every((e) => e.apply === undefined);
  const friction = new FrictionContacts(layout);
  const tau = new Float64Array(nu);
  const w = new Float64Array(6 * layout.frames.length);
  // Copies, not views: making a view allocates.
  const now = {
    q: new Float64Array(nq),
    u: new Float64Array(nu),
    tau: new Float64Array(nu),
    w: new Float64Array(w.length),
    udot: new Float64Array(nu),
  };

  const given: { t: number; y: Float64Array } = { t: 0, y: new Float64Array(ny) };

  /** The outputs of a program of the motion at the given state. */
  const outputs = (kernel: Kernel): Float64Array => {
    const { x } = kernel;
    x[at.t] = given.t;
    x.set(given.y, at.y);
    x.set(held, at.held);
    if (layout.numeric) {
      x.set(tau, at.tau);
      x.set(w, at.w);
    }
    kernel.evaluate();
    return kernel.y;
  };

  /** ẏ with loops and all in one kernel; false where there is none for the loops that hold, or its order of pivots does not suit. */
  const evaluateLoops = (ydot: Float64Array): boolean => {
    const { motion: compiled, closed } = loops.current;
    let kernel = compiled();
    if (kernel === undefined && closed && formulation === "articulated") {
      for (let i = 0; i < nq; i++) now.q[i] = given.y[i]!;
      closed.findPivotOrder(given.t, now.q);
      onlyLoads(); // for states that the order does not suit: not in the middle of a run
      kernel = compiled();
    }
    if (kernel === undefined) return false;
    const y = outputs(kernel);
    if (!isOrderSuitable(y, ny)) {
      closed!.orderRejected();
      return false;
    }
    closed!.orderAccepted();
    for (let i = 0; i < ny; i++) ydot[i] = y[i]!;
    return true;
  };

  /** ẏ under given extra forces; dry friction and numeric elements are in `tau` and `w`. */
  const evaluate = (ydot: Float64Array): void => {
    const inside = isInside();
    if (!inside && evaluateLoops(ydot)) return;
    const rates = inside ? motion() : onlyLoads();
    const y = outputs(rates);
    for (let i = 0; i < ny; i++) ydot[i] = y[i]!;
    if (inside) return;
    const { x } = rates;
    const { closed, equations } = loops.current;
    for (let i = 0; i < nq; i++) now.q[i] = x[at.y + i]!;
    for (let i = 0; i < nu; i++) now.u[i] = x[at.y + nq + i]!;
    for (let i = 0; i < nu; i++) now.tau[i] = y[ny + i]!;
    for (let i = 0; i < now.w.length; i++) now.w[i] = y[ny + nu + i]!;
    equations().accelerations(now.q, now.u, now.tau, now.w, now.udot, x[at.t]);
    for (let i = 0; i < nu; i++) ydot[nq + i] = now.udot[i]!;
    if (closed?.hasPrescribedMotion) ydot[ledger + SUPPLIED]! += closed.power(x[at.t]!, now.q, now.u, now.tau, now.w);
  };

  const dependents = (): Dependents | undefined => (isInside() ? undefined : loops.current.equations().dependents);
  const completed = new Float64Array(ny);
  const completedParts = [completed.subarray(0, nq), completed.subarray(nq, nq + nu)] as const;

  /** Where dependents were not found last, and why. */
  let lost: { readonly t: number; readonly why: string } | undefined;
  const complete = (following: Dependents, q: Float64Array, u: Float64Array, t: number): boolean => {
    try {
      following.complete(q, u, t);
      return true;
    } catch (error) {
      if (!(error instanceof SingularError || error instanceof UnreachableError)) throw error;
      lost = { t, why: error.message };
      return false;
    }
  };

  const derivative = (t: number, state: Float64Array, ydot: Float64Array): void => {
    const following = dependents();
    const y = following ? completed : state;
    if (following) {
      completed.set(state);
      if (!complete(following, ...completedParts, t)) {
        ydot.fill(Number.NaN); // a shorter step may have them
        return;
      }
    }
    system.inputLaw?.(t, y);
    given.t = t;
    given.y = y;
    if (!layout.numeric) {
      evaluate(ydot);
      return;
    }
    tau.fill(0);
    w.fill(0);
    numeric.apply(t, y, tau, w);
    friction.addSlipForces(y, tau);
    friction.solveSticking(tau, ydot, evaluate);
    numeric.addRates(ydot);
    ydot[ledger + DISSIPATED]! += numeric.dissipated + friction.dissipatedPower(y);
    ydot[ledger + SUPPLIED]! += numeric.supplied;
  };

  let derivativeCode: DerivativeCode | undefined;
  /** The derivative as one kernel, where nothing has to be done in numbers before or behind it. */
  const code = (): DerivativeCode | undefined => {
    if (layout.numeric || system.inputLaw || dependents()) return undefined;
    const inside = isInside();
    const kernel = inside ? motion() : loops.current.motion();
    if (!kernel?.code) return undefined;
    kernel.x.set(held, at.held);
    if (derivativeCode?.kernel !== kernel)
      derivativeCode = {
        kernel,
        t: at.t,
        y: at.y,
        ...(!inside && { below: SUITABLE_BELOW }),
        markAccepted: () => loops.current.closed?.orderAccepted(),
      };
    return derivativeCode;
  };

  const starts = quaternionStarts(model);
  /** Coordinates and speeds of states, as views: making one allocates, and steps come back with the same few arrays. */
  const parts = new WeakMap<Float64Array, { readonly q: Float64Array; readonly u: Float64Array }>();
  const partsOf = (y: Float64Array): { readonly q: Float64Array; readonly u: Float64Array } => {
    let own = parts.get(y);
    if (!own) {
      own = { q: y.subarray(0, nq), u: y.subarray(nq, nq + nu) };
      parts.set(y, own);
    }
    return own;
  };
  const project = (y: Float64Array, t: number): void => {
    const following = dependents();
    const { closed } = loops.current;
    if (following) {
      const { q, u } = partsOf(y);
      if (complete(following, q, u, t)) following.rechoose(q, t);
      else y.fill(Number.NaN);
    } else if (closed) {
      const { q, u } = partsOf(y);
      closed.project(t, q, u); // quaternions too
      return;
    }
    for (const i of starts) {
      const n = 1 / Math.sqrt(y[i]! * y[i]! + y[i + 1]! * y[i + 1]! + y[i + 2]! * y[i + 2]! + y[i + 3]! * y[i + 3]!);
      for (let k = 0; k < 4; k++) y[i + k]! *= n;
    }
  };

  const observation = observationProgram(layout);
  const watch = compile(observation.program, target);
  const watchAt = offsetsOf(watch.inputs);
  const seenAt = offsetsOf(watch.outputs);
  const scratch = new Float64Array(ny);
  const ofElements = new Float64Array(observation.channels.length);
  const seen = watch.y;
  /** Views of what the kernel gives, made once. */
  const observed = {
    kinetic: 0,
    potential: 0,
    momentum: seen.subarray(seenAt.momentum, seenAt.momentum + 6),
    centre: seen.subarray(seenAt.centre, seenAt.centre + 3),
    tau: seen.subarray(seenAt.tau, seenAt.tau + nu),
    wrenches: seen.subarray(seenAt.w, seenAt.w + w.length),
    channels: ofElements,
  };
  const J = lazy(() => compile(jacobian(motionProgram(layout), "y"), target));

  const system: System = {
    model,
    layout,
    formulation,
    held,
    inputLaw: undefined,
    friction,
    fullProgram: whole,
    loops,
    get closed() {
      return loops.current.closed;
    },
    problem: {
      size: ny,
      coordinates: nq,
      integrals: LEDGER,
      derivative,
      code,
      ...(starts.length > 0 || model.loops.length + model.openLoops.length > 0 ? { project } : {}),
      ...((whole || onlyFriction) && ny <= LARGEST_JACOBIAN
        ? {
            jacobian: (t: number, y: Float64Array, out: Float64Array): void => {
              const kernel = J();
              system.inputLaw?.(t, y);
              if (onlyFriction) derivative(t, y, scratch); // what holds stuck freedoms is in tau
              kernel.x[at.t] = t;
              kernel.x.set(y, at.y);
              kernel.x.set(held, at.held);
              if (onlyFriction) kernel.x.set(tau, at.tau);
              kernel.evaluate();
              out.set(kernel.y);
              if (onlyFriction) friction.projectJacobian(out);
            },
          }
        : {}),
    },
    channels: observation.channels,
    initial(q = homeOf(model), u = new Float64Array(nu)) {
      const y = new Float64Array(ny);
      y.set(q);
      y.set(u, nq);
      for (const [i, e] of layout.elements.entries()) y.set(e.z0 ?? [], nq + nu + layout.z[i]!);
      return y;
    },
    snapshot: (element, t, y) => numeric.snapshot(element, t, y),
    observe(t, y) {
      system.inputLaw?.(t, y);
      const { x } = watch;
      x[watchAt.t] = t;
      x.set(y, watchAt.y);
      x.set(held, watchAt.held);
      watch.evaluate();
      let extra = 0;
      if (layout.numeric) {
        if (friction.count > 0)
          derivative(t, y, scratch); // what sticks is solved for with the accelerations
        else {
          tau.fill(0);
          w.fill(0);
          numeric.apply(t, y, tau, w);
        }
        extra = numeric.potential;
        const { tau: forces, wrenches } = observed;
        for (let i = 0; i < nu; i++) forces[i]! += tau[i]!;
        for (let i = 0; i < w.length; i++) wrenches[i]! += w[i]!;
      }
      const traced = watch.outputs.channels;
      for (let i = 0; i < traced; i++) ofElements[i] = seen[seenAt.channels + i]!;
      numeric.copyChannels(ofElements, traced);
      observed.kinetic = seen[seenAt.energy]!;
      observed.potential = seen[seenAt.energy + 1]! + extra;
      return observed;
    },
    begin() {
      system.inputLaw = undefined;
      held.fill(0);
      loops.begin();
      lost = undefined;
      numeric.begin();
    },
    accept: (t, y) => numeric.accept(t, y),
    elementWarnings: (since) => [...numeric.elementWarnings(since), ...(lost && lost.t >= since ? [lost.why] : [])],
    reactions(t, y, out) {
      const { tau: forces, wrenches } = system.observe(t, y);
      loops.current.equations().reactions(y.subarray(0, nq), y.subarray(nq, nq + nu), forces, wrenches, out, t);
    },
  };
  return system;
}
