/**
 * Loops of fixed steps inside WebAssembly, for systems whose right-hand side is one kernel. JavaScript is entered once per sample and not
 * once per stage. The arithmetic is that of the integrators rk4 and rkg, operation for operation, so the results are bit-identical.
 */
import { ArgumentError, StepError } from "../../../errors.ts";
import type { KernelFunction } from "../../../kernel/emit/wasm/emit-program.ts";
import { F64, I32, type WasmCode } from "../../../kernel/emit/wasm/instructions.ts";
import type { WasmModule } from "../../../kernel/emit/wasm/module.ts";
import { compileExtended, instantiateExports } from "../../../kernel/run/kernel.ts";
import { KernelMemory } from "../../../kernel/run/memory.ts";
import { offsetsOf, sizeOf } from "../../../kernel/trace/program.ts";
import { quaternionStarts } from "../../../model/model.ts";
import { checkSavedFinite, checkSavedInteger, takeSaved } from "../../../saved-data.ts";
import type { Integrator, IntegratorOptions } from "../../integrators/integrator.ts";
import { checkCounts } from "../../integrators/stepping/stepper.ts";
import type { Workspace } from "../../system/workspace.ts";
import { timeTolerance } from "../sample-recorder.ts";
import { FIXED_METHODS, type FixedMethod } from "./fixed-methods.ts";
import type { LoopStepper } from "./fixed-steps.ts";
import { COMBINATION_LOCALS, type Combination, emitCombination, emitProjection, emitStepLoop } from "./step-loop-code.ts";

/** Runs n steps of size h from y, which it overwrites. Step i starts at t = start + (k + i) h. */
export interface StepLoop {
  (y: Float64Array, n: number, h: number, start: number, k: number): void;
  /** Memory of the loop, its code, and the address of its inputs: t, y, held inputs. */
  readonly inside: {
    readonly memory: KernelMemory;
    readonly steps: (n: number, h: number, start: number, k: number) => void;
    readonly current: number;
  };
  /** Copies the state and the held inputs to the memory, for code that calls `inside.steps`. */
  enter(y: Float64Array, h: number): void;
  /** Call after the memory has grown. */
  refreshViews(): void;
}

/** The step loop of a system and an integrator; undefined if one of them does not allow it. */
export function stepLoop(workspace: Workspace, integrator: Integrator): StepLoop | undefined {
  const method = FIXED_METHODS[integrator.name];
  const program = workspace.fullProgram;
  if (!method || !program) return undefined;
  const ny = workspace.layout.ny;
  const nx = sizeOf(program.inputs);
  const offsets = offsetsOf(program.inputs);
  const quaternions = quaternionStarts(workspace.model);
  const code = compileExtended(program, {
    key: `steps ${integrator.name} ${nx} ${ny} ${quaternions}`,
    add: (module, kernel) =>
      emitSteps(module, kernel, method, quaternions, loopMemory(new KernelMemory(), nx, ny, kernel.scratchBytes)),
  });
  const memory = new KernelMemory();
  const { current, stage, weights } = loopMemory(memory, nx, ny, code.scratchBytes);
  const steps = instantiateExports(memory, code).steps as (n: number, h: number, start: number, k: number) => void;
  let currentInputs = memory.doubles(current, nx);
  let stageInputs = memory.doubles(stage, nx);
  let factors = memory.doubles(weights, 16);
  let size = Number.NaN;
  const enter = (y: Float64Array, h: number): void => {
    const { held } = workspace;
    for (let i = 0; i < ny; i++) currentInputs[offsets.y + i] = y[i]!;
    for (let i = 0; i < held.length; i++) {
      currentInputs[offsets.held + i] = held[i]!;
      stageInputs[offsets.held + i] = held[i]!;
    }
    if (h === size) return;
    size = h;
    factors.set(method.weights(h));
  };
  const loop = (y: Float64Array, n: number, h: number, start: number, first: number): void => {
    enter(y, h);
    steps(n, h, start, first);
    for (let i = 0; i < ny; i++) y[i] = currentInputs[offsets.y + i]!;
  };
  const refreshViews = (): void => {
    currentInputs = memory.doubles(current, nx);
    stageInputs = memory.doubles(stage, nx);
    factors = memory.doubles(weights, 16);
  };
  return Object.assign(loop, { inside: { memory, steps, current }, enter, refreshViews });
}

/** Addresses of all arrays in a memory that is still empty. */
function loopMemory(memory: KernelMemory, nx: number, ny: number, scratchBytes: number) {
  const padded = 2 * Math.ceil(ny / 2); // pairs of doubles
  // The kernel reads [t, y, held]. The current state and the stage are two such blocks, each with y on a 16-byte boundary. If the length of
  // y is odd, its last pair contains the first held input. The stage derivatives of that are never written, so they are zero and it stays.
  const block = (): number => memory.allocate(8 * (nx + 3)) + 8;
  return {
    padded,
    current: block(),
    stage: block(),
    k: [0, 1, 2, 3].map(() => memory.allocate(8 * padded)),
    scratch: memory.allocate(scratchBytes),
    weights: memory.allocate(8 * 16),
  };
}

