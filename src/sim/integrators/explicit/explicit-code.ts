/**
 * The loops of explicit methods in WebAssembly, for derivatives that are a kernel. Nothing returns to JavaScript between stages. Sizes,
 * addresses and coefficients are in memory, so one small module, compiled once, serves all methods and models. The arithmetic is that of
 * tableau.ts, error-norm.ts and dense-output.ts, operation for operation, two components at a time, so the results are bit-identical.
 * With two lanes it computes two runs at once, with times and step sizes of their own: component i of run k is at 2 i + k.
 */

import { KERNEL_PARAMETERS } from "../../../kernel/emit/wasm/addresses.ts";
import { F64, I32, V128, WASM, WasmCode } from "../../../kernel/emit/wasm/instructions.ts";
import { type LaneCode, type Lanes, laneCode } from "../../../kernel/emit/wasm/lanes.ts";
import { WasmModule } from "../../../kernel/emit/wasm/module.ts";
import type { EvaluateFunction } from "../../../kernel/run/kernel.ts";
import { lazy } from "../../../kernel/run/lazy.ts";
import type { KernelMemory } from "../../../kernel/run/memory.ts";
import { ENTRY, FRAME, ROW } from "./explicit-layout.ts";

/**
 * Arguments are addresses; numbers are in the frame. So all functions have the same type as a kernel, and an engine needs only one kind of
 * call.
 */
export interface ExplicitCode {
  /** Computes the stages of the entries and the state at the end. `reached` is the entry whose derivative is invalid, or `end`. */
  advance(first: number, end: number, solution: number): void;
  /**
   * Computes the derivative at `state`, and from one or two rows the sum of squares of the error in units of the tolerance. `error` is
   * negative if the derivative is invalid, and NaN if it is not finite.
   */
  judge(row: number, secondRow: number, none: 0): void;
  /** Computes the stages of the entries up to `terms`, and the terms of the entries after them. */
  prepare(first: number, terms: number, end: number): void;
  /** Evaluates the state inside the step from the polynomial whose highest term is at `highest`. */
  output(highest: number, out: number, none: 0): void;
}

/** Instantiates the code on a memory, with the kernel of the derivative, which has the same lanes. */
export const explicitCode = (memory: KernelMemory, evaluate: EvaluateFunction, lanes: Lanes): ExplicitCode =>
  new WebAssembly.Instance(compiledModules[lanes](), { castor: { memory: memory.memory }, kernel: { evaluate } })
    .exports as unknown as ExplicitCode;

const compiledModule = (lanes: Lanes) => lazy(() => new WebAssembly.Module(buildModule(lanes).bytes()));
const compiledModules = { 1: compiledModule(1), 2: compiledModule(2) } as const;

const KERNEL = 0;

function buildModule(lanes: Lanes): WasmModule {
  const module = new WasmModule([{ module: "kernel", name: "evaluate", params: KERNEL_PARAMETERS, results: [] }]);
  const lane = laneCode(module, lanes);
  const evaluate = module.addFunction([lane.type, I32, I32], [I32], [], emitEvaluation(lane));
  const combine = module.addFunction(
    [I32, I32, I32],
    [],
    [V128, I32, I32, I32, I32, I32, I32, V128, V128, V128, V128],
    emitCombination(),
  );
  const squares = module.addFunction([], [lane.type], [I32, I32, I32, I32, I32, lane.type, lane.type], emitSquares(lane));
  const hermite = module.addFunction([], [], [I32, I32, I32, I32, I32, I32, V128, V128, V128, V128], emitHermite());
  const stages = module.addFunction([I32, I32], [], [], emitStages(lane, evaluate, combine));
  module.exportFunction("advance", module.addFunction(KERNEL_PARAMETERS, [], [I32, I32, I32, I32], emitAdvance(stages, combine)));
  module.exportFunction(
    "judge",
    module.addFunction(KERNEL_PARAMETERS, [], [I32, I32, lane.type], emitJudge(lane, evaluate, combine, squares)),
  );
  module.exportFunction("prepare", module.addFunction(KERNEL_PARAMETERS, [], [], emitPrepare(stages, hermite, combine)));
  module.exportFunction(
    "output",
    module.addFunction(KERNEL_PARAMETERS, [], [I32, I32, I32, I32, V128, V128, V128, V128], emitNested()),
  );
  return module;
}

