/**
 * Sine and cosine inside the module, both at once, within 1 ulp of Math.sin and Math.cos for |x| < 1e6; larger arguments,
 * infinities and NaN go to the imported functions. Being plain arithmetic, the results are the same on every machine.
 *
 *   n = x 2/π to the nearest integer,   x - n π/2 = r - s   with |r| <= π/4, |s| < ulp(r) [1]
 *   sin(r - s) = r - (s (1 - r²/2) + r³ S(r²))                                            [2]
 *   cos(r - s) = 1 - r²/2 + (r⁴ C(r²) + r s)                                               [3]
 *
 * and the quadrant n mod 4 says which of the two is the sine, and their signs. S and C are minimax polynomials (Remez
 * exchange in 200-bit arithmetic, coefficients rounded one after the other): relative errors 2^-57.6 and 2^-62.6.
 */

import { type LaneCode, type Lanes, laneCode } from "./wasm-lanes.ts";
import { Code, F64, type FunctionImport, V128, WASM, type WasmModule } from "./wasm-module.ts";

const unary = { params: [F64], results: [F64] } as const;

/** What a module with sines needs from its host, at function indices 0 and 1. */
export const MATH_IMPORTS: readonly FunctionImport[] = [
  { module: "math", name: "sin", ...unary },
  { module: "math", name: "cos", ...unary },
];
const IMPORTED_SIN = 0;
const IMPORTED_COS = 1;

const LARGEST = 1e6;
const TWO_OVER_PI = 0.6366197723675814;

/**
 * π/2 in four parts. The first three have 33 bits, so that their products with |n| < 2^20 are exact, and so are the
 * subtractions of [1] together with the remainders that are kept: see the comment there.
 */
const HALF_PI = [1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32] as const;

/** 1.5 2^52: adding it rounds to an integer, which then stands in the low bits. */
const ROUNDER = 6755399441055744;

/** S, negated: sin r = r - r³ S(r²). */
const SINE = [
  0.16666666666666635, -0.008333333333322914, 0.0001984126983009005, -2.755731376568386e-6, 2.5050767076087526e-8,
  -1.589719939929122e-10,
] as const;
const COSINE = [
  0.041666666666666595, -0.0013888888888873387, 2.4801587289042317e-5, -2.7557314230051653e-7, 2.0875707582554254e-9,
  -1.135890336495522e-11,
] as const;

const SIGN_BIT = -(2n ** 63n);

/** Adds (x) -> (sin x, cos x) to a module made with MATH_IMPORTS, returns its function index. */
export function addSincos(module: WasmModule, lanes: Lanes): number {
  const one = module.add([F64], [F64, F64], localTypes(laneCode(1)), sincos(laneCode(1), scalarFallback()));
  if (lanes === 1) return one;
  return module.add(
    [V128],
    [V128, V128],
    [...localTypes(laneCode(2)), F64, F64, F64, F64],
    sincos(laneCode(2), laneFallback(one)),
  );
}

const scalarFallback = (): Code => new Code().get(0).call(IMPORTED_SIN).get(0).call(IMPORTED_COS);

/** Lane by lane with the function for one lane: what is not huge comes out the same as in a kernel for one state. */
function laneFallback(scalarSincos: number): Code {
  const code = new Code();
  const [s0, c0, s1, c1] = [9, 10, 11, 12] as const;
  code.get(0).extractLane(0).call(scalarSincos).set(c0).set(s0);
  code.get(0).extractLane(1).call(scalarSincos).set(c1).set(s1);
  code.get(s0).op(WASM.f64x2Splat).get(s1).replaceLane(1);
  return code.get(c0).op(WASM.f64x2Splat).get(c1).replaceLane(1);
}

const [X, N, T, R, S, W, Z, BITS, SWAP] = [0, 1, 2, 3, 4, 5, 6, 7, 8] as const;

