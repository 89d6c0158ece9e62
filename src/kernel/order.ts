/** The order in which the nodes of a program are computed. */
import type { Graph } from "./graph.ts";
import { type Program, reachable } from "./program.ts";

export interface Order {
  /** Operands before users; inputs and constants included, cosines that are twins left out. */
  readonly order: readonly number[];
  /** For a sine whose cosine is needed too: that cosine; otherwise -1. */
  readonly twin: Int32Array;
}

/**
 * Recording order, trigonometry first. Orders that walk from the outputs down were measured too: within 5 % either way,
 * depending on the machine, since algorithms already compute things shortly before they use them.
 */
export function orderOf(program: Program): Order {
  const ids = reachable(program);
  const twin = twins(program.graph, ids);
  return { order: trigFirst(program.graph, ids, twin), twin };
}

const isTrig = (graph: Graph, id: number): boolean => graph.opOf(id) === "sin" || graph.opOf(id) === "cos";

/** Pairs sin(a) with cos(a) where both are needed: computed together they cost little more than one. */
function twins(graph: Graph, ids: readonly number[]): Int32Array {
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
 * The reachable nodes in recording order, except that sines and cosines whose angles need no other sine or cosine come
 * first, side by side: they are calls, and a call in the middle of straight-line code spills every register. A cosine
 * with a twin is left out; the pair stands where the first of the two was recorded.
 */
function trigFirst(graph: Graph, recorded: readonly number[], twin: Int32Array): number[] {
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
  return [...ids.filter((id) => angles[id]), ...ids.filter(isFirstTrig), ...ids.filter((id) => !angles[id] && !isFirstTrig(id))];
}
