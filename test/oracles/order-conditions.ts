/**
 * Order conditions of Runge-Kutta methods by rooted trees [HNW I, II.2]: a method with weights b has order p if for every tree of at
 * most p nodes the sum of b_i times the elementary weight of the tree is 1 / gamma.
 */

/** A rooted tree is the multiset of the subtrees of its root. */
export interface Tree {
  readonly children: readonly Tree[];
  readonly order: number;
  /** Product over all nodes of the number of nodes in their subtree, the node included. */
  readonly gamma: number;
}

/** All rooted trees with exactly `order` nodes, for orders 1 to `highest`. */
export function rootedTrees(highest: number): readonly (readonly Tree[])[] {
  const byOrder: Tree[][] = [[], [tree([])]];
  for (let order = 2; order <= highest; order++) byOrder.push(forests(byOrder, order - 1, order - 1, Infinity).map(tree));
  return byOrder.slice(1, highest + 1);
}

/** Sum of weights_i times the elementary weight of the tree at stage i, for the Runge-Kutta matrix A by rows. */
export function elementaryWeight(tree: Tree, A: readonly (readonly number[])[], weights: readonly number[]): number {
  const psi = stageWeights(tree, A);
  return weights.reduce((sum, b, i) => sum + b * psi[i]!, 0);
}

function stageWeights(tree: Tree, A: readonly (readonly number[])[]): readonly number[] {
  const factors = tree.children.map((child) => {
    const psi = stageWeights(child, A);
    return A.map((row) => row.reduce((sum, a, j) => sum + a * psi[j]!, 0));
  });
  return A.map((_, i) => factors.reduce((product, factor) => product * factor[i]!, 1));
}

function tree(children: readonly Tree[]): Tree {
  const order = children.reduce((sum, child) => sum + child.order, 1);
  return { children, order, gamma: children.reduce((product, child) => product * child.gamma, order) };
}

/** Multisets of trees with `nodes` nodes in total; each tree has at most `largest` nodes, and those with `largest` nodes have at most index `last`. */
function forests(byOrder: readonly (readonly Tree[])[], nodes: number, largest: number, last: number): Tree[][] {
  if (nodes === 0) return [[]];
  const multisets: Tree[][] = [];
  for (let order = Math.min(nodes, largest); order >= 1; order--) {
    const trees = byOrder[order]!;
    const from = order === largest ? Math.min(last, trees.length - 1) : trees.length - 1;
    for (let i = from; i >= 0; i--)
      for (const rest of forests(byOrder, nodes - order, order, i)) multisets.push([trees[i]!, ...rest]);
  }
  return multisets;
}
