/** Prints programs as source text, in the syntax that JavaScript and C have in common. */

import { type Chunk, eachOperand, type ProgramSchedule } from "../schedule/schedule.ts";
import { ARITY, type Graph } from "./graph.ts";
import { type NamedSizes, type Program, sizeOf } from "./program.ts";

/** Syntax that differs between the languages. */
export interface LanguageSyntax {
  /** Keywords that begin the declaration of a value. */
  readonly declare: string;
  /** A literal that is parsed back to the same double. */
  number(value: number): string;
  /** True if values are loaded where they are used first, not at the beginning: then fewer values are alive at a time. */
  readonly loadsAtUse?: boolean;
  /** Statements for sines and cosines that are computed together; if not given, each is computed apart. */
  readonly trig?: TrigStatements;
  readonly functions: Readonly<Record<"sqrt" | "sin" | "cos" | "abs" | "min" | "max", string>>;
}

/** How a language computes several sines and cosines in one statement. */
export interface TrigStatements {
  /** Steps whose sines and cosines are computed by one statement: the second of each pair by the first. */
  pairs(graph: Graph, schedule: ProgramSchedule, steps: readonly number[]): Map<number, number>;
  /** The statement for the angle of a step, and of that of another one. Adds the expressions of the values to `members`. */
  statement(angles: AnglesOfStatement, members: Map<number, string>): string;
}

export interface AnglesOfStatement {
  readonly graph: Graph;
  readonly schedule: ProgramSchedule;
  readonly step: number;
  readonly other: number | undefined;
  /** Text of the angle of a step. */
  angle(step: number): string;
}

const INFIX = { add: "+", sub: "-", mul: "*", div: "/" } as const;

/** Statements of a chunk: loads from x and scratch, and one assignment per step. */
export function printChunk(program: Program, schedule: ProgramSchedule, chunk: Chunk, syntax: LanguageSyntax): string[] {
  const { graph } = program;
  const steps = chunk.steps.flatMap((id) => (schedule.sincosPartner[id]! >= 0 ? [id, schedule.sincosPartner[id]!] : [id]));
  const computedHere = new Set(steps);
  /** Expressions of sines and cosines that were computed together. */
  const members = new Map<number, string>();
  const { trig } = syntax;
  const pairs = trig?.pairs(graph, schedule, chunk.steps);
  const lines: string[] = [];
  const isLoaded = new Set<number>();
  /** Loads a value of x or of an earlier chunk, unless it is loaded or computed here. */
  const load = (id: number): void => {
    if (isLoaded.has(id) || (computedHere.has(id) && graph.opOf(id) !== "input")) return;
    isLoaded.add(id);
    const source = graph.opOf(id) === "input" ? `x[${graph.valueOf(id)}]` : `scratch[${schedule.scratchSlot[id]}]`;
    lines.push(`  ${syntax.declare} v${id} = ${source};`);
  };
  const angle = (step: number): string => {
    const arg = graph.arg(step, 0);
    return schedule.isInlined[arg] ? printExpression(program, schedule, syntax, arg) : `v${arg}`;
  };
  if (!syntax.loadsAtUse) for (const id of chunk.uses.keys()) load(id);
  for (const id of steps) {
    const op = graph.opOf(id);
    eachOperand(graph, schedule.isInlined, id, load);
    const other = pairs?.get(id);
    if (other !== undefined) eachOperand(graph, schedule.isInlined, other, load);
    if (trig && (op === "sin" || op === "cos") && !members.has(id))
      lines.push(trig.statement({ graph, schedule, step: id, other, angle }, members));
    const outputs = (schedule.outputs.get(id) ?? []).map((i) => `y[${i}] = `).join("");
    if (op === "const") lines.push(`  ${outputs}${syntax.number(graph.valueOf(id))};`);
    else if (op === "input") lines.push(`  ${outputs}x[${graph.valueOf(id)}];`);
    else {
      const name = chunk.uses.has(id) ? `${syntax.declare} v${id} = ` : "";
      const scratch = schedule.scratchSlot[id]! >= 0 ? `scratch[${schedule.scratchSlot[id]}] = ` : "";
      lines.push(`  ${name}${outputs}${scratch}${members.get(id) ?? printExpression(program, schedule, syntax, id)};`);
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