const loadField = (code: WasmCode, name: keyof typeof FRAME): WasmCode => code.i32(0).i32Load(FRAME[name]);
/** Pushes the first of a pair of numbers, both, or one for each lane. */
const loadNumber = (code: WasmCode, name: keyof typeof FRAME): WasmCode => code.i32(0).f64Load(FRAME[name]);
const loadPair = (code: WasmCode, name: keyof typeof FRAME): WasmCode => code.i32(0).v128Load(FRAME[name]);
const loadLanes = (lane: LaneCode, code: WasmCode, name: keyof typeof FRAME): WasmCode => {
  lane.load(code.i32(0), FRAME[name]);
  return code;
};
/** Pushes a constant. */
const constant = (lane: LaneCode, code: WasmCode, value: number): WasmCode =>
  lane.type === F64 ? code.f64(value) : code.f64x2(value);
/** Pushes the components at an address plus offset, both locals. */
const loadAt = (lane: LaneCode, code: WasmCode, address: number, offset: number): WasmCode => {
  lane.load(addOffset(code, address, offset), 0);
  return code;
};
/** Pushes address plus offset, both locals. */
const addOffset = (code: WasmCode, address: number, offset: number): WasmCode => code.get(address).get(offset).op(WASM.i32Add);
const increment = (code: WasmCode, local: number, bytes: number): WasmCode =>
  code.get(local).i32(bytes).op(WASM.i32Add).tee(local);

/** Emits a loop over pairs of components; local `i` is the byte offset from the start of a vector. */
function emitForEachPair(code: WasmCode, i: number, body: () => void): void {
  code.i32(0).set(i).beginLoop();
  body();
  loadField(increment(code, i, 16), "padded")
    .op(WASM.i32LtU)
    .repeatIf()
    .op(WASM.end);
}

function emitEvaluation(lane: LaneCode): WasmCode {
  const [t, from, derivative] = [0, 1, 2];
  const code = new WasmCode();
  loadField(loadField(code, "y").get(from), "size").memoryCopy();
  lane.store(loadField(code, "t").get(t), 0);
  loadField(loadField(code, "x").get(derivative), "scratch").call(KERNEL);
  lane.load(loadField(code.get(derivative), "size").op(WASM.i32Add), 0);
  lane.allLess(loadLanes(lane, code, "below"));
  return code;
}

function emitCombination(): WasmCode {
  const [out, from, row, h, i, end] = [0, 1, 2, 3, 4, 5];
  const k = [6, 7, 8, 9];
  const a = [10, 11, 12, 13];
  const code = new WasmCode();
  loadPair(code, "h").set(h);
  code.get(row).i32(ROW.head).op(WASM.i32Add).get(row).i32Load(0).op(WASM.i32Add).set(end);
  increment(code, row, ROW.head).op(WASM.drop).beginLoop();
  for (let j = 0; j < 4; j++) {
    code
      .get(row)
      .i32Load(4 * j)
      .set(k[j]!);
    code
      .get(h)
      .get(row)
      .f64Load(ROW.coefficients + 8 * j)
      .op(WASM.f64x2Splat)
      .op(WASM.f64x2Mul)
      .set(a[j]!);
  }
  emitForEachPair(code, i, () => {
    addOffset(addOffset(code, out, i), from, i).v128Load(0);
    for (let j = 0; j < 4; j++) {
      addOffset(code.get(a[j]!), k[j]!, i).v128Load(0).op(WASM.f64x2Mul);
      if (j > 0) code.op(WASM.f64x2Add);
    }
    code.op(WASM.f64x2Add).v128Store(0);
  });
  code.get(out).set(from);
  return increment(code, row, ROW.pass).get(end).op(WASM.i32LtU).repeatIf().op(WASM.end);
}

