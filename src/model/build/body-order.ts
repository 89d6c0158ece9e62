/** The order of bodies in a tree given by parents. It uses loops, no recursion: a chain may have ten thousand links. */

/** Parent index of a body on the world. */
export const WORLD = -1;

/**
 * Bodies with every parent before its children, otherwise in the given order; and the cycles, each as the list of its bodies.
 * Bodies whose ancestors form a cycle are in neither.
 */
export function parentsFirst(parents: readonly number[]): {
  readonly order: readonly number[];
  readonly cycles: readonly (readonly number[])[];
} {
  const order: number[] = [];
  const cycles: number[][] = [];
  const climbStart = new Int32Array(parents.length).fill(-1); // the start from which the body was reached first
  const isOrdered = new Uint8Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
    const climb: number[] = [];
    let ancestor = start;
    while (ancestor !== WORLD && climbStart[ancestor] === -1) {
      climbStart[ancestor] = start;
      climb.push(ancestor);
      ancestor = parents[ancestor]!;
    }
    if (ancestor !== WORLD && climbStart[ancestor] === start) cycles.push(climb.slice(climb.indexOf(ancestor)));
    else if (ancestor === WORLD || isOrdered[ancestor])
      for (const body of climb.reverse()) {
        isOrdered[body] = 1;
        order.push(body);
      }
  }
  return { order, cycles };
}

/** Sums of a quantity over each body and all bodies that it carries. In `order` parents come first. */
export function sumOverSubtrees(
  values: readonly number[],
  parents: readonly number[],
  order: readonly number[],
): readonly number[] {
  const sums = [...values];
  for (let i = order.length - 1; i >= 0; i--) {
    const body = order[i]!;
    const parent = parents[body]!;
    if (parent !== WORLD) sums[parent]! += sums[body]!;
  }
  return sums;
}
