/** Prints programs as source text, in the syntax that JavaScript and C have in common. */

import type { Chunk, ProgramSchedule } from "../schedule/schedule.ts";
import { ARITY } from "./graph.ts";
import { type NamedSizes, type Program, sizeOf } from "./program.ts";

/** Syntax that differs between the languages. */
export interface LanguageSyntax {
  /** Keywords that begin the declaration of a value. */
  readonly declare: string;
  /** A literal that is parsed back to the same double. */
  number(value: number): string;
  readonly functions: Readonly<Record<"sqrt" | "sin" | "cos" | "abs" | "min" | "max", string>>;
}

const INFIX = { add: "+", sub: "-", mul: "*", div: "/" } as const;

/** Statements of a chunk: loads from x and scratch, then one assignment per step. */
export function printChunk(program: Program, schedule: ProgramSchedule, chunk: Chunk, syntax: LanguageSyntax): string[] {
  const { graph } = program;
  const steps = chunk.steps.flatMap((id) => (schedule.sincosPartner[id]! >= 0 ? [id, schedule.sincosPartner[id]!] : [id]));
  const computedHere = new Set(steps);
  const lines: string[] = [];
  for (const id of chunk.uses.keys()) {
    if (graph.opOf(id) === "input") lines.push(`  ${syntax.declare} v${id} = x[${graph.valueOf(id)}];`);
    else if (!computedHere.has(id)) lines.push(`  ${syntax.declare} v${id} = scratch[${schedule.scratchSlot[id]}];`);
  }
  for (const id of steps) {
    const op = graph.opOf(id);
    const outputs = (schedule.outputs.get(id) ?? []).map((i) => `y[${i}] = `).join("");
    if (op === "const") lines.push(`  ${outputs}${syntax.number(graph.valueOf(id))};`);
    else if (op === "input") lines.push(`  ${outputs}x[${graph.valueOf(id)}];`);
    else {
      const name = chunk.uses.has(id) ? `${syntax.declare} v${id} = ` : "";
      const scratch = schedule.scratchSlot[id]! >= 0 ? `scratch[${schedule.scratchSlot[id]}] = ` : "";
      lines.push(`  ${name}${outputs}${scratch}${printExpression(program, schedule, syntax, id)};`);
    }
  }
  return lines;
}

function printExpression(program: Program, schedule: ProgramSchedule, syntax: LanguageSyntax, id: number): string {
  const { graph } = program;
  const argument = (id: number): string => {
    if (graph.opOf(id) === "const") return syntax.number(graph.valueOf(id));
    return schedule.isInlined[id] ? printExpression(program, schedule, syntax, id) : `v${id}`;
  };
  /** Text of an operand of an operator, in parentheses if needed. */
  const operand = (id: number): string => {
    const op = graph.opOf(id);
    const needsParentheses =
      op === "const" ? graph.valueOf(id) < 0 : schedule.isInlined[id] && (op in INFIX || op === "neg" || op === "select");
    return needsParentheses ? `(${argument(id)})` : argument(id);
  };
  const op = graph.opOf(id);
  const [a, b, c] = [graph.arg(id, 0), graph.arg(id, 1), graph.arg(id, 2)];
  switch (op) {
    case "add":
    case "sub":
    case "mul":
    case "div":
      return `${operand(a)} ${INFIX[op]} ${operand(b)}`;
    case "neg":
      return `-${operand(a)}`;
    case "select":
      return `${operand(a)} >= ${syntax.number(0)} ? ${operand(b)} : ${operand(c)}`;
    case "const":
    case "input":
      throw new Error(`${op} is not an expression`);
    default: {
      const args = ARITY[op] === 2 ? `${argument(a)}, ${argument(b)}` : argument(a);
      return `${syntax.functions[op]}(${args})`;
    }
  }
}

/** One line of comment per name: `x[0..2] position`. */
export function layoutLines(array: string, sizes: NamedSizes): string[] {
  let next = 0;
  const lines = Object.entries(sizes).map(([name, size]) => {
    const range = size === 0 ? "[]" : size === 1 ? `[${next}]` : `[${next}..${next + size - 1}]`;
    next += size;
    return `${array}${range} ${commentText(name)}`;
  });
  return sizeOf(sizes) === 0 ? [`${array} is empty`] : lines;
}

/** User text that is safe in a comment: printable ASCII without characters that could end the comment or continue its line. */
export const commentText = (text: string): string => text.replace(/[^ -~]|[*\\/?]/g, "_");