/** Stages of all entries; writes `reached`. */
function emitStages(lane: LaneCode, evaluate: number, combine: number): WasmCode {
  const [entry, end] = [0, 1];
  const code = new WasmCode();
  const reached = (): WasmCode => code.i32(0).get(entry).op(WASM.f64FromU32).f64Store(FRAME.reached);
  code.get(entry).get(end).op(WASM.i32LtU).beginIf().beginLoop();
  loadField(loadField(code, "stage"), "base").get(entry).i32Load(ENTRY.row).call(combine);
  loadLanes(lane, loadLanes(lane, code, "end"), "start")
    .get(entry)
    .f64Load(ENTRY.time);
  if (lane.type === V128) code.op(WASM.f64x2Splat);
  loadLanes(lane, code, "h").op(lane.ops.mul).op(lane.ops.add); // start + time h, but exactly the end where the time is 1
  code.get(entry).f64Load(ENTRY.time).f64(1).op(WASM.f64Eq).op(WASM.select);
  loadField(code, "stage").get(entry).i32Load(ENTRY.out).call(evaluate);
  code.op(WASM.i32Eqz).beginIf();
  reached().op(WASM.return).op(WASM.end);
  increment(code, entry, ENTRY.bytes).get(end).op(WASM.i32LtU).repeatIf().op(WASM.end).op(WASM.end);
  return reached();
}

function emitAdvance(stages: number, combine: number): WasmCode {
  const [first, end, solution, i, out, base, stage] = [0, 1, 2, 3, 4, 5, 6];
  const code = new WasmCode();
  code.get(first).get(end).call(stages);
  loadNumber(code, "reached").get(end).op(WASM.f64FromU32).op(WASM.f64Lt).beginIf().op(WASM.return).op(WASM.end);
  loadField(loadField(code, "stage").tee(stage), "zero").get(solution).call(combine);
  loadField(code, "state").set(out);
  loadField(code, "base").set(base);
  emitForEachPair(code, i, () => {
    addOffset(addOffset(addOffset(code, out, i), base, i).v128Load(0), stage, i)
      .v128Load(0)
      .op(WASM.f64x2Add)
      .v128Store(0);
  });
  return code;
}

function emitJudge(lane: LaneCode, evaluate: number, combine: number, squares: number): WasmCode {
  const [row, secondRow, , i, derivative, sum] = [0, 1, 2, 3, 4, 5];
  const code = new WasmCode();
  loadField(code, "last").set(derivative);
  lane.store(constant(lane, code.i32(0), -1), FRAME.error);
  loadField(loadLanes(lane, code, "end"), "state")
    .get(derivative)
    .call(evaluate)
    .op(WASM.i32Eqz)
    .beginIf()
    .op(WASM.return)
    .op(WASM.end);
  // 0 times each component: NaN where one is not finite
  code.beginLoop().get(sum);
  constant(lane, loadAt(lane, code, derivative, i), 0)
    .op(lane.ops.mul)
    .op(lane.ops.add)
    .set(sum);
  loadField(increment(code, i, lane.bytes), "size")
    .op(WASM.i32LtU)
    .repeatIf()
    .op(WASM.end);
  loadField(loadField(code, "stage"), "zero").get(row).call(combine);
  lane.store(code.i32(0).call(squares).get(sum).op(lane.ops.add), FRAME.error);
  code.get(secondRow).op(WASM.i32Eqz).beginIf().op(WASM.return).op(WASM.end);
  loadField(loadField(code, "stage"), "zero").get(secondRow).call(combine);
  lane.store(code.i32(0).call(squares), FRAME.second);
  return code;
}

