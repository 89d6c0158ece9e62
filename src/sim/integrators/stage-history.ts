/**
 * Stage derivatives of the last steps of a collocation method. The polynomial through them, continued into the next step, is a start
 * for its iteration that is better by several digits than the collocation polynomial of one step alone.
 */
import { lagrangeWeights } from "./lagrange.ts";

export interface StageHistory {
  /** Stage derivatives of the step at work, to be written. */
  readonly stages: readonly Float64Array[];
  /** Stage derivatives of the last kept step. */
  readonly kept: readonly Float64Array[];
  /** Fills `stages` for a step of size h that follows the last; false if nothing is known of the past. */
  predict(h: number): boolean;
  /** Takes `stages` as those of an accepted step of size h. */
  keep(h: number): void;
  forget(): void;
}

/** Steps remembered. */
const DEPTH = 2;
/** A step so much longer than the last is too far from it. */
const FARTHEST = 2;

export function stageHistory(times: Float64Array, n: number): StageHistory {
  const s = times.length;
  const rows = Array.from({ length: (DEPTH + 1) * s }, () => new Float64Array(n));
  /** Row of stage i of the step at work, of the last, of the one before. */
  const steps = Array.from({ length: DEPTH + 1 }, (_, j) => rows.slice(j * s, (j + 1) * s));
  const sizes = new Float64Array(DEPTH);
  const nodes = new Float64Array(DEPTH * s);
  const weights = new Float64Array(s * DEPTH * s);
  let known = 0;
  let weightsFor = Number.NaN;

  /** Weights of all known stages for each stage of the next step, time measured from the end of the last step. */
  function setWeights(h: number): void {
    let end = 0;
    for (let j = 0; j < known; j++) {
      const size = sizes[j]!;
      for (let i = 0; i < s; i++) nodes[j * s + i] = end + (times[i]! - 1) * size;
      end -= size;
    }
    for (let i = 0; i < s; i++) lagrangeWeights(nodes, known * s, times[i]! * h, weights, i * DEPTH * s);
    weightsFor = h;
  }

  return {
    get stages() {
      return steps[0]!;
    },
    get kept() {
      return steps[1]!;
    },
    predict(h) {
      if (known === 0 || h > FARTHEST * sizes[0]!) return false;
      if (h !== weightsFor) setWeights(h);
      for (let i = 0; i < s; i++) {
        const out = steps[0]![i]!;
        out.fill(0);
        for (let j = 0; j < known; j++)
          for (let k = 0; k < s; k++) {
            const weight = weights[i * DEPTH * s + j * s + k]!;
            const row = steps[j + 1]![k]!;
            for (let c = 0; c < n; c++) out[c]! += weight * row[c]!;
          }
      }
      return true;
    },
    keep(h) {
      const oldest = steps[DEPTH]!;
      for (let j = DEPTH; j > 0; j--) steps[j] = steps[j - 1]!;
      steps[0] = oldest;
      for (let j = DEPTH - 1; j > 0; j--) {
        if (sizes[j] !== sizes[j - 1]) weightsFor = Number.NaN;
        sizes[j] = sizes[j - 1]!;
      }
      if (sizes[0] !== h || known < DEPTH) weightsFor = Number.NaN;
      sizes[0] = h;
      known = Math.min(known + 1, DEPTH);
    },
    forget() {
      known = 0;
      weightsFor = Number.NaN;
    },
  };
}
