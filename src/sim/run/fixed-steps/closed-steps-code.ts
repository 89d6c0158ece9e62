/**
 * The WebAssembly code of fixed steps of machines with loops: stages, projection onto the loops, and the check of the weakest equation. It makes
 * only usual steps, with the arithmetic of the integrators and of singularity-stepper.ts, operation for operation. A step that needs a decision
 * is left to them: the state is then the one before that step.
 */
import { PROJECTION } from "../../../dynamics/loops/multipliers/projection-code.ts";
import { KERNEL_PARAMETERS } from "../../../kernel/emit/wasm/addresses.ts";
import { emitCopy } from "../../../kernel/emit/wasm/copy.ts";
import { F64, I32, type ValueType, WASM, WasmCode } from "../../../kernel/emit/wasm/instructions.ts";
import { WasmModule } from "../../../kernel/emit/wasm/module.ts";
import type { SMOOTH } from "../../singular/smooth-steps.ts";
import type { FixedMethod } from "./fixed-methods.ts";
import { COMBINATION_LOCALS, type Combination, emitCombination } from "./step-loop-code.ts";

/** Byte addresses and numbers of components. */
export interface ClosedStepsLayout {
  /** Inputs of the motion at the start of a step and at a stage: t, y and others. */
  readonly current: number;
  readonly stage: number;
  /** Scratch memory of the kernels. */
  readonly scratch: number;
  readonly k: readonly number[];
  readonly weights: number;
  /** The state at the end of the step; state and derivative at the start of the last one. */
  readonly next: number;
  readonly previous: number;
  readonly derivative: number;
  /** Results, see `RESULT`. */
  readonly results: number;
  readonly ny: number;
  /** Upper limit of the number behind ẏ. */
  readonly validBelow: number;
  /** w of the corrections, and their `pull`. */
  readonly w: number;
  readonly pull: number;
  /** The weakest equation (see weakest-equation-program.ts): inputs, outputs, numbers of speeds and equations. */
  readonly weakest: { readonly x: number; readonly y: number; readonly nu: number; readonly rows: number };
}

/**
 * Byte offsets of numbers that a call reads and writes: the largest strength so far, the predicted time of a singular position, and 1 if a step
 * was begun and left.
 */
export const RESULT = { largest: 0, predicted: 8, left: 16 } as const;
export const RESULT_BYTES = 24;

/**
 * Makes up to n steps, to start + (k + 1) h and so on, the n-th to `last`; the first one starts at t. `reach` is the distance of a singular
 * position that needs a decision. Returns the number of steps.
 */
export type ClosedSteps = (
  ...args: [n: number, h: number, start: number, k: number, t: number, last: number, reach: number]
) => number;

const [MOTION, WEAKEST, PROJECT, PULL_AT] = [0, 1, 2, 3];

export function buildClosedSteps(layout: ClosedStepsLayout, method: FixedMethod, limits: typeof SMOOTH): WasmModule {
  const { current, stage, next, k, weights, ny } = layout;
  const module = new WasmModule([
    { module: "kernels", name: "motion", params: KERNEL_PARAMETERS, results: [] },
    { module: "kernels", name: "weakest", params: KERNEL_PARAMETERS, results: [] },
    { module: "projection", name: "project", params: [I32, F64], results: [I32] },
    { module: "projection", name: "pullAt", params: [I32, F64], results: [I32] },
  ]);
  const bytes = 16 * Math.ceil(ny / 2);
  const combine = (combination: Combination, out: number): number =>
    module.addFunction([], [], COMBINATION_LOCALS, emitCombination(combination, { y: current + 8, out, k, weights, bytes }));
  const functions: StageFunctions = {
    evaluate: module.addFunction([I32, I32], [I32], [], emitEvaluation(layout)),
    stages: method.stages.map((c) => combine(c, stage + 8)),
    result: combine(method.result, next),
  };
  const advance = module.addFunction([F64, F64, F64], [I32], [I32], emitAdvance(layout, functions));
  const look = module.addFunction([F64, F64], [I32], [F64, F64, F64], emitLook(layout, limits));
  const parameters: readonly ValueType[] = [I32, F64, F64, F64, F64, F64, F64];
  const steps = emitSteps(layout, limits, advance, look);
  module.exportFunction("steps", module.addFunction(parameters, [I32], [I32, F64, F64, F64], steps));
  return module;
}

/** (x, k): the derivative. Returns whether it is valid. The number behind it is cleared: it may share a pair with the last component. */
function emitEvaluation({ ny, scratch, validBelow }: ClosedStepsLayout): WasmCode {
  const [x, k] = [0, 1];
  const code = new WasmCode().get(x).get(k).i32(scratch).call(MOTION);
  code
    .get(k)
    .f64Load(8 * ny)
    .f64(validBelow)
    .op(WASM.f64Lt);
  return code
    .get(k)
    .f64(0)
    .f64Store(8 * ny);
}

interface StageFunctions {
  readonly evaluate: number;
  readonly stages: readonly number[];
  readonly result: number;
}

/** Returns 0 if the condition on the stack is false. */
const require = (code: WasmCode): WasmCode => code.op(WASM.i32Eqz).beginIf().i32(0).op(WASM.return).op(WASM.end);

