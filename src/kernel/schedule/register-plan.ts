/**
 * Which values of a chunk are kept, and which are given up. Compilers take straight-line code for a heap of operations, put it in an order
 * of their own and then have far more values alive at a time than registers. So it is decided here: when there are too many, the one
 * goes that is needed last [Belady 1966]. It has been stored as soon as it was known, which also settles when it is computed.
 */

export interface RegisterPlan {
  /** For each step, the values that are given up before it. */
  readonly droppedBefore: readonly (readonly number[])[];
  /** All of them: what is not an input needs a place in memory. */
  readonly spilled: ReadonlySet<number>;
}

const NO_VALUES: readonly number[] = [];

/** Simulates the steps of a chunk, given what each reads and computes, with so many registers. */
export function planRegisters(
  reads: readonly (readonly number[])[],
  computes: readonly (readonly number[])[],
  registers: number,
): RegisterPlan {
  if (registers === Number.POSITIVE_INFINITY) return { droppedBefore: reads.map(() => NO_VALUES), spilled: new Set() };
  const nextReads = nextReadLookup(reads);
  const kept = new Map<number, number>(); // value -> the next step that reads it
  const dropped: number[][] = reads.map(() => []);
  const spilled = new Set<number>();
  reads.forEach((operands, step) => {
    for (const values of [operands, computes[step]!]) {
      for (const value of values) {
        const next = nextReads(value, step);
        if (next === undefined) kept.delete(value);
        else kept.set(value, next);
      }
    }
    while (kept.size > registers) {
      const last = valueNeededLast(kept);
      kept.delete(last);
      spilled.add(last);
      dropped[step + 1]!.push(last);
    }
  });
  return { droppedBefore: dropped, spilled };
}

function valueNeededLast(kept: ReadonlyMap<number, number>): number {
  let last = -1;
  let furthest = -1;
  for (const [value, next] of kept) if (next > furthest) [last, furthest] = [value, next];
  return last;
}

/** A function of value and step: the next step that reads the value. Steps must be asked for in order. */
function nextReadLookup(reads: readonly (readonly number[])[]): (value: number, step: number) => number | undefined {
  const coming = new Map<number, { readonly steps: number[]; at: number }>();
  reads.forEach((operands, step) => {
    for (const value of operands) {
      const known = coming.get(value);
      if (known) known.steps.push(step);
      else coming.set(value, { steps: [step], at: 0 });
    }
  });
  return (value, step) => {
    const ahead = coming.get(value);
    if (!ahead) return undefined;
    while (ahead.steps[ahead.at]! <= step) ahead.at++;
    return ahead.steps[ahead.at];
  };
}
