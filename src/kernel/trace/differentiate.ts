/** Derivatives of traced expressions, recorded in the same graph by the same folding arithmetic. */
import { checkName } from "../../arguments.ts";
import { ARITY, Expr, type Graph, type Scalar } from "./graph.ts";
import { checkProgram, type NamedSizes, type Program } from "./program.ts";
import { add, cos, div, mul, neg, select, sin, sub } from "./scalar.ts";

/**
 * The matrix ∂outputs_i/∂wrt_j. The variables `wrt` are inputs or other nodes; they are treated as independent of each other.
 *
 * Forward differentiation, one column per variable: a column records at most about three operations for each node that
 * depends on the variable, none for the others, and factors that do not depend on the column (1/b, cos a) are shared.
 * Tracing takes time proportional to (nodes of the graph) x (variables). At the kinks of abs, min, max and select the
 * derivative is that of the branch that determines the value.
 */
export function derivatives(outputs: readonly Scalar[], wrt: readonly Expr[]): Scalar[][] {
  const rows: Scalar[][] = outputs.map(() => []);
  const graph = wrt[0]?.graph;
  if (!graph) return rows;
  for (const s of [...outputs, ...wrt]) if (s instanceof Expr) graph.idOf(s); // throws for expressions of another trace
  const needed = nodesBetween(graph, outputs, wrt);
  const independent = new Set(wrt.map((x) => x.id));
  for (const variable of wrt) {
    const tangents = new Map<number, Scalar>([[variable.id, 1]]);
    for (const id of needed) {
      if (independent.has(id)) continue;
      const t = tangentOf(graph, id, tangents);
      if (t !== 0) tangents.set(id, t);
    }
    outputs.forEach((output, i) => {
      rows[i]!.push(output instanceof Expr ? (tangents.get(output.id) ?? 0) : 0);
    });
  }
  return rows;
}

/**
 * Rates of the outputs for given rates of the variables: Σ_j ∂outputs_i/∂variables_j rates_j. One forward pass with about three operations
 * for each node that depends on a variable, regardless of the number of variables.
 */
export function directionalDerivative(
  outputs: readonly Scalar[],
  variables: readonly Scalar[],
  rates: readonly Scalar[],
): Scalar[] {
  const expressions = variables.filter((v): v is Expr => v instanceof Expr);
  const graph = expressions[0]?.graph;
  if (!graph) return outputs.map(() => 0);
  const tangents = new Map<number, Scalar>();
  for (const [i, v] of variables.entries()) if (v instanceof Expr && rates[i] !== 0) tangents.set(v.id, rates[i]!);
  const isVariable = new Set(expressions.map((v) => v.id));
  for (const id of nodesBetween(graph, outputs, expressions)) {
    if (isVariable.has(id)) continue;
    const t = tangentOf(graph, id, tangents);
    if (t !== 0) tangents.set(id, t);
  }
  return outputs.map((output) => (output instanceof Expr ? (tangents.get(output.id) ?? 0) : 0));
}

/** Program with the same inputs whose output is the Jacobian of all outputs with respect to one input, by rows. */
export function jacobian<I extends NamedSizes>(
  program: Program<I>,
  input: keyof I & string,
): Program<I, { readonly jacobian: number }> {
  checkProgram(program);
  const { graph, name, inputs } = program;
  checkName("input", input, Object.keys(inputs), `input of ${name}`);
  const outputs = program.results.map((id) => graph.expr(id));
  const rows = derivatives(outputs, inputNodes(program, input));
  const results = rows.flatMap((row) => row.map((s) => graph.idOf(s)));
  return { name: `d ${name} / d ${input}`, inputs, outputs: { jacobian: results.length }, graph, results };
}

function inputNodes(program: Program, input: string): Expr[] {
  const names = Object.keys(program.inputs);
  const first = names.slice(0, names.indexOf(input)).reduce((sum, name) => sum + program.inputs[name]!, 0);
  const nodes: Expr[] = [];
  const { graph } = program;
  for (let id = 0; id < graph.size && nodes.length < program.inputs[input]!; id++) {
    if (graph.opOf(id) === "input" && graph.valueOf(id) >= first) nodes.push(graph.expr(id));
  }
  return nodes;
}

/** Nodes that depend on a variable and that an output depends on. Operands come before users. */
function nodesBetween(graph: Graph, outputs: readonly Scalar[], wrt: readonly Expr[]): number[] {
  const size = graph.size;
  const isUsedByOutput = new Uint8Array(size);
  for (const output of outputs) if (output instanceof Expr) isUsedByOutput[output.id] = 1;
  for (let id = size - 1; id >= 0; id--) if (isUsedByOutput[id]) graph.eachArg(id, (k) => (isUsedByOutput[k] = 1));
  const dependsOnVariable = new Uint8Array(size);
  for (const variable of wrt) dependsOnVariable[variable.id] = 1;
  const nodes: number[] = [];
  for (let id = 0; id < size; id++) {
    graph.eachArg(id, (k) => (dependsOnVariable[id]! |= dependsOnVariable[k]!));
    if (isUsedByOutput[id] && dependsOnVariable[id]) nodes.push(id);
  }
  return nodes;
}

/** Chain rule of one node. Zero terms are folded by the arithmetic. */
function tangentOf(graph: Graph, id: number, tangents: ReadonlyMap<number, Scalar>): Scalar {
  const op = graph.opOf(id);
  const arity = ARITY[op];
  const ta = arity > 0 ? (tangents.get(graph.arg(id, 0)) ?? 0) : 0;
  const tb = arity > 1 ? (tangents.get(graph.arg(id, 1)) ?? 0) : 0;
  const tc = arity > 2 ? (tangents.get(graph.arg(id, 2)) ?? 0) : 0;
  if (ta === 0 && tb === 0 && tc === 0) return 0;
  const operand = (k: 0 | 1 | 2): Expr => graph.expr(graph.arg(id, k));
  const a = operand(0);
  switch (op) {
    case "add":
      return add(ta, tb);
    case "sub":
      return sub(ta, tb);
    case "mul":
      return add(mul(ta, foldedConstant(operand(1))), mul(foldedConstant(a), tb));
    case "div": // y = a/b: y' = (a' - y b')/b
      return mul(sub(ta, mul(graph.expr(id), tb)), div(1, operand(1)));
    case "neg":
      return neg(ta);
    case "sqrt": // y = √a: y' = a'/(2y)
      return mul(ta, div(0.5, graph.expr(id)));
    case "sin":
      return mul(ta, cos(a));
    case "cos":
      return neg(mul(ta, sin(a)));
    case "abs":
      return select(a, ta, neg(ta));
    case "min":
      return select(sub(foldedConstant(operand(1)), foldedConstant(a)), ta, tb);
    case "max":
      return select(sub(foldedConstant(a), foldedConstant(operand(1))), ta, tb);
    case "select":
      return select(a, tb, tc);
    default:
      return 0;
  }
}

/** The number of a constant, so that it folds; else the expression. */
const foldedConstant = (e: Expr): Scalar => (e.op === "const" ? e.graph.valueOf(e.id) : e);
