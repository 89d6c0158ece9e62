/** The motion in one kernel: with engaged loops, and for formulations whose accelerations are a program. */
import { type Equations, engagedParameterWriter } from "../../dynamics/formulation.ts";
import type { ClosedLoops } from "../../dynamics/loops/multipliers/closed-loops.ts";
import { type Elimination, eliminationKey, tracedAccelerations } from "../../dynamics/loops/multipliers/loop-programs.ts";
import { accuracyFor, SUITABLE_BELOW } from "../../dynamics/loops/multipliers/pivot-order-cache.ts";
import { compile, compilePair, type Kernel, type Target } from "../../kernel/run/kernel.ts";
import type { Expr } from "../../kernel/trace/graph.ts";
import { inlineProgram } from "../../kernel/trace/inline.ts";
import { type Program, trace } from "../../kernel/trace/program.ts";
import { mul, type Scalar, sub } from "../../kernel/trace/scalar.ts";
import { engagedParameterTotal } from "../../model/loops/engaged-loop-parameters.ts";
import type { Model } from "../../model/model.ts";
import { type Layout, layoutInputs } from "./layout.ts";
import { cachedProgram, loadsProgram, traceLoads } from "./motion-program.ts";

/** Kernel of the motion with loops, with the loop parameters written to its inputs. Compiled again when the pivot order changes. */
export function loopMotion(
  layout: Layout,
  model: Model,
  closed: ClosedLoops,
  { target, engagedParameters }: { readonly target: Target; readonly engagedParameters: Float64Array },
): () => Kernel | undefined {
  const writeParameters = engagedParameterWriter(engagedParameters);
  let kernel: Kernel | undefined;
  let compiled: Elimination | undefined;
  return () => {
    const { elimination } = closed;
    if (elimination === undefined) return undefined;
    if (kernel === undefined || compiled !== elimination) {
      kernel = compile(loopMotionProgram(layout, model, elimination), { target });
      compiled = elimination;
    }
    writeParameters(kernel.x);
    return kernel;
  };
}

/** The present motion of a run with loops. */
export interface ClosedMotion {
  readonly layout: Layout;
  /** The model with exactly the engaged loops. */
  readonly model: Model;
  readonly closed: Pick<ClosedLoops, "elimination">;
}

/** A kernel with two lanes, one for each run. */
export interface MotionPair {
  readonly kernel: Kernel;
  /** True if the last ẏ of a lane is accurate: the pivot order suits its state. The other lane does not matter. */
  isSuitable(lane: 0 | 1): boolean;
}

/**
 * The motions of two runs in one kernel. The runs may have other states, masses or lengths. Undefined if one of them has no pivot order, or if
 * their programs have different forms: other machines, other engaged loops or other pivots. Each lane has the bits of its own kernel.
 */
export function loopMotionPair(first: ClosedMotion, second: ClosedMotion): MotionPair | undefined {
  const [a, b] = [first, second].map(({ layout, model, closed }) =>
    closed.elimination === undefined ? undefined : loopMotionProgram(layout, model, closed.elimination),
  );
  const kernel = a && b && compilePair(a, b);
  if (!kernel) return undefined;
  const order = 2 * first.layout.ny;
  return { kernel, isSuitable: (lane) => kernel.y[order + lane]! < SUITABLE_BELOW };
}

/**
 * ẏ for a model with engaged loops, eliminated in one fixed order of pivots. The second output is a measure of the accuracy of that order for the
 * numbers (see pivot-order-cache.ts).
 */
function loopMotionProgram(layout: Layout, model: Model, elimination: Elimination) {
  const inputs = { ...layoutInputs(layout), found: engagedParameterTotal(model) };
  return cachedProgram({ ...layout, model }, `motion with loops ${eliminationKey(elimination)}`, () =>
    trace(`${model.name} motion with loops`, inputs, (given) => {
      const { q, u, tau, w, ydot } = traceLoads(layout, given);
      const accuracy = accuracyFor(elimination.order);
      const { x, driven, order } = tracedAccelerations(model, layout.frames, elimination, { ...given, q, u, tau, w }, accuracy);
      const power = driven.reduce<Scalar>((sum, rate, i) => sub(sum, mul(x[model.nu + i]!, rate)), 0);
      return { ydot: ydot(x.slice(0, model.nu), power), order };
    }),
  );
}

/** The kernel of ẏ; undefined if the accelerations are not a program. Its second output is zero where the accelerations are valid. */
export function equationMotion(
  layout: Layout,
  equations: () => Equations,
  options: { readonly target: Target },
): () => Kernel | undefined {
  let kernel: Kernel | undefined;
  let isKnown = false;
  return () => {
    if (isKnown) return kernel;
    isKnown = true;
    const accelerations = equations().program?.();
    if (accelerations) kernel = compile(motionOf(layout, accelerations), options);
    return kernel;
  };
}

/** Loads, then accelerations, with the operations of both programs: the results have the same bits as if they were evaluated one after the other. */
const motionOf = (layout: Layout, accelerations: Program) =>
  cachedProgram(layout, accelerations.name, () =>
    trace(`${layout.model.name} motion`, layoutInputs(layout), ({ t, y, held, tau, w }) => {
      const { nq, nu, ny } = layout;
      const { graph } = t[0] as Expr;
      const loads = inlineProgram(graph, loadsProgram(layout), [...t, ...y, ...held, ...tau, ...w]);
      const results = inlineProgram(graph, accelerations, [...y.slice(0, nq + nu), ...loads.slice(ny), ...t]);
      const ydot = loads.slice(0, ny);
      for (let i = 0; i < nu; i++) ydot[nq + i] = graph.node("add", ydot[nq + i]!, results[i]!);
      return { ydot, invalid: [results[nu]!] };
    }),
  );
