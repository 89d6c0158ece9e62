/** Arithmetic of one state (f64) or two states at once (f64x2), so that kernels and sin/cos are emitted by one source. */
import type { Op } from "../../trace/graph.ts";
import { type Code, F64, I64, V128, type ValueType, WASM } from "./instructions.ts";
import type { WasmModule } from "./module.ts";

export type Lanes = 1 | 2;

type Arithmetic = "add" | "sub" | "mul" | "div" | "neg" | "sqrt" | "abs" | "min" | "max";

export interface LaneCode {
  readonly type: ValueType;
  /** Bytes of one value in memory. */
  readonly bytes: 8 | 16;
  readonly ops: Readonly<Record<Arithmetic, number>>;
  /**
   * Pushes a number. Constants are globals: V8 reads them from memory as an operand of the instruction that needs them,
   * where f64.const takes two instructions and 15 bytes, and large kernels are bound by the size of their code.
   */
  constant(code: Code, value: number): void;
  load(code: Code, offset: number): void;
  store(code: Code, offset: number): void;
  /** Stack: when, whenNot, test. Leaves `when` where test >= 0, else `whenNot`, also where test is not a number. */
  select(code: Code): void;
  /** Stack: a, b. Leaves an i32 that says whether a < b in every lane. */
  allLess(code: Code): void;

  /** The value as 64-bit integers, to move bits about. */
  readonly bitsType: ValueType;
  readonly bits: Readonly<Record<"and" | "xor" | "add" | "sub" | "shl", number>>;
  toBits(code: Code): void;
  fromBits(code: Code): void;
  bitsConstant(code: Code, value: bigint): void;
  /** Shifts the bits on the stack to the left. */
  shiftLeft(code: Code, count: number): void;
}

const OPS_ONE: Readonly<Record<Arithmetic, number>> = {
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

const OPS_TWO: Readonly<Record<Arithmetic, number>> = {
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

const one = (module: WasmModule): LaneCode => ({
  type: F64,
  bytes: 8,
  ops: OPS_ONE,
  constant: (code, value) => void code.global(module.constant(F64, value)),
  load: (code, offset) => void code.f64Load(offset),
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

const two = (module: WasmModule): LaneCode => ({
  type: V128,
  bytes: 16,
  ops: OPS_TWO,
  constant: (code, value) => void code.global(module.constant(V128, value)),
  load: (code, offset) => void code.v128Load(offset),
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

export const laneCode = (module: WasmModule, lanes: Lanes): LaneCode => (lanes === 1 ? one(module) : two(module));

export const isArithmetic = (op: Op): op is Arithmetic => op in OPS_ONE;
