/** A program: a traced function with named inputs and outputs, the graph between them, and its cost. */
import { checkCount, checkList, checkMembers, checkOptions, checkText, refuseArgument } from "../../arguments.ts";
import { ARITY_BY_CODE, Expr, Graph, OPS, type Op, type Scalar } from "./graph.ts";

/** Names and sizes of the inputs or outputs of a program, in order. They are concatenated in one flat array. */
export type NamedSizes = Readonly<Record<string, number>>;

export interface Program<I extends NamedSizes = NamedSizes, O extends NamedSizes = NamedSizes> {
  readonly name: string;
  readonly inputs: I;
  readonly outputs: O;
  readonly graph: Graph;
  /** Node ids of all outputs, concatenated. */
  readonly results: readonly number[];
}

export const sizeOf = (sizes: NamedSizes): number => Object.values(sizes).reduce((a, b) => a + b, 0);

/** Index of the first entry of each name in the flat array. */
export function offsetsOf<S extends NamedSizes>(sizes: S): { readonly [K in keyof S]: number } {
  let next = 0;
  const offsets: Record<string, number> = {};
  for (const [name, size] of Object.entries(sizes)) {
    offsets[name] = next;
    next += size;
  }
  return offsets as { [K in keyof S]: number };
}

/** @throws ArgumentError if `program` is not a program */
export const checkProgram = (program: unknown): void =>
  checkMembers(
    "program",
    program,
    ["inputs", "outputs", "graph", "results"],
    "a program, as trace and the programs of a model return it",
  );

export interface TraceOptions {
  /**
   * Records products with negative constants as they are. Otherwise k x and -k x share one product, but then the signs of numbers decide
   * which operations are recorded, and steps that differ in signs share no code. For large machines.
   */
  readonly keepsSigns?: boolean;
}

/** Calls `body` once with expressions for its inputs and records its operations. */
export function trace<I extends NamedSizes, O extends Record<string, readonly Scalar[]>>(
  name: string,
  inputs: I,
  body: (x: { readonly [K in keyof I]: readonly Scalar[] }) => O,
  options: TraceOptions = {},
): Program<I, { readonly [K in keyof O]: number }> {
  checkText("name", name);
  checkMembers("inputs", Array.isArray(inputs) ? undefined : inputs, [], "an object with the size of each input, e.g. { q: 2 }");
  for (const [key, size] of Object.entries(inputs)) checkCount(`inputs.${key}`, size);
  checkOptions("options", options, ["keepsSigns"]);
  if (typeof body !== "function") refuseArgument("body", "a function of the inputs", body);
  const graph = new Graph(options.keepsSigns);
  const x: Record<string, readonly Scalar[]> = {};
  for (const [key, size] of Object.entries(inputs)) x[key] = Array.from({ length: size }, () => graph.input());
  const y = body(x as { [K in keyof I]: readonly Scalar[] });
  checkResults(y);
  const outputs = Object.fromEntries(Object.entries(y).map(([key, values]) => [key, values.length]));
  const results = Object.values(y).flatMap((values) => values.map((v) => graph.idOf(v)));
  return { name, inputs, outputs: outputs as { [K in keyof O]: number }, graph, results };
}

/** Checks what a traced function returns: an object with a list of scalars for each output. */
function checkResults(y: unknown): void {
  checkMembers("body", Array.isArray(y) ? undefined : y, [], "a function that returns an object with a list for each output");
  for (const [key, values] of Object.entries(y as object)) {
    checkList(`body().${key}`, values, "scalars");
    for (const [i, value] of values.entries())
      if (typeof value !== "number" && !(value instanceof Expr))
        refuseArgument(`body().${key}[${i}]`, "a number or an expression", value);
  }
}

const nodesOfProgram = new WeakMap<Program, Int32Array>();

/** The nodes that the results depend on, constants and inputs included. Operands come before users. */
export function reachableNodes(program: Program): Int32Array {
  const known = nodesOfProgram.get(program) ?? findReachableNodes(program);
  nodesOfProgram.set(program, known);
  return known;
}

function findReachableNodes(program: Program): Int32Array {
  const { graph } = program;
  const isNeeded = new Uint8Array(graph.size);
  for (const id of program.results) isNeeded[id] = 1;
  for (let id = graph.size - 1; id >= 0; id--) {
    if (!isNeeded[id]) continue;
    const arity = ARITY_BY_CODE[graph.codeOf(id)]!;
    for (let k = 0; k < arity; k++) isNeeded[graph.arg(id, k as 0 | 1 | 2)] = 1;
  }
  const order = new Int32Array(graph.size);
  let count = 0;
  for (let id = 0; id < graph.size; id++) if (isNeeded[id]) order[count++] = id;
  return order.slice(0, count);
}

const COUNTED_OPS: readonly Op[] = ["add", "sub", "mul", "div", "sqrt", "abs", "min", "max", "select"];
const IS_COUNTED: readonly boolean[] = OPS.map((op) => COUNTED_OPS.includes(op));
const IS_TRIG: readonly boolean[] = OPS.map((op) => op === "sin" || op === "cos");

export interface Cost {
  /** Number of add, sub, mul, div, sqrt and comparisons. Sign changes do not count: they fold into their users. */
  readonly ops: number;
  readonly trig: number;
}

export function costOf(program: Program): Cost {
  checkProgram(program);
  let ops = 0;
  let trig = 0;
  for (const id of reachableNodes(program)) {
    const code = program.graph.codeOf(id);
    if (IS_COUNTED[code]) ops++;
    else if (IS_TRIG[code]) trig++;
  }
  return { ops, trig };
}

export { Expr, Graph };
