/**
 * The minimal mode of the paper: dependent coordinates and speeds from the independent ones, block by block, so that the dependents of
 * driving blocks are known first. Chains with a closed form use it; all others use Newton (9), with one step more than seems necessary.
 */

import { SingularError } from "../../errors.ts";
import type { ChainName } from "../../model/loop.ts";
import { coordinateNames, type Model } from "../../model/model.ts";
import { refuseSaved, savedEntries, takeSaved } from "../../saved-data.ts";
import { stepPlanner } from "./dependent-steps.ts";
import { newtonSolver } from "./newton-coordinates.ts";
import type { PartitionChoice } from "./partition-stages.ts";
import { type PartitionedLoops, type PartitionOptions, partitionedLoops } from "./partitioned-loops.ts";
import { MIN_IMPROVEMENT } from "./reduction-chooser.ts";

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
  /** Choices made at earlier states as plain data that structuredClone accepts, a fresh copy. */
  save(): unknown;
  /** Takes over saved choices: what follows has the same bits as what followed the save. @throws FormatError if they do not fit. */
  restore(saved: unknown, path?: string): void;
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
/** Loops with a larger residual, in metres or radians, are not closed. */
const CLOSED_RESIDUAL = 1e-8;

/** Chooses the dependents at q, where the loops must be nearly closed. */
export function dependentCoordinates(
  model: Model,
  t: number,
  q: Float64Array,
  options: CoordinateOptions = {},
): DependentCoordinates {
  const loops = partitionedLoops(model, { ...options, rechoose: "never" });
  loops.closingStep(t, q, new Float64Array(model.nu));
  return coordinatesOf(model, loops, options);
}

/** Dependent coordinates that continue saved ones. @throws FormatError if the data does not fit the model. */
export function restoredCoordinates(
  model: Model,
  saved: unknown,
  options: CoordinateOptions = {},
  path = "coordinates",
): DependentCoordinates {
  const coordinates = coordinatesOf(model, partitionedLoops(model, { ...options, rechoose: "never" }), options);
  coordinates.restore(saved, path);
  return coordinates;
}

function coordinatesOf(model: Model, loops: PartitionedLoops, options: CoordinateOptions): DependentCoordinates {
  const target = options.target ?? "wasm";
  const planSteps = stepPlanner(model, target, options.method ?? "closed form");
  const solveByNewton = newtonSolver(model, loops, target);
  const scratch = new Float64Array(model.nu);
  let steps = loops.current ? planSteps(loops.current.choice) : [];
  const switchGrowth = options.switchGrowth ?? MINIMAL_SWITCH_GROWTH;
  let switchAt = switchGrowth;
  let orientation = loops.current?.orientation ?? 0;

  return {
    loops,
    get methods() {
      return steps.map((s) => s.method);
    },
    get steps() {
      return steps;
    },
    rechoose(time, position) {
      const { growth, orientation: presentOrientation, choice } = loops.current!;
      if (switchGrowth === Number.POSITIVE_INFINITY && presentOrientation * orientation < 0) throw deadPoint(model, choice, time);
      if (growth <= switchGrowth) switchAt = switchGrowth;
      if (growth <= switchAt) return false;
      loops.discardChoice();
      loops.closingStep(time, position, scratch);
      steps = planSteps(loops.current!.choice);
      switchAt = Math.max(switchGrowth, MIN_IMPROVEMENT * loops.current!.growth);
      orientation = loops.current!.orientation;
      return true;
    },
    solve(time, position) {
      const pending = new Set<number>();
      for (const { chain, dependents } of steps) {
        if (!chain) for (const u of dependents) pending.add(u);
        else {
          if (pending.size > 0) solveByNewton(time, position, pending);
          pending.clear();
          chain.target.x.set(position);
          chain.target.evaluate();
          chain.solve(chain.target.y, position);
        }
      }
      if (pending.size > 0) solveByNewton(time, position, pending);
      const worst = loops.closingStep(time, position, scratch);
      if (!(worst < CLOSED_RESIDUAL)) throw new SingularError(`${model.name}: the loops are open by ${worst} at t = ${time}`);
    },
    save: () => ({ loops: loops.save(), limits: { switchAt, orientation } }),
    restore(saved, path = "coordinates") {
      const entries = savedEntries(saved, ["loops", "limits"], path);
      const limits = { switchAt: 0, orientation: 0 };
      takeSaved(limits, entries.limits, `${path}.limits`);
      const { choice } = savedEntries(entries.loops, ["choice", "scales", "last", "limits"], `${path}.loops`);
      if (choice === null) refuseSaved(`${path}.loops.choice`, "must be a choice of dependents", choice);
      loops.restore(entries.loops, `${path}.loops`);
      steps = planSteps(loops.current!.choice);
      ({ switchAt, orientation } = limits);
    },
    solveSpeeds: (time, position, u) => loops.completeSpeeds(time, position, u),
  };
}

function deadPoint(model: Model, { independents }: PartitionChoice, t: number): SingularError {
  const names = independents.map((u) => coordinateNames(model).u[u]!).join(", ");
  return new SingularError(
    `${model.name}: before t = ${t} a dead point was passed, in which ${names} do not determine the other coordinates: allow other dependents to be chosen`,
  );
}
