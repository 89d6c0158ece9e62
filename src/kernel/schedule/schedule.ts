/**
 * Schedule of a program: the order of its computation, divided into chunks.
 *
 * A *step* is a node with a name. A node with a single user nearby is inlined: it is written inside the expression of its user. Steps are
 * grouped into chunks, and each chunk becomes one function, because compilers allocate registers badly in very long straight-line code. A
 * value that is used in a later chunk, or after it was dropped from the registers, has a slot in scratch memory. A slot is reused when its
 * value is dead.
 */
import { checkOptions, refuseArgument } from "../../arguments.ts";
import { ARITY_BY_CODE, type Graph, OPS } from "../trace/graph.ts";
import { checkProgram, costOf, type Program } from "../trace/program.ts";
import { orderNodes, valuesComputedBy } from "./node-order.ts";
import { planRegisters, type RegisterPlan } from "./register-plan.ts";

export interface Chunk extends RegisterPlan {
  /** Steps in order. The sincos partner of a step is computed with it and not listed. */
  readonly steps: readonly number[];
  /** Number of reads of each named value in the chunk, inputs and values of earlier chunks included. */
  readonly uses: ReadonlyMap<number, number>;
}

export interface ProgramSchedule {
  readonly chunks: readonly Chunk[];
  /** 1 for inlined nodes. */
  readonly isInlined: Uint8Array;
  /** For each sine of an angle whose cosine is needed too: the node of that cosine; otherwise -1. */
  readonly sincosPartner: Int32Array;
  /** Scratch slot of a node that is used in a later chunk or after it was dropped, otherwise -1. */
  readonly scratchSlot: Int32Array;
  readonly scratchSlotCount: number;
  /** Positions in y of each node that is an output: one or several. */
  readonly outputs: ReadonlyMap<number, readonly number[]>;
}

export interface ScheduleOptions {
  /** Approximate number of nodes per chunk. */
  readonly chunkSize?: number;
  /** Maximum number of values in registers; others are dropped and loaded again. Default: no limit. */
  readonly registers?: number;
}

/** Options that a target chooses, not its user. */
export interface TargetScheduleOptions extends ScheduleOptions {
  /** Number of nodes by which a node may be moved ahead if that keeps fewer values alive. */
  readonly window?: number;
}

/** @throws ArgumentError with the argument or option that is wrong; `others` are options besides those of the schedule */
export function checkSchedule(program: unknown, options: ScheduleOptions, others: readonly string[] = []): void {
  checkProgram(program);
  checkOptions("options", options, ["chunkSize", "registers", ...others]);
  for (const key of ["chunkSize", "registers"] as const)
    if (options[key] !== undefined && !(typeof options[key] === "number" && options[key] > 0))
      refuseArgument(`options.${key}`, "a number above 0", options[key]);
}

/** Measured on forward dynamics of 4 to 100 hinges: a boundary costs stores and loads, but compilers optimise short functions better. */
const CHUNK_SIZE = 300;
const LARGE_PROGRAM_CHUNK_SIZE = 150;

/** Above this number of operations, the code may exceed the first-level cache (32 KB); the exact limit depends on the processor. */
const LARGE_PROGRAM_OPS = 3000;

/**
 * Nodes by which a node of a large program may be moved ahead: about one hinge. Compilers without a limit of registers order small programs
 * better themselves.
 */
const LARGE_PROGRAM_ORDER_WINDOW = 64;

/** A node is not inlined if its user is further away than this, because its operands would have to live longer. */
const INLINE_DISTANCE = 24;
/** Maximum number of operations in an expression: longer ones are neither readable nor faster. */
const INLINE_SIZE = 16;

