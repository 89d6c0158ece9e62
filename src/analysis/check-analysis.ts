/** Checks of arguments that several analyses have in common. */
import { checkMembers, checkNames, checkNumber, checkOptions } from "../arguments.ts";
import { checkCoordinates, checkSpeeds } from "../model/check-state.ts";
import { checkModel, type Model } from "../model/model.ts";
import { checkElements } from "../sim/system/system.ts";

/** Options of an analysis at a state, before they are checked. */
interface AnalysisOptions {
  readonly q?: unknown;
  readonly u?: unknown;
  readonly t?: unknown;
  readonly z?: unknown;
  readonly locked?: unknown;
}

/** Checks the arguments of analyses of a model under forces. @throws ArgumentError */
export function checkAnalysis(model: Model, forces: unknown, options: AnalysisOptions, known: readonly string[]): void {
  checkModel(model);
  checkElements("forces", forces);
  checkOptions("options", options, known);
  const { q, u, t, locked } = options;
  if (q !== undefined) checkCoordinates("options.q", q, model);
  if (u !== undefined) checkSpeeds("options.u", u, model);
  if (t !== undefined) checkNumber("options.t", t);
  if (locked !== undefined) checkNames("options.locked", locked, "names of hinges and freedoms");
}

/** @throws ArgumentError if `linear` is not a linearisation */
export const checkLinearisation = (linear: unknown): void =>
  checkMembers("linear", linear, ["model", "basis", "mass", "stiffness"], "a linearisation, as linearise returns it");
