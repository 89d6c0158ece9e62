/** Copies of short vectors. Engines call a library function for each memory.copy, which takes longer than copying some dozen numbers. */
import { WASM, type WasmCode } from "./instructions.ts";

/** An address: a constant, or a local plus an offset. */
export type CopyAddress = number | { readonly local: number; readonly offset: number };

/** Longest vector that is copied two numbers at a time. */
const LONGEST = 256;

/** Copies doubles between regions that do not overlap. */
export function emitCopy(code: WasmCode, to: CopyAddress, from: CopyAddress, count: number): void {
  if (count > LONGEST) {
    pushAddress(code, to);
    pushAddress(code, from);
    code.i32(8 * count).memoryCopy();
    return;
  }
  const [target, source] = [split(to), split(from)];
  for (let i = 0; i < count - 1; i += 2) {
    pushBase(code, target.local);
    pushBase(code, source.local);
    code.v128Load(source.offset + 8 * i).v128Store(target.offset + 8 * i);
  }
  if (count % 2 === 0) return;
  const last = 8 * (count - 1);
  pushBase(code, target.local);
  pushBase(code, source.local);
  code.f64Load(source.offset + last).f64Store(target.offset + last);
}

const split = (address: CopyAddress): { readonly local: number | undefined; readonly offset: number } =>
  typeof address === "number" ? { local: undefined, offset: address } : address;

const pushBase = (code: WasmCode, local: number | undefined): WasmCode => (local === undefined ? code.i32(0) : code.get(local));

function pushAddress(code: WasmCode, address: CopyAddress): void {
  const { local, offset } = split(address);
  pushBase(code, local).i32(offset).op(WASM.i32Add);
}
