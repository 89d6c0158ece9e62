/** Instructions for one state (f64) or two states at once (f64x2), so that one emitter serves both. */
import type { Op } from "../../trace/graph.ts";
import { F64, I64, V128, type ValueType, WASM, type WasmCode } from "./instructions.ts";
import type { WasmModule } from "./module.ts";

export type Lanes = 1 | 2;

type ArithmeticOp = "add" | "sub" | "mul" | "div" | "neg" | "sqrt" | "abs" | "min" | "max";

export interface LaneCode {
  readonly type: ValueType;
  /** Bytes of one value in memory. */
  readonly bytes: 8 | 16;
  readonly ops: Readonly<Record<ArithmeticOp, number>>;
  /**
   * Pushes a constant. Constants are globals: V8 reads a global as a memory operand of the instruction that uses it, but f64.const takes
   * two instructions and 15 bytes, and the speed of large kernels is limited by their code size.
   */
  constant(code: WasmCode, value: number): void;
  load(code: WasmCode, offset: number): void;
  /** Loads one double into all lanes. */
  loadNumber(code: WasmCode, offset: number): void;
  store(code: WasmCode, offset: number): void;
  /** Stack: when, whenNot, test. Leaves `when` if test >= 0, else `whenNot`; a test of NaN gives `whenNot`. */
  select(code: WasmCode): void;
  /** Stack: a, b. Leaves an i32: 1 if a < b in every lane, else 0. */
  allLess(code: WasmCode): void;

  /** Type of a value as 64-bit integers, for operations on bits. */
  readonly bitsType: ValueType;
  readonly bits: Readonly<Record<"and" | "xor" | "add" | "sub" | "shl", number>>;
  toBits(code: WasmCode): void;
  fromBits(code: WasmCode): void;
  bitsConstant(code: WasmCode, value: bigint): void;
  /** Shifts the 64-bit integers on the stack left by `count` bits. */
  shiftLeft(code: WasmCode, count: number): void;
}

const ONE_LANE_OPS: Readonly<Record<ArithmeticOp, number>> = {
  add: WASM.f64Add,
  sub: WASM.f64Sub,
  mul: WASM.f64Mul,
  div: WASM.f64Div,
  neg: WASM.f64Neg,
  sqrt: WASM.f64Sqrt,
  abs: WASM.f64Abs,
  min: WASM.f64Min,
  max: WASM.f64Max,
};

const TWO_LANE_OPS: Readonly<Record<ArithmeticOp, number>> = {
  add: WASM.f64x2Add,
  sub: WASM.f64x2Sub,
  mul: WASM.f64x2Mul,
  div: WASM.f64x2Div,
  neg: WASM.f64x2Neg,
  sqrt: WASM.f64x2Sqrt,
  abs: WASM.f64x2Abs,
  min: WASM.f64x2Min,
  max: WASM.f64x2Max,
};

const oneLaneCode = (module: WasmModule): LaneCode => ({
  type: F64,
  bytes: 8,
  ops: ONE_LANE_OPS,
  constant: (code, value) => void code.global(module.constantGlobal(F64, value)),
  load: (code, offset) => void code.f64Load(offset),
  loadNumber: (code, offset) => void code.f64Load(offset),
  store: (code, offset) => void code.f64Store(offset),
  select: (code) => void code.f64(0).op(WASM.f64Ge).op(WASM.select),
  allLess: (code) => void code.op(WASM.f64Lt),
  bitsType: I64,
  bits: { and: WASM.i64And, xor: WASM.i64Xor, add: WASM.i64Add, sub: WASM.i64Sub, shl: WASM.i64Shl },
  toBits: (code) => void code.op(WASM.i64FromBits),
  fromBits: (code) => void code.op(WASM.f64FromBits),
  bitsConstant: (code, value) => void code.i64(value),
  shiftLeft: (code, count) => void code.i64(BigInt(count)).op(WASM.i64Shl),
});

const twoLaneCode = (module: WasmModule): LaneCode => ({
  type: V128,
  bytes: 16,
  ops: TWO_LANE_OPS,
  constant: (code, value) => void code.global(module.constantGlobal(V128, value)),
  load: (code, offset) => void code.v128Load(offset),
  loadNumber: (code, offset) => void code.v128LoadSplat(offset),
  store: (code, offset) => void code.v128Store(offset),
  select: (code) => void code.f64x2(0).op(WASM.f64x2Ge).op(WASM.v128BitSelect),
  allLess: (code) => void code.op(WASM.f64x2Lt).op(WASM.i64x2AllTrue),
  bitsType: V128,
  bits: { and: WASM.v128And, xor: WASM.v128Xor, add: WASM.i64x2Add, sub: WASM.i64x2Sub, shl: WASM.i64x2Shl },
  toBits: () => {},
  fromBits: () => {},
  bitsConstant: (code, value) => void code.i64x2(value),
  shiftLeft: (code, count) => void code.i32(count).op(WASM.i64x2Shl),
});

export const laneCode = (module: WasmModule, lanes: Lanes): LaneCode => (lanes === 1 ? oneLaneCode(module) : twoLaneCode(module));

export const isArithmetic = (op: Op): op is ArithmeticOp => op in ONE_LANE_OPS;
