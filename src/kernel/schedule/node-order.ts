/** The order in which the nodes of a program are computed. */
import { ARITY, type Graph } from "../trace/graph.ts";
import { type Program, reachableNodes } from "../trace/program.ts";

export interface NodeOrder {
  /** Operands before users; inputs and constants included, cosines that are twins left out. */
  readonly order: readonly number[];
  /** For a sine whose cosine is needed too: that cosine; otherwise -1. */
  readonly sincosPartner: Int32Array;
}

/** Values saved by a node that ends two and begins one: no search for better. */
const SUFFICIENT_SAVING = 1;

/**
 * Trigonometry first, then recording order: algorithms compute things shortly before they use them. With a `window` above 1 a node may be
 * computed before so many others, where that keeps fewer values alive. Orders that walk from the outputs down were measured too, and
 * are no better.
 */
export function orderNodes(program: Program, window: number): NodeOrder {
  const { graph } = program;
  const ids = reachableNodes(program);
  const twin = findSincosPartners(graph, ids);
  const { first, rest } = splitTrigFirst(graph, ids, twin);
  return { order: [...first, ...(window > 1 ? orderForFewLiveValues(graph, rest, twin, window) : rest)], sincosPartner: twin };
}

const isLeaf = (graph: Graph, id: number): boolean => ARITY[graph.opOf(id)] === 0;
const isTrig = (graph: Graph, id: number): boolean => graph.opOf(id) === "sin" || graph.opOf(id) === "cos";

/** Pairs sin(a) with cos(a) where both are needed: computed together they cost little more than one. */
function findSincosPartners(graph: Graph, ids: readonly number[]): Int32Array {
  const twin = new Int32Array(graph.size).fill(-1);
  const sineOf = new Map<number, number>();
  for (const id of ids) if (graph.opOf(id) === "sin") sineOf.set(graph.arg(id, 0), id);
  for (const id of ids) {
    const sine = graph.opOf(id) === "cos" ? sineOf.get(graph.arg(id, 0)) : undefined;
    if (sine !== undefined) twin[sine] = id;
  }
  return twin;
}

/**
 * Inputs, constants, and what the angles of sines and cosines need that depend on no other; then these sines and cosines, side by side:
 * they are calls, and a call in the middle of straight-line code spills every register. A cosine with a twin is left out; the pair
 * stands where the first of the two was recorded.
 */
function splitTrigFirst(graph: Graph, recorded: readonly number[], twin: Int32Array): { first: number[]; rest: number[] } {
  const leader = new Map<number, number>();
  twin.forEach((cosine, sine) => {
    if (cosine >= 0) leader.set(cosine, sine);
  });
  const ids = [...new Set(recorded.map((id) => leader.get(id) ?? id))];
  const afterTrig = new Uint8Array(graph.size);
  const angles = new Uint8Array(graph.size);
  const isFirstTrig = (id: number): boolean => isTrig(graph, id) && !afterTrig[graph.arg(id, 0)];
  for (const id of ids) {
    graph.eachArg(id, (a) => (afterTrig[id]! |= afterTrig[a]!));
    if (isFirstTrig(id)) angles[graph.arg(id, 0)] = 1;
    if (isTrig(graph, id)) afterTrig[id] = 1;
    if (twin[id]! >= 0) afterTrig[twin[id]!] = 1;
  }
  for (const id of ids.toReversed()) if (angles[id]) graph.eachArg(id, (a) => (angles[a] = 1));
  const isFirst = (id: number): boolean => isLeaf(graph, id) || angles[id] === 1;
  return {
    first: [...ids.filter(isFirst), ...ids.filter(isFirstTrig)],
    rest: ids.filter((id) => !isFirst(id) && !isFirstTrig(id)),
  };
}

/** What is computed at the place of a node. */
export const valuesComputedBy = (twin: Int32Array, id: number): number[] => (twin[id]! >= 0 ? [id, twin[id]!] : [id]);

/**
 * The nodes of `rest` so that few values are alive at a time: of the next nodes in recording order always the one whose operands are needed
 * by no other any more, where there is one.
 */
function orderForFewLiveValues(graph: Graph, rest: readonly number[], twin: Int32Array, window: number): number[] {
  const { operands, usesLeft, waitsFor, users } = dependencies(graph, rest, twin);
  /** Values that are not needed any more once a node is computed, less that of the node. */
  const saving = (id: number): number => {
    let saved = usesLeft[id]! > 0 ? -1 : 0;
    for (let k = 3 * id; k < 3 * id + 3 && operands[k]! >= 0; k++) if (usesLeft[operands[k]!] === 1) saved++;
    return saved;
  };
  const order: number[] = [];
  const after = rest.map((_, i) => i + 1); // a linked list of positions in `rest`
  let head = 0;
  while (head < rest.length) {
    let best = -1;
    let beforeBest = -1;
    let most = Number.NEGATIVE_INFINITY;
    for (
      let i = head, before = -1, seen = 0;
      i < rest.length && seen < window && most < SUFFICIENT_SAVING;
      before = i, i = after[i]!, seen++
    ) {
      if (waitsFor[rest[i]!]! > 0) continue;
      const saved = saving(rest[i]!);
      if (saved <= most) continue;
      best = i;
      beforeBest = before;
      most = saved;
    }
    const id = rest[best]!;
    order.push(id);
    for (let k = 3 * id; k < 3 * id + 3 && operands[k]! >= 0; k++) usesLeft[operands[k]!]! -= 1;
    for (const value of valuesComputedBy(twin, id)) for (const user of users[value] ?? []) waitsFor[user]! -= 1;
    if (beforeBest < 0) head = after[best]!;
    else after[beforeBest] = after[best]!;
  }
  return order;
}

/** The computed operands of each node, each once; how many nodes use it; and for which of `rest` it and they have to wait. */
function dependencies(graph: Graph, rest: readonly number[], twin: Int32Array) {
  const operands = new Int32Array(3 * graph.size).fill(-1);
  const usesLeft = new Int32Array(graph.size);
  const waitsFor = new Int32Array(graph.size);
  const users: (number[] | undefined)[] = new Array(graph.size);
  for (const id of rest) for (const value of valuesComputedBy(twin, id)) users[value] = [];
  for (const id of rest) {
    let k = 3 * id;
    graph.eachArg(id, (arg) => {
      if (isLeaf(graph, arg) || operands[3 * id] === arg || operands[3 * id + 1] === arg) return;
      operands[k++] = arg;
      usesLeft[arg]! += 1;
      if (!users[arg]) return; // known from the start
      users[arg].push(id);
      waitsFor[id]! += 1;
    });
  }
  return { operands, usesLeft, waitsFor, users };
}
