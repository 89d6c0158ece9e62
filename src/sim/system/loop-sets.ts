/**
 * The equations of a system for each set of its loops that may hold: compiled when the set first holds, and kept. Numbers that loops
 * take where they are found are inputs, so that a set is compiled once wherever it takes hold.
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

/** How each loop that holds took hold: as the model declares it, or at the numbers that it found. */
export type HeldLoops = ReadonlyMap<string, "declared" | readonly number[]>;

export interface LoopSet {
  /** The model with exactly these loops holding. */
  readonly model: Model;
  /** Undefined where no loop holds. */
  readonly closed: ClosedLoops | undefined;
  readonly equations: () => Equations;
  /** The whole motion in one kernel (see loopMotionProgram), where `articulated` has an order of pivots for the loops. */
  readonly motion: () => Kernel | undefined;
}

export interface LoopSets {
  readonly held: HeldLoops;
  /** That of the loops that hold now. */
  readonly current: LoopSet;
  /** From now on these hold, and no others. */
  hold(loops: HeldLoops): void;
  /** A run begins: those of the model hold, and nothing is known of states before. */
  begin(): void;
  /** The set if these held, without holding them. */
  setFor(loops: HeldLoops): LoopSet;
}

export function loopSets(layout: Layout, formulation: FormulationName, target: { readonly target: Target }): LoopSets {
  const { model } = layout;
  const wrenches = layout.frames.map((f) => f.name);
  const made = new Map<string, LoopSet & { readonly found: Float64Array }>();

  const of = (loops: HeldLoops): LoopSet => {
    const ways = new Map([...loops].map(([name, way]) => [name, way === "declared" ? way : ("found" as const)]));
    const asModelled = model.loops.length === ways.size && model.loops.every(({ name }) => ways.get(name) === "declared");
    const own = asModelled
      ? model
      : cachedPerOwner(model, `loops ${JSON.stringify([...ways])}`, () => withEngagedLoops(model, ways));
    const key = JSON.stringify(own.loops.map((loop) => [loop.name, loop.heldAsFound === true]));
    let set = made.get(key);
    if (set === undefined) {
      const found = new Float64Array(engagedParameterTotal(own));
      const options = { ...target, found };
      const closed = own.loops.length > 0 ? closedLoops(own, wrenches, options) : undefined;
      set = {
        model: own,
        found,
        closed,
        motion: formulation === "articulated" && closed ? loopMotion(layout, own, closed, options) : () => undefined,
        equations: lazy(() =>
          formulation === "articulated" && closed
            ? articulated.derive(own, { wrenches, ...options, closedLoops: closed })
            : FORMULATIONS[formulation].derive(own, { wrenches, ...options }),
        ),
      };
      made.set(key, set);
    }
    let at = 0;
    for (const loop of own.loops) {
      const numbers = loops.get(loop.name);
      if (engagedParameterCount(loop) > 0) set.found.set(numbers as readonly number[], at);
      at += engagedParameterCount(loop);
    }
    return set;
  };

  const declared = (): HeldLoops => new Map(model.loops.map(({ name }) => [name, "declared"]));
  let hasRun = false;
  let held = declared();
  let current = of(held);
  return {
    get held() {
      return held;
    },
    get current() {
      return current;
    },
    hold(loops) {
      current = of(loops);
      held = new Map(loops);
    },
    begin() {
      // Others than the articulated formulation keep pivots, ranks and choices of the states that a run has come through.
      if (hasRun && formulation !== "articulated") made.clear();
      hasRun = true;
      held = declared();
      current = of(held);
    },
    setFor: of,
  };
}

/** Compiled anew where the order of pivots has changed; the numbers at which loops hold are in place. */
function loopMotion(
  layout: Layout,
  model: Model,
  closed: ClosedLoops,
  { target, found }: { readonly target: Target; readonly found: Float64Array },
): () => Kernel | undefined {
  const hold = engagedParameterWriter(found);
  let kernel: Kernel | undefined;
  let compiled: Elimination | undefined;
  return () => {
    const { elimination } = closed;
    if (elimination === undefined) return undefined;
    if (kernel === undefined || compiled !== elimination) {
      kernel = compile(loopMotionProgram(layout, model, elimination), { target });
      compiled = elimination;
    }
    hold(kernel.x);
    return kernel;
  };
}
