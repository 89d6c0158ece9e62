/**
 * Steps of embedded methods inside WebAssembly, bit-identical to plain-steps.ts. The derivative is a kernel, or a function that the code calls:
 * then stages, error norm and dense output are still computed inside, two components at a time.
 */
import { type EvaluateFunction, instantiateEvaluate } from "../../../kernel/run/kernel.ts";
import { sizeOf } from "../../../kernel/trace/program.ts";
import type { DerivativeCode } from "../integrator.ts";
import type { ErrorNorm } from "../stepping/error-norm.ts";
import type { Tolerances } from "../stepping/settings.ts";
import type { StepperState } from "../stepping/stepper.ts";
import { HERMITE_TERMS } from "./dense-output.ts";
import { ENTRY } from "./explicit-layout.ts";
import { combinedError, type PlainSteps, type StepArithmetic } from "./plain-steps.ts";
import { ERROR, FACTOR, OTHER, REACHED, SECOND, setNorm, setStep, stepMemory } from "./step-memory.ts";
import type { EmbeddedMethod } from "./tableau.ts";

export interface CompiledSteps extends StepArithmetic {
  /** False if the steps must be made outside at present. Else copies the inputs of the kernel, if the derivative is one. */
  ready(): boolean;
  /** The kernel of the derivative as `ready` has found it. */
  readonly derivative: DerivativeCode | undefined;
  /** Takes over terms of the output of the last step that were computed elsewhere. */
  adoptOutput(write: (F: Float64Array) => void): void;
}

export interface CompiledStepsSetup {
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
    get derivative() {
      return derivativeCode;
    },
    adoptOutput(write) {
      outside = false;
      stepCode!.base.set(now.other);
      write(stepCode!.F);
    },
    advance(t1, h) {
      const { inside, table, rows, base, state, numbers } = stepCode!;
      base.set(now.y);
      setStep(numbers, now.t, h, t1);
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
      setStep(numbers, previous, t - previous, t);
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
      numbers[FACTOR] = numbers[FACTOR + 1] = odd ? 1 - s : s;
      numbers[OTHER] = numbers[OTHER + 1] = odd ? s : 1 - s;
      inside.output(highest, at.stage, 0);
      out.set(stage);
    },
  };
}

type StepCode = ReturnType<typeof compileStepCode>;

/** Creates memory, tables and code for a kernel, or for a derivative that is called. Moves the stage derivatives K into the memory. */
function compileStepCode(code: DerivativeCode | undefined, { method, tolerances, norm, now, K }: CompiledStepsSetup) {
  const n = now.y.length;
  const kernel = code?.kernel;
  const memory = stepMemory(method, 1, {
    ...{ n, t: 0, y: 1 },
    ...code,
    nx: kernel ? sizeOf(kernel.inputs) : 1 + n,
    scratchBytes: kernel ? kernel.code!.scratchBytes : 0,
    tableBytes: kernel?.code?.table?.length ?? 0,
    evaluate: (kernelMemory, x, atK, views) =>
      kernel ? instantiateEvaluate(kernelMemory, kernel.code!) : calledDerivative(now, x, atK, views),
  });
  setNorm(memory, 0, tolerances.relative, tolerances.absolute, norm.weights);
  K.forEach((values, i) => {
    K[i] = memory.K[i]!;
    K[i].set(values);
  });
  return { kernel, ...memory };
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
