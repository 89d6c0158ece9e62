/**
 * The order in which a program is computed, and its cut into chunks.
 *
 * A *step* is a node that gets a name. A node with a single user nearby needs none: it is written inside the expression of
 * its user. Steps are grouped in chunks, each of which becomes one function: compilers allocate registers badly over very
 * long straight-line code. Values computed in one chunk and used in another, or given up and used again, live in scratch memory, one slot
 * each, and a slot is used again when its value is dead.
 */
import { ARITY, type Graph } from "../trace/graph.ts";
import { costOf, type Program } from "../trace/program.ts";
import { orderNodes, valuesComputedBy } from "./node-order.ts";
import { planRegisters, type RegisterPlan } from "./register-plan.ts";

export interface Chunk extends RegisterPlan {
  /** Steps in order. The twin of a step is computed with it and not listed. */
  readonly steps: readonly number[];
  /** How often the chunk reads each named value, inputs and values of earlier chunks included. */
  readonly uses: ReadonlyMap<number, number>;
}

export interface ProgramSchedule {
  readonly chunks: readonly Chunk[];
  /** 1 for nodes that are written inside the expression of their only user. */
  readonly isInlined: Uint8Array;
  /** For a sine whose cosine is needed too: that cosine; otherwise -1. */
  readonly sincosPartner: Int32Array;
  /** Scratch slot of a node that is used in a later chunk or after it was given up, otherwise -1. */
  readonly scratchSlot: Int32Array;
  readonly scratchSlotCount: number;
  /** Positions in y of each node that is an output: none, one or several. */
  readonly outputs: ReadonlyMap<number, readonly number[]>;
}

export interface ScheduleOptions {
  /** Nodes per chunk, about. */
  readonly chunkSize?: number;
  /** Values that are kept at a time; the others are given up, to be loaded again. Default: all. */
  readonly registers?: number;
}

/** Measured on forward dynamics of 4 to 100 hinges: a boundary costs stores and loads, but compilers do better with short functions. */
const CHUNK_SIZE = 300;
const LARGE_PROGRAM_CHUNK_SIZE = 150;

/** More operations than this make more code than the first-level cache holds (32 KB), sooner or later, according to the machine. */
const LARGE_PROGRAM_OPS = 3000;

/**
 * How far a node of a large program may be computed from its turn: about one hinge. Small programs wait for results rather than for code,
 * and recording order, which has more values alive, is 2 % faster.
 */
const LARGE_PROGRAM_ORDER_WINDOW = 64;

/** A value with one user is named all the same when the user is further away than this: its operands would live longer. */
const INLINE_DISTANCE = 24;
/** Longest expression: more is neither readable nor faster. */
const INLINE_SIZE = 16;

export function scheduleProgram(program: Program, options: ScheduleOptions = {}): ProgramSchedule {
  const { graph } = program;
  const large = isLargeProgram(program);
  const { order, sincosPartner: twin } = orderNodes(program, large ? LARGE_PROGRAM_ORDER_WINDOW : 1);
  const outputs = outputPositions(program);
  const { inlined, weight } = chooseInlinedNodes(graph, order, outputs);
  const steps = order.filter((id) => !inlined[id] && (!isLeaf(graph, id) || outputs.has(id)));
  const size = options.chunkSize ?? (large ? LARGE_PROGRAM_CHUNK_SIZE : CHUNK_SIZE);
  const chunks = cutIntoChunks(graph, steps, inlined, twin, weight, size).map((part): Chunk => {
    const reads = part.map((id) => operandsOf(graph, inlined, id));
    const computed = part.map((id) => valuesComputedBy(twin, id));
    return {
      steps: part,
      uses: countUses(reads),
      ...planRegisters(reads, computed, options.registers ?? Number.POSITIVE_INFINITY),
    };
  });
  return { chunks, isInlined: inlined, sincosPartner: twin, outputs, ...assignScratchSlots(graph, chunks, inlined, twin) };
}

export const isLargeProgram = (program: Program): boolean => costOf(program).ops > LARGE_PROGRAM_OPS;

const isLeaf = (graph: Graph, id: number): boolean => ARITY[graph.opOf(id)] === 0;

/** Calls `visit` for each named value that the expression of a step reads, once per reading. */
export function eachOperand(graph: Graph, inlined: Uint8Array, id: number, visit: (operand: number) => void): void {
  graph.eachArg(id, (operand) => {
    if (inlined[operand]) eachOperand(graph, inlined, operand, visit);
    else if (graph.opOf(operand) !== "const") visit(operand);
  });
}

function operandsOf(graph: Graph, inlined: Uint8Array, id: number): number[] {
  const operands: number[] = [];
  eachOperand(graph, inlined, id, (operand) => operands.push(operand));
  return operands;
}