const localTypes = (lane: LaneCode) => [
  lane.type,
  lane.type,
  lane.type,
  lane.type,
  lane.type,
  lane.type,
  lane.bitsType,
  lane.bitsType,
];

function sincos(lane: LaneCode, fallback: Code): Code {
  const code = new Code();
  const { add, sub, mul, abs } = lane.ops;
  const { bits } = lane;
  const number = (value: number): Code => {
    lane.constant(code, value);
    return code;
  };

  code.get(X).op(abs);
  number(LARGEST);
  lane.allLess(code);
  code.op(WASM.i32Eqz).when().append(fallback.bytes).op(WASM.return).op(WASM.end);

  // n, and its low bits
  code.get(X);
  number(TWO_OVER_PI).op(mul);
  number(ROUNDER).op(add).tee(N);
  lane.toBits(code);
  code.set(BITS).get(N);
  number(ROUNDER).op(sub).set(N);

  // [1] T = x - n P0 is exact: both are multiples of 2^-53 near each other. For the next two parts, R - w rounds, but
  // (R - (R - w)) - w is exactly what it loses, also where |R| < |w|: there both are short enough for R - w to be exact.
  code.get(X).get(N);
  number(HALF_PI[0]).op(mul).op(sub).set(T);
  code.get(T).get(N);
  number(HALF_PI[1]).op(mul).tee(W).op(sub).tee(R);
  code.set(R).get(T).get(R).op(sub).get(W).op(sub).set(S);
  code.get(R).get(N);
  number(HALF_PI[2]).op(mul).tee(W).op(sub).set(T);
  code.get(S).get(R).get(T).op(sub).get(W).op(sub).op(add).set(S);
  code.get(N);
  number(HALF_PI[3]).op(mul).get(S).op(sub).set(W);
  code.get(T).get(W).op(sub).set(R);
  code.get(W).get(T).get(R).op(sub).op(sub).set(S);

  // [2] into T, [3] into W; the order of the terms keeps sin(-0) = -0
  code.get(R).get(R).op(mul).set(Z);
  number(1).get(Z);
  number(0.5).op(mul).tee(N).op(sub).set(W);
  code.get(R);
  code.get(S).get(W).op(mul);
  code.get(R).get(Z).op(mul);
  polynomial(code, lane, SINE);
  code.op(mul).op(add).op(sub).set(T);
  code.get(W);
  number(1).get(W).op(sub).get(N).op(sub);
  code.get(Z).get(Z).op(mul);
  polynomial(code, lane, COSINE);
  code.op(mul).get(R).get(S).op(mul).op(add).op(add).op(add).set(W);

  // In odd quadrants swap the two (by xor with their difference), then the signs: bit 1 of n, and of n + 1.
  lane.bitsConstant(code, 0n);
  code.get(BITS);
  lane.bitsConstant(code, 1n);
  code.op(bits.and).op(bits.sub).get(T);
  lane.toBits(code);
  code.get(W);
  lane.toBits(code);
  code.op(bits.xor).op(bits.and).set(SWAP);
  for (const [value, shift] of [
    [T, 0n],
    [W, 1n],
  ] as const) {
    code.get(value);
    lane.toBits(code);
    code.get(SWAP).op(bits.xor).get(BITS);
    lane.bitsConstant(code, shift);
    code.op(bits.add);
    lane.shiftLeft(code, 62);
    lane.bitsConstant(code, SIGN_BIT);
    code.op(bits.and).op(bits.xor);
    lane.fromBits(code);
  }
  return code;
}

/** Leaves c0 + z (c1 + z (c2 + ...)) on the stack. */
function polynomial(code: Code, lane: LaneCode, coefficients: readonly number[]): void {
  for (const c of coefficients.slice(0, -1)) {
    lane.constant(code, c);
    code.get(Z);
  }
  lane.constant(code, coefficients.at(-1)!);
  for (let k = 1; k < coefficients.length; k++) code.op(lane.ops.mul).op(lane.ops.add);
}
