/**
 * The inner loops of LU factorisations in WebAssembly, two entries at a time, of real and of complex matrices, whose real and imaginary parts
 * are matrices of their own. Rows have an even number of entries. Which pairs of a row are not zero is said by lists of their byte offsets.
 */
import { lazy } from "../../run/lazy.ts";
import type { KernelMemory } from "../../run/memory.ts";
import { F64, I32, V128, type ValueType, WASM, WasmCode } from "./instructions.ts";
import { WasmModule } from "./module.ts";

/** Lists of a row, in the table of the rows: from and to of those before its diagonal, and of those behind it. */
export const ROW_LISTS = { before: 0, beforeEnd: 4, behind: 8, behindEnd: 12, bytes: 16 } as const;

/** Addresses of a matrix by rows, of the reciprocals of its pivots, and of a right-hand side, each with how far away its imaginary part is. */
export interface LUCode {
  /**
   * Takes multiples of the row at `pivot` off all rows behind it up to `end`, so that their entries in its column vanish; multipliers stay
   * there. (re, im) is the reciprocal of the pivot; pairs of the row are listed from `list` to `listEnd`.
   */
  eliminateReal(pivot: number, end: number, rowBytes: number, column: number, list: number, listEnd: number, re: number): void;
  eliminateComplex(
    pivot: number,
    end: number,
    rowBytes: number,
    column: number,
    list: number,
    listEnd: number,
    re: number,
    im: number,
    toImaginary: number,
  ): void;
  /** Solves L U x = b in place, by pairs of rows; `table` has the lists of each row. */
  solveReal(matrix: number, end: number, rowBytes: number, b: number, reciprocals: number, table: number): void;
  solveComplex(
    matrix: number,
    end: number,
    rowBytes: number,
    b: number,
    reciprocals: number,
    table: number,
    toImaginary: number,
    bToImaginary: number,
  ): void;
}

/** The code on a memory. */
export const luCode = (memory: KernelMemory): LUCode =>
  new WebAssembly.Instance(compiledModule(), { castor: { memory: memory.memory } }).exports as unknown as LUCode;

const compiledModule = lazy(() => new WebAssembly.Module(buildModule().bytes()));

function buildModule(): WasmModule {
  const module = new WasmModule([]);
  const six: readonly ValueType[] = [I32, I32, I32, I32, I32, I32];
  const add = (name: string, params: readonly ValueType[], locals: readonly ValueType[], code: WasmCode): void =>
    module.exportFunction(name, module.addFunction(params, [], locals, code));
  add("eliminateReal", [...six, F64], [I32, I32, I32, I32, F64, V128], realEliminationCode());
  add(
    "eliminateComplex",
    [...six, F64, F64, I32],
    [I32, I32, I32, I32, F64, F64, F64, F64, V128, V128, V128, V128],
    complexEliminationCode(),
  );
  add("solveReal", six, [...six, V128], realSolutionCode());
  const lanes: readonly ValueType[] = [V128, V128, V128, V128, V128, V128];
  add("solveComplex", [...six, I32, I32], [...six, ...lanes, F64, F64, F64, F64, F64, F64], complexSolutionCode());
  return module;
}

/** Sum of two locals. */
const emitSum = (code: WasmCode, a: number, b: number): WasmCode => code.get(a).get(b).op(WASM.i32Add);
const emitIncrement = (code: WasmCode, local: number, bytes: number): WasmCode =>
  code.get(local).i32(bytes).op(WASM.i32Add).set(local);

/** While local a < local b. */
function emitWhileBelow(code: WasmCode, a: number, b: number, body: () => void): void {
  code.get(a).get(b).op(WASM.i32LtU).beginIf().beginLoop();
  body();
  code.get(a).get(b).op(WASM.i32LtU).repeatIf().op(WASM.end).op(WASM.end);
}

/** For every pair of a list: its offset in local `offset`. */
function emitForEachListed(code: WasmCode, at: number, end: number, offset: number, body: () => void): void {
  emitWhileBelow(code, at, end, () => {
    code.get(at).i32Load(0).set(offset);
    body();
    emitIncrement(code, at, 4);
  });
}

function realEliminationCode(): WasmCode {
  const [pivot, end, rowBytes, column, list, listEnd, reciprocal] = [0, 1, 2, 3, 4, 5, 6];
  const [row, at, offset, entry, factor, factors] = [7, 8, 9, 10, 11, 12];
  const code = new WasmCode();
  emitSum(code, pivot, rowBytes).set(row);
  emitWhileBelow(code, row, end, () => {
    emitSum(code, row, column).tee(entry).f64Load(0).tee(factor).f64(0).op(WASM.f64Eq).op(WASM.i32Eqz).beginIf();
    code.get(factor).get(reciprocal).op(WASM.f64Mul).tee(factor).op(WASM.f64x2Splat).set(factors);
    code.get(list).set(at);
    emitForEachListed(code, at, listEnd, offset, () => {
      emitSum(emitSum(code, row, offset), row, offset).v128Load(0);
      emitSum(code.get(factors), pivot, offset).v128Load(0).op(WASM.f64x2Mul).op(WASM.f64x2Sub).v128Store(0);
    });
    code.get(entry).get(factor).f64Store(0).op(WASM.end);
    emitSum(code, row, rowBytes).set(row);
  });
  return code;
}

