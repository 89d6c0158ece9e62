/** Forward dynamics as C output and as WebAssembly: both with the same states, in turns. */
import { forwardDynamicsKernels, kernelContender } from "../machines/castor-kernels.ts";
import { type ModelName, readModel } from "../machines/models.ts";
import { createCKernel } from "../peers/c-kernel.ts";
import { type BatchTiming, combineTimings, timeInTurns, warmUp } from "../run/interleaved-timing.ts";

export interface COutputRow {
  readonly model: ModelName;
  readonly wasm: BatchTiming;
  /** Undefined without a C compiler. */
  readonly c?: BatchTiming;
  /** Processor time of the compiler, s. */
  readonly compileSeconds?: number;
  /** True if both give the same bits. */
  readonly same?: boolean;
}

/** The C program is a process of its own: it runs between parts of the measurement of WebAssembly. */
const PARTS = 10;
const STEADY_MS = 250;

export function measureCOutput(name: ModelName, milliseconds: number): COutputRow {
  const { description, state } = readModel(name);
  const { program, single } = forwardDynamicsKernels(description, state);
  const native = createCKernel(program, program.inputs.q! - 1);
  const contender = kernelContender("wasm", single);
  warmUp([contender], STEADY_MS);
  const part = milliseconds / PARTS;
  const laps = Array.from({ length: PARTS }, () => ({
    wasm: timeInTurns([contender], part)[0]!,
    c: native?.run(single.x, part),
  }));
  native?.delete();
  const wasm = combineTimings(laps.map((lap) => lap.wasm));
  if (!native) return { model: name, wasm };
  single.evaluate();
  const same = laps[0]!.c!.y.every((value, i) => value === single.y[i]);
  return { model: name, wasm, c: combineTimings(laps.map((lap) => lap.c!.timing)), compileSeconds: native.compileSeconds, same };
}
