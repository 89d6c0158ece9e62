/**
 * The sums over the points of a rim (wheel-soil.ts) in WebAssembly, two points at a time. Sines, cosines and exponentials have the bits of
 * math/elementary/sincos.ts and math/elementary/exponential.ts; sums are of every second point.
 */

import { I32, V128, type ValueType, WASM, WasmCode } from "../kernel/emit/wasm/instructions.ts";
import { WasmModule } from "../kernel/emit/wasm/module.ts";
import { lazy } from "../kernel/run/lazy.ts";
import { KernelMemory } from "../kernel/run/memory.ts";
import { EXPONENTIAL_CONSTANTS } from "../math/elementary/exponential.ts";
import { C_POLYNOMIAL, S_POLYNOMIAL, type SincosPolynomial } from "../math/elementary/sincos.ts";

/** Where numbers stand, as indices of doubles. In: entry angle, its sine and cosine, and so on as in wheel-soil.ts; out: the sums. */
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
/** Where the arrays of the points begin, as indices of doubles. */
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
  /** Sines and cosines of the angles, all of them within π/4, of so many bytes of points. */
  turn(bytes: number): void;
  /** fx, fz and torque. */
  along(bytes: number): void;
  /** These, and fy, mx and mz: together, so that one does not wait for the other. */
  everything(bytes: number): void;
}

/** The code and its numbers; nothing where there is no WebAssembly, or where none may be compiled. */
export function instantiateStressFunctions(): { readonly code: StressFunctions; readonly numbers: Float64Array } | undefined {
  try {
    const memory = new KernelMemory(8 * STRESS_MEMORY_LENGTH);
    const instance = new WebAssembly.Instance(compiledModule(), { castor: { memory: memory.memory } });
    return { code: instance.exports as unknown as StressFunctions, numbers: memory.doubles(0, STRESS_MEMORY_LENGTH) };
  } catch {
    return undefined;
  }
}

const compiledModule = lazy(() => new WebAssembly.Module(buildModule().bytes()));

function buildModule(): WasmModule {
  const module = new WasmModule([]);
  const lanes = (count: number): ValueType[] => new Array<ValueType>(count).fill(V128);
  module.exportFunction("turn", module.addFunction([I32], [], [I32, ...lanes(3)], sincosPassCode(module)));
  module.exportFunction(
    "along",
    module.addFunction([I32], [], [I32, ...lanes(LOCALS_PER_SUM)], sumPassCode(module, [longitudinalSums])),
  );
  module.exportFunction(
    "everything",
    module.addFunction([I32], [], [I32, ...lanes(2 * LOCALS_PER_SUM)], sumPassCode(module, [longitudinalSums, lateralSums])),
  );
  return module;
}

const [BYTES, POINT_OFFSET] = [0, 1];

/** Instructions on pairs. */
class PairCode extends WasmCode {
  constructor(readonly module: WasmModule) {
    super();
  }

  number(value: number): this {
    return this.global(this.module.constantGlobal(V128, value));
  }

