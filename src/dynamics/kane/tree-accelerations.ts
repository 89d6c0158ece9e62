/** The accelerations of a tree by Kane's equations as one program: M and the right-hand side, factored and solved by the operations of tree-ldl.ts. */
import type { Expr, Graph, Scalar } from "../../kernel/trace/graph.ts";
import { inlineProgram } from "../../kernel/trace/inline.ts";
import { offsetsOf, type Program, trace } from "../../kernel/trace/program.ts";
import { ROUNDING_LEVEL, type TreePattern } from "../../math/linear/tree-ldl.ts";

/** Largest number of packed entries of M. Larger factorisations are faster as loops: their code would not fit into the caches. */
const MAX_ENTRIES = 400;

/** @param program M and rhs, as `kaneProgram` returns them */
export function treeAccelerations(program: Program, pattern: TreePattern): Program | undefined {
  if (pattern.size > MAX_ENTRIES || pattern.n === 0) return undefined;
  const { M, rhs } = offsetsOf(program.outputs) as { readonly M: number; readonly rhs: number };
  return trace(`${program.name} solved`, program.inputs, (x) => {
    const inputs = Object.values(x).flat();
    const { graph } = inputs[0] as Expr;
    const values = inlineProgram(graph, program, inputs);
    const factors: Scalar[] = values.slice(M, M + pattern.size);
    const invalid = factor(graph, pattern, factors);
    return { udot: solve(graph, pattern, factors, values.slice(rhs, rhs + pattern.n)), invalid: [invalid] };
  });
}

/** `factorTree`, traced. Returns a number that is 0 if all pivots are valid, and positive or NaN otherwise. */
function factor(graph: Graph, { n, parent, depth, start }: TreePattern, M: Scalar[]): Scalar {
  const diagonal = Array.from({ length: n }, (_, i) => M[start[i]! + depth[i]!]!);
  let invalid: Scalar = 0;
  for (let k = n - 1; k >= 0; k--) {
    const row = start[k]!;
    const pivot = M[row + depth[k]!]!;
    const excess = graph.node("sub", graph.node("mul", ROUNDING_LEVEL, diagonal[k]!), pivot);
    const finite = graph.node("mul", 0, pivot); // NaN if it is not
    invalid = graph.node("add", invalid, graph.node("add", graph.node("select", excess, 1, 0), finite));
    const inverse = graph.node("div", 1, pivot);
    for (let i = parent[k]!; i >= 0; i = parent[i]!) {
      const to = start[i]!;
      const last = depth[i]!;
      const factor = graph.node("mul", M[row + last]!, inverse);
      for (let e = 0; e <= last; e++) M[to + e] = graph.node("sub", M[to + e]!, graph.node("mul", factor, M[row + e]!));
      M[row + last] = factor;
    }
  }
  return invalid;
}

/** `solveTree`, traced. */
function solve(
  graph: Graph,
  { n, parent, depth, start }: TreePattern,
  factors: readonly Scalar[],
  rhs: readonly Scalar[],
): Scalar[] {
  const b = [...rhs];
  const factorOf = (k: number, i: number): Scalar => factors[start[k]! + depth[i]!]!;
  for (let k = n - 1; k >= 0; k--)
    for (let i = parent[k]!; i >= 0; i = parent[i]!) b[i] = graph.node("sub", b[i]!, graph.node("mul", factorOf(k, i), b[k]!));
  for (let k = 0; k < n; k++) {
    let value: Scalar = graph.node("div", b[k]!, factorOf(k, k));
    for (let i = parent[k]!; i >= 0; i = parent[i]!) value = graph.node("sub", value, graph.node("mul", factorOf(k, i), b[i]!));
    b[k] = value;
  }
  return b;
}
