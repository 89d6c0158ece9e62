/**
 * The projection onto loops inside WebAssembly, for code that makes whole steps there. It is the usual case of LoopProjection.project: a state
 * that is closed already, or needs one small correction. It is bit-identical to it, and leaves the kernels as it would leave them.
 */
import { KERNEL_PARAMETERS } from "../../../kernel/emit/wasm/addresses.ts";
import { emitCopy } from "../../../kernel/emit/wasm/copy.ts";
import { F64, I32, WASM, WasmCode } from "../../../kernel/emit/wasm/instructions.ts";
import { WasmModule } from "../../../kernel/emit/wasm/module.ts";
import { instantiateEvaluate, type Kernel } from "../../../kernel/run/kernel.ts";
import type { KernelMemory } from "../../../kernel/run/memory.ts";
import { LruCache } from "../../../kernel/run/program-cache.ts";
import { offsetsOf } from "../../../kernel/trace/program.ts";
import { SUITABLE_BELOW } from "./pivot-order-cache.ts";

/** Results of `project`: not possible here; the state was corrected; the state was closed, and nothing but its quaternions was changed. */
export const PROJECTION = { failed: 0, corrected: 1, closed: 2 } as const;

/** Residuals and their rates below which a state is closed, and changes of coordinates below which one correction is enough. */
export interface ProjectionLimits {
  readonly residual: number;
  readonly rate: number;
  readonly change: number;
}

export interface ProjectionKernels {
  readonly memory: KernelMemory;
  /** Kernels of residualProgram and correctionProgram on that memory. */
  readonly residuals: Kernel;
  readonly corrections: Kernel;
  readonly quaternions: readonly number[];
  readonly limits: ProjectionLimits;
}

export interface ProjectionCode {
  readonly kernels: ProjectionKernels;
  /** Projects the state [q, u, ...] at an address. After `failed` the state is not valid. */
  readonly project: (y: number, t: number) => number;
  /** Computes `pull` at coordinates that are closed already. Zero if the pivot order is not suitable there. */
  readonly pullAt: (q: number, t: number) => number;
  /** Addresses of the w of `pull`, and of `pull`. */
  readonly w: number;
  readonly pull: number;
}

const modules = new LruCache<WebAssembly.Module>(64);

export function projectionCode(kernels: ProjectionKernels): ProjectionCode {
  const { memory, residuals, corrections, quaternions, limits } = kernels;
  const { nq, nu } = { nq: residuals.inputs.q!, nu: residuals.inputs.u! };
  const scratch = memory.allocate(Math.max(residuals.code!.scratchBytes, corrections.code!.scratchBytes));
  const zero = memory.allocate(8 * nu);
  const [f, dq] = [outputOffsets(residuals), outputOffsets(corrections)];
  const closedBefore = memory.allocate(8);
  const layout: ProjectionLayout = {
    ...{ nq, nu, quaternions, limits, scratch, zero, closedBefore },
    residuals: { x: residuals.x.byteOffset, y: residuals.y.byteOffset, worst: f.worst! },
    corrections: {
      x: corrections.x.byteOffset,
      y: corrections.y.byteOffset,
      follow: offsetsOf(corrections.inputs).follow!,
      ...{ q: dq.q!, u: dq.u!, largest: dq.largest!, worst: dq.worst!, order: dq.order! },
    },
  };
  const module = modules.get(JSON.stringify(layout), () => new WebAssembly.Module(buildModule(layout).bytes()));
  const { project, pullAt } = new WebAssembly.Instance(module, {
    castor: { memory: memory.memory },
    kernels: {
      residuals: instantiateEvaluate(memory, residuals.code!),
      corrections: instantiateEvaluate(memory, corrections.code!),
    },
  }).exports as Pick<ProjectionCode, "project" | "pullAt">;
  return {
    kernels,
    project,
    pullAt,
    w: layout.corrections.x + 8 * offsetsOf(corrections.inputs).w!,
    pull: layout.corrections.y + 8 * dq.pull!,
  };
}

const outputOffsets = (kernel: Kernel): Readonly<Record<string, number>> => offsetsOf(kernel.outputs);

/** Addresses of inputs and outputs, and positions of single values in them. Inputs begin with t, q and u, and corrected q and u are neighbours. */
interface ProjectionLayout {
  readonly nq: number;
  readonly nu: number;
  readonly quaternions: readonly number[];
  readonly limits: ProjectionLimits;
  readonly scratch: number;
  readonly zero: number;
  /** 1 if the last state was closed. */
  readonly closedBefore: number;
  readonly residuals: { readonly x: number; readonly y: number; readonly worst: number };
  readonly corrections: Readonly<Record<"x" | "y" | "follow" | "q" | "u" | "largest" | "worst" | "order", number>>;
}

const [RESIDUALS, CORRECTIONS] = [0, 1];

function buildModule(layout: ProjectionLayout): WasmModule {
  const module = new WasmModule([
    { module: "kernels", name: "residuals", params: KERNEL_PARAMETERS, results: [] },
    { module: "kernels", name: "corrections", params: KERNEL_PARAMETERS, results: [] },
  ]);
  const residuals = module.addFunction([I32, F64], [], [], emitResiduals(layout));
  const correct = module.addFunction([I32, I32, F64, F64], [I32], [], emitCorrect(layout));
  module.exportFunction("project", module.addFunction([I32, F64], [I32], [F64], emitProject(layout, residuals, correct)));
  const pullAt = new WasmCode().get(0).i32(layout.zero).get(1).f64(0).call(correct);
  module.exportFunction("pullAt", module.addFunction([I32, F64], [I32], [], pullAt));
  return module;
}

