/**
 * Sums of the stresses over the points of a rim (rim-integrator.ts) in WebAssembly, two points at a time. Sines, cosines and exponentials
 * have the same bits as math/elementary/sincos.ts and math/elementary/exponential.ts. Even and odd points are summed separately, then
 * added.
 */

import { I32, V128, type ValueType, WASM, WasmCode } from "../kernel/emit/wasm/instructions.ts";
import { WasmModule } from "../kernel/emit/wasm/module.ts";
import { lazy } from "../kernel/run/lazy.ts";
import { KernelMemory } from "../kernel/run/memory.ts";
import { EXPONENTIAL_CONSTANTS } from "../math/elementary/exponential.ts";
import { C_POLYNOMIAL, S_POLYNOMIAL, type SincosPolynomial } from "../math/elementary/sincos.ts";

/** Indices of the arguments (front to r, see rim-integrator.ts) and of the results (fx to mz) in the memory, in doubles. */
export const STRESS_SLOTS = {
  front: 0,
  sinFront: 1,
  cosFront: 2,
  u: 3,
  v: 4,
  cohesion: 5,
  tan: 6,
  slope: 7,
  push: 8,
  d2: 9,
  r: 10,
  fx: 11,
  fz: 12,
  torque: 13,
  fy: 14,
  mx: 15,
  mz: 16,
} as const;
export const MAX_POINTS = 48;
/** Indices of the arrays of the points in the memory, in doubles. */
const FIRST_POINT_ARRAY = 18;
export const POINT_ARRAYS = {
  angles: FIRST_POINT_ARRAY,
  sines: FIRST_POINT_ARRAY + MAX_POINTS,
  cosines: FIRST_POINT_ARRAY + 2 * MAX_POINTS,
  weights: FIRST_POINT_ARRAY + 3 * MAX_POINTS,
  pressures: FIRST_POINT_ARRAY + 4 * MAX_POINTS,
} as const;
export const STRESS_MEMORY_LENGTH = FIRST_POINT_ARRAY + 5 * MAX_POINTS;

export interface StressFunctions {
  /** Writes the sines and cosines of the angles, which must be within π/4. `bytes`: 8 per point. */
  sinesAndCosines(bytes: number): void;
  /** Writes fx, fz and torque. */
  sumLongitudinal(bytes: number): void;
  /** Writes fx, fz, torque, fy, mx and mz in one loop, whose two parts run in parallel. */
  sumAll(bytes: number): void;
}

/** The functions and their memory; undefined if WebAssembly is missing or forbidden. */
export function instantiateStressFunctions(): { readonly functions: StressFunctions; readonly slots: Float64Array } | undefined {
  try {
    const memory = new KernelMemory(8 * STRESS_MEMORY_LENGTH);
    const instance = new WebAssembly.Instance(compiledModule(), { castor: { memory: memory.memory } });
    return { functions: instance.exports as unknown as StressFunctions, slots: memory.doubles(0, STRESS_MEMORY_LENGTH) };
  } catch {
    return undefined;
  }
}

const compiledModule = lazy(() => new WebAssembly.Module(buildModule().bytes()));

function buildModule(): WasmModule {
  const module = new WasmModule([]);
  const lanes = (count: number): ValueType[] => new Array<ValueType>(count).fill(V128);
  module.exportFunction("sinesAndCosines", module.addFunction([I32], [], [I32, ...lanes(3)], sincosPassCode(module)));
  module.exportFunction(
    "sumLongitudinal",
    module.addFunction([I32], [], [I32, ...lanes(LOCALS_PER_SUM)], sumPassCode(module, [longitudinalSums])),
  );
  module.exportFunction(
    "sumAll",
    module.addFunction([I32], [], [I32, ...lanes(2 * LOCALS_PER_SUM)], sumPassCode(module, [longitudinalSums, lateralSums])),
  );
  return module;
}

const [BYTES, POINT_OFFSET] = [0, 1];

/** Code for loops over pairs of points. */
class PairCode extends WasmCode {
  constructor(readonly module: WasmModule) {
    super();
  }

  number(value: number): this {
    return this.global(this.module.constantGlobal(V128, value));
  }

  /** Pushes an argument, in both lanes. */
  pushArgument(name: keyof typeof STRESS_SLOTS): this {
    return this.i32(0)
      .f64Load(8 * STRESS_SLOTS[name])
      .op(WASM.f64x2Splat);
  }