export function scheduleProgram(program: Program, options: TargetScheduleOptions = {}): ProgramSchedule {
  const { graph } = program;
  const isLarge = isLargeProgram(program);
  const { order, sincosPartner } = orderNodes(program, options.window ?? (isLarge ? LARGE_PROGRAM_ORDER_WINDOW : 1));
  const outputs = outputPositions(program);
  const { isInlined, weight } = chooseInlinedNodes(graph, order, outputs);
  const steps = order.filter((id) => !isInlined[id] && (!isLeaf(graph, id) || outputs.has(id)));
  const reads = steps.map((id) => operandsOf(graph, isInlined, id));
  const size = options.chunkSize ?? (isLarge ? LARGE_PROGRAM_CHUNK_SIZE : CHUNK_SIZE);
  const liveValues = liveValuesBefore(graph, steps, reads, sincosPartner);
  const chunks = cutIntoChunks(steps, liveValues, weight, size).map(({ start, end }): Chunk => {
    const chunkReads = reads.slice(start, end);
    const chunkSteps = steps.slice(start, end);
    const values = chunkSteps.map((id) => valuesComputedBy(sincosPartner, id));
    return {
      steps: chunkSteps,
      uses: countUses(chunkReads),
      ...planRegisters(chunkReads, values, options.registers ?? Number.POSITIVE_INFINITY),
    };
  });
  return { chunks, isInlined, sincosPartner, outputs, ...assignScratchSlots(graph, chunks, reads, sincosPartner) };
}

export const isLargeProgram = (program: Program): boolean => costOf(program).ops > LARGE_PROGRAM_OPS;

const [CONST, SIN, COS] = [OPS.indexOf("const"), OPS.indexOf("sin"), OPS.indexOf("cos")];

const isLeaf = (graph: Graph, id: number): boolean => ARITY_BY_CODE[graph.codeOf(id)] === 0;

/** Calls `visit` for each named value that the expression of a step reads, once per read. */
export function eachOperand(graph: Graph, isInlined: Uint8Array, id: number, visit: (operand: number) => void): void {
  for (let k = 0; k < ARITY_BY_CODE[graph.codeOf(id)]!; k++) {
    const operand = graph.arg(id, k as 0 | 1 | 2);
    if (isInlined[operand]) eachOperand(graph, isInlined, operand, visit);
    else if (graph.codeOf(operand) !== CONST) visit(operand);
  }
}

function operandsOf(graph: Graph, isInlined: Uint8Array, id: number, operands: number[] = []): number[] {
  for (let k = 0; k < ARITY_BY_CODE[graph.codeOf(id)]!; k++) {
    const operand = graph.arg(id, k as 0 | 1 | 2);
    if (isInlined[operand]) operandsOf(graph, isInlined, operand, operands);
    else if (graph.codeOf(operand) !== CONST) operands.push(operand);
  }
  return operands;
}

function outputPositions(program: Program): Map<number, number[]> {
  const positions = new Map<number, number[]>();
  program.results.forEach((id, i) => {
    const existing = positions.get(id);
    if (existing) existing.push(i);
    else positions.set(id, [i]);
  });
  return positions;
}

/** Chooses the inlined nodes, and counts the operations of each expression. */
function chooseInlinedNodes(graph: Graph, order: readonly number[], outputs: ReadonlyMap<number, unknown>) {
  const uses = new Int32Array(graph.size);
  const userPosition = new Int32Array(graph.size).fill(-1);
  order.forEach((id, position) => {
    for (let k = 0; k < ARITY_BY_CODE[graph.codeOf(id)]!; k++) {
      const operand = graph.arg(id, k as 0 | 1 | 2);
      uses[operand]! += 1;
      userPosition[operand] = position;
    }
  });
  const isInlined = new Uint8Array(graph.size);
  const weight = new Int32Array(graph.size);
  order.forEach((id, position) => {
    if (isLeaf(graph, id)) return;
    const code = graph.codeOf(id);
    let size = 1;
    for (let k = 0; k < ARITY_BY_CODE[code]!; k++) {
      const operand = graph.arg(id, k as 0 | 1 | 2);
      if (isInlined[operand]) size += weight[operand]!;
    }
    weight[id] = size;
    const isNear = userPosition[id]! - position <= INLINE_DISTANCE;
    if (uses[id] === 1 && isNear && size < INLINE_SIZE && code !== SIN && code !== COS && !outputs.has(id)) isInlined[id] = 1;
  });
  return { isInlined, weight };
}

/** A part of the steps: from `start` to before `end`. */
interface StepRange {
  readonly start: number;
  readonly end: number;
}

