/** Composes programs: the nodes of one are copied into the graph of another. */
import { ARITY, type Expr, type Graph, type Op, type Scalar } from "./graph.ts";
import { type Program, reachableNodes } from "./program.ts";

/**
 * Copies a program into a graph, with these values as its inputs. Returns its results. Nothing is folded, so they have the bits of the program by
 * itself. Its constants stay apart, so the form of the graph does not depend on their values.
 */
export function inlineProgram(graph: Graph, program: Program, inputs: readonly Scalar[]): readonly Expr[] {
  const { graph: own, results } = program;
  const copies: Expr[] = [];
  const copyOf = (id: number, k: 0 | 1 | 2): Expr => copies[own.arg(id, k)]!;
  for (const id of reachableNodes(program)) {
    const op = own.opOf(id);
    if (op === "const") copies[id] = graph.unsharedConstant(own.valueOf(id));
    else if (op === "input") copies[id] = graph.expr(graph.idOf(inputs[own.valueOf(id)]!));
    else copies[id] = graph.node(op, ...operandsOf(id, op));
  }
  return results.map((id) => copies[id]!);

  function operandsOf(id: number, op: Op): [Scalar, Scalar?, Scalar?] {
    if (ARITY[op] === 1) return [copyOf(id, 0)];
    return ARITY[op] === 2 ? [copyOf(id, 0), copyOf(id, 1)] : [copyOf(id, 0), copyOf(id, 1), copyOf(id, 2)];
  }
}
