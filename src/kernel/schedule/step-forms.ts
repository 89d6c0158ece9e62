/** The forms of the steps of a program: their operations without the values and numbers that they are applied to. */
import { ARITY_BY_CODE, type Graph, OPS } from "../trace/graph.ts";
import type { Program } from "../trace/program.ts";
import { FormTable } from "./form-table.ts";
import { divideIntoSteps } from "./steps.ts";

/** All steps with the same operations. */
export interface StepFamily {
  readonly index: number;
  /** Three codes per node: see `operandCode`; the operation is first. */
  readonly operations: Int32Array;
  /** 1 for each node that another step reads, in any step of the family. */
  readonly isRead: Uint8Array;
}

export interface StepForm {
  /** Computed nodes, in order. */
  readonly nodes: readonly number[];
  /** Inputs and nodes of earlier steps that the step reads, in order. */
  readonly outside: readonly number[];
  /** Constants that the step reads, in order. */
  readonly numbers: readonly number[];
  readonly family: StepFamily;
}

interface StepForms {
  readonly forms: readonly StepForm[];
  /** Step of each node; -1 for inputs, constants and nodes that are not needed. */
  readonly stepOf: Int32Array;
  /** Position of each node in its step. */
  readonly positionOf: Int32Array;
}

/** The kind of an operand is the last digit to the base 3 of its code; the other digits are its position in a list. */
const NODE = 0;
export const OUTSIDE = 1;
export const NUMBER = 2;
const operandKind = (code: number): number => code % 3;
const operandPosition = (code: number): number => (code - (code % 3)) / 3;
const operandCode = (position: number, kind: number): number => 3 * position + kind;

const STRIDE = 4;
const [CONST, INPUT, ADD, MUL] = (["const", "input", "add", "mul"] as const).map((op) => OPS.indexOf(op));

export function formsOfSteps(program: Program): StepForms {
  const { graph } = program;
  const { steps, stepOf } = divideIntoSteps(program);
  const positionOf = new Int32Array(graph.size);
  for (const nodes of steps) for (let k = 0; k < nodes.length; k++) positionOf[nodes[k]!] = k;
  const families = new FormTable<StepFamily>();
  let familyCount = 0;
  const readIn = new Int32Array(graph.size).fill(-1); // last step that read a constant, an input or a value of another step
  const listed = new Int32Array(graph.size); // its position in the list of that step
  let buffer = new Int32Array(0); // operations of one step
  const forms = steps.map((nodes, s): StepForm => {
    const lists: readonly [never[], number[], number[]] = [[], [], []];
    const codeOf = (id: number): number => {
      if (stepOf[id] === s) return operandCode(positionOf[id]!, NODE);
      const kind = graph.codeOf(id) === CONST ? NUMBER : OUTSIDE;
      if (readIn[id] !== s) {
        readIn[id] = s;
        listed[id] = lists[kind]!.length;
        (lists[kind] as number[]).push(id);
      }
      return operandCode(listed[id]!, kind);
    };
    const length = STRIDE * nodes.length;
    if (buffer.length < length) buffer = new Int32Array(2 * length);
    for (let k = 0; k < nodes.length; k++) {
      const id = nodes[k]!;
      const code = graph.codeOf(id);
      const arity = ARITY_BY_CODE[code]!;
      const isSwapped = hasConstantLast(graph, id);
      buffer[STRIDE * k] = code;
      for (let a = 0; a < STRIDE - 1; a++)
        buffer[STRIDE * k + 1 + a] = a < arity ? codeOf(graph.arg(id, (isSwapped ? 1 - a : a) as 0 | 1 | 2)) : 0;
    }
    const family = families.get(buffer.subarray(0, length), (operations) => ({
      index: familyCount++,
      operations,
      isRead: new Uint8Array(nodes.length),
    }));
    return { nodes, outside: lists[OUTSIDE], numbers: lists[NUMBER], family };
  });
  for (const { outside } of forms)
    for (const id of outside) if (graph.codeOf(id) !== INPUT) forms[stepOf[id]!]!.family.isRead[positionOf[id]!] = 1;
  return { forms, stepOf, positionOf };
}

/** True for a sum with a constant as second operand. Which operand comes first depends on where the constant occurred first, so forms begin with it. */
function hasConstantLast(graph: Graph, id: number): boolean {
  const code = graph.codeOf(id);
  return (code === ADD || code === MUL) && graph.codeOf(graph.arg(id, 1)) === CONST;
}

/** Adds the operations of a step to a graph, with `operand` for what the step reads. Returns the ids of its nodes. */
export function copyOperations(
  { operations }: StepFamily,
  graph: Graph,
  operand: (kind: typeof OUTSIDE | typeof NUMBER, position: number) => number,
): number[] {
  const ids: number[] = [];
  for (let k = 0; STRIDE * k < operations.length; k++) {
    const code = operations[STRIDE * k]!;
    const args = [1, 2, 3].slice(0, ARITY_BY_CODE[code]).map((a) => {
      const c = operations[STRIDE * k + a]!;
      const [kind, position] = [operandKind(c), operandPosition(c)];
      return graph.expr(kind === NODE ? ids[position]! : operand(kind as typeof OUTSIDE | typeof NUMBER, position));
    });
    ids.push(graph.idOf(graph.node(OPS[code]!, args[0]!, args[1], args[2])));
  }
  return ids;
}
