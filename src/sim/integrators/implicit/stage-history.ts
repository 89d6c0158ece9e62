/**
 * Stage derivatives of the last two steps of a three-stage collocation method. The polynomial of degree 5 through them, extrapolated into
 * the next step, starts its iteration. This saves one evaluation of all stages compared with the collocation polynomial of one step. Three
 * steps would amplify round-off more than they save.
 */
import { checkSavedInteger, takeSaved } from "../../../saved-data.ts";
import { lagrangeWeights } from "./lagrange.ts";

export interface StageHistory {
  /** Stage derivatives of the present step, to be written. */
  readonly stages: readonly Float64Array[];
  /** Stage derivatives of the last kept step. */
  readonly kept: readonly Float64Array[];
  /** Extrapolates `stages` for a step of size h that follows the last one. False if there is no suitable history. */
  predict(h: number): boolean;
  /** Keeps `stages` as those of an accepted step of size h. */
  keep(h: number): void;
  forget(): void;
  /** The kept steps. */
  save(): unknown;
  restore(saved: unknown): void;
}

/** Largest ratio of a step to the one before for which extrapolation is used. */
const LARGEST_STRETCH = 2;

export function stageHistory(times: Float64Array, n: number): StageHistory {
  const three = (): readonly Float64Array[] => [new Float64Array(n), new Float64Array(n), new Float64Array(n)];
  let stages = three();
  /** Stages and sizes of the last step and of the one before, and the number of steps that are known. */
  const memory = { kept: three(), older: three(), size: 0, olderSize: 0, known: 0 };
  const nodes = new Float64Array(6);
  /** For each stage of the next step: weights of the three last and of the three older stages. */
  const weights = new Float64Array(18);
  let weightsFor = Number.NaN;

  /** Computes the weights for a step of size h. Time is measured from the end of the last step. */
  function setWeights(h: number): void {
    const { size, olderSize, known } = memory;
    for (let i = 0; i < 3; i++) {
      nodes[i] = (times[i]! - 1) * size;
      nodes[3 + i] = (times[i]! - 1) * olderSize - size;
    }
    for (let i = 0; i < 3; i++) lagrangeWeights(nodes, 3 * known, times[i]! * h, weights, 6 * i);
    weightsFor = h;
  }

  return {
    get stages() {
      return stages;
    },
    get kept() {
      return memory.kept;
    },
    predict(h) {
      const { kept, older, size, known } = memory;
      if (known === 0 || h > LARGEST_STRETCH * size) return false;
      if (h !== weightsFor) setWeights(h);
      for (let i = 0; i < 3; i++) {
        stages[i]!.fill(0);
        addWeighted(stages[i]!, kept, weights, 6 * i);
        if (known === 2) addWeighted(stages[i]!, older, weights, 6 * i + 3);
      }
      return true;
    },
    keep(h) {
      const { kept, older, size, olderSize, known } = memory;
      memory.older = kept;
      memory.kept = stages;
      stages = older;
      if (known < 2 || size !== h || olderSize !== size) weightsFor = Number.NaN;
      memory.olderSize = size;
      memory.size = h;
      memory.known = Math.min(known + 1, 2);
    },
    forget() {
      memory.known = 0;
      weightsFor = Number.NaN;
    },
    save: () => structuredClone(memory),
    restore(saved) {
      takeSaved(memory, saved, "stage history");
      checkSavedInteger(memory.known, 0, 2, "stage history.known");
      weightsFor = Number.NaN; // computed again from the same sizes, with the same bits
    },
  };
}

function addWeighted(out: Float64Array, rows: readonly Float64Array[], weights: Float64Array, at: number): void {
  const a = rows[0]!;
  const b = rows[1]!;
  const c = rows[2]!;
  const wa = weights[at]!;
  const wb = weights[at + 1]!;
  const wc = weights[at + 2]!;
  for (let i = 0; i < out.length; i++) out[i]! += wa * a[i]! + wb * b[i]! + wc * c[i]!;
}