function complexEliminationCode(): WasmCode {
  const [pivot, end, rowBytes, column, list, listEnd, c, d, toImaginary] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const [row, at, offset, entry, x, y, u, v, us, vs, s, t] = [9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20];
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
    code.get(list).set(at);
    emitForEachListed(code, at, listEnd, offset, () => {
      emitSum(code, pivot, offset).v128Load(0).set(s);
      emitSum(code, pivot, offset).get(toImaginary).op(WASM.i32Add).v128Load(0).set(t);
      emitSum(code, row, offset).tee(offset).get(offset).v128Load(0); // the place of the entry from here on
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

/** Locals of the solutions: of the rows, then those of their own. */
const [ROW, END, ROW_BYTES, B, RECIPROCALS, TABLE] = [0, 1, 2, 3, 4, 5];

interface RowLoopLocals {
  readonly column: number;
  readonly start: number;
}

/** To the first or second row of a pair, and to those of its pairs of entries that are listed. */
function emitSelectRow(
  code: WasmCode,
  second: 0 | 1,
  list: number,
  { row, at, listEnd }: { readonly row: number; readonly at: number; readonly listEnd: number },
): void {
  if (second) emitSum(code, ROW, ROW_BYTES).set(row);
  else code.get(ROW).set(row);
  const lists = second * ROW_LISTS.bytes + list;
  code.get(TABLE).i32Load(lists).set(at);
  code
    .get(TABLE)
    .i32Load(lists + 4)
    .set(listEnd);
}

/** Down all pairs of rows, and up again; `column` is the byte offset of the first of both. */
function emitForwardAndBackward(code: WasmCode, { column, start }: RowLoopLocals, down: () => void, up: () => void): void {
  const move = (op: typeof WASM.i32Add | typeof WASM.i32Sub): void => {
    code.get(ROW).get(ROW_BYTES).op(op).get(ROW_BYTES).op(op).set(ROW);
    code.get(column).i32(16).op(op).set(column);
    code
      .get(TABLE)
      .i32(2 * ROW_LISTS.bytes)
      .op(op)
      .set(TABLE);
  };
  code.get(ROW).set(start);
  emitWhileBelow(code, ROW, END, () => {
    down();
    move(WASM.i32Add);
  });
  emitWhileBelow(code, start, ROW, () => {
    move(WASM.i32Sub);
    up();
  });
}

function realSolutionCode(): WasmCode {
  const [column, start, row, at, listEnd, offset, sum] = [6, 7, 8, 9, 10, 11, 12];
  const code = new WasmCode();
  /** b of the first or second row less what the listed pairs of it give, with its address below it on the stack. */
  const rest = (second: 0 | 1, list: number): void => {
    emitSelectRow(code, second, list, { row, at, listEnd });
    code.f64x2(0).set(sum);
    emitForEachListed(code, at, listEnd, offset, () => {
      emitSum(emitSum(code.get(sum), row, offset).v128Load(0), B, offset)
        .v128Load(0)
        .op(WASM.f64x2Mul)
        .op(WASM.f64x2Add)
        .set(sum);
    });
    emitSum(emitSum(code, B, column), B, column).f64Load(8 * second);
    code.get(sum).extractLane(0).get(sum).extractLane(1).op(WASM.f64Add).op(WASM.f64Sub);
  };
  /** Less what the other row of the pair gives. */
  const lessOther = (other: 0 | 1): void => {
    emitSum(emitSum(code, row, column).f64Load(8 * other), B, column)
      .f64Load(8 * other)
      .op(WASM.f64Mul)
      .op(WASM.f64Sub);
  };
  const scaled = (second: 0 | 1): WasmCode =>
    emitSum(code, RECIPROCALS, column)
      .f64Load(8 * second)
      .op(WASM.f64Mul)
      .f64Store(8 * second);
  emitForwardAndBackward(
    code,
    { column, start },
    () => {
      rest(0, ROW_LISTS.before);
      code.f64Store(0);
      rest(1, ROW_LISTS.before);
      lessOther(0);
      code.f64Store(8);
    },
    () => {
      rest(1, ROW_LISTS.behind);
      scaled(1);
      rest(0, ROW_LISTS.behind);
      lessOther(1);
      scaled(0);
    },
  );
  return code;
}

function complexSolutionCode(): WasmCode {
  const [toImaginary, bToImaginary] = [6, 7];
  const [column, start, row, at, listEnd, offset] = [8, 9, 10, 11, 12, 13];
  const [re, im, u, v, s, t] = [14, 15, 16, 17, 18, 19];
  const [x, y, a, b, c, d] = [20, 21, 22, 23, 24, 25];
  const code = new WasmCode();
  const product = (p: number, q: number, op: number): WasmCode => code.get(p).get(q).op(op);
  /** Into x and y: b of the first or second row less what the listed pairs of it give. */
  const rest = (second: 0 | 1, list: number): void => {
    emitSelectRow(code, second, list, { row, at, listEnd });
    code.f64x2(0).tee(re).set(im);
    emitForEachListed(code, at, listEnd, offset, () => {
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
  /** Into (a, b) and (c, d): an entry of the row, and that of the right-hand side which it multiplies, both of a column of the pair. */
  const lessOther = (other: 0 | 1): void => {
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
      rest(0, ROW_LISTS.before);
      store(0);
      rest(1, ROW_LISTS.before);
      lessOther(0);
      store(1);
    },
    () => {
      rest(1, ROW_LISTS.behind);
      scale(1);
      store(1);
      rest(0, ROW_LISTS.behind);
      lessOther(1);
      scale(0);
      store(0);
    },
  );
  return code;
}
