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
  const climbOf = new Int32Array(parents.length).fill(-1); // the start from which the body was reached first
  const placed = new Uint8Array(parents.length);
  for (let start = 0; start < parents.length; start++) {
    const climb: number[] = [];
    let at = start;
    while (at !== WORLD && climbOf[at] === -1) {
      climbOf[at] = start;
      climb.push(at);
      at = parents[at]!;
    }
    if (at !== WORLD && climbOf[at] === start) cycles.push(climb.slice(climb.indexOf(at)));
    else if (at === WORLD || placed[at])
      for (const body of climb.reverse()) {
        placed[body] = 1;
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
