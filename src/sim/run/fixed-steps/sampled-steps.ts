/**
 * Samples of a step loop. Steps, observations and copies of the states run inside WebAssembly, many samples per call; JavaScript audits the rows
 * and copies their channels into the log. The numbers are those of single samples, bit for bit.
 */
import { KERNEL_PARAMETERS } from "../../../kernel/emit/wasm/addresses.ts";
import { F64, I32, WASM, WasmCode } from "../../../kernel/emit/wasm/instructions.ts";
import { WasmModule } from "../../../kernel/emit/wasm/module.ts";
import { compile, instantiateEvaluate } from "../../../kernel/run/kernel.ts";
import { lazy } from "../../../kernel/run/lazy.ts";
import { offsetsOf, sizeOf } from "../../../kernel/trace/program.ts";
import type { Integrator, IntegratorOptions } from "../../integrators/integrator.ts";
import { layoutInputs } from "../../system/layout.ts";
import { observationProgram } from "../../system/motion-program.ts";
import type { Workspace } from "../../system/workspace.ts";
import { stepFailure } from "../step-failure.ts";
import type { FixedSteps, SampledSteps } from "./fixed-steps.ts";
import { loopStepper, type StepLoop, stepLoop } from "./step-loop.ts";

/** Number of samples per call, and of steps, so that a run can be interrupted. */
const MAX_SAMPLES = 32;
const MAX_STEPS = 1000;

/** Columns of a row: time, energy balance, first component of the state. The outputs of the observation follow the state. */
const [TIME, BALANCE, STATE] = [0, 1, 2];

/** Code of the loop: writes `samples` rows; sample i is at (first + i) interval. */
type SampleLoop = (
  ...args: [
    ...counts: [samples: number, stepsPerSample: number, sameAsDouble: number],
    ...steps: [h: number, start: number, k: number, first: number, interval: number],
    ...addresses: [current: number, row: number, rowBytes: number, stateBytes: number, scratch: number],
  ]
) => void;

/** Fixed steps, and their samples at a regular interval, inside WebAssembly; undefined if the system or the integrator does not allow it. */
export function fixedSteps(
  workspace: Workspace,
  integrator: Integrator,
  settings: IntegratorOptions,
  interval: number | undefined,
): FixedSteps | undefined {
  const { step } = settings;
  const loop = step === undefined ? undefined : stepLoop(workspace, integrator);
  if (step === undefined || loop === undefined) return undefined;
  return {
    stepper: loopStepper(workspace, integrator, settings, loop),
    samples: interval === undefined ? undefined : sampledSteps(workspace, loop, step, interval),
  };
}

/** Undefined if the times of samples are no multiple of the step. */
function sampledSteps(workspace: Workspace, loop: StepLoop, step: number, interval: number): SampledSteps | undefined {
  const { layout } = workspace;
  const { ny, nu } = layout;
  const stepsPerSample = Math.round(interval / step);
  const { program } = observationProgram(layout);
  const { code } = compile(program);
  const inputs = offsetsOf(layoutInputs(layout));
  if (code === undefined || stepsPerSample < 1 || stepsPerSample > MAX_STEPS || inputs.y !== 1 || inputs.held !== 1 + ny)
    return undefined;
  const { memory, steps, current } = loop.inside;
  const at = offsetsOf(program.outputs);
  const outputs = STATE + ny + (ny % 2);
  const width = outputs + sizeOf(program.outputs) + (sizeOf(program.outputs) % 2);
  const capacity = Math.min(MAX_SAMPLES, Math.floor(MAX_STEPS / stepsPerSample));
  const rowsAddress = memory.allocate(8 * width * capacity);
  const scratch = memory.allocate(code.scratchBytes);
  const observe = instantiateEvaluate(memory, code);
  loop.refreshViews();
  const rows = memory.doubles(rowsAddress, width * capacity);
  const run = new WebAssembly.Instance(compiledModule(), {
    castor: { memory: memory.memory },
    loop: { steps, observe },
  }).exports.samples as SampleLoop;
  const view = (row: number, first: number, length: number): Float64Array =>
    rows.subarray(row * width + first, row * width + first + length);
  const perRow = Array.from({ length: capacity }, (_, row) => ({
    state: view(row, STATE, ny),
    observation: {
      kinetic: 0,
      potential: 0,
      momentum: view(row, outputs + at.momentum, 6),
      centre: view(row, outputs + at.centre, 3),
      fall: view(row, outputs + at.fall, layout.origin === undefined ? 0 : 3),
      tau: view(row, outputs + at.tau, nu),
      wrenches: view(row, outputs + at.w, program.outputs.w),
      channels: view(row, outputs + at.channels, program.outputs.channels),
    },
  }));
  const sampled: SampledSteps = {
    width,
    columns: {
      single: { t: TIME, kinetic: outputs + at.energy, potential: outputs + at.energy + 1, balance: BALANCE },
      ...{ state: STATE, tau: outputs + at.tau, momentum: outputs + at.momentum, centre: outputs + at.centre },
      elements: outputs + at.channels,
    },
    rows,
    capacity,
    stepsPerSample,
    run(stepper, first, samples) {
      const { start, k } = stepper.grid;
      loop.enter(stepper.y, step);
      const counts = [samples, stepsPerSample, stepsPerSample] as const;
      run(...counts, step, start, k, first, interval, current, rowsAddress, 8 * width, 8 * ny, scratch);
    },
    stateOf: (row) => perRow[row]!.state,
    observationOf(row) {
      const { observation } = perRow[row]!;
      observation.kinetic = rows[row * width + outputs + at.energy]!;
      observation.potential = rows[row * width + outputs + at.energy + 1]!;
      return observation;
    },
    record: (...given) => recordRows(workspace, sampled, ...given),
  };
  return sampled;
}

