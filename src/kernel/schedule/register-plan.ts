/**
 * Chooses which values of a chunk stay in registers. Compilers reorder straight-line code and then have far more live values than
 * registers. So the choice is made here: if there are too many values, the one whose next use is furthest away is dropped [Belady 1966]. It
 * was stored in memory when it was computed, which also fixes the order of the computation.
 */

export interface RegisterPlan {
  /** For each step: the values that are dropped before it. */
  readonly droppedBefore: readonly (readonly number[])[];
  /** All dropped values. Those that are not inputs need a scratch slot. */
  readonly spilled: ReadonlySet<number>;
}

const NO_VALUES: readonly number[] = [];

/** Simulates the steps of a chunk with a number of registers, given the values that each step reads and computes. */
export function planRegisters(
  reads: readonly (readonly number[])[],
  computes: readonly (readonly number[])[],
  registers: number,
): RegisterPlan {
  const droppedBefore: (readonly number[])[] = reads.map(() => NO_VALUES);
  if (registers === Number.POSITIVE_INFINITY) return { droppedBefore, spilled: new Set() };
  const next = nextReads(reads, computes);
  const held: number[] = []; // values in registers
  const nextStep: number[] = []; // for each of them the next step that reads it
  const spilled = new Set<number>();
  reads.forEach((operands, step) => {
    let n = 0;
    for (const values of [operands, computes[step]!]) {
      for (const value of values) {
        const following = next[step]![n++]!;
        const k = held.indexOf(value);
        if (following < 0) {
          if (k >= 0) removeAt(held, nextStep, k);
        } else if (k >= 0) nextStep[k] = following;
        else {
          held.push(value);
          nextStep.push(following);
        }
      }
    }
    if (held.length <= registers) return;
    const dropped: number[] = [];
    while (held.length > registers) {
      const furthest = indexOfLargest(nextStep);
      dropped.push(held[furthest]!);
      spilled.add(held[furthest]!);
      removeAt(held, nextStep, furthest);
    }
    droppedBefore[step + 1] = dropped;
  });
  return { droppedBefore, spilled };
}

/** Keeps the order of the others: of several values with the same next read, the one that was held first is dropped. */
function removeAt(held: number[], nextStep: number[], k: number): void {
  held.splice(k, 1);
  nextStep.splice(k, 1);
}

function indexOfLargest(values: readonly number[]): number {
  let largest = 0;
  for (let k = 1; k < values.length; k++) if (values[k]! > values[largest]!) largest = k;
  return largest;
}

/** For each step, and each value that it reads or computes: the next step that reads the value, or -1. */
function nextReads(reads: readonly (readonly number[])[], computes: readonly (readonly number[])[]): number[][] {
  const nextOf = new Map<number, number>();
  const next: number[][] = new Array(reads.length);
  for (let step = reads.length - 1; step >= 0; step--) {
    const following: number[] = [];
    for (const values of [reads[step]!, computes[step]!]) for (const value of values) following.push(nextOf.get(value) ?? -1);
    next[step] = following;
    for (const value of reads[step]!) nextOf.set(value, step);
  }
  return next;
}
