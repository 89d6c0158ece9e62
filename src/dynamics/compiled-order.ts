/**
 * Kernels that eliminate in one pivot order: that of the numbers of the first state, until it has not suited for many states on end.
 */
import type { Kernel } from "../kernel/kernel.ts";
import type { PivotOrder } from "../math/markowitz.ts";

/** Beyond these the compiled pivot order is left, as in sparse-lu.ts: multipliers, and pivots against what they were. */
const LARGEST_MULTIPLIER = 1e4;
const SHRUNK = 1e-4;
/** States on end that the order may not suit before another is compiled: twice as many each time. */
const PATIENCE = 256;
/** Longer eliminations, of machines with long chains, are not worth compiling: the code would be slower to make than to do without. */
const MOST_ELIMINATIONS = 20_000;

/** What the last two outputs of a kernel are below and above where its pivot order suits. */
export const SUITED = { below: LARGEST_MULTIPLIER, above: SHRUNK } as const;

/** Whether the pivot order of a kernel still suits the numbers: its last two outputs say so. */
export const suits = (y: Float64Array, first: number): boolean => y[first]! < SUITED.below && y[first + 1]! > SUITED.above;

/** A kernel for one pivot order: that of the first state, until it has not suited for many states on end. Compiled when first used. */
export function compiledOrder(make: (order: PivotOrder) => Kernel) {
  let order: PivotOrder | undefined;
  let kernel: Kernel | undefined;
  let patience = 1;
  let missed = 0;
  return {
    get order() {
      return order;
    },
    get kernel() {
      if (order) kernel ??= make(order);
      return kernel;
    },
    suited(): void {
      missed = 0;
    },
    /** The system has been solved without the kernel. */
    solved(find: () => PivotOrder | undefined): void {
      if (++missed < patience) return;
      missed = 0;
      patience = Math.max(PATIENCE, 2 * patience);
      const found = find();
      if (!found || found.rank < found.rows.length || eliminations(found) > MOST_ELIMINATIONS) return;
      order = found;
      kernel = undefined;
    },
  };
}

/** Multiplications of an elimination in this order. */
const eliminations = ({ below, right }: PivotOrder): number =>
  below.reduce((sum, rows, k) => sum + rows.length * right[k]!.length, 0);
