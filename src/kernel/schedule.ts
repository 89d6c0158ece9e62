/**
 * The order in which a program is computed, and its cut into chunks.
 *
 * A *step* is a node that gets a name. A node with a single user nearby needs none: it is written inside the expression of
 * its user. Steps are grouped in chunks, each of which becomes one function: compilers allocate registers badly over very
 * long straight-line code. Values computed in one chunk and used in another live in scratch memory, one slot each, and a
 * slot is used again when its value is dead.
 */
import { ARITY, type Graph } from "./graph.ts";
import { orderOf } from "./order.ts";
import type { Program } from "./program.ts";

export interface Chunk {
  /** Steps in order. The twin of a step is computed with it and not listed. */
  readonly steps: readonly number[];
  /** How often the chunk reads each named value, inputs and values of earlier chunks included. */
  readonly uses: ReadonlyMap<number, number>;
}

export interface Schedule {
  readonly chunks: readonly Chunk[];
  /** 1 for nodes that are written inside the expression of their only user. */
  readonly inlined: Uint8Array;
  /** For a sine whose cosine is needed too: that cosine; otherwise -1. */
  readonly twin: Int32Array;
  /** Scratch slot of a node that is used in a later chunk, otherwise -1. */
  readonly slot: Int32Array;
  readonly slots: number;
  /** Positions in y of each node that is an output: none, one or several. */
  readonly outputs: ReadonlyMap<number, readonly number[]>;
}

export interface ScheduleOptions {
  /** Nodes per chunk, about. */
  readonly chunkSize?: number;
}

/**
 * Measured on forward dynamics of 4 to 100 hinges: a boundary costs stores and loads, but V8 allocates registers better in
 * short functions, and code beyond the first-level cache (32 KB) runs at the speed at which it is fetched, so that there
 * the fewer spills of short functions win.
 */
const CHUNK = 300;
const CHUNK_OF_LARGE = 150;
const LARGE_PROGRAM = 4000;

/** A value with one user is named all the same when the user is further away than this: its operands would live longer. */
const INLINE_DISTANCE = 24;
/** Longest expression: more is neither readable nor faster. */
const INLINE_SIZE = 16;

export function schedule(program: Program, options: ScheduleOptions = {}): Schedule {
  const { graph } = program;
  const { order, twin } = orderOf(program);
  const outputs = outputPositions(program);
  const { inlined, weight } = inlining(graph, order, outputs);
  const steps = order.filter((id) => !inlined[id] && (!isLeaf(graph, id) || outputs.has(id)));
  const operations = order.reduce((sum, id) => sum + (isLeaf(graph, id) ? 0 : 1), 0);
  const size = options.chunkSize ?? (operations > LARGE_PROGRAM ? CHUNK_OF_LARGE : CHUNK);
  const chunks = cut(graph, steps, inlined, twin, weight, size).map((part) => ({
    steps: part,
    uses: usesOf(graph, part, inlined),
  }));
  return { chunks, inlined, twin, outputs, ...scratchSlots(graph, chunks, twin) };
}

const isLeaf = (graph: Graph, id: number): boolean => ARITY[graph.opOf(id)] === 0;

/** Calls `visit` for each named value that the expression of a step reads, once per reading. */
export function eachOperand(graph: Graph, inlined: Uint8Array, id: number, visit: (operand: number) => void): void {
  graph.eachArg(id, (operand) => {
    if (inlined[operand]) eachOperand(graph, inlined, operand, visit);
    else if (graph.opOf(operand) !== "const") visit(operand);
  });
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
function inlining(graph: Graph, order: readonly number[], outputs: ReadonlyMap<number, unknown>) {
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
function cut(
  graph: Graph,
  steps: readonly number[],
  inlined: Uint8Array,
  twin: Int32Array,
  weight: Int32Array,
  size: number,
): number[][] {
  const alive = aliveBefore(graph, steps, inlined, twin);
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
function aliveBefore(graph: Graph, steps: readonly number[], inlined: Uint8Array, twin: Int32Array): Int32Array {
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

function usesOf(graph: Graph, steps: readonly number[], inlined: Uint8Array): Map<number, number> {
  const uses = new Map<number, number>();
  const count = (id: number): void => {
    uses.set(id, (uses.get(id) ?? 0) + 1);
  };
  for (const id of steps) eachOperand(graph, inlined, id, count);
  return uses;
}

/** One scratch slot for each value that a later chunk reads. A slot is free again after the last chunk that reads it. */
function scratchSlots(graph: Graph, chunks: readonly Chunk[], twin: Int32Array): { slot: Int32Array; slots: number } {
  const home = new Int32Array(graph.size).fill(-1);
  const lastChunk = new Int32Array(graph.size).fill(-1);
  chunks.forEach(({ steps, uses }, c) => {
    for (const id of steps) {
      if (isLeaf(graph, id)) continue;
      home[id] = c;
      if (twin[id]! >= 0) home[twin[id]!] = c;
    }
    for (const id of uses.keys()) lastChunk[id] = c;
  });
  const slot = new Int32Array(graph.size).fill(-1);
  const dying: number[][] = chunks.map(() => []);
  const free: number[] = [];
  let slots = 0;
  chunks.forEach(({ steps }, c) => {
    for (const id of steps) {
      for (const defined of [id, twin[id]!]) {
        if (defined < 0 || home[defined] !== c || lastChunk[defined]! <= c) continue;
        slot[defined] = free.pop() ?? slots++;
        dying[lastChunk[defined]!]!.push(slot[defined]!);
      }
    }
    free.push(...dying[c]!); // only from the next chunk on: within this one the value may still be read
  });
  return { slot, slots };
}
