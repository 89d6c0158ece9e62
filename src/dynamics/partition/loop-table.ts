/**
 * The loop table [Yaskevich 2018, sec. 2; corrected numbering]: for each loop its root R(k), first F(k), terminal T(k) and closing body
 * I(k), and the speeds that may become dependent. Closure k may contain only independents, dependents of the loops before it and its
 * own. So loops are the vertices of a digraph with an edge j → k if closure k contains a candidate of loop j. Its strongly connected
 * components, in topological order, are the blocks to be solved one after the other. Every such order can be solved.
 */
import { strongComponents } from "../../math/graph/strong-components.ts";
import { commonBody } from "../../model/chains/branch.ts";
import { CHAINS, fitChain } from "../../model/chains/index.ts";
import type { FrameLoop } from "../../model/loop.ts";
import type { Model } from "../../model/model.ts";

/** Structure of the equations of a loop: the speeds in its closure, and the number of independent equations. */
export interface ClosureStructure {
  readonly speeds: readonly number[];
  readonly rank: number;
}

export interface LoopEntry {
  readonly name: string;
  readonly kind: string;
  /** Last body that both branches have in common; -1 is the world. Loops that couple coordinates have no bodies. */
  readonly root?: number;
  /** First and last body of the dependent branch. The last one carries the closing frame. Both are the root if the branch is empty. */
  readonly first?: number;
  readonly terminal?: number;
  /** Body of the other branch that closes the loop. */
  readonly closing?: number;
  /** Rank of the closure. */
  readonly rank: number;
  /** Speeds in the closure. */
  readonly speeds: readonly number[];
  /** Speeds that may become dependent. */
  readonly candidates: readonly number[];
}

/** Loops that are solved together. */
export interface LoopBlock {
  readonly loops: readonly number[];
  readonly candidates: readonly number[];
}

export interface LoopTable {
  readonly loops: readonly LoopEntry[];
  /** Driving blocks come before driven ones. */
  readonly blocks: readonly LoopBlock[];
}

export function loopTable(model: Model, closures: readonly ClosureStructure[]): LoopTable {
  const uses = new Map<number, number>();
  for (const { speeds } of closures) for (const u of speeds) uses.set(u, (uses.get(u) ?? 0) + 1);
  const usesOf = (u: number): number => uses.get(u) ?? 0;
  const loops = model.loops.map((_, k) => entryOf(model, k, closures[k]!, usesOf));
  return { loops, blocks: blocksOf(loops, usesOf) };
}

function entryOf(model: Model, k: number, { speeds, rank }: ClosureStructure, usesOf: (u: number) => number): LoopEntry {
  const loop = model.loops[k]!;
  const { name, kind } = loop;
  const declared = loop.dependent?.map(({ u }) => u).filter((u) => speeds.includes(u));
  if (loop.type !== "frames") return { name, kind, rank, speeds, candidates: declared ?? fewestUses(speeds, rank, usesOf) };
  const [from, to] = [loop.from.body, loop.to.body];
  const root = commonBody(model, from, to);
  const [branchM, branchF] = [branchTo(model, root, to, speeds), branchTo(model, root, from, speeds)];
  const isTo = declared
    ? countIn(branchM.speeds, declared) >= countIn(branchF.speeds, declared)
    : (isChainBranch(model, loop) ?? prefersFirst(branchM.speeds, branchF.speeds, rank, usesOf));
  const branch = isTo ? branchM : branchF;
  return {
    name,
    kind,
    root,
    first: branch.first,
    terminal: isTo ? to : from,
    closing: isTo ? from : to,
    rank,
    speeds,
    candidates: declared ?? (branch.speeds.length > 0 ? branch.speeds : fewestUses(speeds, rank, usesOf)),
  };
}

const countIn = (speeds: readonly number[], wanted: readonly number[]): number => wanted.filter((u) => speeds.includes(u)).length;

/** True if the branch to frame M (and not the branch to F) is the declared chain of the loop; undefined if no chain is declared. */
const isChainBranch = (model: Model, loop: FrameLoop): boolean | undefined =>
  loop.chain && typeof fitChain(model, loop, "M", CHAINS[loop.chain]) !== "string";

/**
 * True if branch a is the dependent one. The dependent branch is the one that alone has enough speeds, unless all of them are in at least two
 * more loops than any speed of the other (a ring that three legs carry). Else it is the one whose speeds appear in fewer loops; else the
 * first, which ends in frame M.
 */
