/** The order in which the nodes of a program are computed. */
import { ARITY_BY_CODE, type Graph, OPS } from "../trace/graph.ts";
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
  const { forAngles, trig, rest, sincosPartner } = trigFirst(program);
  const ordered = window > 1 ? orderForFewLiveValues(program.graph, rest, sincosPartner, window) : rest;
  return { order: forAngles.concat(trig, ordered), sincosPartner };
}

/** The nodes that a program needs, sines and cosines first. */
export function trigFirst(program: Program): TrigFirst {
  const ids = reachableNodes(program);
  const sincosPartner = findSincosPartners(program.graph, ids);
  return { ...splitTrigFirst(program.graph, ids, sincosPartner), sincosPartner };
}

interface TrigFirst {
  /** Inputs, constants, and the nodes for the angles of `trig`. */
  readonly forAngles: number[];
  /** Sines and cosines of angles that depend on no sine or cosine. */
  readonly trig: number[];
  readonly rest: number[];
  readonly sincosPartner: Int32Array;
}

const [SIN, COS] = [OPS.indexOf("sin"), OPS.indexOf("cos")];

const isLeaf = (graph: Graph, id: number): boolean => ARITY_BY_CODE[graph.codeOf(id)] === 0;
const isTrig = (graph: Graph, id: number): boolean => graph.codeOf(id) === SIN || graph.codeOf(id) === COS;

/** Pairs sin(a) with cos(a) if both are needed: together they cost little more than one of them. */
function findSincosPartners(graph: Graph, ids: Int32Array): Int32Array {
  const partner = new Int32Array(graph.size).fill(-1);
  const sineOf = new Map<number, number>();
  for (const id of ids) if (graph.codeOf(id) === SIN) sineOf.set(graph.arg(id, 0), id);
  for (const id of ids) {
    const sine = graph.codeOf(id) === COS ? sineOf.get(graph.arg(id, 0)) : undefined;
    if (sine !== undefined) partner[sine] = id;
  }
  return partner;
}

/**
 * Sines and cosines of angles that depend on no sine or cosine come first: they are function calls, and a call inside straight-line code
 * spills every register. A sine and its partner are one entry, at the position of the one that was recorded first.
 */
function splitTrigFirst(graph: Graph, recorded: Int32Array, partner: Int32Array): Omit<TrigFirst, "sincosPartner"> {
  const ids = mergePartners(graph, recorded, partner);
  const dependsOnTrig = new Uint8Array(graph.size);
  const isForAngle = new Uint8Array(graph.size);
  const isFirstTrig = (id: number): boolean => isTrig(graph, id) && !dependsOnTrig[graph.arg(id, 0)];
  for (const id of ids) {
    for (let k = ARITY_BY_CODE[graph.codeOf(id)]! - 1; k >= 0; k--) dependsOnTrig[id]! |= dependsOnTrig[graph.arg(id, k as 0)]!;
    if (!isTrig(graph, id)) continue;
    if (isFirstTrig(id)) isForAngle[graph.arg(id, 0)] = 1;
    dependsOnTrig[id] = 1;
    if (partner[id]! >= 0) dependsOnTrig[partner[id]!] = 1;
  }
  for (let i = ids.length - 1; i >= 0; i--) {
    const id = ids[i]!;
    if (isForAngle[id]) for (let k = ARITY_BY_CODE[graph.codeOf(id)]! - 1; k >= 0; k--) isForAngle[graph.arg(id, k as 0)] = 1;
  }
  const forAngles: number[] = [];
  const trig: number[] = [];
  const rest: number[] = [];
  for (const id of ids) {
    if (isLeaf(graph, id) || isForAngle[id]) forAngles.push(id);
    else if (isFirstTrig(id)) trig.push(id);
    else rest.push(id);
  }
  return { forAngles, trig, rest };
}

/** The nodes with each pair of sine and cosine as its sine, at the position of the one that was recorded first. */
function mergePartners(graph: Graph, recorded: Int32Array, partner: Int32Array): number[] {
  const sineOfCosine = new Int32Array(graph.size).fill(-1);
  for (const id of recorded) if (partner[id]! >= 0) sineOfCosine[partner[id]!] = id;
  const isListed = new Uint8Array(graph.size);
  const ids: number[] = [];
  for (const node of recorded) {
    const id = sineOfCosine[node]! >= 0 ? sineOfCosine[node]! : node;
    if (isListed[id]) continue;
    isListed[id] = 1;
    ids.push(id);
  }
  return ids;
}