/** Sum of squares of `stage` in units of the tolerance, relative to the larger of `base` and `state`. */
function emitSquares(lane: LaneCode): WasmCode {
  const [i, base, state, stage, weights, ratio, total] = [0, 1, 2, 3, 4, 5, 6];
  const code = new WasmCode();
  loadField(code, "base").set(base);
  loadField(code, "state").set(state);
  loadField(code, "stage").set(stage);
  loadField(code, "weights").set(weights);
  code.beginLoop();
  const { abs, max, mul, add, div } = lane.ops;
  loadAt(lane, loadAt(lane, code, weights, i), stage, i).op(mul);
  loadLanes(lane, loadLanes(lane, code, "absolute"), "relative");
  loadAt(lane, loadAt(lane, code, base, i).op(abs), state, i)
    .op(abs)
    .op(max);
  code.op(mul).op(add).op(div).set(ratio);
  code.get(total).get(ratio).get(ratio).op(mul).op(add).set(total);
  loadField(increment(code, i, lane.bytes), "size")
    .op(WASM.i32LtU)
    .repeatIf()
    .op(WASM.end);
  return code.get(total);
}

function emitPrepare(stages: number, hermite: number, combine: number): WasmCode {
  const [first, entry, end] = [0, 1, 2];
  const code = new WasmCode();
  code.get(first).get(entry).call(stages);
  loadNumber(code, "reached").get(entry).op(WASM.f64FromU32).op(WASM.f64Lt).beginIf().op(WASM.return).op(WASM.end);
  code.call(hermite).beginLoop();
  loadField(code.get(entry).i32Load(ENTRY.out), "zero").get(entry).i32Load(ENTRY.row).call(combine);
  return increment(code, entry, ENTRY.bytes).get(end).op(WASM.i32LtU).repeatIf().op(WASM.end);
}

/** F0, F1, F2 of (1) in dense-output.ts. */
function emitHermite(): WasmCode {
  const [i, F, y0, y1, f0, f1, step, rise, a, b] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];
  const code = new WasmCode();
  loadPair(code, "h").set(step);
  loadField(code, "F").set(F);
  loadField(code, "base").set(y0);
  loadField(code, "state").set(y1);
  loadField(code, "first").set(f0);
  loadField(code, "last").set(f1);
  emitForEachPair(code, i, () => {
    addOffset(addOffset(code, y1, i).v128Load(0), y0, i)
      .v128Load(0)
      .op(WASM.f64x2Sub)
      .set(rise);
    addOffset(code.get(step), f0, i).v128Load(0).op(WASM.f64x2Mul).set(a);
    addOffset(code.get(step), f1, i).v128Load(0).op(WASM.f64x2Mul).set(b);
    addOffset(code, F, i).get(rise).v128Store(0);
    loadField(addOffset(code, F, i), "padded")
      .op(WASM.i32Add)
      .get(a)
      .get(rise)
      .op(WASM.f64x2Sub)
      .v128Store(0);
    loadField(loadField(addOffset(code, F, i), "padded").op(WASM.i32Add), "padded").op(WASM.i32Add);
    code.f64x2(2).get(rise).op(WASM.f64x2Mul).get(a).op(WASM.f64x2Sub).get(b).op(WASM.f64x2Sub).v128Store(0);
  });
  return code;
}

/** Evaluates (1) of dense-output.ts, from the highest term down to F0. The two factors alternate. */
function emitNested(): WasmCode {
  const [highest, out, , i, F, base, term, factor, next, value, swap] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const code = new WasmCode();
  loadField(code, "F").set(F);
  loadField(code, "base").set(base);
  emitForEachPair(code, i, () => {
    code.f64x2(0).set(value);
    loadPair(code, "factor").set(factor);
    loadPair(code, "other").set(next);
    addOffset(code, highest, i).set(term).beginLoop();
    code.get(value).get(term).v128Load(0).op(WASM.f64x2Add).get(factor).op(WASM.f64x2Mul).set(value);
    code.get(factor).set(swap).get(next).set(factor).get(swap).set(next);
    loadField(code.get(term), "padded").op(WASM.i32Sub).tee(term);
    addOffset(code, F, i).op(WASM.i32GeS).repeatIf().op(WASM.end);
    addOffset(addOffset(code, out, i), base, i)
      .v128Load(0)
      .get(value)
      .op(WASM.f64x2Add)
      .v128Store(0);
  });
  return code;
}
