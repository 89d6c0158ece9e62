/**
 * The minimal mode of the paper: dependent coordinates and speeds from the independent ones, block by block, so that the dependents of
 * driving blocks are known first. Chains with a closed form use it; all others use Newton (9), with one step more than seems necessary.
 */

import { SingularError } from "../../errors.ts";
import { compile, type Kernel, type Target } from "../../kernel/run/kernel.ts";
import { trace } from "../../kernel/trace/program.ts";
import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import type { Chain } from "../../model/chains/chain.ts";
import { chainOf } from "../../model/chains/index.ts";
import type { ChainName } from "../../model/loop.ts";
import { coordinateNames, type Model, quaternionStarts } from "../../model/model.ts";
import { apply, IDENTITY, transpose } from "../../spatial/rotation.ts";
import { minus, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import { coordinateRates } from "../programs.ts";
import { framePose, placementsOfLinks } from "../tree/kinematics.ts";
import { linkTreeOf } from "../tree/link-tree.ts";
import type { LoopEntry } from "./loop-table.ts";
import { MIN_IMPROVEMENT, type PartitionedLoops, type PartitionOptions, partitionedLoops } from "./partitioned-loops.ts";

export interface DependentCoordinates {
  /** The partitioned loops. Their dependents change only by `rechoose`. */
  readonly loops: PartitionedLoops;
  /** Method of each block, in order: the name of a chain, or "Newton". */
  readonly methods: readonly (ChainName | "Newton")[];
  /** The methods with the dependent speeds of each block. */
  readonly steps: readonly { readonly method: ChainName | "Newton"; readonly dependents: readonly number[] }[];
  /** Computes the dependent coordinates from the independent ones, in place. The present values are the start, and select the assembly. */
  solve(t: number, q: Float64Array): void;
  /** Computes the dependent speeds from the independent ones, in place. */
  solveSpeeds(t: number, q: Float64Array, u: Float64Array): void;
  /** Chooses the dependents again at a state on the loops if others move them too far (see MINIMAL_SWITCH_GROWTH). Returns true if it did. */
  rechoose(t: number, q: Float64Array): boolean;
}

export interface CoordinateOptions extends Omit<PartitionOptions, "rechoose"> {
  /** "Newton" disables closed forms. */
  readonly method?: "closed form" | "Newton";
}

/**
 * If only the independent coordinates are integrated, accuracy is lost long before they are singular: where they move others 8 times as far,
 * the loss is a thousand times that of a good set [docs/docking-method.md]. So the switch is earlier than where all are integrated.
 */
const MINIMAL_SWITCH_GROWTH = 2;
const CONVERGED_STEP = 1e-9;
/** Loops with a larger residual, in metres or radians, are not closed. */
const CLOSED_RESIDUAL = 1e-8;
const MAX_NEWTON_STEPS = 30;

interface DependentStep {
  readonly method: ChainName | "Newton";
  readonly dependents: readonly number[];
  readonly chain?: ChainWithTarget;
}

/** A closed form, and the kernel of the target that it must reach. */
type ChainWithTarget = Chain & { readonly kind: ChainName; readonly speeds: readonly number[]; readonly target: Kernel };

/** Chooses the dependents at q, where the loops must be nearly closed. */
export function dependentCoordinates(
  model: Model,
  t: number,
  q: Float64Array,
  options: CoordinateOptions = {},
): DependentCoordinates {
  const target = options.target ?? "wasm";
  const loops = partitionedLoops(model, { ...options, rechoose: "never" });
  const rates = compile(coordinateRates(model), { target });
  const quaternions = quaternionStarts(model);
  const change = new Float64Array(model.nu);
  const chains = new Map<number, ChainWithTarget | undefined>();
  const chainAt = (k: number, entry: LoopEntry): ChainWithTarget | undefined => {
    if (!chains.has(k)) chains.set(k, chainFor(model, k, entry, target));
    return chains.get(k);
  };

  /** Chooses the dependents at a position, and the method of each block. */
  const plan = (time: number, at: Float64Array): readonly DependentStep[] => {
    loops.closingStep(time, at, change);
    const { choice } = loops.current!;
    const { blocks, loops: entries } = choice.table;
    const steps = blocks.flatMap((block): DependentStep[] => {
      const stages = choice.stages.filter((s) => s.dependents.some((u) => block.candidates.includes(u)));
      const dependents = stages.flatMap((s) => s.dependents);
      if (dependents.length === 0) return [];
      const only = block.loops.length === 1 ? block.loops[0]! : -1;
      const chain = options.method === "Newton" || only < 0 ? undefined : chainAt(only, entries[only]!);
      const isChain = chain?.speeds.length === dependents.length && dependents.every((u) => chain.speeds.includes(u));
      return [isChain ? { method: chain!.kind, dependents, chain: chain! } : { method: "Newton", dependents }];
    });
    const late = choice.stages.flatMap((s) => s.dependents).filter((u) => !steps.some((s) => s.dependents.includes(u)));
    return late.length > 0 ? [...steps, { method: "Newton", dependents: late }] : steps;
  };
  let steps = plan(t, q);
  const switchGrowth = options.switchGrowth ?? MINIMAL_SWITCH_GROWTH;
  let switchAt = switchGrowth;
  let orientation = loops.current!.orientation;

  const newton = (time: number, at: Float64Array, dependents: ReadonlySet<number>): void => {
    for (let step = 0, last = 0; last < 2; step++) {
      if (step === MAX_NEWTON_STEPS)
        throw new SingularError(`${model.name}: no position of the dependent bodies found at t = ${time}`);
      loops.closingStep(time, at, change);
      let largest = 0;
      for (let i = 0; i < change.length; i++) {
        if (!dependents.has(i)) change[i] = 0;
        largest = Math.max(largest, Math.abs(change[i]!));
      }
      if (!(largest < Number.POSITIVE_INFINITY)) throw new SingularError(`${model.name}: the loops are singular at t = ${time}`);
      if (largest < CONVERGED_STEP) last++;
      rates.x.set(at);
      rates.x.set(change, model.nq);
      rates.evaluate();
      for (let i = 0; i < at.length; i++) at[i]! += rates.y[i]!;
      for (const k of quaternions) {
        const size = 1 / hypotenuse(at[k]!, at[k + 1]!, at[k + 2]!, at[k + 3]!);
        for (let i = k; i < k + 4; i++) at[i]! *= size;
      }
    }
  };

  return {
    loops,
    get methods() {
      return steps.map((s) => s.method);
    },
    get steps() {
      return steps;
    },
    rechoose(time, at) {
      const { growth, orientation: now, choice } = loops.current!;
      if (switchGrowth === Number.POSITIVE_INFINITY && now * orientation < 0) {
        const names = choice.independents.map((u) => coordinateNames(model).u[u]!).join(", ");
        throw new SingularError(
          `${model.name}: before t = ${time} a dead point was passed, in which ${names} do not determine the other coordinates: let others be chosen`,
        );
      }
      if (growth <= switchGrowth) switchAt = switchGrowth;
      if (growth <= switchAt) return false;
      loops.discardChoice();
      steps = plan(time, at);
      switchAt = Math.max(switchGrowth, MIN_IMPROVEMENT * loops.current!.growth);
      orientation = loops.current!.orientation;
      return true;
    },
    solve(time, at) {
      const waiting = new Set<number>();
      for (const { chain, dependents } of steps) {
        if (!chain) for (const u of dependents) waiting.add(u);
        else {
          if (waiting.size > 0) newton(time, at, waiting);
          waiting.clear();
          chain.target.x.set(at);
          chain.target.evaluate();
          chain.solve(chain.target.y, at);
        }
      }
      if (waiting.size > 0) newton(time, at, waiting);
      const worst = loops.closingStep(time, at, change);
      if (!(worst < CLOSED_RESIDUAL)) throw new SingularError(`${model.name}: the loops miss by ${worst} at t = ${time}`);
    },
    solveSpeeds: (time, at, u) => loops.completeSpeeds(time, at, u),
  };
}

/** The closed form of a loop, with the kernel of the target point and axes. */
function chainFor(model: Model, k: number, entry: LoopEntry, target: Target): ChainWithTarget | undefined {
  const loop = model.loops[k]!;
  if (loop.type !== "frames" || loop.heldAsFound) return undefined; // the model does not contain the pose of a loop engaged as found
  const isM = loop.to.body === entry.terminal;
  const chain = chainOf(model, loop, isM ? "M" : "F");
  if (!chain) return undefined;
  const to = isM ? loop.from : loop.to;
  const program = trace(`${model.name} ${loop.name} target`, { q: model.nq }, ({ q }) => {
    const machine = linkTreeOf(model);
    const placed = placementsOfLinks(machine, q);
    const poseOf = (body: number, placement: typeof to.placement) =>
      body < 0 ? placement : framePose(machine, placed, { name: loop.name, body, placement });
    const own = poseOf(to.body, to.placement);
    const root = poseOf(entry.root!, { R: IDENTITY, p: ZERO3 as Vec3<number> });
    const inChain = (v: Vec3): Vec3 => apply(chain.axes, apply(transpose(root.R), v));
    const p = minus(inChain(minus(own.p, root.p)), apply(chain.axes, chain.origin));
    const columns = [0, 1, 2].map((j) => inChain([own.R[0][j]!, own.R[1][j]!, own.R[2][j]!]));
    return { y: [...p, ...[0, 1, 2].flatMap((i) => columns.map((column) => column[i]!))] };
  });
  return { ...chain, speeds: entry.candidates, target: compile(program, { target }) };
}
