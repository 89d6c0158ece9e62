/** Memory, tables and code of compiled steps, for one run or for two at once. */
import type { Lanes } from "../../../kernel/emit/wasm/lanes.ts";
import { KernelMemory } from "../../../kernel/run/memory.ts";
import { HERMITE_TERMS } from "./dense-output.ts";
import { explicitCode } from "./explicit-code.ts";
import { ENTRY, FRAME, FRAME_BYTES, ROW } from "./explicit-layout.ts";
import type { EmbeddedMethod, TableauRow } from "./tableau.ts";

/** Indices of the numbers in the frame. They are pairs, one for each lane; with one lane both are the same. */
const [START, H, END, RELATIVE, ABSOLUTE] = [FRAME.start / 8, FRAME.h / 8, FRAME.end / 8, FRAME.relative / 8, FRAME.absolute / 8];
export const [FACTOR, OTHER] = [FRAME.factor / 8, FRAME.other / 8];
export const [REACHED, ERROR, SECOND] = [FRAME.reached / 8, FRAME.error / 8, FRAME.second / 8];

export type StepMemory = ReturnType<typeof stepMemory>;

/** Sets start, size and end of the step of one run. */
export function setStep(numbers: Float64Array, start: number, h: number, end: number): void {
  numbers[START] = numbers[START + 1] = start;
  numbers[H] = numbers[H + 1] = h;
  numbers[END] = numbers[END + 1] = end;
}

/** Sets start, size and end of the step of one of two runs. */
export function setStepOf(lane: number, numbers: Float64Array, start: number, h: number, end: number): void {
  numbers[START + lane] = start;
  numbers[H + lane] = h;
  numbers[END + lane] = end;
}

/** Sets the error norm of a run. */
export function setNorm(
  { numbers, weights, lanes }: StepMemory,
  lane: number,
  relative: number,
  absolute: number,
  ofComponents: Float64Array,
): void {
  for (let k = lane; k < (lanes === 1 ? 2 : lane + 1); k++) {
    numbers[RELATIVE + k] = relative;
    numbers[ABSOLUTE + k] = absolute;
  }
  for (let i = 0; i < ofComponents.length; i++) weights[lanes * i + lane] = ofComponents[i]!;
}

/** The derivative of one run. */
export interface StepDerivative {
  /** Number of components of y, and of inputs. */
  readonly n: number;
  readonly nx: number;
  /** Indices of t and of the first component of y among the inputs. */
  readonly t: number;
  readonly y: number;
  readonly validBelow?: number;
  readonly scratchBytes: number;
  /** Bytes of a table that the code stores when it is instantiated; views must outlive that. */
  readonly tableBytes: number;
  /** Its code for these lanes on a memory, in which the inputs are x, and the stage derivatives K at the addresses atK. */
  evaluate(
    memory: KernelMemory,
    x: Float64Array,
    atK: readonly number[],
    K: readonly Float64Array[],
  ): (x: number, y: number, scratch: number) => void;
}