/** (y, t): residuals at a state. */
function emitResiduals({ nq, nu, scratch, residuals: { x, y } }: ProjectionLayout): WasmCode {
  const [state, t] = [0, 1];
  const code = new WasmCode().i32(x).get(t).f64Store(0);
  emitCopy(code, x + 8, { local: state, offset: 0 }, nq + nu);
  return code.i32(x).i32(y).i32(scratch).call(RESIDUALS);
}

/** (q, u, t, follow): corrections at coordinates and speeds. Returns whether the pivot order is suitable. */
function emitCorrect({ nq, nu, scratch, corrections: { x, y, follow, order } }: ProjectionLayout): WasmCode {
  const [coordinates, speeds, t, followed] = [0, 1, 2, 3];
  const code = new WasmCode().i32(x).get(t).f64Store(0);
  code
    .i32(x)
    .get(followed)
    .f64Store(8 * follow);
  emitCopy(code, x + 8, { local: coordinates, offset: 0 }, nq);
  emitCopy(code, x + 8 + 8 * nq, { local: speeds, offset: 0 }, nu);
  code.i32(x).i32(y).i32(scratch).call(CORRECTIONS);
  return code
    .i32(y)
    .f64Load(8 * order)
    .f64(SUITABLE_BELOW)
    .op(WASM.f64Lt);
}

/**
 * (y, t): the projection. The kernel of the corrections also computes the residuals, so it comes first; only after a state that was closed already
 * the residuals come first, because the next one probably is closed too. The order does not change the result.
 */
function emitProject(layout: ProjectionLayout, residuals: number, correct: number): WasmCode {
  const { nq, nu, limits, corrections } = layout;
  const [state, t, worst] = [0, 1, 2];
  const code = new WasmCode();
  const q = { local: state, offset: 0 };
  const u = { local: state, offset: 8 * nq };
  const isSuitable = (follow: 0 | 1): WasmCode =>
    code
      .get(state)
      .get(state)
      .i32(8 * nq)
      .op(WASM.i32Add)
      .get(t)
      .f64(follow)
      .call(correct);
  const isBelow = (limit: number, value: () => WasmCode): WasmCode => {
    code.f64(limit);
    return value().op(WASM.f64Ge);
  };
  const residual = (): WasmCode => code.i32(layout.residuals.y).f64Load(8 * layout.residuals.worst);
  const rate = (): WasmCode => code.i32(layout.residuals.y).f64Load(8 * layout.residuals.worst + 8);
  const correction = (output: number) => (): WasmCode => code.i32(corrections.y).f64Load(8 * output);
  const closedBefore = (): WasmCode => code.i32(0).f64Load(layout.closedBefore);
  const setClosedBefore = (value: 0 | 1): WasmCode => code.i32(0).f64(value).f64Store(layout.closedBefore);

  emitNormalisation(code, state, layout.quaternions, worst);
  closedBefore().f64(0).op(WASM.f64Eq).beginIf();
  isSuitable(1).op(WASM.i32Eqz);
  returnIf(code, PROJECTION.failed);
  isBelow(limits.residual, correction(corrections.worst)).beginIf();
  setClosedBefore(1).op(WASM.end).op(WASM.end);

  closedBefore().f64(0).op(WASM.f64Eq).op(WASM.i32Eqz).beginIf();
  code.get(state).get(t).call(residuals);
  isBelow(limits.residual, residual).beginIf();
  isBelow(limits.rate, rate);
  returnIf(code, PROJECTION.closed);
  isSuitable(0).op(WASM.i32Eqz);
  returnIf(code, PROJECTION.failed);
  emitCopy(code, u, corrections.y + 8 * corrections.u, nu);
  code.i32(PROJECTION.corrected).op(WASM.return).op(WASM.end);
  setClosedBefore(0);
  isSuitable(1).op(WASM.i32Eqz);
  returnIf(code, PROJECTION.failed).op(WASM.end);

  correction(corrections.worst)().f64(Number.POSITIVE_INFINITY).op(WASM.f64Lt).op(WASM.i32Eqz);
  returnIf(code, PROJECTION.failed);
  isBelow(limits.change, correction(corrections.largest)).op(WASM.i32Eqz);
  returnIf(code, PROJECTION.failed);
  emitCopy(code, q, corrections.y + 8 * corrections.q, nq + nu);
  code.get(state).get(t).call(residuals);
  return isBelow(limits.residual, residual); // 1 is `corrected`, 0 is `failed`
}

/** Returns a value if the condition on the stack is true. */
const returnIf = (code: WasmCode, value: number): WasmCode => code.beginIf().i32(value).op(WASM.return).op(WASM.end);

/** Normalises the quaternions of the state at an address: times 1 / √(w² + x² + y² + z²). */
function emitNormalisation(code: WasmCode, state: number, quaternions: readonly number[], size: number): void {
  for (const first of quaternions) {
    code.f64(1);
    for (let i = first; i < first + 4; i++) {
      code
        .get(state)
        .f64Load(8 * i)
        .get(state)
        .f64Load(8 * i)
        .op(WASM.f64Mul);
      if (i > first) code.op(WASM.f64Add);
    }
    code.op(WASM.f64Sqrt).op(WASM.f64Div).set(size);
    for (let i = first; i < first + 4; i++)
      code
        .get(state)
        .get(state)
        .f64Load(8 * i)
        .get(size)
        .op(WASM.f64Mul)
        .f64Store(8 * i);
  }
}
