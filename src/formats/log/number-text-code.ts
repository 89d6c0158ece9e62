/**
 * The WebAssembly code of the shortest decimal text of a double. The digits are found by the algorithm of Giulietti: "The Schubfach way to render
 * doubles", 2020. Names of variables are those of the paper.
 */
import { F64, I32, I64, WASM, WasmCode } from "../../kernel/emit/wasm/instructions.ts";
import { WasmModule } from "../../kernel/emit/wasm/module.ts";

/** Smallest and largest power of ten in the table. */
export const [LEAST_POWER, LARGEST_POWER] = [-292, 324];
/** Addresses: powers of ten as 128 bits (high part first), powers of ten up to 10^19, two digits of 0 to 99, text. */
export const POWERS = 0;
export const SMALL_POWERS = POWERS + 16 * (LARGEST_POWER - LEAST_POWER + 1);
export const PAIRS = SMALL_POWERS + 8 * 20;
export const TEXT = PAIRS + 200 + 56;

/** Further instructions of integers. */
const OP = {
  else: 0x05,
  i64Eqz: 0x50,
  i64Eq: 0x51,
  i64Ne: 0x52,
  i64LtS: 0x53,
  i64LtU: 0x54,
  i64GtU: 0x56,
  i64LeU: 0x58,
  i64GeU: 0x5a,
  i64Clz: 0x79,
  i64Mul: 0x7e,
  i64DivU: 0x80,
  i64RemU: 0x82,
  i64Or: 0x84,
  i64ShrU: 0x88,
  i32FromI64: 0xa7,
  i64FromU32: 0xad,
  i32Eq: 0x46,
  i32Ne: 0x47,
  i32LtS: 0x48,
  i32GtS: 0x4a,
  i32LeS: 0x4c,
  i32GeU: 0x4f,
  i32Mul: 0x6c,
  i32DivU: 0x6e,
  i32RemU: 0x70,
  i32ShrS: 0x75,
} as const;

const loadU64 = (code: WasmCode, offset: number): WasmCode => code.byte(0x29).byte(0).u32(offset);
const loadU16 = (code: WasmCode, offset: number): WasmCode => code.byte(0x2f).byte(0).u32(offset);
const storeU64 = (code: WasmCode, offset: number): WasmCode => code.byte(0x37).byte(0).u32(offset);
const storeU8 = (code: WasmCode, offset: number): WasmCode => code.byte(0x3a).byte(0).u32(offset);
const storeU16 = (code: WasmCode, offset: number): WasmCode => code.byte(0x3b).byte(0).u32(offset);

/** Exports write(x, at): see NumberWriter. */
export function numberTextModule(): WasmModule {
  const module = new WasmModule([]);
  const highProduct = module.addFunction([I64, I64], [I64], [I64, I64], highProductCode());
  const roundToOdd = module.addFunction([I64, I64, I64], [I64], [I64, I64], roundToOddCode(highProduct));
  const digits = module.addFunction([I64, I32], [], [I32, I32], digitsCode());
  const text = module.addFunction([I64, I32, I32], [I32], [I32, I32], textCode(digits));
  const locals = [I64, I64, I64, I64, I64, I64, I64, I64, I64, I32, I32, I32, I32] as const;
  const write = module.addFunction([F64, I32], [I32], locals, writeCode(roundToOdd, text));
  module.exportFunction("write", write);
  return module;
}

/** High 64 bits of the product of two numbers of 64 bits, from products of their halves. */
function highProductCode(): WasmCode {
  const [a, b, cross, middle] = [0, 1, 2, 3];
  const c = new WasmCode();
  const low = (x: number) => c.get(x).i64(0xffffffffn).op(WASM.i64And);
  const high = (x: number) => c.get(x).i64(32n).op(OP.i64ShrU);
  low(a);
  high(b).op(OP.i64Mul).set(cross);
  low(a);
  low(b).op(OP.i64Mul).i64(32n).op(OP.i64ShrU);
  low(cross).op(WASM.i64Add);
  high(a);
  low(b).op(OP.i64Mul).op(WASM.i64Add).set(middle);
  high(a);
  high(b).op(OP.i64Mul);
  high(cross).op(WASM.i64Add);
  return high(middle).op(WASM.i64Add);
}

