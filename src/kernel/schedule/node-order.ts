/** The order in which the nodes of a program are computed. */
import { ARITY, type Graph } from "../trace/graph.ts";
import { type Program, reachableNodes } from "../trace/program.ts";

export interface NodeOrder {
  /** Node ids, operands before users, inputs and constants included. A cosine that is the partner of a sine is not listed. */
  readonly order: readonly number[];
  /** For each sine of an angle whose cosine is needed too: the node of that cosine; otherwise -1. */
  readonly sincosPartner: Int32Array;
}

/** Saving at which the search stops: the node ends the life of two values and begins one. */
const SUFFICIENT_SAVING = 1;

/**
 * Orders the nodes: sines and cosines first, then recording order, because algorithms compute values shortly before they use them. A node
 * may be moved ahead by up to `window` nodes if that keeps fewer values alive. Orders that start from the outputs were measured too and are
 * no better.
 */
export function orderNodes(program: Program, window: number): NodeOrder {
  const { graph } = program;
  const ids = reachableNodes(program);
  const partner = findSincosPartners(graph, ids);
  const { first, rest } = splitTrigFirst(graph, ids, partner);
  return {
    order: [...first, ...(window > 1 ? orderForFewLiveValues(graph, rest, partner, window) : rest)],
    sincosPartner: partner,
  };
}

const isLeaf = (graph: Graph, id: number): boolean => ARITY[graph.opOf(id)] === 0;
const isTrig = (graph: Graph, id: number): boolean => graph.opOf(id) === "sin" || graph.opOf(id) === "cos";

/** Pairs sin(a) with cos(a) if both are needed: together they cost little more than one of them. */
function findSincosPartners(graph: Graph, ids: readonly number[]): Int32Array {
  const partner = new Int32Array(graph.size).fill(-1);
  const sineOf = new Map<number, number>();
  for (const id of ids) if (graph.opOf(id) === "sin") sineOf.set(graph.arg(id, 0), id);
  for (const id of ids) {
    const sine = graph.opOf(id) === "cos" ? sineOf.get(graph.arg(id, 0)) : undefined;
    if (sine !== undefined) partner[sine] = id;
  }
  return partner;
}

/**
 * `first`: inputs, constants and the nodes for those angles that depend on no sine or cosine, then the sines and cosines of these angles.
 * They are function calls, and a call inside straight-line code spills every register. A sine and its partner are one entry, at the
 * position of the one that was recorded first.
 */
function splitTrigFirst(graph: Graph, recorded: readonly number[], partner: Int32Array): { first: number[]; rest: number[] } {
  const sineOfCosine = new Map<number, number>();
  partner.forEach((cosine, sine) => {
    if (cosine >= 0) sineOfCosine.set(cosine, sine);
  });
  const ids = [...new Set(recorded.map((id) => sineOfCosine.get(id) ?? id))];
  const dependsOnTrig = new Uint8Array(graph.size);
  const isForAngle = new Uint8Array(graph.size);
  const isFirstTrig = (id: number): boolean => isTrig(graph, id) && !dependsOnTrig[graph.arg(id, 0)];
  for (const id of ids) {
    graph.eachArg(id, (a) => (dependsOnTrig[id]! |= dependsOnTrig[a]!));
    if (isFirstTrig(id)) isForAngle[graph.arg(id, 0)] = 1;
    if (isTrig(graph, id)) dependsOnTrig[id] = 1;
    if (partner[id]! >= 0) dependsOnTrig[partner[id]!] = 1;
  }
  for (const id of ids.toReversed()) if (isForAngle[id]) graph.eachArg(id, (a) => (isForAngle[a] = 1));
  const isFirst = (id: number): boolean => isLeaf(graph, id) || isForAngle[id] === 1;
  return {
    first: [...ids.filter(isFirst), ...ids.filter(isFirstTrig)],
    rest: ids.filter((id) => !isFirst(id) && !isFirstTrig(id)),
  };
}

/** The values that the step of a node computes: the node and its sincos partner. */
export const valuesComputedBy = (partner: Int32Array, id: number): number[] => (partner[id]! >= 0 ? [id, partner[id]!] : [id]);

/**
 * Orders the nodes of `rest` so that few values are alive at a time: among the next `window` nodes in recording order, it chooses the one
 * that ends the life of the most values.
 */
function orderForFewLiveValues(graph: Graph, rest: readonly number[], partner: Int32Array, window: number): number[] {
  const { operands, usesLeft, waitsFor, users } = dependencies(graph, rest, partner);
  /** Number of values that die when a node is computed, minus one if the value of the node is used. */
  const savingOf = (id: number): number => {
    let saving = usesLeft[id]! > 0 ? -1 : 0;
    for (let k = 3 * id; k < 3 * id + 3 && operands[k]! >= 0; k++) if (usesLeft[operands[k]!] === 1) saving++;
    return saving;
  };
  const order: number[] = [];
  const nextPosition = rest.map((_, i) => i + 1); // linked list of the positions in `rest`
  let head = 0;
  while (head < rest.length) {
    let best = -1;
    let beforeBest = -1;
    let largestSaving = Number.NEGATIVE_INFINITY;
    for (
      let i = head, previous = -1, seen = 0;
      i < rest.length && seen < window && largestSaving < SUFFICIENT_SAVING;
      previous = i, i = nextPosition[i]!, seen++
    ) {
      if (waitsFor[rest[i]!]! > 0) continue;
      const saving = savingOf(rest[i]!);
      if (saving <= largestSaving) continue;
      best = i;
      beforeBest = previous;
      largestSaving = saving;
    }
    const id = rest[best]!;
    order.push(id);
    for (let k = 3 * id; k < 3 * id + 3 && operands[k]! >= 0; k++) usesLeft[operands[k]!]! -= 1;
    for (const value of valuesComputedBy(partner, id)) for (const user of users[value] ?? []) waitsFor[user]! -= 1;
    if (beforeBest < 0) head = nextPosition[best]!;
    else nextPosition[beforeBest] = nextPosition[best]!;
  }
  return order;
}

/**
 * For each node: its distinct computed operands (at most 3), the number of its users, and the number of operands in `rest` that it waits
 * for; also the users of each value of `rest`.
 */
function dependencies(graph: Graph, rest: readonly number[], partner: Int32Array) {
  const operands = new Int32Array(3 * graph.size).fill(-1);
  const usesLeft = new Int32Array(graph.size);
  const waitsFor = new Int32Array(graph.size);
  const users: (number[] | undefined)[] = new Array(graph.size);
  for (const id of rest) for (const value of valuesComputedBy(partner, id)) users[value] = [];
  for (const id of rest) {
    let k = 3 * id;
    graph.eachArg(id, (arg) => {
      if (isLeaf(graph, arg) || operands[3 * id] === arg || operands[3 * id + 1] === arg) return;
      operands[k++] = arg;
      usesLeft[arg]! += 1;
      if (!users[arg]) return; // computed before `rest`
      users[arg].push(id);
      waitsFor[id]! += 1;
    });
  }
  return { operands, usesLeft, waitsFor, users };
}
