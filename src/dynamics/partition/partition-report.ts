/** Report on the partitioning of the loops of a model at a state: the loop table, its order, dependents, rank, A_0 and b_0. */
import { checkNames, checkOptions, checkVector } from "../../arguments.ts";
import { checkModel, coordinateNames, type Model } from "../../model/model.ts";
import { dependentCoordinates } from "./dependent-coordinates.ts";
import type { LoopTable } from "./loop-table.ts";
import type { PartitionChoice } from "./partition-stages.ts";
import { partitionedLoops } from "./partitioned-loops.ts";

/** One line of the loop table. Bodies are given by name; the world is "world". Loops of coordinates have no bodies. */
export interface LoopLine {
  readonly name: string;
  readonly kind: string;
  /** Last body that both branches have in common. */
  readonly root?: string;
  /** First and last body of the dependent branch, and the body that closes the loop. */
  readonly first?: string;
  readonly terminal?: string;
  readonly closing?: string;
  readonly equations: number;
  /** Number of independent equations. */
  readonly rank: number;
}

/** Loops that are solved together, in the order of solution. */
export interface BlockLine {
  readonly loops: readonly string[];
  /** Speeds, by name. */
  readonly dependent: readonly string[];
  /** Method for their coordinates: a chain in closed form, or "Newton". */
  readonly method: string;
}

export interface PartitionReport {
  /** In the order of the model. */
  readonly loops: readonly LoopLine[];
  readonly blocks: readonly BlockLine[];
  readonly independent: readonly string[];
  readonly equations: number;
  readonly rank: number;
  readonly freedoms: number;
  /** Equations that depend on others. Their loads are not unique. */
  readonly redundant: readonly { readonly loop: string; readonly label: string }[];
  /** Sentences about loops and equations that were reordered, merged, deferred or dropped. */
  readonly notes: readonly string[];
  /** A_0 by rows and b_0 of A_0 p̈ = b_0 (11), for the independents. */
  readonly reduced: { readonly mass: readonly (readonly number[])[]; readonly force: readonly number[] };
}

export interface PartitionState {
  readonly q: Float64Array;
  readonly u: Float64Array;
  readonly tau: Float64Array;
  readonly wrenches?: readonly string[];
  readonly w?: Float64Array;
  readonly t?: number;
}

/** Shares of a combination of equations below this are rounding. */
const MIN_SHARE = 1e-3;

/** @throws SingularError if the loops do not determine the motion. */
export function partitionReport(model: Model, state: PartitionState): PartitionReport {
  checkModel(model);
  checkOptions("state", state, ["q", "u", "tau", "wrenches", "w", "t"]);
  checkVector("state.q", state.q, model.nq, "the coordinates of the model");
  checkVector("state.u", state.u, model.nu, "its speeds");
  checkVector("state.tau", state.tau, model.nu, "a force for each speed");
  if (state.wrenches !== undefined) checkNames("state.wrenches", state.wrenches, "names of frames");
  if (state.w !== undefined) checkVector("state.w", state.w, 6 * (state.wrenches?.length ?? 0), "6 for each frame of wrenches");
  const { q, u, tau, wrenches = [], w = new Float64Array(6 * wrenches.length), t = 0 } = state;
  const loops = partitionedLoops(model, { wrenches });
  loops.accelerations(t, q, u, tau, w, new Float64Array(model.nu));
  const { choice, reduced } = loops.current!;
  const { steps } = dependentCoordinates(model, t, q.slice(), { wrenches });
  const names = coordinateNames(model).u;
  const speedNames = (speeds: readonly number[]): string[] => speeds.map((s) => names[s]!);
  const { table, rank, independents } = choice;
  const n = independents.length;
  const dependencies = rank < loops.rows.length ? loops.rankAt(t, q).dependencies : [];
  const bodyName = (i: number | undefined): string | undefined =>
    i === undefined ? undefined : (model.bodies[i]?.name ?? "world");
  const blockOf = (dependents: readonly number[]) => table.blocks.find((b) => dependents.some((d) => b.candidates.includes(d)));
  /** Names of the loops whose equations were deferred to the last stage. */
  const loopsOfStage = (dependents: readonly number[]): string[] => {
    const stage = choice.stages.find((s) => s.dependents.some((d) => dependents.includes(d)));
    return [...new Set(stage?.rows.map((r) => loops.rows[r]!.loop))];
  };
  return {
    loops: table.loops.map(({ name, kind, root, first, terminal, closing, rank: loopRank }) => ({
      name,
      kind,
      ...(root !== undefined && {
        root: bodyName(root)!,
        first: bodyName(first)!,
        terminal: bodyName(terminal)!,
        closing: bodyName(closing)!,
      }),
      equations: loops.rows.filter((r) => r.loop === name).length,
      rank: loopRank,
    })),
    blocks: steps.map(({ method, dependents }) => ({
      loops: blockOf(dependents)?.loops.map((k) => table.loops[k]!.name) ?? loopsOfStage(dependents),
      dependent: speedNames([...dependents].sort((a, b) => a - b)),
      method,
    })),
    independent: speedNames(independents),
    equations: loops.rows.length,
    rank,
    freedoms: n,
    redundant: loops.rows.filter((_, i) => dependencies.some((d) => Math.abs(d[i]!) > MIN_SHARE)),
    notes: [...orderNotes(table), ...stageNotes(model, loops.rows, choice, speedNames)],
    reduced: {
      mass: Array.from({ length: n }, (_, i) => [...reduced.A.subarray(i * n, i * n + n)]),
      force: [...reduced.b],
    },
  };
}

