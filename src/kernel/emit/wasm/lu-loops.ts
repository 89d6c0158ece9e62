/** Loops over rows and over lists of entries, shared by the real and the complex LU code. */
import { WASM, type WasmCode } from "./instructions.ts";

/** Byte offsets in an entry of the row table: begin and end of the list before the diagonal, and of the list after it. */
export const ROW_LISTS = { before: 0, beforeEnd: 4, behind: 8, behindEnd: 12, bytes: 16 } as const;

/** Pushes the sum of two locals. */
export const emitSum = (code: WasmCode, a: number, b: number): WasmCode => code.get(a).get(b).op(WASM.i32Add);
const emitIncrement = (code: WasmCode, local: number, bytes: number): WasmCode =>
  code.get(local).i32(bytes).op(WASM.i32Add).set(local);

/** Emits a loop that runs while local a < local b. */
export function emitWhileBelow(code: WasmCode, a: number, b: number, body: () => void): void {
  code.get(a).get(b).op(WASM.i32LtU).beginIf().beginLoop();
  body();
  code.get(a).get(b).op(WASM.i32LtU).repeatIf().op(WASM.end).op(WASM.end);
}

/** Emits a loop over the byte offsets in a list: local `position` runs to local `end`, and local `offset` holds the current offset. */
export function emitForEachListed(code: WasmCode, position: number, end: number, offset: number, body: () => void): void {
  emitWhileBelow(code, position, end, () => {
    code.get(position).i32Load(0).set(offset);
    body();
    emitIncrement(code, position, 4);
  });
}

/**
 * Parameters of the solve functions: addresses of the current row, of the end of the rows, of b, of the reciprocals and of the row table.
 */
export const [ROW, END, ROW_BYTES, B, RECIPROCALS, TABLE] = [0, 1, 2, 3, 4, 5] as const;

interface RowLoopLocals {
  /** Byte offset of the first of the two columns of the pair. */
  readonly column: number;
  /** Address of the first row. */
  readonly start: number;
}

/** Emits code that sets the locals to the first or second row of a pair of rows, and to a list of its entries. */
export function emitSelectRow(
  code: WasmCode,
  second: 0 | 1,
  list: number,
  { row, position, listEnd }: { readonly row: number; readonly position: number; readonly listEnd: number },
): void {
  if (second) emitSum(code, ROW, ROW_BYTES).set(row);
  else code.get(ROW).set(row);
  const lists = second * ROW_LISTS.bytes + list;
  code.get(TABLE).i32Load(lists).set(position);
  code
    .get(TABLE)
    .i32Load(lists + 4)
    .set(listEnd);
}

/** Emits the loops over all pairs of rows: `down` for forward substitution, then `up` for back substitution. */
export function emitForwardAndBackward(code: WasmCode, { column, start }: RowLoopLocals, down: () => void, up: () => void): void {
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
