/** What a step of Radau IIA needs from the steps before it, besides the Jacobian and the step size control. */
import { checkSavedFinite, refuseSaved, takeSaved } from "../../../saved-data.ts";
import { type StageVectors, stageVectors } from "./radau-transform.ts";

const START_RATES = ["unknown", "exact", "polynomial"] as const;

export interface RadauMemory {
  /** Z of the last accepted step. */
  readonly past: StageVectors;
  /** f(t, y): exactly, or from the last collocation polynomial, as `startRate` says. */
  readonly f0: Float64Array;
  startRate: (typeof START_RATES)[number];
  /** A step has been made since the last restart. */
  begun: boolean;
  /** Size of the first step after a restart; NaN: to be estimated. */
  firstStep: number;
  jacobianKnown: boolean;
  jacobianFresh: boolean;
  /** Step for which the matrices are factored; NaN if they are not. */
  factoredFor: number;
}

export const radauMemory = (n: number): RadauMemory => ({
  past: stageVectors(n),
  f0: new Float64Array(n),
  startRate: "unknown",
  begun: false,
  firstStep: Number.NaN,
  jacobianKnown: false,
  jacobianFresh: false,
  factoredFor: Number.NaN,
});

/** @throws FormatError if the data does not fit. */
export function restoreRadauMemory(memory: RadauMemory, saved: unknown, where: string): void {
  takeSaved(memory, saved, where);
  const { startRate, f0, factoredFor } = memory;
  if (!START_RATES.includes(startRate)) refuseSaved(`${where}.startRate`, `must be one of ${START_RATES.join(", ")}`, startRate);
  if (startRate !== "unknown") checkSavedFinite(f0, `${where}.f0`);
  if (!(Number.isNaN(factoredFor) || (factoredFor > 0 && memory.jacobianKnown)))
    refuseSaved(`${where}.factoredFor`, "must be positive, or NaN without a Jacobian", factoredFor);
}
