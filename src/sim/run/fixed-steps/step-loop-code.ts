/** The WebAssembly code of a loop of fixed steps: combinations of stages, projection of quaternions, and the loop itself. */
import { WASM, WasmCode } from "../../../kernel/emit/wasm/instructions.ts";
import type { Graph } from "../../../kernel/trace/graph.ts";
import { type Program, trace } from "../../../kernel/trace/program.ts";
import type { Scalar } from "../../../kernel/trace/scalar.ts";

/** One component of a stage from that of y, its stage derivatives, and the weights. */
export type Combination = (y: Scalar, k: readonly Scalar[], w: readonly Scalar[]) => Scalar;

interface CombinationAddresses {
  readonly y: number;
  readonly out: number;
  readonly k: readonly number[];
  readonly weights: number;
  readonly bytes: number;
}

/** For each pair of components: out = combination(y, k1.., weights). */
export function emitCombination(combination: Combination, { y, out, k, weights, bytes }: CombinationAddresses): WasmCode {
  const WEIGHTS = 16;
  const program = trace("combination", { y: 1, k: 4, w: WEIGHTS }, (x) => ({ out: [combination(x.y[0]!, x.k, x.w)] }));
  const code = new WasmCode();
  const [OFFSET, VALUE] = [0, 1];
  code.beginLoop();
  code.get(OFFSET);
  emitNode(code, program, program.results[0]!, (input) => {
    if (input <= 4) code.get(OFFSET).v128Load(input === 0 ? y : k[input - 1]!);
    else
      code
        .i32(0)
        .f64Load(weights + 8 * (input - 5))
        .op(WASM.f64x2Splat);
  });
  code.set(VALUE).get(VALUE).v128Store(out);
  code.get(OFFSET).i32(16).op(WASM.i32Add).tee(OFFSET).i32(bytes).op(WASM.i32LtU).repeatIf();
  return code.op(WASM.end);
}

const PAIRWISE: Readonly<Record<string, number>> = { add: WASM.f64x2Add, sub: WASM.f64x2Sub, mul: WASM.f64x2Mul };

/** Pushes the value of a node on the stack. Expressions are small trees, so no value is kept in a local. */
function emitNode(code: WasmCode, program: Program, id: number, input: (i: number) => void): void {
  const { graph }: { graph: Graph } = program;
  const op = graph.opOf(id);
  if (op === "input") input(graph.valueOf(id));
  else if (op === "const") code.f64x2(graph.valueOf(id));
  else {
    emitNode(code, program, graph.arg(id, 0), input);
    emitNode(code, program, graph.arg(id, 1), input);
    code.op(PAIRWISE[op]!);
  }
}

/** Normalises the quaternions at these addresses: times 1 / √(w² + x² + y² + z²). */
export function emitProjection(addresses: readonly number[]): WasmCode {
  const code = new WasmCode();
  for (const a of addresses) {
    code.f64(1);
    for (let i = 0; i < 4; i++) {
      code
        .i32(0)
        .f64Load(a + 8 * i)
        .i32(0)
        .f64Load(a + 8 * i)
        .op(WASM.f64Mul);
      if (i > 0) code.op(WASM.f64Add);
    }
    code.op(WASM.f64Sqrt).op(WASM.f64Div).set(0);
    for (let i = 0; i < 4; i++)
      code
        .i32(0)
        .i32(0)
        .f64Load(a + 8 * i)
        .get(0)
        .op(WASM.f64Mul)
        .f64Store(a + 8 * i);
  }
  return code;
}

interface StepLoopFunctions {
  readonly current: number;
  readonly stage: number;
  readonly stages: readonly number[];
  readonly result: number;
  readonly project: number;
  evaluate(code: WasmCode, x: number, stageIndex: number): WasmCode;
}

/** steps(n, h, start, k): step i starts at start + (k + i) h, computed and not accumulated. */
export function emitStepLoop({ current, stage, stages, result, project, evaluate }: StepLoopFunctions): WasmCode {
  const [N, H, START, K, T] = [0, 1, 2, 3, 4];
  const code = new WasmCode();
  const time = (address: number, push: (c: WasmCode) => WasmCode): WasmCode => push(code.i32(0)).f64Store(address);
  code.beginLoop();
  code.get(START).get(K).get(H).op(WASM.f64Mul).op(WASM.f64Add).set(T);
  time(current, (c) => c.get(T));
  evaluate(code, current, 0);
  for (const [i, combine] of stages.entries()) {
    code.call(combine);
    if (i < 2) time(stage, (c) => c.get(T).get(H).f64(0.5).op(WASM.f64Mul).op(WASM.f64Add));
    else time(stage, (c) => c.get(START).get(K).f64(1).op(WASM.f64Add).get(H).op(WASM.f64Mul).op(WASM.f64Add));
    evaluate(code, stage, i + 1);
  }
  code.call(result).call(project);
  code.get(K).f64(1).op(WASM.f64Add).set(K);
  code.get(N).i32(-1).op(WASM.i32Add).tee(N).repeatIf(); // while steps remain
  return code.op(WASM.end);
}