/** The product of g = high 2^64 + low and cp, divided by 2^128: rounded down, but an inexact result is made odd. */
function roundToOddCode(highProduct: number): WasmCode {
  const [high, low, cp, x1, y0] = [0, 1, 2, 3, 4];
  const c = new WasmCode();
  c.get(low).get(cp).call(highProduct).set(x1);
  c.get(high).get(cp).op(OP.i64Mul).get(x1).op(WASM.i64Add).set(y0);
  c.get(high).get(cp).call(highProduct);
  c.get(y0).get(x1).op(OP.i64LtU).op(OP.i64FromU32).op(WASM.i64Add);
  return c.get(y0).i64(1n).op(OP.i64GtU).op(OP.i64FromU32).op(OP.i64Or);
}

/** Writes the digits of d; the last one lies before the address `end`. */
function digitsCode(): WasmCode {
  const [d, end, rest, part] = [0, 1, 2, 3];
  const c = new WasmCode();
  /** The last two digits of a number of 32 bits, and the number without them. */
  const pair = (number: number, offset: number) => {
    c.get(end).get(number).i32(100).op(OP.i32RemU).i32(1).op(0x74); // shift left
    loadU16(c, PAIRS);
    storeU16(c, offset);
    c.get(number).i32(100).op(OP.i32DivU).set(number);
  };
  c.get(d).i64(100_000_000n).op(OP.i64GeU).beginIf().beginLoop();
  c.get(d).i64(100_000_000n).op(OP.i64RemU).op(OP.i32FromI64).set(part);
  c.get(d).i64(100_000_000n).op(OP.i64DivU).set(d);
  c.get(end).i32(8).op(WASM.i32Sub).set(end);
  for (const offset of [6, 4, 2, 0]) pair(part, offset);
  c.get(d).i64(100_000_000n).op(OP.i64GeU).repeatIf().op(WASM.end).op(WASM.end);
  c.get(d).op(OP.i32FromI64).set(rest);
  c.get(rest).i32(10).op(OP.i32GeU).beginIf().beginLoop();
  c.get(end).i32(2).op(WASM.i32Sub).set(end);
  pair(rest, 0);
  c.get(rest).i32(10).op(OP.i32GeU).repeatIf().op(WASM.end).op(WASM.end);
  c.get(rest).beginIf();
  c.get(end).i32(1).op(WASM.i32Sub).get(rest).i32(48).op(WASM.i32Add);
  storeU8(c, 0);
  return c.op(WASM.end);
}

const ZEROS = 0x3030303030303030n;

