/** Exact derivatives for the tests: a program evaluated on dual numbers, x + ε dx, gives y + ε dy without any step size. */
import { type Program, reachable } from "../../src/kernel/trace/program.ts";

export interface Dual {
  readonly y: Float64Array;
  readonly dy: Float64Array;
}

export function evaluateDual(program: Program, x: ArrayLike<number>, dx: ArrayLike<number>): Dual {
  const { graph } = program;
  const value = new Float64Array(graph.size);
  const rate = new Float64Array(graph.size);
  for (const id of reachable(program)) {
    const [i, j, k] = [graph.arg(id, 0), graph.arg(id, 1), graph.arg(id, 2)];
    const [a, b] = [value[i]!, value[j]!];
    const [da, db] = [rate[i]!, rate[j]!];
    const set = (v: number, d: number): void => {
      value[id] = v;
      rate[id] = d;
    };
    const op = graph.opOf(id);
    if (op === "const") set(graph.valueOf(id), 0);
    else if (op === "input") set(x[graph.valueOf(id)]!, dx[graph.valueOf(id)]!);
    else if (op === "add") set(a + b, da + db);
    else if (op === "sub") set(a - b, da - db);
    else if (op === "mul") set(a * b, da * b + a * db);
    else if (op === "div") set(a / b, (da - (a / b) * db) / b);
    else if (op === "neg") set(-a, -da);
    else if (op === "sqrt") set(Math.sqrt(a), da / (2 * Math.sqrt(a)));
    else if (op === "sin") set(Math.sin(a), Math.cos(a) * da);
    else if (op === "cos") set(Math.cos(a), -Math.sin(a) * da);
    else if (op === "select") set(a >= 0 ? b : value[k]!, a >= 0 ? db : rate[k]!);
    else throw new Error(`no derivative of ${op}`);
  }
  return { y: Float64Array.from(program.results, (id) => value[id]!), dy: Float64Array.from(program.results, (id) => rate[id]!) };
}
