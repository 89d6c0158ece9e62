/**
 * The projection onto loops inside WebAssembly, for code that makes whole steps there. It is the usual case of LoopProjection.project: a state
 * that is closed already, or needs one small correction. It is bit-identical to it, and leaves the kernels as it would leave them.
 */
import { KERNEL_PARAMETERS } from "../../../kernel/emit/wasm/addresses.ts";
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
  const layout: Layout = {
    ...{ nq, nu, quaternions, limits, scratch, zero },
    residuals: { x: residuals.x.byteOffset, y: residuals.y.byteOffset, worst: f.worst! },
    corrections: {
      x: corrections.x.byteOffset,
      y: corrections.y.byteOffset,
      follow: offsetsOf(corrections.inputs).follow!,
      ...{ q: dq.q!, u: dq.u!, largest: dq.largest!, order: dq.order! },
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
interface Layout {
  readonly nq: number;
  readonly nu: number;
  readonly quaternions: readonly number[];
  readonly limits: ProjectionLimits;
  readonly scratch: number;
  readonly zero: number;
  readonly residuals: { readonly x: number; readonly y: number; readonly worst: number };
  readonly corrections: Readonly<Record<"x" | "y" | "follow" | "q" | "u" | "largest" | "order", number>>;
}

const [RESIDUALS, CORRECTIONS] = [0, 1];

function buildModule(layout: Layout): WasmModule {
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
function emitResiduals({ nq, nu, scratch, residuals: { x, y } }: Layout): WasmCode {
  const [state, t] = [0, 1];
  const code = new WasmCode().i32(x).get(t).f64Store(0);
  code
    .i32(x + 8)
    .get(state)
    .i32(8 * (nq + nu))
    .memoryCopy();
  return code.i32(x).i32(y).i32(scratch).call(RESIDUALS);
}

/** (q, u, t, follow): corrections at coordinates and speeds. Returns whether the pivot order is suitable. */
function emitCorrect({ nq, nu, scratch, corrections: { x, y, follow, order } }: Layout): WasmCode {
  const [coordinates, speeds, t, followed] = [0, 1, 2, 3];
  const code = new WasmCode().i32(x).get(t).f64Store(0);
  code
    .i32(x)
    .get(followed)
    .f64Store(8 * follow);
  code
    .i32(x + 8)
    .get(coordinates)
    .i32(8 * nq)
    .memoryCopy();
  code
    .i32(x + 8 + 8 * nq)
    .get(speeds)
    .i32(8 * nu)
    .memoryCopy();
  code.i32(x).i32(y).i32(scratch).call(CORRECTIONS);
  return code
    .i32(y)
    .f64Load(8 * order)
    .f64(SUITABLE_BELOW)
    .op(WASM.f64Lt);
}

function emitProject(layout: Layout, residuals: number, correct: number): WasmCode {
  const { nq, nu, limits, corrections } = layout;
  const [state, t, worst] = [0, 1, 2];
  const code = new WasmCode();
  const loadWorst = (i: number): WasmCode => code.i32(layout.residuals.y).f64Load(8 * (layout.residuals.worst + i));
  const speeds = (): WasmCode =>
    code
      .get(state)
      .i32(8 * nq)
      .op(WASM.i32Add);
  const corrected = (follow: 0 | 1): void => {
    speeds();
    code.get(t).f64(follow).call(correct).op(WASM.i32Eqz);
    returnIf(code, PROJECTION.failed);
  };
  emitNormalisation(code, state, layout.quaternions, worst);
  code.get(state).get(t).call(residuals);
  loadWorst(0).set(worst);
  code.f64(limits.residual).get(worst).op(WASM.f64Ge).beginIf();
  loadWorst(1).set(worst);
  code.f64(limits.rate).get(worst).op(WASM.f64Ge);
  returnIf(code, PROJECTION.closed);
  code.get(state);
  corrected(0);
  speeds()
    .i32(corrections.y + 8 * corrections.u)
    .i32(8 * nu)
    .memoryCopy();
  code.i32(PROJECTION.corrected).op(WASM.return).op(WASM.end);
  code.get(worst).f64(Number.POSITIVE_INFINITY).op(WASM.f64Lt).op(WASM.i32Eqz);
  returnIf(code, PROJECTION.failed);
  code.get(state);
  corrected(1);
  code
    .f64(limits.change)
    .i32(corrections.y)
    .f64Load(8 * corrections.largest)
    .op(WASM.f64Ge)
    .op(WASM.i32Eqz);
  returnIf(code, PROJECTION.failed);
  code
    .get(state)
    .i32(corrections.y + 8 * corrections.q)
    .i32(8 * (nq + nu))
    .memoryCopy();
  code.get(state).get(t).call(residuals);
  code.f64(limits.residual);
  return loadWorst(0).op(WASM.f64Ge); // 1 is `corrected`, 0 is `failed`
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
