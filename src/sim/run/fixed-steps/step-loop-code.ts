/** The WebAssembly code of a loop of fixed steps: combinations of stages, projection of quaternions, and the loop itself. */
import { I32, V128, type ValueType, WASM, WasmCode } from "../../../kernel/emit/wasm/instructions.ts";
import type { Graph } from "../../../kernel/trace/graph.ts";
import { trace } from "../../../kernel/trace/program.ts";
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

/** Longest vector, in pairs of components, whose combination is straight-line code. A loop takes twice as long. */
const LONGEST_UNROLLED = 128;
const MAX_WEIGHTS = 16;
/** Locals of the function of a combination. */
export const COMBINATION_LOCALS: readonly ValueType[] = [I32, ...Array.from({ length: MAX_WEIGHTS }, (): ValueType => V128)];

/** For each pair of components: out = combination(y, k1.., weights). */
export function emitCombination(combination: Combination, { y, out, k, weights, bytes }: CombinationAddresses): WasmCode {
  const program = trace("combination", { y: 1, k: 4, w: MAX_WEIGHTS }, (x) => ({ out: [combination(x.y[0]!, x.k, x.w)] }));
  const { graph } = program;
  const result = program.results[0]!;
  const code = new WasmCode();
  const [OFFSET, FIRST_WEIGHT] = [0, 1];
  for (const weight of weightsOf(graph, result))
    code
      .i32(0)
      .f64Load(weights + 8 * weight)
      .op(WASM.f64x2Splat)
      .set(FIRST_WEIGHT + weight);
  const emitPair = (first: number): void => {
    code.get(OFFSET);
    emitNode(code, graph, result, (input) => {
      if (input <= LAST_VECTOR) code.get(OFFSET).v128Load(first + (input === 0 ? y : k[input - 1]!));
      else code.get(FIRST_WEIGHT + input - LAST_VECTOR - 1);
    });
    code.v128Store(first + out);
  };
  if (bytes <= 16 * LONGEST_UNROLLED) {
    for (let first = 0; first < bytes; first += 16) emitPair(first);
    return code;
  }
  code.beginLoop();
  emitPair(0);
  code.get(OFFSET).i32(16).op(WASM.i32Add).tee(OFFSET).i32(bytes).op(WASM.i32LtU).repeatIf();
  return code.op(WASM.end);
}

/** Inputs of a combination: y, four stage derivatives, then the weights. */
const LAST_VECTOR = 4;

/** The weights on which a node depends. */
function weightsOf(graph: Graph, id: number): Set<number> {
  const op = graph.opOf(id);
  if (op === "const") return new Set();
  if (op !== "input") return new Set([...weightsOf(graph, graph.arg(id, 0)), ...weightsOf(graph, graph.arg(id, 1))]);
  const input = graph.valueOf(id);
  return new Set(input > LAST_VECTOR ? [input - LAST_VECTOR - 1] : []);
}

const PAIRWISE: Readonly<Record<string, number>> = { add: WASM.f64x2Add, sub: WASM.f64x2Sub, mul: WASM.f64x2Mul };

/** Pushes the value of a node on the stack. Expressions are small trees, so no value is kept in a local. */
function emitNode(code: WasmCode, graph: Graph, id: number, input: (i: number) => void): void {
  const op = graph.opOf(id);
  if (op === "input") input(graph.valueOf(id));
  else if (op === "const") code.f64x2(graph.valueOf(id));
  else {
    emitNode(code, graph, graph.arg(id, 0), input);
    emitNode(code, graph, graph.arg(id, 1), input);
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
