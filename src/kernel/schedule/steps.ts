/** The parts of a program that can share code: the steps of its recursions (`beginStep`), and sines and cosines two by two. */
import { ARITY_BY_CODE, type Graph } from "../trace/graph.ts";
import type { Program } from "../trace/program.ts";
import { trigFirst, valuesComputedBy } from "./node-order.ts";

export interface ProgramSteps {
  /** Nodes of each step, operands before users, without inputs and constants. */
  readonly steps: readonly (readonly number[])[];
  /** Step of each node; -1 for inputs, constants and nodes that are not needed. */
  readonly stepOf: Int32Array;
}

/** Two angles at a time are nearly twice as fast as one. */
const ANGLES_PER_STEP = 2;

/** Longer steps are divided, because compilers optimise short functions better. */
const LONGEST_STEP = 400;

/** Divides a program into steps. Each step reads only inputs, constants and values of earlier steps. */
export function divideIntoSteps(program: Program): ProgramSteps {
  const { graph } = program;
  const { trig, rest, sincosPartner } = trigFirst(program);
  const stepOf = new Int32Array(graph.size).fill(-1);
  const steps: number[][] = [];
  let step: number[] = [];
  const add = (id: number): void => {
    if (step.length === 0) steps.push(step);
    for (const value of valuesComputedBy(sincosPartner, id)) {
      stepOf[value] = steps.length - 1;
      step.push(value);
    }
  };
  for (const [i, id] of trig.entries()) {
    if (i % ANGLES_PER_STEP === 0) step = [];
    eachMissingOperand(graph, id, stepOf, add);
    add(id);
  }
  const starts = [...graph.stepStarts, Number.POSITIVE_INFINITY];
  let next = 0;
  step = [];
  for (const id of rest) {
    if (id >= starts[next]! || step.length >= LONGEST_STEP) step = [];
    while (id >= starts[next]!) next++;
    add(id);
  }
  return { steps, stepOf };
}

/** Visits the computed operands of a node that belong to no step yet, each after its own operands. */
function eachMissingOperand(graph: Graph, id: number, stepOf: Int32Array, visit: (id: number) => void): void {
  graph.eachArg(id, (arg) => {
    if (ARITY_BY_CODE[graph.codeOf(arg)] === 0 || stepOf[arg]! >= 0) return;
    eachMissingOperand(graph, arg, stepOf, visit);
    visit(arg);
  });
}