  load(name: keyof typeof POINT_ARRAYS): this {
    return this.get(POINT_OFFSET).v128Load(8 * POINT_ARRAYS[name]);
  }

  times(...locals: readonly number[]): this {
    for (const local of locals) this.get(local).op(WASM.f64x2Mul);
    return this;
  }

  /** Loop over all pairs of points. */
  eachPair(body: () => void): this {
    this.i32(0).set(POINT_OFFSET).beginLoop();
    body();
    return this.get(POINT_OFFSET).i32(16).op(WASM.i32Add).tee(POINT_OFFSET).get(BYTES).op(WASM.i32LtU).repeatIf().op(WASM.end);
  }

  /** Stores the sum of both lanes of a local as a result. */
  storeTotal(name: keyof typeof STRESS_SLOTS, local: number): this {
    this.i32(0).get(local).extractLane(0).get(local).extractLane(1).op(WASM.f64Add);
    return this.f64Store(8 * STRESS_SLOTS[name]);
  }
}

const { f64x2Add: ADD, f64x2Sub: SUB, f64x2Mul: MUL } = WASM;

/** c0 + c1 z + zz (c2 + c3 z + zz (c4 + c5 z)) */
function emitPolynomial(code: PairCode, [c0, c1, c2, c3, c4, c5]: SincosPolynomial, z: number, zz: number): PairCode {
  const pair = (a: number, b: number): void => void code.number(a).number(b).times(z).op(ADD);
  pair(c0, c1);
  pair(c2, c3);
  pair(c4, c5);
  return code.times(zz).op(ADD).times(zz).op(ADD);
}

/** Code of `sinesAndCosines`. */
function sincosPassCode(module: WasmModule): WasmCode {
  const [angle, z, zz] = [2, 3, 4];
  const code = new PairCode(module);
  return code.eachPair(() => {
    code.load("angles").tee(angle).times(angle).tee(z).times(z).set(zz);
    code.get(POINT_OFFSET).get(angle).get(angle).times(z);
    emitPolynomial(code, S_POLYNOMIAL, z, zz)
      .op(MUL)
      .op(SUB)
      .v128Store(8 * POINT_ARRAYS.sines);
    // w = 1 - z/2 and its rounding error. The local of the angle is free now.
    const w = angle;
    code.get(POINT_OFFSET).number(1).number(0.5).times(z).op(SUB).tee(w);
    code.number(1).get(w).op(SUB).number(0.5).times(z).op(SUB).get(zz);
    emitPolynomial(code, C_POLYNOMIAL, z, zz)
      .op(MUL)
      .op(ADD)
      .op(ADD)
      .v128Store(8 * POINT_ARRAYS.cosines);
  });
}

/** Pops x, which is not positive, and pushes 1 - eˣ. Below -700 the result is 1. */
function emitShearSaturation(code: PairCode, [x, n, r, z]: readonly [number, number, number, number]): PairCode {
  const { perLn2, rounder, ln2High, ln2Low, low, middle, high } = EXPONENTIAL_CONSTANTS;
  code.number(-700).op(WASM.f64x2Max).tee(x).number(perLn2).op(MUL).number(rounder).op(ADD).tee(n);
  code.number(rounder).op(SUB).set(r);
  code.get(x).get(r).number(ln2High).op(MUL).op(SUB).get(r).number(ln2Low).op(MUL).op(SUB).tee(r).times(r).set(z);
  /** c0 + r c1 + z (c2 + r c3) */
  const quartet = ([c0, c1, c2, c3]: readonly [number, number, number, number]): void => {
    code.number(c0).get(r).number(c1).op(MUL).op(ADD);
    code.number(c2).get(r).number(c3).op(MUL).op(ADD).times(z).op(ADD);
  };
  const zz = x; // the local is free now
  code.get(z).times(z).set(zz);
  code.number(1).number(1).get(r);
  quartet(low);
  quartet(middle);
  quartet(high);
  code.times(zz).op(ADD).times(zz).op(ADD).times(z).op(ADD).op(ADD);
  // times 2ⁿ: n is in the low bits of the rounded sum; it is added to the exponent of the double 1
  code.get(n).i32(52).op(WASM.i64x2Shl).number(1).op(WASM.i64x2Add).op(MUL);
  return code.op(SUB);
}

/** Emits one group of sums. */
interface SumEmitter {
  /** Loads the arguments into locals. */
  readonly begin: () => void;
  /** Adds the terms of a pair of points. */
  readonly add: () => void;
  /** Stores the results. */
  readonly end: () => void;
}