export function stepMemory(method: EmbeddedMethod, lanes: Lanes, derivative: StepDerivative) {
  const { n, t, y, validBelow } = derivative;
  const { times, stages, outputStages, outputTerms } = method;
  const size = 8 * lanes * n;
  const padded = 16 * Math.ceil(size / 16);
  const last = stages.length + 1;
  const nx = lanes * derivative.nx;
  const sizes = {
    frame: FRAME_BYTES,
    x: 8 * nx,
    scratch: derivative.scratchBytes,
    entries: ENTRY.bytes * (stages.length + outputStages.length + outputTerms.length),
    rows: rowsOf(method).reduce((sum, row) => sum + rowBytes(row), 0),
    F: (HERMITE_TERMS + outputTerms.length) * padded,
    base: padded,
    stage: padded,
    state: padded,
    zero: padded,
    weights: padded,
  };
  const stageBytes = padded + 16; // where there is a limit, a number stands behind ẏ
  const memory = new KernelMemory(
    KernelMemory.bytesFor(...Object.values(sizes), ...times.map(() => stageBytes), derivative.tableBytes),
  );
  const at = Object.fromEntries(Object.entries(sizes).map(([name, bytes]) => [name, memory.allocate(bytes)])) as typeof sizes;
  const atK = times.map(() => memory.allocate(stageBytes));

  const data = new DataView(memory.memory.buffer);
  const i32 = (address: number, value: number): void => data.setInt32(address, value, true);
  const f64 = (address: number, value: number): void => data.setFloat64(address, value, true);
  i32(FRAME.size, size);
  i32(FRAME.padded, padded);
  for (const name of ["x", "scratch", "base", "stage", "state", "zero", "weights", "F"] as const) i32(FRAME[name], at[name]);
  i32(FRAME.t, at.x + 8 * lanes * t);
  i32(FRAME.y, at.x + 8 * lanes * y);
  i32(FRAME.first, atK[0]!);
  i32(FRAME.last, atK[last]!);
  for (const lane of [0, 8]) f64(FRAME.below + lane, validBelow ?? Number.POSITIVE_INFINITY);

  const x = memory.doubles(at.x, nx);
  const K = atK.map((address) => memory.doubles(address, lanes * n));
  return {
    lanes,
    inside: explicitCode(memory, derivative.evaluate(memory, x, atK, K), lanes),
    at,
    /** Address of the last term of the output. */
    highest: at.F + sizes.F - padded,
    ...writeTables(data, method, at, atK, padded),
    /** Stage derivatives. */
    K,
    F: memory.doubles(at.F, sizes.F / 8),
    x,
    numbers: memory.doubles(0, FRAME_BYTES / 8),
    base: memory.doubles(at.base, lanes * n),
    state: memory.doubles(at.state, lanes * n),
    stage: memory.doubles(at.stage, lanes * n),
    weights: memory.doubles(at.weights, lanes * n),
  };
}

/** Writes the rows and entries of a method. Returns their addresses. */
function writeTables(
  data: DataView,
  method: EmbeddedMethod,
  at: { readonly entries: number; readonly rows: number; readonly F: number },
  atK: readonly number[],
  padded: number,
) {
  const { times, stages, outputStages, outputTerms, solution, error, secondError } = method;
  const last = stages.length + 1;
  let freeRow = at.rows;
  const put = (row: TableauRow): number => {
    const address = freeRow;
    freeRow += rowBytes(row);
    data.setInt32(address, freeRow - address - ROW.head, true);
    row.stage.forEach((stage, c) => {
      const pass = address + ROW.head + Math.floor(c / 4) * ROW.pass;
      data.setInt32(pass + 4 * (c % 4), atK[stage]!, true);
      data.setFloat64(pass + ROW.coefficients + 8 * (c % 4), row.coefficient[c]!, true);
    });
    return address;
  };
  let freeEntry = at.entries;
  const enter = (row: TableauRow, time: number, out: number): void => {
    data.setFloat64(freeEntry + ENTRY.time, time, true);
    data.setInt32(freeEntry + ENTRY.row, put(row), true);
    data.setInt32(freeEntry + ENTRY.out, out, true);
    freeEntry += ENTRY.bytes;
  };
  stages.forEach((row, i) => {
    enter(row, times[i + 1]!, atK[i + 1]!);
  });
  const output = freeEntry;
  outputStages.forEach((row, i) => {
    enter(row, times[last + 1 + i]!, atK[last + 1 + i]!);
  });
  const terms = freeEntry;
  outputTerms.forEach((row, i) => {
    enter(row, 0, at.F + (HERMITE_TERMS + i) * padded);
  });
  return {
    table: { stages: at.entries, output, terms, end: freeEntry },
    rows: { solution: put(solution), error: put(error), secondError: secondError ? put(secondError) : 0 },
  };
}

const rowsOf = ({ stages, outputStages, solution, error, secondError, outputTerms }: EmbeddedMethod): TableauRow[] => [
  ...stages,
  ...outputStages,
  solution,
  error,
  ...(secondError ? [secondError] : []),
  ...outputTerms,
];

const rowBytes = ({ stage }: TableauRow): number => ROW.head + (stage.length / 4) * ROW.pass;
