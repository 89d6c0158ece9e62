/**
 * A large program as calls of few routines.
 *
 * Straight-line code of a machine with a thousand hinges is larger than the caches, and compiling it takes longer than tracing it. But the
 * steps of its recursions (steps.ts) do the same with other numbers and other values, so those with the same form are calls of one
 * *routine*. Routines compute exactly the nodes of the traced program: results have the same bits as those of straight-line code.
 *
 * The values that a step leaves for other steps are its *frame*, a part of the scratch memory with the same layout for all steps of a
 * family. A routine reads and writes relative to a few *bases*. They are data of each call, and so are its numbers.
 */
import { Graph, OPS } from "../trace/graph.ts";
import { type Cost, type NamedSizes, type Program, sizeOf } from "../trace/program.ts";
import { FormTable } from "./form-table.ts";
import { copyOperations, formsOfSteps, OUTSIDE, type StepFamily, type StepForm } from "./step-forms.ts";

/** Memory that a base lies in. */
export type MemoryRegion = "x" | "y" | "frames";
const REGIONS: readonly MemoryRegion[] = ["x", "y", "frames"];

/** A place relative to a base, in values. */
export interface Place {
  readonly base: number;
  readonly offset: number;
}

export interface Routine {
  /** Its inputs are the values that it reads, then its numbers. Its outputs are its frame, then outputs of the program. */
  readonly program: Program;
  readonly bases: readonly MemoryRegion[];
  /** Places of the values that it reads, in the order of its inputs. */
  readonly sources: readonly Place[];
  /** Places of its outputs. */
  readonly destinations: readonly Place[];
}

export interface RoutineCall {
  readonly routine: Routine;
  /** Position of each base in its region, in values. */
  readonly bases: readonly number[];
  /** Constant nodes of the program. */
  readonly numbers: readonly number[];
}

export interface RolledProgram {
  readonly routines: readonly Routine[];
  readonly calls: readonly RoutineCall[];
  /** Number of values in all frames. */
  readonly frameValues: number;
  /** Number of nodes of all routines. */
  readonly routineNodes: number;
}

/** A result of a step that is an output of the program: the node, and its position in y. */
type Output = readonly [id: number, position: number];

/** Maximum number of outputs that are copied by one step. */
const COPIES_PER_STEP = 16;
const NO_OPERATIONS: StepFamily = { index: -1, operations: new Int32Array(0), isRead: new Uint8Array(0) };
const [CONST, INPUT] = (["const", "input"] as const).map((op) => OPS.indexOf(op));

const rolledForms = new WeakMap<Program, RolledProgram>();

/** The rolled form of a program; the same program is compiled twice, alone and in step loops. */
export function rollProgram(program: Program): RolledProgram {
  const known = rolledForms.get(program) ?? findRolledForm(program);
  rolledForms.set(program, known);
  return known;
}

function findRolledForm(program: Program): RolledProgram {
  const { graph } = program;
  const { forms, stepOf, positionOf } = formsOfSteps(program);
  const layouts = new Map<StepFamily, FrameLayout>();
  const frameStarts: number[] = [];
  let frameValues = 0;
  for (const { family } of forms) {
    if (!layouts.has(family)) layouts.set(family, layOutFrame(family));
    frameStarts.push(frameValues);
    frameValues += layouts.get(family)!.size;
  }
  const outputs: Output[][] = forms.map(() => []);
  const copied: Output[] = [];
  for (const [i, id] of program.results.entries()) (stepOf[id]! < 0 ? copied : outputs[stepOf[id]!]!).push([id, i]);

  const [inputName, outputName] = [nameIndices(program.inputs), nameIndices(program.outputs)];
  const table = new FormTable<Routine>();
  const routines: Routine[] = [];
  /** The call of a step. A base is the first place that the step reads or writes in an input, in an output or in a frame. */
  const callOf = (form: StepForm, ownOutputs: readonly Output[], frame: { start: number; layout: FrameLayout }): RoutineCall => {
    const bases = new Bases();
    if (frame.layout.size > 0) bases.add(2, -1, frame.start);
    const sources = form.outside.map((id) =>
      graph.codeOf(id) === INPUT
        ? bases.add(0, inputName[graph.valueOf(id)]!, graph.valueOf(id))
        : bases.add(
            2,
            stepOf[id]!,
            frameStarts[stepOf[id]!]! + layouts.get(forms[stepOf[id]!]!.family)!.offsets[positionOf[id]!]!,
          ),
    );
    const results = ownOutputs.map(([, position]) => bases.add(1, outputName[position]!, position));
    const resultCodes = ownOutputs.map(([id]) => resultCode(graph, form, positionOf, id));
    const places = [...sources, ...results].flatMap(({ group, position }) => [group, position - bases.starts[group]!]);
    const key = Int32Array.from([
      form.family.index,
      form.outside.length,
      form.numbers.length,
      ...bases.regions,
      -1,
      ...places,
      ...resultCodes,
    ]);
    const routine = table.get(key, () => {
      const placeOf = ({ group, position }: PlacedValue): Place => ({ base: group, offset: position - bases.starts[group]! });
      const ownFrame = Array.from({ length: frame.layout.size }, (_, offset): Place => ({ base: 0, offset }));
      const made: Routine = {
        program: routineProgram(form, resultCodes),
        bases: bases.regions.map((r) => REGIONS[r]!),
        sources: sources.map(placeOf),
        destinations: [...ownFrame, ...results.map(placeOf)],
      };
      routines.push(made);
      return made;
    });
    return { routine, bases: bases.starts, numbers: form.numbers };
  };
  const calls = forms.map((form, s) => callOf(form, outputs[s]!, { start: frameStarts[s]!, layout: layouts.get(form.family)! }));
  for (const group of groupsOfCopies(copied, outputName)) {
    const ids = [...new Set(group.map(([id]) => id))];
    const isConstant = (id: number): boolean => graph.codeOf(id) === CONST;
    const form = {
      nodes: [],
      outside: ids.filter((id) => !isConstant(id)),
      numbers: ids.filter(isConstant),
      family: NO_OPERATIONS,
    };
    calls.push(callOf(form, group, { start: 0, layout: layOutFrame(NO_OPERATIONS) }));
  }
  return { routines, calls, frameValues, routineNodes: routines.reduce((sum, r) => sum + r.program.graph.size, 0) };
}

