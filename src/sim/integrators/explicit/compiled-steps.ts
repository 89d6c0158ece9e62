/**
 * Steps of embedded methods inside WebAssembly, bit-identical to plain-steps.ts. The derivative is a kernel, or a function that the code calls:
 * then stages, error norm and dense output are still computed inside, two components at a time.
 */
import { type EvaluateFunction, instantiateEvaluate } from "../../../kernel/run/kernel.ts";
import { KernelMemory } from "../../../kernel/run/memory.ts";
import { sizeOf } from "../../../kernel/trace/program.ts";
import type { DerivativeCode } from "../integrator.ts";
import type { ErrorNorm } from "../stepping/error-norm.ts";
import type { Tolerances } from "../stepping/settings.ts";
import type { StepperState } from "../stepping/stepper.ts";
import { HERMITE_TERMS } from "./dense-output.ts";
import { explicitCode } from "./explicit-code.ts";
import { ENTRY, FRAME, FRAME_BYTES, ROW } from "./explicit-layout.ts";
import { combinedError, type PlainSteps, type StepArithmetic } from "./plain-steps.ts";
import type { EmbeddedMethod, TableauRow } from "./tableau.ts";

export interface CompiledSteps extends StepArithmetic {
  /** False if the steps must be made outside at present. Else copies the inputs of the kernel, if the derivative is one. */
  ready(): boolean;
}

interface CompiledStepsSetup {
  readonly method: EmbeddedMethod;
  readonly tolerances: Tolerances;
  readonly norm: ErrorNorm;
  readonly now: StepperState;
  /** Stage derivatives. From the first compiled step on they are views of its memory, which `plain` then uses too. */
  readonly K: Float64Array[];
  /** Used where the kernel is not valid. */
  readonly plain: PlainSteps;
}

/** @param code returns the kernel of the derivative, if there is one at present */
export function compiledSteps(code: () => DerivativeCode | undefined, setup: CompiledStepsSetup): CompiledSteps {
  const { method, norm, now, plain } = setup;
  const { counts } = now;
  let derivativeCode: DerivativeCode | undefined;
  let stepCode: StepCode | undefined;
  let isForbidden = false;
  let outside = false;

  /** Code that calls the derivative as a function. Only until there is a kernel: each change of the code would move the stage derivatives. */
  function readyToCall(): boolean {
    if (stepCode) return stepCode.kernel === undefined;
    if (isForbidden) return false;
    try {
      stepCode = compileStepCode(undefined, setup);
    } catch {
      isForbidden = true; // a page that must not compile code
    }
    return !isForbidden;
  }

  return {
    ready() {
      derivativeCode = code();
      if (!derivativeCode) return readyToCall();
      if (stepCode?.kernel !== derivativeCode.kernel) stepCode = compileStepCode(derivativeCode, setup);
      stepCode.x.set(derivativeCode.kernel.x);
      return true;
    },
    advance(t1, h) {
      const { inside, table, rows, base, state, numbers } = stepCode!;
      base.set(now.y);
      numbers[START] = now.t;
      numbers[H] = h;
      numbers[END] = t1;
      inside.advance(table.stages, table.output, rows.solution);
      const done = (numbers[REACHED]! - table.stages) / ENTRY.bytes;
      if (derivativeCode) counts.evaluations += done;
      if (done < method.stages.length) plain.advance(t1, h, 1 + done);
      else now.other.set(state);
    },
    error(t1, h) {
      const { inside, rows, state, numbers } = stepCode!;
      state.set(now.other);
      inside.judge(rows.error, rows.secondError, 0);
      const squares = numbers[ERROR]!;
      if (squares < 0) return plain.error(t1, h);
      if (derivativeCode) counts.evaluations++;
      derivativeCode?.markAccepted();
      const error = norm.root(squares);
      return rows.secondError === 0 || error === 0 ? error : combinedError(error, norm.root(numbers[SECOND]!));
    },
    prepareOutput() {
      const { inside, table, base, state, numbers } = stepCode!;
      const { t, previous, y, other } = now;
      base.set(other);
      state.set(y);
      numbers[START] = previous;
      numbers[H] = t - previous;
      numbers[END] = t;
      inside.prepare(table.output, table.terms, table.end);
      outside = numbers[REACHED]! < table.terms;
      if (outside) plain.prepareOutput();
      else if (derivativeCode) counts.evaluations += method.outputStages.length;
    },
    output(s, out) {
      if (outside) {
        plain.output(s, out);
        return;
      }
      const { inside, at, highest, stage, numbers } = stepCode!;
      const odd = (HERMITE_TERMS + method.outputTerms.length) % 2 === 0; // factors of F0, F1, ...: s, 1 - s, s, ...
      numbers[FACTOR] = odd ? 1 - s : s;
      numbers[OTHER] = odd ? s : 1 - s;
      inside.output(highest, at.stage, 0);
      out.set(stage);
    },
  };
}

/** Indices of the numbers in the frame. */
const [START, H, END] = [FRAME.start / 8, FRAME.h / 8, FRAME.end / 8];
const [FACTOR, OTHER] = [FRAME.factor / 8, FRAME.other / 8];
const [REACHED, ERROR, SECOND] = [FRAME.reached / 8, FRAME.error / 8, FRAME.second / 8];

type StepCode = ReturnType<typeof compileStepCode>;