/** Notes about loops that cannot be solved in the order of the model. */
function orderNotes({ loops, blocks }: LoopTable): string[] {
  const contains = (k: number, j: number): boolean => loops[k]!.speeds.some((s) => loops[j]!.candidates.includes(s));
  const together = (j: number, k: number): boolean => blocks.some((b) => b.loops.includes(j) && b.loops.includes(k));
  const notes: string[] = [];
  for (let k = 0; k < loops.length; k++)
    for (let j = k + 1; j < loops.length; j++)
      if (contains(k, j) && !together(k, j))
        notes.push(
          `${loops[k]!.name} is given as number ${k + 1} but contains dependents of ${loops[j]!.name}, number ${j + 1}: it is solved after it`,
        );
  for (const { loops: members, candidates } of blocks)
    if (members.length > 1)
      notes.push(
        `${listText(members.map((k) => loops[k]!.name))} contain dependents of each other: they are one block with ${candidates.length} dependents`,
      );
  return notes;
}

/** Notes about equations that the dependents of their own loops do not satisfy. */
function stageNotes(
  { loops }: Model,
  rows: readonly { readonly loop: string; readonly label: string }[],
  { stages, table }: PartitionChoice,
  speedNames: (speeds: readonly number[]) => string[],
): string[] {
  const notes: string[] = [];
  const usedRows = new Set(stages.flatMap((s) => s.rows));
  for (const { name } of loops) {
    const ownRows = rows.flatMap((r, i) => (r.loop === name ? [i] : []));
    const droppedCount = ownRows.filter((i) => !usedRows.has(i)).length;
    if (droppedCount > 0) notes.push(`${name}: ${droppedCount} of ${ownRows.length} equations are redundant and are dropped`);
  }
  for (const stage of stages) {
    const remainingCount = stage.rows.length - stage.dependents.length;
    const names = listText([...new Set(stage.rows.map((r) => rows[r]!.loop))]);
    if (remainingCount > 0 && stage.deferredTo !== undefined)
      notes.push(
        `${names}: ${remainingCount} of ${stage.rows.length} equations are deferred to ${targetOf(stages[stage.deferredTo]!, rows)}`,
      );
    else if (remainingCount > 0)
      notes.push(`${names}: ${remainingCount} of ${stage.rows.length} equations are redundant and are dropped`);
    const ofStage = new Set(stage.rows.map((r) => loops.findIndex((l) => l.name === rows[r]!.loop)));
    const ownCandidates = new Set(table.blocks.filter((b) => b.loops.some((k) => ofStage.has(k))).flatMap((b) => b.candidates));
    const forcedSpeeds = stage.dependents.filter((d) => !ownCandidates.has(d));
    if (forcedSpeeds.length > 0)
      notes.push(`${names}: ${listText(speedNames(forcedSpeeds))} would be independent but must be dependent`);
  }
  return notes;
}

const targetOf = (stage: { readonly rows: readonly number[] }, rows: readonly { readonly loop: string }[]): string =>
  `the stage of ${listText([...new Set(stage.rows.map((r) => rows[r]!.loop))])}`;

const listText = (names: readonly string[]): string =>
  names.length < 2 ? (names[0] ?? "") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`;
