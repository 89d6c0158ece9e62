/** Modes of a machine about a state, with the dominant freedoms of each and remarks about the state: for `castor modes` and the studio. */
import { checkName } from "../../arguments.ts";
import type { Springs } from "../../model/elastic/springs.ts";
import type { Model } from "../../model/model.ts";
import { createSystem } from "../../sim/create-system.ts";
import { type Assembly, type AssemblyOptions, assemble } from "../../sim/system/assembly.ts";
import type { ForceElement } from "../../sim/system/force-element.ts";
import { checkAnalysis } from "../check-analysis.ts";
import { elasticAccuracy } from "../elastic-accuracy.ts";
import { equilibriumNear } from "../equilibrium.ts";
import { type Linearisation, type LineariseOptions, lineariser } from "../linearise.ts";
import { movingStates } from "../moving-states.ts";
import { dominantFreedoms, energyShares } from "./mode-shares.ts";
import { type Mode, type ModesOptions, modesOf } from "./modes.ts";

export interface ModalOptions extends LineariseOptions, ModesOptions, AssemblyOptions {
  /** "rest": about the equilibrium near the state, without its speeds. */
  readonly about?: "state" | "rest";
}

export interface ModalAnalysis {
  readonly linear: Linearisation;
  readonly modes: readonly Mode[];
  /** For each mode the freedoms with the largest share of kinetic energy: "rod-2 58 %, rod-3 38 %". */
  readonly mostly: readonly string[];
  /** Largest unbalanced force at the state, N or N m; 0 if it rests or moves steadily. */
  readonly imbalance: number;
  /** True if the state has speeds. */
  readonly moving: boolean;
  /** Coordinates and speeds that were changed to close the loops, largest change first. */
  readonly moved: Assembly["moved"];
}

/** @throws SingularError if it cannot be linearised; ModelError for a lock with an unknown name or a loop that cannot be closed. */
export function modalAnalysis(model: Model, forces: readonly ForceElement[], options: ModalOptions = {}): ModalAnalysis {
  checkAnalysis(model, forces, options, ["q", "u", "t", "z", "locked", "count", "about", "hold", "keep"]);
  const { about = "state", count, hold = [], keep = {}, ...stateOptions } = options;
  checkName("options.about", about, ["state", "rest"], "choice");
  const analyse = (u: LineariseOptions): Linearisation =>
    about === "rest" ? equilibriumNear(model, forces, u).linear : lineariseAt(model, forces, u);
  const atState = lineariseAt(model, forces, stateOptions);
  const state = isClosed(atState) ? undefined : assembledState(atState, forces, { hold, keep });
  const linear = about === "rest" || state ? analyse({ ...stateOptions, ...state }) : atState;
  const modes = modesOf(linear, count === undefined ? {} : { count });
  return {
    linear,
    modes,
    mostly: modes.map((mode) => dominantFreedoms(model, energyShares(linear, mode))),
    imbalance: largestImbalance(linear),
    moving: linear.u.some((v) => v !== 0),
    moved: state?.moved ?? [],
  };
}

const lineariseAt = (model: Model, forces: readonly ForceElement[], { q, u, t, z, locked }: LineariseOptions): Linearisation =>
  lineariser(model, forces, locked).at(q, u, t, z);

/** Tolerance of closed loops: m or rad, and their rates. */
const CLOSED = 1e-9;

const isClosed = ({ misfit, opening }: Linearisation): boolean =>
  misfit.every((v) => Math.abs(v) <= CLOSED) && opening.every((v) => Math.abs(v) <= CLOSED);

/** Start state of a run: the nearest state in which the loops are closed. */
function assembledState({ model, q, u, t }: Linearisation, forces: readonly ForceElement[], options: AssemblyOptions) {
  const system = createSystem(model, forces);
  const { state, moved } = assemble(system, system.start({ q, u, t }), options);
  const { y } = state;
  return { q: y.slice(0, model.nq), u: y.slice(model.nq, model.nq + model.nu), moved };
}

/** Remarks about the modes and the state, in words. */
export function modalRemarks(
  { linear, imbalance, moving, modes, moved: [first] }: ModalAnalysis,
  advice: { readonly rest: string; readonly held: string },
): readonly string[] {
  const drifting = driftingStates(linear);
  const forces = `unbalanced forces up to ${Number(imbalance.toPrecision(2))} N or N m`;
  return [
    ...(linear.m === 0 ? ["No freedom is left: nothing moves."] : []),
    ...(modes.length >= Math.max(1, linear.m) && modes.every(({ kind }) => kind === "rigid")
      ? ["Nothing vibrates: there is no restoring force."]
      : []),
    ...(first && fourDigits(first.from) !== fourDigits(first.to)
      ? [`Loops were closed first, as in a run: ${first.name} changed from ${fourDigits(first.from)} to ${fourDigits(first.to)}.`]
      : []),
    ...(imbalance > 0 && !moving ? [`Not at rest there: ${forces}. ${advice.rest}`] : []),
    ...(imbalance > 0 && moving ? [`Not in steady motion there: ${forces}. The modes are those of that instant.`] : []),
    ...linear.model.springs.flatMap(accuracyRemark),
    ...(drifting.length > 0 ? [`Internal states of force elements change there: ${drifting.join(", ")}.`] : []),
    ...(linear.leftOut.length > 0
      ? [`Left out, because their laws are numeric: ${linear.leftOut.join(", ")}. ${advice.held}`]
      : []),
  ];
}

/** Accuracy of an elastic body, in words: what its number of joints is good for. */
function accuracyRemark({ name, joints, elastic }: Springs): readonly string[] {
  const accuracies = elastic === undefined ? [] : elasticAccuracy(elastic);
  if (accuracies.length === 0) return [];
  const percent = (error: number): string =>
    Math.abs(error) < 5e-5 ? "exact" : `${error > 0 ? "+" : ""}${Number((100 * error).toPrecision(2))} %`;
  const errors = accuracies.map(({ freedom, errors }) => `${freedom} ${errors.map(percent).join(", ")}`);
  return [
    `Errors of the first frequencies of ${name} alone, clamped, with ${joints.length} ${joints.length === 1 ? "joint" : "joints"}: ${errors.join("; ")}.`,
  ];
}

/** Internal states that take part in the motion and are not steady. */
const driftingStates = (linear: Linearisation): readonly string[] => {
  const { names, rates } = movingStates(linear);
  return names.filter((_, i) => Math.abs(rates[i]!) > STILL);
};

const fourDigits = (x: number): string => String(Number(x.toPrecision(4)));

/** Relative rounding of a stiffness, and the size of displacements that count as zero. */
const ROUNDING = 1e-15;
const STILL = 1e-9;

/** Largest unbalanced force. Forces that a displacement of rounding size would balance are ignored: stiff joints have such forces of any size. */
function largestImbalance({ imbalance, stiffness, m }: Linearisation): number {
  const rows = Array.from(imbalance, (_, i) => {
    let most = 0;
    for (let j = 0; j < m; j++) most = Math.max(most, Math.abs(stiffness[i * m + j]!));
    return most;
  });
  const largest = Math.max(0, ...rows);
  return imbalance.reduce((worst, force, i) => {
    const size = Math.abs(force);
    return size > STILL * rows[i]! + ROUNDING * largest && size > worst ? size : worst;
  }, 0);
}