/** Divides the steps into chunks of about `size` nodes, at the nearby positions where the fewest values are alive. */
function cutIntoChunks(steps: readonly number[], liveValues: Int32Array, weight: Int32Array, size: number): StepRange[] {
  const nodesBefore = new Float64Array(steps.length + 1);
  steps.forEach((id, i) => {
    nodesBefore[i + 1] = nodesBefore[i]! + Math.max(1, weight[id]!);
  });
  const chunks: StepRange[] = [];
  let start = 0;
  while (start < steps.length) {
    let end = steps.length;
    if (nodesBefore[end]! - nodesBefore[start]! > 1.3 * size) {
      let i = start + 1;
      while (i < steps.length && nodesBefore[i]! - nodesBefore[start]! < 0.7 * size) i++;
      end = i;
      for (; i < steps.length && nodesBefore[i]! - nodesBefore[start]! <= 1.3 * size; i++)
        if (liveValues[i]! < liveValues[end]!) end = i;
    }
    chunks.push({ start, end });
    start = end;
  }
  return chunks.length > 0 ? chunks : [{ start: 0, end: 0 }];
}

/** Number of computed values alive before each step. Inputs do not count, because they are in memory. */
function liveValuesBefore(
  graph: Graph,
  steps: readonly number[],
  reads: readonly (readonly number[])[],
  sincosPartner: Int32Array,
): Int32Array {
  const lastUse = new Int32Array(graph.size).fill(-1);
  reads.forEach((operands, i) => {
    for (const operand of operands) lastUse[operand] = i;
  });
  const change = new Int32Array(steps.length + 2);
  steps.forEach((id, i) => {
    if (isLeaf(graph, id)) return;
    for (const value of valuesComputedBy(sincosPartner, id)) {
      if (lastUse[value]! < 0) continue;
      change[i + 1]! += 1;
      change[lastUse[value]! + 1]! -= 1;
    }
  });
  for (let i = 1; i < change.length; i++) change[i]! += change[i - 1]!;
  return change;
}

function countUses(reads: readonly (readonly number[])[]): Map<number, number> {
  const uses = new Map<number, number>();
  for (const operands of reads) for (const id of operands) uses.set(id, (uses.get(id) ?? 0) + 1);
  return uses;
}

/**
 * Assigns a scratch slot to each value that is read in a later chunk or after it was dropped. A slot becomes free after the last read of
 * its value, and the slot freed last is used first: loads and stores with small offsets have shorter encodings.
 */
function assignScratchSlots(
  graph: Graph,
  chunks: readonly Chunk[],
  reads: readonly (readonly number[])[],
  sincosPartner: Int32Array,
): { scratchSlot: Int32Array; scratchSlotCount: number } {
  const chunkOf = new Int32Array(graph.size).fill(-1);
  const needsSlot = new Uint8Array(graph.size);
  const lastRead = new Int32Array(graph.size).fill(-1);
  let position = 0;
  chunks.forEach(({ steps, uses, spilled }, c) => {
    for (const id of steps) {
      if (!isLeaf(graph, id)) {
        chunkOf[id] = c;
        if (sincosPartner[id]! >= 0) chunkOf[sincosPartner[id]!] = c;
      }
      for (const operand of reads[position]!) lastRead[operand] = position;
      position++;
    }
    for (const id of uses.keys()) if (chunkOf[id] !== c) needsSlot[id] = 1;
    for (const id of spilled) needsSlot[id] = 1;
  });
  const scratchSlot = new Int32Array(graph.size).fill(-1);
  const freedAt: (number[] | undefined)[] = new Array(position);
  const freeSlots: number[] = [];
  let scratchSlotCount = 0;
  position = 0;
  for (const { steps } of chunks) {
    for (const id of steps) {
      const freed = freedAt[position++];
      if (freed) freeSlots.push(...freed);
      for (const value of valuesComputedBy(sincosPartner, id)) {
        if (chunkOf[value]! < 0 || !needsSlot[value]) continue;
        const slot = freeSlots.pop() ?? scratchSlotCount++;
        scratchSlot[value] = slot;
        const last = lastRead[value]!;
        freedAt[last] ??= [];
        freedAt[last]!.push(slot);
      }
    }
  }
  return { scratchSlot, scratchSlotCount };
}