/**
 * Programs with fewer operations are at least as fast as straight-line code, which is not larger than the second-level cache. Measured on
 * chains and trees of 30 to 400 hinges.
 */
const LEAST_OPS = 60_000;
/** Routines must be shorter than the program by this factor: steps that differ make them as large as straight-line code. */
const LEAST_FACTOR = 2;
/** Shorter steps spend much of their time on calls, loads and stores, which pays only in programs of `LARGE_OPS`. */
const SHORT_STEP_OPS = 40;
const LARGE_OPS = 150_000;

/** The rolled form of a large program, if it is faster than straight-line code. */
export function rolledIfFaster(program: Program, { ops }: Cost): RolledProgram | undefined {
  if (ops < LEAST_OPS || program.graph.stepStarts.length === 0) return undefined;
  const rolled = rollProgram(program);
  const hasShortSteps = ops < SHORT_STEP_OPS * rolled.calls.length;
  const isFaster = LEAST_FACTOR * rolled.routineNodes <= ops && (!hasShortSteps || ops >= LARGE_OPS);
  return isFaster ? rolled : undefined;
}

interface FrameLayout {
  /** Offset of each node that other steps read. */
  readonly offsets: Int32Array;
  readonly size: number;
}

function layOutFrame({ isRead }: StepFamily): FrameLayout {
  let size = 0;
  return { offsets: Int32Array.from(isRead, (read) => (read ? size++ : -1)), size };
}

interface PlacedValue {
  /** Index of its base. */
  readonly group: number;
  /** Position in its region. */
  readonly position: number;
}

/** Bases of one call: for each group of values, such as the frame of one step, the first place that is used. */
class Bases {
  readonly regions: number[] = [];
  readonly starts: number[] = [];
  readonly #groups = new Map<number, number>();

  /** @param owner input, output or step that the place belongs to; -1 is the step itself */
  add(region: number, owner: number, position: number): PlacedValue {
    const key = REGIONS.length * (owner + 1) + region;
    const group = this.#groups.get(key) ?? this.starts.length;
    if (group === this.starts.length) {
      this.#groups.set(key, group);
      this.regions.push(region);
      this.starts.push(position);
    } else this.starts[group] = Math.min(this.starts[group]!, position);
    return { group, position };
  }
}

/** For each entry of the concatenated arrays the index of its name. */
const nameIndices = (sizes: NamedSizes): Int32Array =>
  Int32Array.from(Object.values(sizes).flatMap((size, name) => new Array<number>(size).fill(name)));

/** Divides copied outputs into groups of the same output array. */
function groupsOfCopies(copied: readonly Output[], outputName: Int32Array): Output[][] {
  const groups: Output[][] = [];
  for (const output of copied) {
    const last = groups.at(-1);
    const isSameName = last !== undefined && outputName[last[0]![1]] === outputName[output[1]];
    if (isSameName && last.length < COPIES_PER_STEP) last.push(output);
    else groups.push([output]);
  }
  return groups;
}

/** Position of a result of a routine: among its nodes, or below zero among what it reads. */
function resultCode(graph: Graph, form: StepForm, positionOf: Int32Array, id: number): number {
  if (graph.codeOf(id) === INPUT) return -1 - form.outside.indexOf(id);
  if (graph.codeOf(id) === CONST) return -1 - form.outside.length - form.numbers.indexOf(id);
  return positionOf[id]!;
}

/** The operations of a step as a program of their own. */
function routineProgram({ outside, numbers, family }: StepForm, resultCodes: readonly number[]): Program {
  const graph = new Graph();
  const inputs = { values: outside.length, numbers: numbers.length };
  const ids = Array.from({ length: sizeOf(inputs) }, () => graph.input().id);
  const nodes = copyOperations(family, graph, (kind, position) => ids[kind === OUTSIDE ? position : outside.length + position]!);
  const frame = nodes.filter((_, k) => family.isRead[k]);
  const results = [...frame, ...resultCodes.map((code) => (code < 0 ? ids[-1 - code]! : nodes[code]!))];
  return { name: "routine", inputs, outputs: { frame: frame.length, results: resultCodes.length }, graph, results };
}