/** The values that the step of a node computes: the node and its sincos partner. */
export const valuesComputedBy = (partner: Int32Array, id: number): number[] => (partner[id]! >= 0 ? [id, partner[id]!] : [id]);

/**
 * Orders the nodes of `rest` so that few values are alive at a time: among the next `window` nodes in recording order, it chooses the one
 * that ends the life of the most values.
 */
function orderForFewLiveValues(graph: Graph, rest: readonly number[], partner: Int32Array, window: number): number[] {
  const { operands, usesLeft, waitsFor, users, firstUser, saving } = dependencies(graph, rest, partner);
  /** Counts down the nodes that wait for a value. */
  const release = (value: number): void => {
    for (let k = firstUser[value]!; k < firstUser[value + 1]!; k++) waitsFor[users[k]!]! -= 1;
  };
  const isOrdered = new Uint8Array(graph.size);
  const order: number[] = [];
  const nextPosition = Int32Array.from(rest, (_, i) => i + 1); // linked list of the positions in `rest`
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
      const id = rest[i]!;
      if (waitsFor[id]! > 0 || saving[id]! <= largestSaving) continue;
      best = i;
      beforeBest = previous;
      largestSaving = saving[id]!;
    }
    const id = rest[best]!;
    order.push(id);
    isOrdered[id] = 1;
    for (let k = 3 * id; k < 3 * id + 3 && operands[k]! >= 0; k++) {
      const operand = operands[k]!;
      usesLeft[operand]! -= 1;
      if (usesLeft[operand] !== 1) continue;
      for (let n = firstUser[operand]!; n < firstUser[operand + 1]!; n++) if (!isOrdered[users[n]!]) saving[users[n]!]! += 1;
    }
    release(id);
    if (partner[id]! >= 0) release(partner[id]!);
    if (beforeBest < 0) head = nextPosition[best]!;
    else nextPosition[beforeBest] = nextPosition[best]!;
  }
  return order;
}

/**
 * For each node of `rest`: its distinct computed operands (at most 3), the number of operands in `rest` that it waits for, and what computing it
 * saves: the number of values that die, minus one if its own value is used. For each value: the number of its users, and the users themselves,
 * `users[firstUser[value]]` to `users[firstUser[value + 1] - 1]`.
 */
function dependencies(graph: Graph, rest: readonly number[], partner: Int32Array) {
  const operands = new Int32Array(3 * graph.size).fill(-1);
  const usesLeft = new Int32Array(graph.size);
  const waitsFor = new Int32Array(graph.size);
  const isInRest = new Uint8Array(graph.size);
  for (const id of rest) {
    isInRest[id] = 1;
    if (partner[id]! >= 0) isInRest[partner[id]!] = 1;
  }
  for (const id of rest) {
    let k = 3 * id;
    for (let a = 0; a < ARITY_BY_CODE[graph.codeOf(id)]!; a++) {
      const arg = graph.arg(id, a as 0);
      if (isLeaf(graph, arg) || operands[3 * id] === arg || operands[3 * id + 1] === arg) continue;
      operands[k++] = arg;
      usesLeft[arg]! += 1;
      if (isInRest[arg]) waitsFor[id]! += 1; // others are computed before `rest`
    }
  }
  const firstUser = new Int32Array(graph.size + 1);
  for (let value = 0; value < graph.size; value++) firstUser[value + 1] = firstUser[value]! + usesLeft[value]!;
  const users = new Int32Array(firstUser[graph.size]!);
  const filled = firstUser.slice();
  const saving = new Int8Array(graph.size);
  for (const id of rest) {
    saving[id] = usesLeft[id]! > 0 ? -1 : 0;
    for (let k = 3 * id; k < 3 * id + 3 && operands[k]! >= 0; k++) {
      users[filled[operands[k]!]!++] = id;
      if (usesLeft[operands[k]!] === 1) saving[id]! += 1;
    }
  }
  return { operands, usesLeft, waitsFor, users, firstUser, saving };
}