/** (t, t1, h): the state at the end of a step, on the loops, and its `pull`. Returns 0 if it needs a decision. */
function emitAdvance(layout: ClosedStepsLayout, { evaluate, stages, result }: StageFunctions): WasmCode {
  const [T, T1, H, STATUS] = [0, 1, 2, 3];
  const { current, stage, next, k, w, weakest } = layout;
  const code = new WasmCode();
  emitCopy(code, w, weakest.x + 8 * weakest.nu, weakest.rows);
  code.i32(0).get(T).f64Store(current);
  require(code.i32(current).i32(k[0]!).call(evaluate));
  for (const [i, combine] of stages.entries()) {
    code.call(combine).i32(0);
    if (i < 2) code.get(T).get(H).f64(0.5).op(WASM.f64Mul).op(WASM.f64Add);
    else code.get(T1);
    code
      .f64Store(stage)
      .i32(stage)
      .i32(k[i + 1]!)
      .call(evaluate);
    require(code);
  }
  code.call(result);
  require(code.i32(next).get(T1).call(PROJECT).tee(STATUS));
  code.get(STATUS).i32(PROJECTION.closed).op(WASM.i32Eq).beginIf();
  code.i32(next).get(T1).call(PULL_AT).op(WASM.return).op(WASM.end);
  return code.i32(1);
}

/** (t, t1): the weakest equation at the end of a step. Returns 0 if it needs a decision. */
function emitLook(layout: ClosedStepsLayout, limits: typeof SMOOTH): WasmCode {
  const [T, T1, BEFORE, STRENGTH, AHEAD] = [0, 1, 2, 3, 4];
  const { pull, results, weakest } = layout;
  const { nu, rows } = weakest;
  const strengthAt = 8 * (nu + rows);
  const code = new WasmCode();
  const size = (): WasmCode => code.get(STRENGTH).op(WASM.f64Abs);
  emitCopy(code, weakest.x + strengthAt + 8, pull, nu + rows);
  code.i32(weakest.x).i32(weakest.y).i32(layout.scratch).call(WEAKEST);
  code.i32(weakest.x).f64Load(strengthAt).set(BEFORE);
  code.i32(weakest.y).f64Load(strengthAt).set(STRENGTH);
  require(size().f64(Number.POSITIVE_INFINITY).op(WASM.f64Lt));
  require(code.get(STRENGTH).get(BEFORE).op(WASM.f64Mul).f64(0).op(WASM.f64Ge));
  require(
    code
      .i32(weakest.y)
      .f64Load(strengthAt + 8)
      .f64(limits.turned)
      .op(WASM.f64Ge),
  );
  require(size().f64(limits.drop).get(BEFORE).op(WASM.f64Abs).op(WASM.f64Mul).op(WASM.f64Ge));
  code
    .i32(0)
    .i32(0)
    .f64Load(results + RESULT.largest);
  size()
    .op(WASM.f64Max)
    .f64Store(results + RESULT.largest);
  // ahead = -strength / ((strength - before) / (t1 - t)); predicted = t1 + |ahead|, or NaN behind the point
  code.get(STRENGTH).op(WASM.f64Neg);
  code.get(STRENGTH).get(BEFORE).op(WASM.f64Sub).get(T1).get(T).op(WASM.f64Sub).op(WASM.f64Div).op(WASM.f64Div).set(AHEAD);
  code.i32(0).get(T1).get(AHEAD).op(WASM.f64Abs).op(WASM.f64Add).f64(Number.NaN);
  code
    .get(AHEAD)
    .f64(0)
    .op(WASM.f64Ge)
    .op(WASM.select)
    .f64Store(results + RESULT.predicted);
  return code.i32(1);
}

/** The loop of `ClosedSteps`. */
function emitSteps(layout: ClosedStepsLayout, limits: typeof SMOOTH, advance: number, look: number): WasmCode {
  const [N, H, START, K, T, LAST, REACH, DONE, T1, STRENGTH, LARGEST] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const { current, next, previous, derivative, k, ny, results, weakest } = layout;
  const { nu, rows } = weakest;
  const code = new WasmCode().beginLoop();
  // The end of the step: on the grid, and the last one exactly where it is wanted.
  code.get(LAST).get(START).get(K).f64(1).op(WASM.f64Add).get(H).op(WASM.f64Mul).op(WASM.f64Add);
  code.get(N).i32(1).op(WASM.i32Eq).op(WASM.select).set(T1);
  for (const attempt of [() => code.get(T).get(T1).get(H).call(advance), () => code.get(T).get(T1).call(look)]) {
    attempt().op(WASM.i32Eqz).beginIf().i32(0);
    code
      .f64(1)
      .f64Store(results + RESULT.left)
      .get(DONE)
      .op(WASM.return)
      .op(WASM.end);
  }
  emitCopy(code, previous, current + 8, ny);
  emitCopy(code, derivative, k[0]!, ny);
  emitCopy(code, current + 8, next, ny);
  emitCopy(code, weakest.x, weakest.y, nu + rows + 1);
  code.get(T1).set(T);
  code.get(K).f64(1).op(WASM.f64Add).set(K);
  code.get(DONE).i32(1).op(WASM.i32Add).set(DONE);
  code.get(N).i32(-1).op(WASM.i32Add).tee(N).op(WASM.i32Eqz).beginIf().get(DONE).op(WASM.return).op(WASM.end);
  // Go on while the equation is strong, and no singular position is near.
  code
    .i32(weakest.x)
    .f64Load(8 * (nu + rows))
    .op(WASM.f64Abs)
    .set(STRENGTH);
  code
    .i32(0)
    .f64Load(results + RESULT.largest)
    .set(LARGEST);
  code.get(STRENGTH).f64(limits.strong).get(LARGEST).op(WASM.f64Mul).op(WASM.f64Gt);
  code
    .get(REACH)
    .i32(0)
    .f64Load(results + RESULT.predicted)
    .get(T)
    .op(WASM.f64Sub)
    .op(WASM.f64Ge);
  code.get(STRENGTH).f64(limits.fair).get(LARGEST).op(WASM.f64Mul).op(WASM.f64Lt);
  code.op(WASM.i32And).op(WASM.i32Eqz).op(WASM.i32And).repeatIf().op(WASM.end);
  return code.get(DONE);
}