/** Number of locals for each group of sums. */
const LOCALS_PER_SUM = 20;

function sumPassCode(
  module: WasmModule,
  groups: readonly ((code: PairCode, local: (k: number) => number) => SumEmitter)[],
): WasmCode {
  const code = new PairCode(module);
  const emitters = groups.map((group, i) => group(code, (k) => POINT_OFFSET + 1 + i * LOCALS_PER_SUM + k));
  for (const { begin } of emitters) begin();
  code.eachPair(() => {
    for (const { add } of emitters) add();
  });
  for (const { end } of emitters) end();
  return code;
}

/** fx, fz and torque. */
function longitudinalSums(code: PairCode, local: (k: number) => number): SumEmitter {
  const [fx, fz, torque, sigma, jx, tx, sin, cos, w] = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(local) as unknown as LocalIndices;
  const argumentLocals = {
    front: local(9),
    sinFront: local(10),
    u: local(11),
    v: local(12),
    cohesion: local(13),
    tan: local(14),
  } as const;
  const { front, sinFront, u, v, cohesion, tan } = argumentLocals;
  return {
    begin: () => emitLoadSlots(code, argumentLocals),
    add() {
      code.load("sines").set(sin);
      code.get(front).load("angles").op(SUB).times(u).get(sinFront).get(sin).op(SUB).times(v).op(SUB).set(jx);
      code.load("pressures").tee(sigma).times(tan).get(cohesion).op(ADD);
      emitShearSaturation(code.get(jx).op(WASM.f64x2Abs).op(WASM.f64x2Neg), [local(15), local(16), local(17), local(18)])
        .op(MUL)
        .set(tx);
      // the stress has the sign of the displacement
      code.get(tx).op(WASM.f64x2Neg).get(tx).get(jx).number(0).op(WASM.f64x2Lt).op(WASM.v128BitSelect).set(tx);
      code.load("cosines").set(cos);
      code.load("weights").set(w);
      code.get(fx).get(tx).times(cos).get(sigma).times(sin).op(SUB).times(w).op(ADD).set(fx);
      code.get(fz).get(tx).times(sin).get(sigma).times(cos).op(ADD).times(w).op(ADD).set(fz);
      code.get(torque).get(w).times(tx).op(ADD).set(torque);
    },
    end: () => void code.storeTotal("fx", fx).storeTotal("fz", fz).storeTotal("torque", torque),
  };
}

/** fy, mx and mz. */
function lateralSums(code: PairCode, local: (k: number) => number): SumEmitter {
  const [fy, mx, mz, force, depth, cos] = [0, 1, 2, 3, 4, 5].map(local) as unknown as LocalIndices;
  const argumentLocals = {
    front: local(6),
    cosFront: local(7),
    cohesion: local(8),
    tan: local(9),
    slope: local(10),
    push: local(11),
    d2: local(12),
    r: local(13),
  } as const;
  const { front, cosFront, cohesion, tan, slope, push, d2, r } = argumentLocals;
  return {
    begin: () => emitLoadSlots(code, argumentLocals),
    add() {
      code.load("cosines").tee(cos).get(cosFront).op(SUB).times(r).number(0).op(WASM.f64x2Max).set(depth);
      code.load("weights").load("pressures").times(tan).get(cohesion).op(ADD);
      emitShearSaturation(code.get(front).load("angles").op(SUB).times(slope), [local(14), local(15), local(16), local(17)]).op(
        MUL,
      );
      code.get(push).times(depth).get(cohesion).get(d2).times(depth).op(ADD).op(MUL);
      code.get(r).get(depth).times(cos).op(SUB).op(MUL).op(ADD).op(MUL).set(force);
      code.get(fy).get(force).op(ADD).set(fy);
      code.get(mx).get(force).times(cos).op(ADD).set(mx);
      code.get(mz).get(force).load("sines").op(MUL).op(ADD).set(mz);
    },
    end: () => void code.storeTotal("fy", fy).storeTotal("mx", mx).storeTotal("mz", mz),
  };
}

type LocalIndices = readonly [number, number, number, number, number, number, number, number, number];

/** Loads arguments into locals. */
function emitLoadSlots(code: PairCode, argumentLocals: { readonly [K in keyof typeof STRESS_SLOTS]?: number }): void {
  for (const [name, local] of Object.entries(argumentLocals)) code.pushArgument(name as keyof typeof STRESS_SLOTS).set(local);
}