function outputPositions(program: Program): Map<number, number[]> {
  const positions = new Map<number, number[]>();
  program.results.forEach((id, i) => {
    const known = positions.get(id);
    if (known) known.push(i);
    else positions.set(id, [i]);
  });
  return positions;
}

/** Which nodes are written inside their only user, and the number of operations of each expression. */
function chooseInlinedNodes(graph: Graph, order: readonly number[], outputs: ReadonlyMap<number, unknown>) {
  const uses = new Int32Array(graph.size);
  const user = new Int32Array(graph.size).fill(-1);
  order.forEach((id, position) => {
    graph.eachArg(id, (operand) => {
      uses[operand]! += 1;
      user[operand] = position;
    });
  });
  const inlined = new Uint8Array(graph.size);
  const weight = new Int32Array(graph.size);
  order.forEach((id, position) => {
    const op = graph.opOf(id);
    if (op === "const" || op === "input") return;
    let size = 1;
    graph.eachArg(id, (operand) => {
      if (inlined[operand]) size += weight[operand]!;
    });
    weight[id] = size;
    const near = user[id]! - position <= INLINE_DISTANCE;
    if (uses[id] === 1 && near && size < INLINE_SIZE && op !== "sin" && op !== "cos" && !outputs.has(id)) inlined[id] = 1;
  });
  return { inlined, weight };
}

/** Cuts the steps into chunks of about `size` nodes, each cut where the fewest values are alive around there. */
function cutIntoChunks(
  graph: Graph,
  steps: readonly number[],
  inlined: Uint8Array,
  twin: Int32Array,
  weight: Int32Array,
  size: number,
): number[][] {
  const alive = liveValuesBefore(graph, steps, inlined, twin);
  const upTo = new Float64Array(steps.length + 1);
  steps.forEach((id, i) => {
    upTo[i + 1] = upTo[i]! + Math.max(1, weight[id]!);
  });
  const chunks: number[][] = [];
  let start = 0;
  while (start < steps.length) {
    let end = steps.length;
    if (upTo[end]! - upTo[start]! > 1.3 * size) {
      let i = start + 1;
      while (i < steps.length && upTo[i]! - upTo[start]! < 0.7 * size) i++;
      end = i;
      for (; i < steps.length && upTo[i]! - upTo[start]! <= 1.3 * size; i++) if (alive[i]! < alive[end]!) end = i;
    }
    chunks.push(steps.slice(start, end));
    start = end;
  }
  return chunks.length > 0 ? chunks : [[]];
}

/** Number of computed values that are alive before each step. Inputs do not count: they are in memory anyway. */
function liveValuesBefore(graph: Graph, steps: readonly number[], inlined: Uint8Array, twin: Int32Array): Int32Array {
  const lastUse = new Map<number, number>();
  steps.forEach((id, i) => {
    eachOperand(graph, inlined, id, (operand) => lastUse.set(operand, i));
  });
  const change = new Int32Array(steps.length + 2);
  steps.forEach((id, i) => {
    for (const defined of [id, twin[id]!]) {
      const last = defined < 0 ? undefined : lastUse.get(defined);
      if (last === undefined || isLeaf(graph, defined)) continue;
      change[i + 1]! += 1;
      change[last + 1]! -= 1;
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
 * One scratch slot for each value that is read in a later chunk or after it was given up. A slot is free again after the step that reads it
 * last: few slots, and those just used, are what loads and stores of one byte less can reach.
 */
function assignScratchSlots(
  graph: Graph,
  chunks: readonly Chunk[],
  inlined: Uint8Array,
  twin: Int32Array,
): { scratchSlot: Int32Array; scratchSlotCount: number } {
  const home = new Int32Array(graph.size).fill(-1);
  const stored = new Uint8Array(graph.size);
  const lastRead = new Int32Array(graph.size).fill(-1);
  let position = 0;
  chunks.forEach(({ steps, uses, spilled }, c) => {
    for (const id of steps) {
      for (const value of isLeaf(graph, id) ? [] : valuesComputedBy(twin, id)) home[value] = c;
      const now = position++;
      eachOperand(graph, inlined, id, (operand) => (lastRead[operand] = now));
    }
    for (const id of uses.keys()) if (home[id] !== c) stored[id] = 1;
    for (const id of spilled) stored[id] = 1;
  });
  const slot = new Int32Array(graph.size).fill(-1);
  const dying: number[][] = Array.from({ length: position }, () => []);
  const free: number[] = [];
  let slots = 0;
  position = 0;
  for (const { steps } of chunks) {
    for (const id of steps) {
      free.push(...dying[position++]!);
      for (const value of valuesComputedBy(twin, id)) {
        if (home[value]! < 0 || !stored[value]) continue;
        slot[value] = free.pop() ?? slots++;
        dying[lastRead[value]!]!.push(slot[value]!);
      }
    }
  }
  return { scratchSlot: slot, scratchSlotCount: slots };
}