  /** A number of the memory in both lanes. */
  both(name: keyof typeof STRESS_SLOTS): this {
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

  /** For every pair of points. */
  each(body: () => void): this {
    this.i32(0).set(POINT_OFFSET).beginLoop();
    body();
    return this.get(POINT_OFFSET).i32(16).op(WASM.i32Add).tee(POINT_OFFSET).get(BYTES).op(WASM.i32LtU).repeatIf().op(WASM.end);
  }

  /** The sum of both lanes of a local. */
  total(name: keyof typeof STRESS_SLOTS, local: number): this {
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

function sincosPassCode(module: WasmModule): WasmCode {
  const [angle, z, zz] = [2, 3, 4];
  const code = new PairCode(module);
  return code.each(() => {
    code.load("angles").tee(angle).times(angle).tee(z).times(z).set(zz);
    code.get(POINT_OFFSET).get(angle).get(angle).times(z);
    emitPolynomial(code, S_POLYNOMIAL, z, zz)
      .op(MUL)
      .op(SUB)
      .v128Store(8 * POINT_ARRAYS.sines);
    // 1 - z/2 and what its rounding lost: the angle has served.
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

/** 1 - eˣ of the x on the stack, not above zero. Below -700 that is 1. */
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
  const zz = x; // it has served
  code.get(z).times(z).set(zz);
  code.number(1).number(1).get(r);
  quartet(low);
  quartet(middle);
  quartet(high);
  code.times(zz).op(ADD).times(zz).op(ADD).times(z).op(ADD).op(ADD);
  // times 2ⁿ: n stands in the low bits of what it was rounded with, and 1 is its exponent
  code.get(n).i32(52).op(WASM.i64x2Shl).number(1).op(WASM.i64x2Add).op(MUL);
  return code.op(SUB);
}

/** Sums of some kind: what they read once, what they do with a pair of points, and what they leave. */
interface SumEmitter {
  readonly begin: () => void;
  readonly add: () => void;
  readonly end: () => void;
}

/** Locals that sums of one kind have for themselves. */
const LOCALS_PER_SUM = 20;

function sumPassCode(
  module: WasmModule,
  kinds: readonly ((code: PairCode, local: (k: number) => number) => SumEmitter)[],
): WasmCode {
  const code = new PairCode(module);
  const made = kinds.map((kind, i) => kind(code, (k) => POINT_OFFSET + 1 + i * LOCALS_PER_SUM + k));
  for (const { begin } of made) begin();
  code.each(() => {
    for (const { add } of made) add();
  });
  for (const { end } of made) end();
  return code;
}

function longitudinalSums(code: PairCode, local: (k: number) => number): SumEmitter {
  const [fx, fz, torque, sigma, jx, tx, sin, cos, w] = [0, 1, 2, 3, 4, 5, 6, 7, 8].map(local) as unknown as LocalIndices;
  const kept = { front: local(9), sinFront: local(10), u: local(11), v: local(12), cohesion: local(13), tan: local(14) } as const;
  const { front, sinFront, u, v, cohesion, tan } = kept;
  return {
    begin: () => emitLoadSlots(code, kept),
    add() {
      code.load("sines").set(sin);
      code.get(front).load("angles").op(SUB).times(u).get(sinFront).get(sin).op(SUB).times(v).op(SUB).set(jx);
      code.load("pressures").tee(sigma).times(tan).get(cohesion).op(ADD);
      emitShearSaturation(code.get(jx).op(WASM.f64x2Abs).op(WASM.f64x2Neg), [local(15), local(16), local(17), local(18)])
        .op(MUL)
        .set(tx);
      // against the displacement
      code.get(tx).op(WASM.f64x2Neg).get(tx).get(jx).number(0).op(WASM.f64x2Lt).op(WASM.v128BitSelect).set(tx);
      code.load("cosines").set(cos);
      code.load("weights").set(w);
      code.get(fx).get(tx).times(cos).get(sigma).times(sin).op(SUB).times(w).op(ADD).set(fx);
      code.get(fz).get(tx).times(sin).get(sigma).times(cos).op(ADD).times(w).op(ADD).set(fz);
      code.get(torque).get(w).times(tx).op(ADD).set(torque);
    },
    end: () => void code.total("fx", fx).total("fz", fz).total("torque", torque),
  };
}

function lateralSums(code: PairCode, local: (k: number) => number): SumEmitter {
  const [fy, mx, mz, side, aside, cos] = [0, 1, 2, 3, 4, 5].map(local) as unknown as LocalIndices;
  const kept = {
    front: local(6),
    cosFront: local(7),
    cohesion: local(8),
    tan: local(9),
    slope: local(10),
    push: local(11),
    d2: local(12),
    r: local(13),
  } as const;
  const { front, cosFront, cohesion, tan, slope, push, d2, r } = kept;
  return {
    begin: () => emitLoadSlots(code, kept),
    add() {
      code.load("cosines").tee(cos).get(cosFront).op(SUB).times(r).number(0).op(WASM.f64x2Max).set(aside);
      code.load("weights").load("pressures").times(tan).get(cohesion).op(ADD);
      emitShearSaturation(code.get(front).load("angles").op(SUB).times(slope), [local(14), local(15), local(16), local(17)]).op(
        MUL,
      );
      code.get(push).times(aside).get(cohesion).get(d2).times(aside).op(ADD).op(MUL);
      code.get(r).get(aside).times(cos).op(SUB).op(MUL).op(ADD).op(MUL).set(side);
      code.get(fy).get(side).op(ADD).set(fy);
      code.get(mx).get(side).times(cos).op(ADD).set(mx);
      code.get(mz).get(side).load("sines").op(MUL).op(ADD).set(mz);
    },
    end: () => void code.total("fy", fy).total("mx", mx).total("mz", mz),
  };
}

type LocalIndices = readonly [number, number, number, number, number, number, number, number, number];

/** Numbers into locals. */
function emitLoadSlots(code: PairCode, kept: { readonly [K in keyof typeof STRESS_SLOTS]?: number }): void {
  for (const [name, local] of Object.entries(kept)) code.both(name as keyof typeof STRESS_SLOTS).set(local);
}
