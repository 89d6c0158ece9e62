/** Values at `target` of the Lagrange polynomials of the first `count` nodes, written to `out` from index `at` on. */
export function lagrangeWeights(nodes: Float64Array, count: number, target: number, out: Float64Array, at: number): void {
  for (let j = 0; j < count; j++) {
    let weight = 1;
    for (let k = 0; k < count; k++) if (k !== j) weight *= (target - nodes[k]!) / (nodes[j]! - nodes[k]!);
    out[at + j] = weight;
  }
}
