/**
 * A kernel that eliminates in one pivot order. The order suits the first state; another one replaces it after many unsuitable states in a
 * row.
 */
import { TraceError } from "../../../errors.ts";
import type { Kernel } from "../../../kernel/run/kernel.ts";
import { arraysEqual } from "../../../math/linear/array-equal.ts";
import type { SparsePattern } from "../../../math/linear/markowitz.ts";
import {
  restoredSymmetricOrder,
  type SymmetricOrder,
  savedSymmetricOrder,
  symmetricOrder,
} from "../../../math/linear/symmetric-order.ts";
import { checkSavedInteger, refuseSaved, savedEntries, takeSaved } from "../../../saved-data.ts";

/**
 * Upper limits of `growth` (see traced-ldl.ts). Rounding grows at most in proportion: unrefined solutions keep twelve digits, and one step
 * of refinement restores up to eight.
 */
export const MAX_GROWTH = { plain: 1e4, refined: 1e8 } as const;
/**
 * Eliminations with fewer multiplications than this are always refined. Larger ones are not refined in the kernel of the motion: if the
 * numbers require it, another kernel computes the accelerations and refines them. For small models that kernel would cost more than it saves.
 */
const SMALL_ELIMINATION = 500;

/** Accuracy of the accelerations in the kernel of the motion. */
export const accuracyFor = ({ work }: SymmetricOrder): keyof typeof MAX_GROWTH =>
  work < SMALL_ELIMINATION ? "refined" : "plain";

/** Minimum number of unsuitable states in a row before another order is compiled. It doubles each time. */
const MIN_REJECTIONS = 256;
/** Maximum number of eliminations. Longer ones, of models with long chains, take longer to compile than they save. */
const MAX_ELIMINATIONS = 20_000;

/** The orders that were searched last, for each pattern: the accelerations and the corrections need one for the same state, and so do runs. */
const searchedOrders = new WeakMap<
  SparsePattern,
  { readonly values: Float64Array; readonly order: SymmetricOrder | undefined }[]
>();
const MAX_SEARCHED_ORDERS = 8;

/** A pivot order for a matrix with these values. The search takes longer than a hundred steps. */
export function searchedOrder(pattern: SparsePattern, values: Float64Array): SymmetricOrder | undefined {
  const searched = searchedOrders.get(pattern) ?? [];
  searchedOrders.set(pattern, searched);
  const known = searched.find((entry) => arraysEqual(entry.values, values));
  if (known) return known.order;
  const order = symmetricOrder(pattern, values, MAX_ELIMINATIONS);
  searched.unshift({ values: values.slice(), order });
  if (searched.length > MAX_SEARCHED_ORDERS) searched.pop();
  return order;
}

/** A pivot order is suitable while the last output of its kernel is below this. */
export const SUITABLE_BELOW = 1;

/** True if the pivot order of a kernel still suits the numbers, according to its last output. */
export const isOrderSuitable = (y: Float64Array, last: number): boolean => y[last]! < SUITABLE_BELOW;

/** A kernel for one pivot order, compiled at its first use: the order of the first state, until many states in a row were unsuitable. */
export function pivotOrderKernel(pattern: SparsePattern, make: (order: SymmetricOrder) => Kernel) {
  let order: SymmetricOrder | undefined;
  let kernel: Kernel | undefined;
  let patience = 1;
  let rejections = 0;
  /** Where the order was restored from; undefined if it was found here. */
  let restoredFrom: string | undefined;
  return {
    get order() {
      return order;
    },
    get kernel() {
      if (order) kernel ??= restoredFrom === undefined ? make(order) : makeRestored(make, order, restoredFrom);
      return kernel;
    },
    /** Reports that the order was suitable. */
    accepted(): void {
      rejections = 0;
    },
    /** Reports that the order was unsuitable or missing. After enough of these calls, `find` searches another one. */
    rejected(find: () => SymmetricOrder | undefined): void {
      if (++rejections < patience) return;
      rejections = 0;
      patience = Math.max(MIN_REJECTIONS, 2 * patience);
      const other = find();
      if (!other) return;
      order = other;
      kernel = undefined;
      restoredFrom = undefined;
    },
    /** The order (null if there is none yet) and the counts of unsuitable states, as plain data. */
    save(): unknown {
      return { order: order ? savedSymmetricOrder(order) : null, counts: { patience, rejections } };
    },
    /** Takes over a saved order. Its kernel is compiled at its next use. @throws FormatError */
    restore(saved: unknown, path: string): void {
      const entries = savedEntries(saved, ["order", "counts"], path);
      const counts = { patience: 0, rejections: 0 };
      takeSaved(counts, entries.counts, `${path}.counts`);
      checkSavedInteger(counts.patience, 1, Number.MAX_SAFE_INTEGER, `${path}.counts.patience`);
      checkSavedInteger(counts.rejections, 0, Number.MAX_SAFE_INTEGER, `${path}.counts.rejections`);
      order =
        entries.order === null ? undefined : restoredSymmetricOrder(pattern, entries.order, MAX_ELIMINATIONS, `${path}.order`);
      kernel = undefined;
      restoredFrom = `${path}.order`;
      ({ patience, rejections } = counts);
    },
  };
}

/** A kernel for a restored order. Damaged data may choose a pivot that is zero because constants of the model cancel. */
function makeRestored(make: (order: SymmetricOrder) => Kernel, order: SymmetricOrder, path: string): Kernel {
  try {
    return make(order);
  } catch (error) {
    if (!(error instanceof TraceError)) throw error;
    return refuseSaved(path, `must be an order whose pivots are not zero (${error.message})`, order.pivots.flat());
  }
}