/** Creates memory, tables and code for a kernel, or for a derivative that is called. Moves the stage derivatives K into the memory. */
function compileStepCode(code: DerivativeCode | undefined, { method, tolerances, norm, now, K }: CompiledStepsSetup) {
  const n = now.y.length;
  const { kernel, t, y, validBelow } = code ?? { t: 0, y: 1 };
  const padded = 16 * Math.ceil(n / 2);
  const { stages, outputStages, outputTerms } = method;
  const last = stages.length + 1;
  const nx = kernel ? sizeOf(kernel.inputs) : 1 + n;
  const entries = stages.length + outputStages.length + outputTerms.length;
  const sizes = {
    frame: FRAME_BYTES,
    x: 8 * nx,
    scratch: kernel ? kernel.code!.scratchBytes : 0,
    entries: ENTRY.bytes * entries,
    rows: tableauRows(method).reduce((sum, row) => sum + rowBytes(row), 0),
    F: (HERMITE_TERMS + outputTerms.length) * padded,
    base: padded,
    stage: padded,
    state: padded,
    zero: padded,
    weights: padded,
  };
  const derivative = padded + 16; // where there is a limit, a number stands behind ẏ
  const tableBytes = kernel?.code?.table?.length ?? 0; // the kernel stores its table when it is instantiated; views must outlive that
  const memory = new KernelMemory(KernelMemory.bytesFor(...Object.values(sizes), ...K.map(() => derivative), tableBytes));
  const at = Object.fromEntries(Object.entries(sizes).map(([name, bytes]) => [name, memory.allocate(bytes)])) as typeof sizes;
  const atK = K.map(() => memory.allocate(derivative));
  K.forEach((values, i) => {
    K[i] = memory.doubles(atK[i]!, n);
    K[i].set(values);
  });
  memory.doubles(at.weights, n).set(norm.weights);

  const data = new DataView(memory.memory.buffer);
  const i32 = (address: number, value: number): void => data.setInt32(address, value, true);
  const f64 = (address: number, value: number): void => data.setFloat64(address, value, true);
  i32(FRAME.size, 8 * n);
  i32(FRAME.padded, padded);
  for (const name of ["x", "scratch", "base", "stage", "state", "zero", "weights", "F"] as const) i32(FRAME[name], at[name]);
  i32(FRAME.t, at.x + 8 * t);
  i32(FRAME.y, at.x + 8 * y);
  i32(FRAME.first, atK[0]!);
  i32(FRAME.last, atK[last]!);
  f64(FRAME.below, validBelow ?? Number.POSITIVE_INFINITY);
  f64(FRAME.relative, tolerances.relative);
  f64(FRAME.absolute, tolerances.absolute);

  let freeRow = at.rows;
  const put = (row: TableauRow): number => {
    const address = freeRow;
    freeRow += rowBytes(row);
    i32(address, freeRow - address - ROW.head);
    row.stage.forEach((stage, c) => {
      const pass = address + ROW.head + Math.floor(c / 4) * ROW.pass;
      i32(pass + 4 * (c % 4), atK[stage]!);
      f64(pass + ROW.coefficients + 8 * (c % 4), row.coefficient[c]!);
    });
    return address;
  };
  let freeEntry = at.entries;
  const enter = (row: TableauRow, time: number, out: number): void => {
    f64(freeEntry + ENTRY.time, time);
    i32(freeEntry + ENTRY.row, put(row));
    i32(freeEntry + ENTRY.out, out);
    freeEntry += ENTRY.bytes;
  };
  stages.forEach((row, i) => {
    enter(row, method.times[i + 1]!, atK[i + 1]!);
  });
  const output = freeEntry;
  outputStages.forEach((row, i) => {
    enter(row, method.times[last + 1 + i]!, atK[last + 1 + i]!);
  });
  const terms = freeEntry;
  outputTerms.forEach((row, i) => {
    enter(row, 0, at.F + (HERMITE_TERMS + i) * padded);
  });
  const x = memory.doubles(at.x, nx);
  return {
    kernel,
    inside: explicitCode(memory, kernel ? instantiateEvaluate(memory, kernel.code!) : calledDerivative(now, x, atK, K)),
    at,
    /** Address of the last term of the output. */
    highest: at.F + sizes.F - padded,
    table: { stages: at.entries, output, terms, end: freeEntry },
    rows: {
      solution: put(method.solution),
      error: put(method.error),
      secondError: method.secondError ? put(method.secondError) : 0,
    },
    x,
    numbers: memory.doubles(0, FRAME_BYTES / 8),
    base: memory.doubles(at.base, n),
    state: memory.doubles(at.state, n),
    stage: memory.doubles(at.stage, n),
  };
}

/** The derivative as code calls it: x contains t and the state. The number behind ẏ stays zero: ẏ is valid. */
function calledDerivative(
  { f }: StepperState,
  x: Float64Array,
  atK: readonly number[],
  K: readonly Float64Array[],
): EvaluateFunction {
  const y = x.subarray(1);
  const byAddress = new Map(atK.map((address, i) => [address, K[i]!]));
  return (_x, address) => f(x[0]!, y, byAddress.get(address)!);
}

const tableauRows = (method: EmbeddedMethod): TableauRow[] => [
  ...method.stages,
  ...method.outputStages,
  method.solution,
  method.error,
  ...(method.secondError ? [method.secondError] : []),
  ...method.outputTerms,
];

const rowBytes = ({ stage }: TableauRow): number => ROW.head + (stage.length / 4) * ROW.pass;
