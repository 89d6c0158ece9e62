/** Programs as text, in the syntax that JavaScript and C have in common. */

import type { Chunk, ProgramSchedule } from "../schedule/schedule.ts";
import { ARITY } from "./graph.ts";
import { type NamedSizes, type Program, sizeOf } from "./program.ts";

/** What differs between the languages. */
export interface LanguageSyntax {
  /** Begins the declaration of a value. */
  readonly declare: string;
  /** A literal that reads back as the same double. */
  number(value: number): string;
  readonly functions: Readonly<Record<"sqrt" | "sin" | "cos" | "abs" | "min" | "max", string>>;
}

const INFIX = { add: "+", sub: "-", mul: "*", div: "/" } as const;

/** The statements of a chunk: loads from x and scratch, then one assignment per step. */
export function printChunk(program: Program, plan: ProgramSchedule, chunk: Chunk, syntax: LanguageSyntax): string[] {
  const { graph } = program;
  const steps = chunk.steps.flatMap((id) => (plan.sincosPartner[id]! >= 0 ? [id, plan.sincosPartner[id]!] : [id]));
  const own = new Set(steps);
  const lines: string[] = [];
  for (const id of chunk.uses.keys()) {
    if (graph.opOf(id) === "input") lines.push(`  ${syntax.declare} v${id} = x[${graph.valueOf(id)}];`);
    else if (!own.has(id)) lines.push(`  ${syntax.declare} v${id} = scratch[${plan.scratchSlot[id]}];`);
  }
  for (const id of steps) {
    const op = graph.opOf(id);
    const outputs = (plan.outputs.get(id) ?? []).map((i) => `y[${i}] = `).join("");
    if (op === "const") lines.push(`  ${outputs}${syntax.number(graph.valueOf(id))};`);
    else if (op === "input") lines.push(`  ${outputs}x[${graph.valueOf(id)}];`);
    else {
      const name = chunk.uses.has(id) ? `${syntax.declare} v${id} = ` : "";
      const scratch = plan.scratchSlot[id]! >= 0 ? `scratch[${plan.scratchSlot[id]}] = ` : "";
      lines.push(`  ${name}${outputs}${scratch}${printExpression(program, plan, syntax, id)};`);
    }
  }
  return lines;
}

function printExpression(program: Program, plan: ProgramSchedule, syntax: LanguageSyntax, id: number): string {
  const { graph } = program;
  const argument = (id: number): string => {
    if (graph.opOf(id) === "const") return syntax.number(graph.valueOf(id));
    return plan.isInlined[id] ? printExpression(program, plan, syntax, id) : `v${id}`;
  };
  /** An argument next to an operator. */
  const operand = (id: number): string => {
    const op = graph.opOf(id);
    const apart = op === "const" ? graph.valueOf(id) < 0 : plan.isInlined[id] && (op in INFIX || op === "neg" || op === "select");
    return apart ? `(${argument(id)})` : argument(id);
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

/** A comment line per name of a shape: `x[0..2] position`. */
export function layoutLines(array: string, shape: NamedSizes): string[] {
  let at = 0;
  const lines = Object.entries(shape).map(([name, size]) => {
    const range = size === 0 ? "[]" : size === 1 ? `[${at}]` : `[${at}..${at + size - 1}]`;
    at += size;
    return `${array}${range} ${commentText(name)}`;
  });
  return sizeOf(shape) === 0 ? [`${array} is empty`] : lines;
}

/** User text for a comment: printable ASCII without the characters that could end the comment or continue its line. */
export const commentText = (text: string): string => text.replace(/[^ -~]|[*\\/?]/g, "_");
