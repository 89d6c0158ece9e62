/** WebAssembly code of LU factorisation and substitution for real matrices. */
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

/** `eliminateReal` of LUCode. */
export function realEliminationCode(): WasmCode {
  const [pivot, end, rowBytes, column, list, listEnd, reciprocal] = [0, 1, 2, 3, 4, 5, 6];
  const [row, position, offset, entry, factor, factors] = [7, 8, 9, 10, 11, 12];
  const code = new WasmCode();
  emitSum(code, pivot, rowBytes).set(row);
  emitWhileBelow(code, row, end, () => {
    emitSum(code, row, column).tee(entry).f64Load(0).tee(factor).f64(0).op(WASM.f64Eq).op(WASM.i32Eqz).beginIf();
    code.get(factor).get(reciprocal).op(WASM.f64Mul).tee(factor).op(WASM.f64x2Splat).set(factors);
    code.get(list).set(position);
    emitForEachListed(code, position, listEnd, offset, () => {
      emitSum(emitSum(code, row, offset), row, offset).v128Load(0);
      emitSum(code.get(factors), pivot, offset).v128Load(0).op(WASM.f64x2Mul).op(WASM.f64x2Sub).v128Store(0);
    });
    code.get(entry).get(factor).f64Store(0).op(WASM.end);
    emitSum(code, row, rowBytes).set(row);
  });
  return code;
}

/** `solveReal` of LUCode. */
export function realSolutionCode(): WasmCode {
  const [column, start, row, position, listEnd, offset, sum] = [6, 7, 8, 9, 10, 11, 12];
  const code = new WasmCode();
  /** Pushes the address of b_i, then b_i minus the sum over the listed entries, for the first or second row of the pair. */
  const pushRemainder = (second: 0 | 1, list: number): void => {
    emitSelectRow(code, second, list, { row, position, listEnd });
    code.f64x2(0).set(sum);
    emitForEachListed(code, position, listEnd, offset, () => {
      emitSum(emitSum(code.get(sum), row, offset).v128Load(0), B, offset)
        .v128Load(0)
        .op(WASM.f64x2Mul)
        .op(WASM.f64x2Add)
        .set(sum);
    });
    emitSum(emitSum(code, B, column), B, column).f64Load(8 * second);
    code.get(sum).extractLane(0).get(sum).extractLane(1).op(WASM.f64Add).op(WASM.f64Sub);
  };
  /** Subtracts the term of the other column of the pair. */
  const subtractOther = (other: 0 | 1): void => {
    emitSum(emitSum(code, row, column).f64Load(8 * other), B, column)
      .f64Load(8 * other)
      .op(WASM.f64Mul)
      .op(WASM.f64Sub);
  };
  const scaleAndStore = (second: 0 | 1): WasmCode =>
    emitSum(code, RECIPROCALS, column)
      .f64Load(8 * second)
      .op(WASM.f64Mul)
      .f64Store(8 * second);
  emitForwardAndBackward(
    code,
    { column, start },
    () => {
      pushRemainder(0, ROW_LISTS.before);
      code.f64Store(0);
      pushRemainder(1, ROW_LISTS.before);
      subtractOther(0);
      code.f64Store(8);
    },
    () => {
      pushRemainder(1, ROW_LISTS.behind);
      scaleAndStore(1);
      pushRemainder(0, ROW_LISTS.behind);
      subtractOther(1);
      scaleAndStore(0);
    },
  );
  return code;
}
