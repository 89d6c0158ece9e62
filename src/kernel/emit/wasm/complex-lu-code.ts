/** WebAssembly code of LU factorisation and substitution for complex matrices: real and imaginary parts are separate matrices. */
import { WASM, WasmCode } from "./instructions.ts";
import {
  B,
  emitForEachListed,
  emitForwardAndBackward,
  emitSelectRow,
  emitSum,
  emitWhileBelow,
  RECIPROCALS,
  ROW_LISTS,
} from "./lu-loops.ts";

/** `eliminateComplex` of LUCode. */
export function complexEliminationCode(): WasmCode {
  const [pivot, end, rowBytes, column, list, listEnd, c, d, toImaginary] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const [row, position, offset, entry, x, y, u, v, us, vs, s, t] = [9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20];
  const code = new WasmCode();
  const product = (a: number, b: number, op: number): WasmCode => code.get(a).get(b).op(op);
  emitSum(code, pivot, rowBytes).set(row);
  emitWhileBelow(code, row, end, () => {
    emitSum(code, row, column).tee(entry).f64Load(0).tee(x).f64(0).op(WASM.f64Eq);
    emitSum(code, entry, toImaginary).f64Load(0).tee(y).f64(0).op(WASM.f64Eq).op(WASM.i32And).op(WASM.i32Eqz).beginIf();
    product(x, c, WASM.f64Mul);
    product(y, d, WASM.f64Mul).op(WASM.f64Sub).tee(u).op(WASM.f64x2Splat).set(us);
    product(x, d, WASM.f64Mul);
    product(y, c, WASM.f64Mul).op(WASM.f64Add).tee(v).op(WASM.f64x2Splat).set(vs);
    code.get(list).set(position);
    emitForEachListed(code, position, listEnd, offset, () => {
      emitSum(code, pivot, offset).v128Load(0).set(s);
      emitSum(code, pivot, offset).get(toImaginary).op(WASM.i32Add).v128Load(0).set(t);
      emitSum(code, row, offset).tee(offset).get(offset).v128Load(0); // from here on, the address of the entry
      product(us, s, WASM.f64x2Mul);
      product(vs, t, WASM.f64x2Mul).op(WASM.f64x2Sub).op(WASM.f64x2Sub).v128Store(0);
      emitSum(code, offset, toImaginary).tee(offset).get(offset).v128Load(0);
      product(us, t, WASM.f64x2Mul);
      product(vs, s, WASM.f64x2Mul).op(WASM.f64x2Add).op(WASM.f64x2Sub).v128Store(0);
    });
    code.get(entry).get(u).f64Store(0);
    emitSum(code, entry, toImaginary).get(v).f64Store(0).op(WASM.end);
    emitSum(code, row, rowBytes).set(row);
  });
  return code;
}

/** `solveComplex` of LUCode. */
export function complexSolutionCode(): WasmCode {
  const [toImaginary, bToImaginary] = [6, 7];
  const [column, start, row, position, listEnd, offset] = [8, 9, 10, 11, 12, 13];
  const [re, im, u, v, s, t] = [14, 15, 16, 17, 18, 19];
  const [x, y, a, b, c, d] = [20, 21, 22, 23, 24, 25];
  const code = new WasmCode();
  const product = (p: number, q: number, op: number): WasmCode => code.get(p).get(q).op(op);
  /** (x, y) := b_i minus the sum over the listed entries, for the first or second row of the pair. */
  const computeRemainder = (second: 0 | 1, list: number): void => {
    emitSelectRow(code, second, list, { row, position, listEnd });
    code.f64x2(0).tee(re).set(im);
    emitForEachListed(code, position, listEnd, offset, () => {
      emitSum(code, row, offset).v128Load(0).set(u);
      emitSum(code, row, offset).get(toImaginary).op(WASM.i32Add).v128Load(0).set(v);
      emitSum(code, B, offset).v128Load(0).set(s);
      emitSum(code, B, offset).get(bToImaginary).op(WASM.i32Add).v128Load(0).set(t);
      product(u, s, WASM.f64x2Mul);
      product(v, t, WASM.f64x2Mul).op(WASM.f64x2Sub).get(re).op(WASM.f64x2Add).set(re);
      product(u, t, WASM.f64x2Mul);
      product(v, s, WASM.f64x2Mul).op(WASM.f64x2Add).get(im).op(WASM.f64x2Add).set(im);
    });
    emitSum(code, B, column).f64Load(8 * second);
    code.get(re).extractLane(0).get(re).extractLane(1).op(WASM.f64Add).op(WASM.f64Sub).set(x);
    emitSum(code, B, column)
      .get(bToImaginary)
      .op(WASM.i32Add)
      .f64Load(8 * second);
    code.get(im).extractLane(0).get(im).extractLane(1).op(WASM.f64Add).op(WASM.f64Sub).set(y);
  };
  /** Subtracts the term of the other column of the pair from (x, y): (a, b) is the entry of the row, (c, d) that of the right-hand side. */
  const subtractOther = (other: 0 | 1): void => {
    emitSum(code, row, column)
      .f64Load(8 * other)
      .set(a);
    emitSum(code, row, column)
      .get(toImaginary)
      .op(WASM.i32Add)
      .f64Load(8 * other)
      .set(b);
    emitSum(code, B, column)
      .f64Load(8 * other)
      .set(c);
    emitSum(code, B, column)
      .get(bToImaginary)
      .op(WASM.i32Add)
      .f64Load(8 * other)
      .set(d);
    code.get(x);
    product(a, c, WASM.f64Mul);
    product(b, d, WASM.f64Mul).op(WASM.f64Sub).op(WASM.f64Sub).set(x);
    code.get(y);
    product(a, d, WASM.f64Mul);
    product(b, c, WASM.f64Mul).op(WASM.f64Add).op(WASM.f64Sub).set(y);
  };
  const store = (second: 0 | 1): void => {
    emitSum(code, B, column)
      .get(x)
      .f64Store(8 * second);
    emitSum(code, B, column)
      .get(bToImaginary)
      .op(WASM.i32Add)
      .get(y)
      .f64Store(8 * second);
  };
  const scale = (second: 0 | 1): void => {
    emitSum(code, RECIPROCALS, column)
      .f64Load(8 * second)
      .set(c);
    emitSum(code, RECIPROCALS, column)
      .get(bToImaginary)
      .op(WASM.i32Add)
      .f64Load(8 * second)
      .set(d);
    product(x, c, WASM.f64Mul);
    product(y, d, WASM.f64Mul).op(WASM.f64Sub);
    product(x, d, WASM.f64Mul);
    product(y, c, WASM.f64Mul).op(WASM.f64Add).set(y).set(x);
  };
  emitForwardAndBackward(
    code,
    { column, start },
    () => {
      computeRemainder(0, ROW_LISTS.before);
      store(0);
      computeRemainder(1, ROW_LISTS.before);
      subtractOther(0);
      store(1);
    },
    () => {
      computeRemainder(1, ROW_LISTS.behind);
      scale(1);
      store(1);
      computeRemainder(0, ROW_LISTS.behind);
      subtractOther(1);
      scale(0);
      store(0);
    },
  );
  return code;
}
