/**
 * The equations of a system for each set of engaged loops. A set is compiled when it is first engaged, and kept. The parameters that loops
 * take from the state at engagement are inputs, so a set is compiled once, wherever it engages.
 */

import { articulated } from "../../dynamics/articulated.ts";
import { type Equations, engagedParameterWriter, type FormulationName } from "../../dynamics/formulation.ts";
import { FORMULATIONS } from "../../dynamics/formulations.ts";
import { type ClosedLoops, closedLoops } from "../../dynamics/loops/multipliers/closed-loops.ts";
import type { Elimination } from "../../dynamics/loops/multipliers/loop-programs.ts";
import { compile, type Kernel, type Target } from "../../kernel/run/kernel.ts";
import { lazy } from "../../kernel/run/lazy.ts";
import { cachedPerOwner } from "../../kernel/run/program-cache.ts";
import { engagedParameterCount, engagedParameterTotal, withEngagedLoops } from "../../model/loops/engaged-loop-parameters.ts";
import type { Model } from "../../model/model.ts";
import type { Layout } from "./layout.ts";
import { loopMotionProgram } from "./motion-program.ts";

/** How each engaged loop was engaged: as the model declares it, or with parameters measured at the engagement. */
export type HeldLoops = ReadonlyMap<string, "declared" | readonly number[]>;

export interface LoopSet {
  /** The model with exactly these loops engaged. */
  readonly model: Model;
  /** Undefined if no loop is engaged. */
  readonly closed: ClosedLoops | undefined;
  readonly equations: () => Equations;
  /** The whole motion in one kernel (see loopMotionProgram); undefined if `articulated` has no pivot order for the loops. */
  readonly motion: () => Kernel | undefined;
}

export interface LoopSets {
  readonly held: HeldLoops;
  /** The set of the loops that are engaged now. */
  readonly current: LoopSet;
  /** Engages exactly these loops. */
  hold(loops: HeldLoops): void;
  /** Start of a run: engages the loops of the model, and drops everything that depends on earlier states. */
  begin(): void;
  /** The set for these loops, without engaging them. */
  setFor(loops: HeldLoops): LoopSet;
}

export function loopSets(layout: Layout, formulation: FormulationName, target: { readonly target: Target }): LoopSets {
  const { model } = layout;
  const wrenches = layout.frames.map((f) => f.name);
  const sets = new Map<string, LoopSet & { readonly parameters: Float64Array }>();

  const setFor = (loops: HeldLoops): LoopSet => {
    const kinds = new Map([...loops].map(([name, kind]) => [name, kind === "declared" ? kind : ("found" as const)]));
    const isModel = model.loops.length === kinds.size && model.loops.every(({ name }) => kinds.get(name) === "declared");
    const engagedModel = isModel
      ? model
      : cachedPerOwner(model, `loops ${JSON.stringify([...kinds])}`, () => withEngagedLoops(model, kinds));
    const key = JSON.stringify(engagedModel.loops.map((loop) => [loop.name, loop.heldAsFound === true]));
    let set = sets.get(key);
    if (set === undefined) {
      const parameters = new Float64Array(engagedParameterTotal(engagedModel));
      const options = { ...target, engagedParameters: parameters };
      const closed = engagedModel.loops.length > 0 ? closedLoops(engagedModel, wrenches, options) : undefined;
      set = {
        model: engagedModel,
        parameters,
        closed,
        motion: formulation === "articulated" && closed ? loopMotion(layout, engagedModel, closed, options) : () => undefined,
        equations: lazy(() =>
          formulation === "articulated" && closed
            ? articulated.derive(engagedModel, { wrenches, ...options, closedLoops: closed })
            : FORMULATIONS[formulation].derive(engagedModel, { wrenches, ...options }),
        ),
      };
      sets.set(key, set);
    }
    let first = 0;
    for (const loop of engagedModel.loops) {
      const values = loops.get(loop.name);
      if (engagedParameterCount(loop) > 0) set.parameters.set(values as readonly number[], first);
      first += engagedParameterCount(loop);
    }
    return set;
  };

  const declared = (): HeldLoops => new Map(model.loops.map(({ name }) => [name, "declared"]));
  let hasRun = false;
  let held = declared();
  let current = setFor(held);
  return {
    get held() {
      return held;
    },
    get current() {
      return current;
    },
    hold(loops) {
      current = setFor(loops);
      held = new Map(loops);
    },
    begin() {
      // Formulations other than the articulated one keep pivots, ranks and choices from the states of earlier runs.
      if (hasRun && formulation !== "articulated") sets.clear();
      hasRun = true;
      held = declared();
      current = setFor(held);
    },
    setFor,
  };
}

/** Kernel of the motion with loops, with the loop parameters written to its inputs. Compiled again when the pivot order changes. */
function loopMotion(
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