/** Adds the function `steps` of a method to the module of a kernel. */
function emitSteps(
  module: WasmModule,
  kernel: KernelFunction,
  method: FixedMethod,
  quaternions: readonly number[],
  { padded, current, stage, k, scratch, weights }: ReturnType<typeof loopMemory>,
): void {
  const combine = (combination: Combination, out: number): number =>
    module.addFunction(
      [],
      [],
      COMBINATION_LOCALS,
      emitCombination(combination, { y: current + 8, out, k, weights, bytes: 8 * padded }),
    );
  const stages = method.stages.map((c) => combine(c, stage + 8));
  const result = combine(method.result, current + 8);
  const project = module.addFunction([], [], [F64], emitProjection(quaternions.map((q) => current + 8 * (1 + q))));
  const evaluate = (code: WasmCode, x: number, stageIndex: number): WasmCode =>
    code.i32(x).i32(k[stageIndex]!).i32(scratch).call(kernel.index);
  module.exportFunction(
    "steps",
    module.addFunction([I32, F64, F64, F64], [], [F64], emitStepLoop({ current, stage, stages, result, project, evaluate })),
  );
}

/** Largest deviation from a whole number of steps that counts as rounding, relative to the step. */
const ON_GRID = 1e-9;

/** True if `time` is a whole number of steps, within rounding. */
export const isMultipleOf = (time: number, step: number): boolean =>
  Math.abs(time / step - Math.round(time / step)) < ON_GRID * Math.max(1, time / step);

/** Largest number of steps in one call of a step loop, so that a run can be interrupted. */
const MAX_STEPS_PER_CALL = 1000;
/** A part of a step that is rounding. */
const PART_OF_STEP = 1e-12;

/** End of the next call of a step loop: the next sample, but at most MAX_STEPS_PER_CALL steps ahead, and not much beyond `reach`. */
export function nextLoopStop(t: number, end: number, sample: number, step: number, reach: number): number {
  const tolerance = timeTolerance(end);
  const stop = sample < end - tolerance ? sample : end;
  const steps = Math.min(MAX_STEPS_PER_CALL, Math.max(1, Math.ceil((reach - t) / step - PART_OF_STEP)));
  const farthest = t + steps * step;
  return farthest < stop - tolerance ? farthest : stop;
}

/** A stepper that reaches `end` in one call if it is a whole number of steps away; otherwise the integrator takes single steps. */
export function loopStepper(
  workspace: Workspace,
  integrator: Integrator,
  settings: IntegratorOptions,
  loop: StepLoop,
): LoopStepper {
  const h = settings.step!;
  const single = integrator.start(workspace.problem, settings); // restarted before each use, so it has no memory
  const y = new Float64Array(workspace.layout.ny);
  const counts = { steps: 0, rejected: 0, evaluations: 0 };
  /** `start` is that of the grid of steps, `k` the number of steps from there to t. */
  const memory = { t: 0, previous: 0, start: 0, k: 0, y, counts };
  const advance = (n: number): void => {
    memory.k += n;
    counts.steps += n;
    counts.evaluations += 4 * n;
  };
  const checkFinite = (state: Float64Array, end: number): void => {
    let zero = 0;
    for (let i = 0; i < state.length; i++) zero += 0 * state[i]!; // NaN unless all are finite
    if (zero === 0) return;
    const i = state.findIndex((value) => !Number.isFinite(value));
    const { t } = memory;
    const message = `${integrator.name}: component ${i} is ${state[i]} between t = ${t} and ${end} s. Try a smaller step`;
    throw new StepError(message, t);
  };
  return {
    counts,
    y,
    grid: memory,
    isOnGrid(time) {
      const { t, start, k } = memory;
      return Math.abs(start + (k + Math.round((time - t) / h)) * h - time) <= ON_GRID * h;
    },
    take(t, state, n) {
      advance(n);
      checkFinite(state, t);
      memory.previous = memory.t;
      memory.t = t;
    },
    get t() {
      return memory.t;
    },
    get previous() {
      return memory.previous;
    },
    restart(time, state) {
      memory.t = memory.previous = memory.start = time;
      memory.k = 0;
      y.set(state);
    },
    step(end) {
      const { t, start, k } = memory;
      memory.previous = t;
      const n = Math.round((end - t) / h);
      if (n >= 1 && Math.abs(start + (k + n) * h - end) <= ON_GRID * h) {
        loop(y, n, h, start, k);
        advance(n);
      } else {
        const before = { ...single.counts };
        single.restart(t, y);
        while (single.t < end) single.step(end);
        y.set(single.y);
        counts.steps += single.counts.steps - before.steps;
        counts.evaluations += single.counts.evaluations - before.evaluations;
        memory.start = end;
        memory.k = 0;
      }
      checkFinite(y, end);
      memory.t = end;
    },
    interpolate(time, out) {
      const { t } = memory;
      if (time !== t) throw new ArgumentError("t", `a step loop has no state at ${time} s, only at ${t} s`);
      out.set(y);
    },
    save: () => structuredClone(memory),
    restore(saved) {
      takeSaved(memory, saved, "step loop");
      for (const key of ["t", "previous", "start", "y"] as const) checkSavedFinite(memory[key], `step loop.${key}`);
      checkSavedInteger(memory.k, 0, Number.MAX_SAFE_INTEGER - 1, "step loop.k");
      checkCounts(counts, "step loop.counts");
    },
  };
}