function prefersFirst(a: readonly number[], b: readonly number[], rank: number, usesOf: (u: number) => number): boolean {
  const enough = [a.length >= rank, b.length >= rank];
  if (a.length === 0 || b.length === 0) return a.length > 0;
  const isShared = (e: readonly number[], o: readonly number[]): boolean =>
    Math.min(...e.map(usesOf)) > Math.max(...o.map(usesOf)) + 1;
  if (enough[0] !== enough[1]) return enough[0] ? !isShared(a, b) : isShared(b, a);
  const mean = (speeds: readonly number[]): number => speeds.reduce((sum, u) => sum + usesOf(u), 0) / speeds.length;
  return mean(a) <= mean(b);
}

/** The `count` speeds that appear in the fewest loops (or all speeds if there are fewer), and all that tie with the last of them. */
function fewestUses(speeds: readonly number[], count: number, usesOf: (u: number) => number): number[] {
  const sorted = [...speeds].sort((a, b) => usesOf(a) - usesOf(b) || a - b);
  const last = sorted[Math.min(count, sorted.length) - 1];
  return last === undefined ? [] : sorted.filter((u) => usesOf(u) <= usesOf(last));
}

/**
 * The blocks: components of the digraph. A block of several loops with too few candidates takes more speeds of its closures, those in the
 * fewest loops first. A single loop with too few candidates keeps its own; equations that these cannot satisfy are deferred.
 */
function blocksOf(loops: readonly LoopEntry[], usesOf: (u: number) => number): LoopBlock[] {
  const candidates = loops.map((loop) => new Set(loop.candidates));
  for (;;) {
    const drives = loops.map((_, j) =>
      loops.flatMap(({ speeds }, k) => (k !== j && speeds.some((u) => candidates[j]!.has(u)) ? [k] : [])),
    );
    const blocks = inModelOrder(strongComponents(drives), drives).map((members) => ({
      loops: members,
      candidates: [...new Set(members.flatMap((k) => [...candidates[k]!]))].sort((a, b) => a - b),
    }));
    const short = blocks.find(
      (b) => b.loops.length > 1 && b.candidates.length < rankOf(loops, b) && moreFor(loops, b, usesOf).length > 0,
    );
    if (!short) return blocks;
    const missingCount = rankOf(loops, short) - short.candidates.length;
    for (const u of moreFor(loops, short, usesOf).slice(0, missingCount))
      candidates[short.loops.find((k) => loops[k]!.speeds.includes(u))!]!.add(u);
  }
}

/** The components in a topological order that is as close as possible to the order of the model. */
function inModelOrder(components: readonly (readonly number[])[], drives: readonly (readonly number[])[]): (readonly number[])[] {
  const componentOf = new Map(components.flatMap((members, c) => members.map((k) => [k, c] as const)));
  const waitsFor = components.map(() => 0);
  const successors = components.map((members, c) => [
    ...new Set(members.flatMap((k) => drives[k]!.map((j) => componentOf.get(j)!)).filter((other) => other !== c)),
  ]);
  for (const next of successors) for (const c of next) waitsFor[c]!++;
  const ready = components.flatMap((_, c) => (waitsFor[c] === 0 ? [c] : []));
  const order: (readonly number[])[] = [];
  while (ready.length > 0) {
    ready.sort((a, b) => components[b]![0]! - components[a]![0]!); // the first one in the model is last, to be popped
    const c = ready.pop()!;
    order.push(components[c]!);
    for (const next of successors[c]!) if (--waitsFor[next]! === 0) ready.push(next);
  }
  return order;
}

const rankOf = (loops: readonly LoopEntry[], block: LoopBlock): number => block.loops.reduce((sum, k) => sum + loops[k]!.rank, 0);

function moreFor(loops: readonly LoopEntry[], block: LoopBlock, usesOf: (u: number) => number): number[] {
  const all = new Set(block.loops.flatMap((k) => loops[k]!.speeds));
  return [...all].filter((u) => !block.candidates.includes(u)).sort((a, b) => usesOf(a) - usesOf(b) || a - b);
}

/** The first body on the path from the root to a body, and the speeds of the closure on that path. */
function branchTo(model: Model, root: number, body: number, closure: readonly number[]): { first: number; speeds: number[] } {
  let first = root;
  const speeds: number[] = [];
  for (let i = body; i !== root; i = model.bodies[i]!.parent) {
    first = i;
    const { u, nu } = model.bodies[i]!.hinge;
    speeds.push(...closure.filter((k) => k >= u && k < u + nu));
  }
  return { first, speeds: speeds.sort((a, b) => a - b) };
}
