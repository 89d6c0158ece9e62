/**
 * The steps of two runs at once, in the lanes of compiled code. Each run has its own time, step size and constants. The operations of a lane are those of
 * a single step in the same order, so the results have the same bits, whichever the partner is.
 */
import { instantiateEvaluate, type Kernel } from "../../../kernel/run/kernel.ts";
import { pairedCode } from "../../../kernel/run/paired-code.ts";
import { isFiniteVector } from "../stepping/settings.ts";
import { combinedError } from "./plain-steps.ts";
import type { PairedResult, PlannedStep } from "./planned-step.ts";
import { ERROR, REACHED, SECOND, type StepMemory, setNorm, setStepOf, stepMemory } from "./step-memory.ts";

/** Two runs that make steps together. */
export class StepPair {
  #kernels: readonly Kernel[] = [];
  #memory: StepMemory | undefined;
  #lanes: readonly PairLane[] = [];

  /** Computes both steps, and gives the results to their steppers. False if that is not possible; then nothing has happened. */
  make(steps: readonly [PlannedStep, PlannedStep]): boolean {
    if (steps.some((step, k) => step.code.kernel !== this.#kernels[k])) this.#prepare(steps);
    const memory = this.#memory;
    if (memory === undefined) return false;
    const { inside, table, rows, numbers } = memory;
    const [a, b] = this.#lanes as readonly [PairLane, PairLane];
    a.begin(steps[0]);
    b.begin(steps[1]);
    inside.advance(table.stages, table.output, rows.solution);
    if (numbers[REACHED]! < table.output) return false;
    a.project(steps[0]);
    b.project(steps[1]);
    inside.judge(rows.error, rows.secondError, 0);
    if (numbers[ERROR]! < 0 || numbers[ERROR + 1]! < 0) return false;
    a.judge(steps[0]);
    b.judge(steps[1]);
    if (steps[0].isRead && steps[1].isRead && a.error <= 1 && b.error <= 1) {
      inside.prepare(table.output, table.terms, table.end);
      a.hasOutput = b.hasOutput = numbers[REACHED]! >= table.terms;
    }
    steps[0].take(a);
    steps[1].take(b);
    return true;
  }

  /** Creates the memory for the kernels of both steps, if they have the same form and method. */
  #prepare([a, b]: readonly [PlannedStep, PlannedStep]): void {
    this.#kernels = [a.code.kernel, b.code.kernel];
    this.#memory = undefined;
    if (a.method !== b.method || a.code.validBelow !== b.code.validBelow || a.y.length !== b.y.length) return;
    const code = pairedCode(a.code.kernel.code!, b.code.kernel.code!);
    if (code === undefined) return;
    const memory = stepMemory(a.method, 2, {
      ...a.code,
      n: a.y.length,
      nx: a.code.kernel.x.length,
      scratchBytes: code.scratchBytes,
      tableBytes: 0,
      evaluate: (kernelMemory) => instantiateEvaluate(kernelMemory, code),
    });
    this.#memory = memory;
    this.#lanes = [a, b].map(({ method, tolerances, norm, y }, lane) => {
      setNorm(memory, lane, tolerances.relative, tolerances.absolute, norm.weights);
      return new PairLane(memory, lane, y.length, method.stages.length + 1);
    });
  }
}

/** The run in one lane. */
class PairLane implements PairedResult {
  start = 0;
  end = 0;
  size = 0;
  isFinite = true;
  error = 0;
  hasOutput = false;
  readonly #memory: StepMemory;
  readonly #lane: number;
  /** Index of the derivative at the end of the step. */
  readonly #last: number;
  readonly #state: Float64Array;

  constructor(memory: StepMemory, lane: number, n: number, last: number) {
    this.#memory = memory;
    this.#lane = lane;
    this.#last = last;
    this.#state = new Float64Array(n);
  }

  begin({ start, end, size, y, rate, code }: PlannedStep): void {
    const { base, x, K, numbers } = this.#memory;
    this.start = start;
    this.end = end;
    this.size = size;
    this.hasOutput = false;
    setStepOf(this.#lane, numbers, start, size, end);
    this.#write(code.kernel.x, x);
    this.#write(y, base);
    this.#write(rate, K[0]!);
  }

  /** Takes the state at the end, and projects it to the manifold. */
  project({ project, end }: PlannedStep): void {
    const { state } = this.#memory;
    this.#read(state, this.#state);
    this.isFinite = isFiniteVector(this.#state);
    if (!this.isFinite || project === undefined) return;
    project(this.#state, end);
    this.#write(this.#state, state);
  }

  judge({ norm, method }: PlannedStep): void {
    const { numbers } = this.#memory;
    const squares = numbers[ERROR + this.#lane]!;
    const error = norm.root(squares);
    if (method.secondError === undefined || error === 0) this.error = error;
    else this.error = combinedError(error, norm.root(numbers[SECOND + this.#lane]!));
  }

  readState(out: Float64Array): void {
    out.set(this.#state);
  }

  readStages(K: readonly Float64Array[]): void {
    for (let s = 1; s <= this.#last; s++) this.#read(this.#memory.K[s]!, K[s]!);
  }

  readOutput(K: readonly Float64Array[], F: Float64Array): void {
    const { K: own, F: terms } = this.#memory;
    for (let s = this.#last + 1; s < K.length; s++) this.#read(own[s]!, K[s]!);
    const n = this.#state.length;
    const stride = n + (n % 2); // terms of a single run are padded to pairs
    for (let from = 0, to = 0; from < terms.length; from += 2 * n, to += stride)
      for (let i = 0; i < n; i++) F[to + i] = terms[from + 2 * i + this.#lane]!;
  }

  #read(from: Float64Array, to: Float64Array): void {
    for (let i = 0, j = this.#lane; i < to.length; i++, j += 2) to[i] = from[j]!;
  }

  #write(from: Float64Array, to: Float64Array): void {
    for (let i = 0, j = this.#lane; i < from.length; i++, j += 2) to[j] = from[i]!;
  }
}
