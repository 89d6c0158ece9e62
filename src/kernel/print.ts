/** Expressions as text, in the syntax that JavaScript and C have in common. */
import { ARITY } from "./graph.ts";
import { type Program, type Shape, sizeOf } from "./program.ts";
import type { Schedule } from "./schedule.ts";

/** What differs between the languages. */
export interface Syntax {
  number(value: number): string;
  /** Names of the functions of one or two arguments. */
  readonly functions: Readonly<Record<"sqrt" | "sin" | "cos" | "abs" | "min" | "max", string>>;
}

const INFIX = { add: "+", sub: "-", mul: "*", div: "/" } as const;

/** The expression of a step; `name` gives the text of the named values in it. */
export function printExpression(
  program: Program,
  plan: Schedule,
  syntax: Syntax,
  id: number,
  name: (id: number) => string,
): string {
  const { graph } = program;

  function operand(id: number): string {
    const op = graph.opOf(id);
    if (op === "const") {
      const text = syntax.number(graph.valueOf(id));
      return text.startsWith("-") ? `(${text})` : text;
    }
    if (!plan.inlined[id]) return name(id);
    return op in INFIX || op === "neg" ? `(${expression(id)})` : expression(id);
  }

  function expression(id: number): string {
    const op = graph.opOf(id);
    const a = operand(graph.arg(id, 0));
    const b = ARITY[op] > 1 ? operand(graph.arg(id, 1)) : "";
    switch (op) {
      case "add":
      case "sub":
      case "mul":
      case "div":
        return `${a} ${INFIX[op]} ${b}`;
      case "neg":
        return `-${a}`;
      case "select":
        return `(${a} >= ${syntax.number(0)} ? ${b} : ${operand(graph.arg(id, 2))})`;
      case "min":
      case "max":
        return `${syntax.functions[op]}(${a}, ${b})`;
      case "sqrt":
      case "sin":
      case "cos":
      case "abs":
        return `${syntax.functions[op]}(${a})`;
      default:
        throw new Error(`no expression for ${graph.describe(id)}`);
    }
  }

  return expression(id);
}

/** The steps of a chunk with the twins that are computed with them. */
export function* namedSteps(plan: Schedule, steps: readonly number[]): Generator<number> {
  for (const id of steps) {
    yield id;
    if (plan.twin[id]! >= 0) yield plan.twin[id]!;
  }
}

/** One line per name of a shape: `x[0..2] position`. Names are user data: what could end a comment is replaced. */
export function describeShape(array: string, shape: Shape): string[] {
  let at = 0;
  const lines = Object.entries(shape).map(([name, size]) => {
    const range = size === 0 ? "(empty)" : size === 1 ? `[${at}]` : `[${at}..${at + size - 1}]`;
    at += size;
    return `${array}${range} ${plainText(name)}`;
  });
  return sizeOf(shape) === 0 ? [`${array} is empty`] : lines;
}

/** User text for a comment: printable ASCII without the characters that could end the comment or continue the line. */
export const plainText = (text: string): string => text.replace(/[^ -~]|[*\\/?]/g, "_");

/** User text as an identifier of JavaScript and C: never empty, never a reserved word or a name of the C library. */
export function identifier(text: string): string {
  const plain = text.replace(/[^A-Za-z0-9]+/g, "_").replace(/^_+|_+$/g, "");
  return `castor_${plain || "kernel"}`;
}
