/**
 * Kernels that eliminate in one pivot order: that of the numbers of the first state, until it has not suited for many states on end.
 */
import type { Kernel } from "../../../kernel/run/kernel.ts";
import type { SymmetricOrder } from "../../../math/linear/symmetric-order.ts";

/**
 * How large `growth` (see traced-ldl.ts) may be. Rounding grows as much at worst: unrefined solutions keep twelve digits; and a step of
 * refinement gives back up to eight.
 */
export const MAX_GROWTH = { plain: 1e4, refined: 1e8 } as const;
/**
 * Eliminations of fewer multiplications than this are refined always. Larger ones are not: where numbers ask for it, accelerations are found
 * by another kernel, and refined there; small machines, over in milliseconds, would be slower to make it than they gain.
 */
const SMALL_ELIMINATION = 500;

/** How the kernel of a motion solves for accelerations. */
export const accuracyFor = ({ work }: SymmetricOrder): keyof typeof MAX_GROWTH =>
  work < SMALL_ELIMINATION ? "refined" : "plain";

/** States on end that the order may not suit before another is compiled: twice as many each time. */
const MIN_MISSES = 256;
/** Longer eliminations, of machines with long chains, are not worth compiling: the code would be slower to make than to do without. */
export const MAX_ELIMINATIONS = 20_000;

/** What the last output of a kernel is below where its pivot order suits. */
export const SUITABLE_BELOW = 1;

/** Whether the pivot order of a kernel still suits the numbers: its last output says so. */
export const isOrderSuitable = (y: Float64Array, last: number): boolean => y[last]! < SUITABLE_BELOW;

/** A kernel for one pivot order: that of the first state, until it has not suited for many states on end. Compiled when first used. */
export function pivotOrderKernel(make: (order: SymmetricOrder) => Kernel) {
  let order: SymmetricOrder | undefined;
  let kernel: Kernel | undefined;
  let patience = 1;
  let misses = 0;
  return {
    get order() {
      return order;
    },
    get kernel() {
      if (order) kernel ??= make(order);
      return kernel;
    },
    suited(): void {
      misses = 0;
    },
    /** The order did not suit, or there is none: another is looked for when this has gone on for long. */
    missed(find: () => SymmetricOrder | undefined): void {
      if (++misses < patience) return;
      misses = 0;
      patience = Math.max(MIN_MISSES, 2 * patience);
      const found = find();
      if (!found) return;
      order = found;
      kernel = undefined;
    },
  };
}
