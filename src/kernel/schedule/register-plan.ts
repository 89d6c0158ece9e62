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
  if (registers === Number.POSITIVE_INFINITY) return { droppedBefore: reads.map(() => NO_VALUES), spilled: new Set() };
  const nextReads = nextReadLookup(reads);
  const inRegister = new Map<number, number>(); // value -> next step that reads it
  const droppedBefore: number[][] = reads.map(() => []);
  const spilled = new Set<number>();
  reads.forEach((operands, step) => {
    for (const values of [operands, computes[step]!]) {
      for (const value of values) {
        const nextStep = nextReads(value, step);
        if (nextStep === undefined) inRegister.delete(value);
        else inRegister.set(value, nextStep);
      }
    }
    while (inRegister.size > registers) {
      const furthest = valueNeededLast(inRegister);
      inRegister.delete(furthest);
      spilled.add(furthest);
      droppedBefore[step + 1]!.push(furthest);
    }
  });
  return { droppedBefore, spilled };
}

/** The value whose next read is furthest away. */
function valueNeededLast(inRegister: ReadonlyMap<number, number>): number {
  let last = -1;
  let furthest = -1;
  for (const [value, nextStep] of inRegister) if (nextStep > furthest) [last, furthest] = [value, nextStep];
  return last;
}

/** Returns a function (value, step) -> next step that reads the value. Calls must have ascending steps. */
function nextReadLookup(reads: readonly (readonly number[])[]): (value: number, step: number) => number | undefined {
  const readsByValue = new Map<number, { readonly steps: number[]; next: number }>();
  reads.forEach((operands, step) => {
    for (const value of operands) {
      const entry = readsByValue.get(value);
      if (entry) entry.steps.push(step);
      else readsByValue.set(value, { steps: [step], next: 0 });
    }
  });
  return (value, step) => {
    const future = readsByValue.get(value);
    if (!future) return undefined;
    while (future.steps[future.next]! <= step) future.next++;
    return future.steps[future.next];
  };
}
