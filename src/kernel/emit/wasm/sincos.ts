/**
 * WebAssembly functions that compute sine and cosine together, with the formulas of math/elementary/sincos.ts. Arguments of 1e6 and more,
 * infinities and NaN are passed to the imported functions.
 */
import type { SincosPolynomial } from "../../../math/elementary/sincos.ts";
import {
  C_POLYNOMIAL,
  HALF_PI,
  INTEGER_ROUNDER,
  LARGEST_REDUCED_ANGLE,
  S_POLYNOMIAL,
  TWO_OVER_PI,
} from "../../../math/elementary/sincos.ts";
import { F64, type ValueType, WASM, WasmCode } from "./instructions.ts";
import { type LaneCode, type Lanes, laneCode } from "./lanes.ts";
import type { FunctionImport, WasmModule } from "./module.ts";

const UNARY_F64 = { params: [F64], results: [F64] } as const;

/** Imports of a module with sines or cosines; they have the function indices 0 and 1. */
export const MATH_IMPORTS: readonly FunctionImport[] = [
  { module: "math", name: "sin", ...UNARY_F64 },
  { module: "math", name: "cos", ...UNARY_F64 },
];
const IMPORTED_SIN = 0;
const IMPORTED_COS = 1;

const SIGN_BIT = -0x8000000000000000n;

/** Indices of the functions (x) -> (sin x, cos x) for one and for two lanes. */
export interface SincosFunctions {
  readonly one: number;
  readonly two: number;
}

/** Adds both functions to a module that has the imports MATH_IMPORTS. */
export function addSincos(module: WasmModule): SincosFunctions {
  const importedCode = new WasmCode().get(0).call(IMPORTED_SIN).get(0).call(IMPORTED_COS);
  const one = addSincosFunction(module, 1, [], () => importedCode);
  const two = addSincosFunction(module, 2, [F64, F64, F64, F64], (extra) => laneByLane(one, extra));
  return { one, two };
}

/** Calls the one-lane function for each lane: a result must not depend on the argument in the other lane. */
function laneByLane(sincos: number, extra: number): WasmCode {
  const [s0, c0, s1, c1] = [extra, extra + 1, extra + 2, extra + 3] as const;
  const code = new WasmCode();
  code.get(0).extractLane(0).call(sincos).set(c0).set(s0);
  code.get(0).extractLane(1).call(sincos).set(c1).set(s1);
  code.get(s0).op(WASM.f64x2Splat).get(s1).replaceLane(1);
  return code.get(c0).op(WASM.f64x2Splat).get(c1).replaceLane(1);
}

const [X, N, T, R, S, W, Z, ZZ, BITS, SWAP] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9] as const;

function addSincosFunction(
  module: WasmModule,
  lanes: Lanes,
  extra: readonly ValueType[],
  largeArgumentCode: (firstExtra: number) => WasmCode,
): number {
  const lane = laneCode(module, lanes);
  const numbers: ValueType[] = [N, T, R, S, W, Z, ZZ].map(() => lane.type);
  const code = sincosCode(lane, largeArgumentCode(SWAP + 1));
  return module.addFunction([lane.type], [lane.type, lane.type], [...numbers, lane.bitsType, lane.bitsType, ...extra], code);
}

function sincosCode(lane: LaneCode, largeArgumentCode: WasmCode): WasmCode {
  const code = new WasmCode();
  const { add, sub, mul, abs } = lane.ops;
  const number = (value: number): WasmCode => {
    lane.constant(code, value);
    return code;
  };

  code.get(X).op(abs);
  number(LARGEST_REDUCED_ANGLE);
  lane.allLess(code);
  code.op(WASM.i32Eqz).beginIf().append(largeArgumentCode.bytes).op(WASM.return).op(WASM.end);

  // n = x 2/π rounded, and its low bits
  code.get(X);
  number(TWO_OVER_PI).op(mul);
  number(INTEGER_ROUNDER).op(add).tee(N);
  lane.toBits(code);
  code.set(BITS).get(N);
  number(INTEGER_ROUNDER).op(sub).set(N);

  // [1] t = x - n P0 is exact: both are multiples of 2^-53, and the difference is less than 1. r = t - w rounds, but (t - r) - w is
  // exactly the rounding error; if |t| < |w|, then t - w is exact. The new w is this error plus n times the last part of π/2.
  code.get(X).get(N);
  number(HALF_PI[0]).op(mul).op(sub).tee(T).get(N);
  number(HALF_PI[1]).op(mul).tee(W).op(sub).set(R);
  code.get(N);
  number(HALF_PI[2]).op(mul).get(T).get(R).op(sub).get(W).op(sub).op(sub).set(W);
  // r - s = r - w with |s| <= ulp(r)
  code.get(R).set(T);
  code.get(T).get(W).op(sub).set(R);
  code.get(W).get(T).get(R).op(sub).op(sub).set(S);

  // z = r², w = 1 - z/2
  code.get(R).get(R).op(mul).tee(Z).get(Z).op(mul).set(ZZ);
  number(1).get(Z);
  number(0.5).op(mul).tee(N).op(sub).set(W);
  // t := [2]; the order of the terms keeps sin(-0) = -0
  code.get(R).get(S).get(W).op(mul).get(R).get(Z).op(mul);
  emitPolynomial(code, lane, S_POLYNOMIAL);
  code.op(mul).op(add).op(sub).set(T);
  // w := [3], including the rounding error of w, (1 - w) - z/2
  code.get(W);
  number(1).get(W).op(sub).get(N).op(sub);
  code.get(ZZ);
  emitPolynomial(code, lane, C_POLYNOMIAL);
  code.op(mul).get(R).get(S).op(mul).op(add).op(add).op(add).set(W);

  emitQuadrantSelection(code, lane);
  return code;
}

/** Pushes (c0 + c1 z) + z² ((c2 + c3 z) + z² (c4 + c5 z)): shorter chains of dependent operations than Horner's scheme. */
function emitPolynomial(code: WasmCode, lane: LaneCode, c: SincosPolynomial): void {
  const { add, mul } = lane.ops;
  const linear = (c0: number, c1: number): void => {
    lane.constant(code, c0);
    lane.constant(code, c1);
    code.get(Z).op(mul).op(add);
  };
  linear(c[0], c[1]);
  code.get(ZZ);
  linear(c[2], c[3]);
  code.get(ZZ);
  linear(c[4], c[5]);
  code.op(mul).op(add).op(mul).op(add);
}

/** Pushes sin x, cos x from t = sin(r - s), w = cos(r - s). Operations on bits, because branches on quadrants are hard to predict. */
function emitQuadrantSelection(code: WasmCode, lane: LaneCode): void {
  const { and, xor, add, sub } = lane.bits;
  const bits = (value: bigint): WasmCode => {
    lane.bitsConstant(code, value);
    return code;
  };
  // if n is odd, swap t and w: xor with SWAP = t xor w, which is 0 for even n
  bits(0n).get(BITS);
  bits(1n).op(and).op(sub).get(T);
  lane.toBits(code);
  code.get(W);
  lane.toBits(code);
  code.op(xor).op(and).set(SWAP);
  // the sine is negative where bit 1 of n is set, the cosine where bit 1 of n + 1 is
  for (const [value, offset] of [
    [T, 0n],
    [W, 1n],
  ] as const) {
    code.get(value);
    lane.toBits(code);
    code.get(SWAP).op(xor).get(BITS);
    if (offset !== 0n) bits(offset).op(add);
    lane.shiftLeft(code, 62);
    bits(SIGN_BIT).op(and).op(xor);
    lane.fromBits(code);
  }
}
