/** Evaluates a program node by node in doubles. It is slow and simple: the reference that every emitter is tested against. */
import { refuseArgument } from "../../arguments.ts";
import { cosine, sine } from "../../math/elementary/sincos.ts";
import type { Graph } from "../trace/graph.ts";
import { checkProgram, type Program, reachableNodes, sizeOf } from "../trace/program.ts";

/** y = f(x) @throws ArgumentError if an array has not the size of the program */
export function interpret(program: Program, x: Float64Array, y: Float64Array): void {
  checkProgram(program);
  const [nx, ny] = [sizeOf(program.inputs), program.results.length];
  if (!(x instanceof Float64Array && x.length === nx)) refuseArgument("x", `a Float64Array of ${nx} numbers`, x);
  if (!(y instanceof Float64Array && y.length === ny)) refuseArgument("y", `a Float64Array of ${ny} numbers`, y);
  const { graph } = program;
  const value = new Float64Array(graph.size);
  for (const id of reachableNodes(program)) value[id] = evaluateNode(graph, id, value, x);
  program.results.forEach((id, i) => {
    y[i] = value[id]!;
  });
}

function evaluateNode(graph: Graph, id: number, value: Float64Array, x: Float64Array): number {
  const a = value[graph.arg(id, 0)]!;
  const b = value[graph.arg(id, 1)]!;
  switch (graph.opOf(id)) {
    case "const":
      return graph.valueOf(id);
    case "input":
      return x[graph.valueOf(id)]!;
    case "add":
      return a + b;
    case "sub":
      return a - b;
    case "mul":
      return a * b;
    case "div":
      return a / b;
    case "neg":
      return -a;
    case "sqrt":
      return Math.sqrt(a);
    case "sin":
      return sine(a);
    case "cos":
      return cosine(a);
    case "abs":
      return Math.abs(a);
    case "min":
      return Math.min(a, b);
    case "max":
      return Math.max(a, b);
    case "select":
      return a >= 0 ? b : value[graph.arg(id, 2)]!;
  }
}