/** See `SampledSteps.record`. */
function recordRows(
  workspace: Workspace,
  rows: SampledSteps,
  ...[{ samples, growth }, { stepper, step }, t, end, most, reached]: Parameters<SampledSteps["record"]>
): boolean {
  const count = samples.countBefore(end, Math.min(rows.capacity, most));
  if (count < 2 || Math.round((samples.nextTime - t) / step) !== rows.stepsPerSample) return false;
  if (!stepper.isOnGrid(samples.nextTime) || !stepper.isOnGrid(samples.timeOf(samples.next + count - 1))) return false;
  rows.run(stepper, samples.next, count);
  let row = 0;
  try {
    for (; row < count; row++) {
      const y = rows.stateOf(row);
      const time = samples.nextTime;
      stepper.take(time, y, rows.stepsPerSample);
      growth.look(time, y, stepper.counts.steps);
      samples.recordRow(rows, row);
    }
  } catch (error) {
    throw stepFailure(workspace, error, stepper.previous, stepper);
  } finally {
    stepper.y.set(rows.stateOf(Math.min(row, count - 1)));
    if (row > 0) reached(samples.timeOf(samples.next - 1), rows.stateOf(row - 1));
  }
  return true;
}

const compiledModule = lazy(() => new WebAssembly.Module(buildModule().bytes()));

/** One small module serves all methods and models: it calls the steps of a loop and the kernel of an observation. */
function buildModule(): WasmModule {
  const module = new WasmModule([
    { module: "loop", name: "steps", params: [I32, F64, F64, F64], results: [] },
    { module: "loop", name: "observe", params: KERNEL_PARAMETERS, results: [] },
  ]);
  const [STEPS, OBSERVE] = [0, 1];
  const [samples, count, counted, h, start, k, first, interval] = [0, 1, 2, 3, 4, 5, 6, 7];
  const [current, row, rowBytes, stateBytes, scratch, offset] = [8, 9, 10, 11, 12, 13];
  const code = new WasmCode();
  const time = () => code.get(first).get(interval).op(WASM.f64Mul);
  code.beginLoop();
  code.get(count).get(h).get(start).get(k).call(STEPS);
  code.get(k).get(counted).op(WASM.f64Add).set(k);
  code.get(current);
  time().f64Store(0);
  code.get(row);
  time().f64Store(8 * TIME);
  // The state, in pairs of numbers. The last pair may contain one number behind the state; the row has a place for it.
  code.i32(0).set(offset).beginLoop();
  code
    .get(row)
    .get(offset)
    .op(WASM.i32Add)
    .get(current)
    .get(offset)
    .op(WASM.i32Add)
    .v128Load(8)
    .v128Store(8 * STATE);
  code.get(offset).i32(16).op(WASM.i32Add).tee(offset).get(stateBytes).op(WASM.i32LtU).repeatIf().op(WASM.end);
  code
    .get(current)
    .get(row)
    .get(offset)
    .op(WASM.i32Add)
    .i32(8 * STATE)
    .op(WASM.i32Add);
  code.get(scratch).call(OBSERVE);
  code.get(row).get(rowBytes).op(WASM.i32Add).set(row);
  code.get(first).f64(1).op(WASM.f64Add).set(first);
  code.get(samples).i32(-1).op(WASM.i32Add).tee(samples).repeatIf();
  code.op(WASM.end);
  const params = [I32, I32, F64, F64, F64, F64, F64, F64, I32, I32, I32, I32, I32] as const;
  module.exportFunction("samples", module.addFunction(params, [], [I32], code));
  return module;
}