/** Writes d 10^k at an address, in the form of ECMAScript. d does not end with 0. Returns the address behind it. */
function textCode(digits: number): WasmCode {
  const [d, k, at, n, point] = [0, 1, 2, 3, 4];
  const c = new WasmCode();
  const character = (offset: number, text: string) => {
    c.i32(text.charCodeAt(0));
    storeU8(c, offset);
  };
  // n = number of digits: from the number of bits, or one more
  c.i32(64).get(d).op(OP.i64Clz).op(OP.i32FromI64).op(WASM.i32Sub).i32(1233).op(OP.i32Mul).i32(12).op(OP.i32ShrS).set(n);
  c.get(d).get(n).i32(8).op(OP.i32Mul);
  loadU64(c, SMALL_POWERS).op(OP.i64GeU).get(n).op(WASM.i32Add).set(n);
  c.get(n).get(k).op(WASM.i32Add).set(point);
  const writeDigits = (shift: () => void) => {
    c.get(d).get(at).get(n).op(WASM.i32Add);
    shift();
    c.call(digits);
  };
  const end = (offset: () => void) => {
    c.get(at);
    offset();
    c.op(WASM.i32Add).op(WASM.return);
  };
  // 0 < point <= 21: an integer, or digits with a point among them
  c.get(point).i32(0).op(OP.i32GtS).get(point).i32(21).op(OP.i32LeS).op(WASM.i32And).beginIf();
  writeDigits(() => {});
  c.get(k).i32(0).op(OP.i32LtS).beginIf();
  c.get(at).get(point).op(WASM.i32Add).get(at).get(point).op(WASM.i32Add).v128Load(0).v128Store(1);
  c.get(at).get(point).op(WASM.i32Add);
  character(0, ".");
  end(() => c.get(n).i32(1).op(WASM.i32Add));
  c.op(WASM.end);
  for (const offset of [0, 8, 16]) {
    c.get(at).get(n).op(WASM.i32Add).i64(ZEROS);
    storeU64(c, offset);
  }
  end(() => c.get(point));
  c.op(WASM.end);
  // -6 < point <= 0: zeros behind the point
  c.get(point).i32(0).op(OP.i32LeS).get(point).i32(-6).op(OP.i32GtS).op(WASM.i32And).beginIf();
  c.get(at).i64(ZEROS);
  storeU64(c, 0);
  c.get(at);
  character(1, ".");
  writeDigits(() => c.i32(2).op(WASM.i32Add).get(point).op(WASM.i32Sub));
  end(() => c.get(n).get(point).op(WASM.i32Sub).i32(2).op(WASM.i32Add));
  c.op(WASM.end);
  // with an exponent
  writeDigits(() => {});
  c.get(n).i32(1).op(OP.i32Ne).beginIf();
  c.get(at).get(at).v128Load(1).v128Store(2);
  c.get(at);
  character(1, ".");
  c.get(at).i32(1).op(WASM.i32Add).set(at);
  c.op(WASM.end);
  c.get(at).get(n).op(WASM.i32Add).set(at);
  c.get(at);
  character(0, "e");
  c.get(point).i32(1).op(WASM.i32Sub).set(point);
  c.get(at).i32(43).i32(45).get(point).i32(0).op(OP.i32LtS).op(WASM.i32Eqz).op(WASM.select);
  storeU8(c, 1);
  c.i32(0).get(point).op(WASM.i32Sub).get(point).get(point).i32(0).op(OP.i32LtS).op(WASM.select).set(point);
  c.i32(1).get(point).i32(9).op(OP.i32GtS).op(WASM.i32Add).get(point).i32(99).op(OP.i32GtS).op(WASM.i32Add).set(n);
  c.get(at).get(n).op(WASM.i32Add).i32(2).op(WASM.i32Add).set(at);
  c.get(point).op(OP.i64FromU32).get(at).call(digits);
  return c.get(at);
}

/** Finds the shortest decimal d 10^k that rounds to x and is closest to it [Giulietti, figure 6], and writes it. */
function writeCode(roundToOdd: number, text: number): WasmCode {
  const [x, at, bits, c, d, mask, lower, vb, upper, s, tenths, q, k, power, exponent] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14,
  ];
  const w = new WasmCode();
  const isNegative = () => w.get(bits).i64(0n).op(OP.i64LtS);
  w.get(x).op(WASM.i64FromBits).set(bits);
  isNegative().beginIf().get(at).i32(45);
  storeU8(w, TEXT);
  w.get(at).i32(1).op(WASM.i32Add).set(at).op(WASM.end);
  w.get(bits).i64(0x7fffffffffffffffn).op(WASM.i64And).op(OP.i64Eqz).beginIf().get(at).i32(48);
  storeU8(w, TEXT);
  w.get(at).i32(1).op(WASM.i32Add).op(WASM.return).op(WASM.end);
  w.get(bits).i64(52n).op(OP.i64ShrU).i64(0x7ffn).op(WASM.i64And).op(OP.i32FromI64).set(exponent);
  w.get(bits).i64(0xfffffffffffffn).op(WASM.i64And).set(c);
  w.get(c).i64(0x10000000000000n).op(OP.i64Or).get(c).get(exponent).op(WASM.select).set(c);
  w.get(exponent).i32(1).get(exponent).op(WASM.select).i32(1075).op(WASM.i32Sub).set(q);

  // Integers up to 2^53.
  w.i64(1n).i32(0).get(q).op(WASM.i32Sub).op(OP.i64FromU32).op(WASM.i64Shl).i64(1n).op(WASM.i64Sub).set(mask);
  w.get(q).i32(0).op(OP.i32LeS).get(q).i32(-53).op(OP.i32GtS).op(WASM.i32And);
  w.get(c).get(mask).op(WASM.i64And).op(OP.i64Eqz).op(WASM.i32And).beginIf();
  w.get(c).i32(0).get(q).op(WASM.i32Sub).op(OP.i64FromU32).op(OP.i64ShrU).set(d);
  w.byte(OP.else);

  // All others. `mask` is 1 if the lower neighbour is at half the distance.
  w.get(c).i64(0x10000000000000n).op(OP.i64Eq).get(exponent).i32(1).op(OP.i32GtS).op(WASM.i32And).op(OP.i64FromU32).set(mask);
  w.get(q).i32(1262611).op(OP.i32Mul).get(mask).op(OP.i32FromI64).i32(524031).op(OP.i32Mul).op(WASM.i32Sub);
  w.i32(22).op(OP.i32ShrS).set(k);
  // h = q + floor(log2 10^-k) + 1, kept in s
  w.get(q).i32(0).get(k).op(WASM.i32Sub).i32(1741647).op(OP.i32Mul).i32(19).op(OP.i32ShrS).op(WASM.i32Add).i32(1);
  w.op(WASM.i32Add).op(OP.i64FromU32).set(s);
  w.i32(-LEAST_POWER).get(k).op(WASM.i32Sub).i32(16).op(OP.i32Mul).set(power);
  const scaled = (offset: () => void, target: number) => {
    w.get(power);
    loadU64(w, POWERS).get(power);
    loadU64(w, POWERS + 8)
      .get(c)
      .i64(2n)
      .op(WASM.i64Shl);
    offset();
    w.get(s).op(WASM.i64Shl).call(roundToOdd).set(target);
  };
  scaled(() => w.i64(2n).op(WASM.i64Sub).get(mask).op(WASM.i64Add), lower);
  scaled(() => {}, vb);
  scaled(() => w.i64(2n).op(WASM.i64Add), upper);
  const isOdd = () => w.get(c).i64(1n).op(WASM.i64And);
  w.get(lower);
  isOdd().op(WASM.i64Add).set(lower);
  w.get(upper);
  isOdd().op(WASM.i64Sub).set(upper);
  w.get(vb).i64(2n).op(OP.i64ShrU).set(s);
  /** Whether the lower and the upper candidate, `unit` * value and the next one, lie in the rounding interval, as tenths and mask. */
  const inside = (value: number, unit: bigint) => {
    w.get(lower).get(value).i64(unit).op(OP.i64Mul).op(OP.i64LeU).op(OP.i64FromU32).set(d);
    w.get(value).i64(unit).op(OP.i64Mul).i64(unit).op(WASM.i64Add).get(upper).op(OP.i64LeU).op(OP.i64FromU32).set(mask);
    w.get(d).get(mask).op(OP.i64Ne);
  };
  w.get(s).i64(10n).op(OP.i64DivU).set(tenths);
  inside(tenths, 40n);
  w.get(s).i64(10n).op(OP.i64GeU).op(WASM.i32And).beginIf();
  w.get(tenths).get(mask).op(WASM.i64Add).set(d);
  w.get(k).i32(1).op(WASM.i32Add).set(k);
  w.byte(OP.else);
  inside(s, 4n);
  w.beginIf();
  w.get(s).get(mask).op(WASM.i64Add).set(d);
  w.byte(OP.else);
  // Both or none are inside: the closer one, and the even one if they are equally close.
  w.get(s).get(vb).i64(3n).op(WASM.i64And).get(s).i64(1n).op(WASM.i64And).op(WASM.i64Add).i64(2n).op(OP.i64GtU).op(OP.i64FromU32);
  w.op(WASM.i64Add).set(d);
  w.op(WASM.end).op(WASM.end).op(WASM.end);

  // Zeros at the end.
  const strip = (zeros: bigint) => {
    w.get(d)
      .i64(10n ** zeros)
      .op(OP.i64RemU)
      .op(OP.i64Eqz)
      .beginIf();
    w.get(d)
      .i64(10n ** zeros)
      .op(OP.i64DivU)
      .set(d);
    w.get(k).i32(Number(zeros)).op(WASM.i32Add).set(k);
  };
  strip(1n);
  for (const zeros of [8n, 4n, 2n, 1n]) {
    strip(zeros);
    w.op(WASM.end);
  }
  w.op(WASM.end);
  w.get(d).get(k).get(at).i32(TEXT).op(WASM.i32Add).call(text);
  return w.i32(TEXT).op(WASM.i32Sub);
}
