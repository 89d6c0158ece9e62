/**
 * Shortest decimal text of numbers, written as bytes by WebAssembly: the same text as `String(x)`, several times as fast.
 */
import { lazy } from "../../kernel/run/lazy.ts";
import { KernelMemory } from "../../kernel/run/memory.ts";
import { LARGEST_POWER, LEAST_POWER, numberTextModule, PAIRS, POWERS, SMALL_POWERS, TEXT } from "./number-text-code.ts";

export interface NumberWriter {
  /** The text, as bytes. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Writes a finite number at an index of `bytes`, and -0 as "-0". Returns the index behind it. Up to 48 bytes behind the text are overwritten. */
  write(x: number, at: number): number;
}

/** A writer of texts of this size; without WebAssembly, it uses `String(x)`. */
export function numberWriter(size: number): NumberWriter {
  try {
    const memory = new KernelMemory(TEXT + size + 48);
    const { write } = new WebAssembly.Instance(compiledModule(), { castor: { memory: memory.memory } }).exports;
    const all = new Uint8Array(memory.memory.buffer as ArrayBuffer);
    all.set(tables(), 0);
    return { bytes: all.subarray(TEXT, TEXT + size), write: write as NumberWriter["write"] };
  } catch {
    return plainNumberWriter(size);
  }
}

/** The same texts without WebAssembly. */
export function plainNumberWriter(size: number): NumberWriter {
  const bytes = new Uint8Array(size);
  return {
    bytes,
    write(x, at) {
      const text = Object.is(x, -0) ? "-0" : String(x);
      for (let i = 0; i < text.length; i++) bytes[at + i] = text.charCodeAt(i);
      return at + text.length;
    },
  };
}

const tables = lazy((): Uint8Array => {
  const bytes = new Uint8Array(TEXT);
  const data = new DataView(bytes.buffer);
  for (let k = LEAST_POWER; k <= LARGEST_POWER; k++) {
    const g = leadingBits(k);
    data.setBigUint64(POWERS + 16 * (k - LEAST_POWER), g >> 64n, true);
    data.setBigUint64(POWERS + 16 * (k - LEAST_POWER) + 8, g & 0xffffffffffffffffn, true);
  }
  for (let k = 0; k < 20; k++) data.setBigUint64(SMALL_POWERS + 8 * k, 10n ** BigInt(k), true);
  for (let i = 0; i < 100; i++) {
    bytes[PAIRS + 2 * i] = 48 + Math.floor(i / 10);
    bytes[PAIRS + 2 * i + 1] = 48 + (i % 10);
  }
  return bytes;
});

/** 128 leading bits of 10^k, rounded up. */
function leadingBits(k: number): bigint {
  const bitsOf = (x: bigint): number => x.toString(2).length;
  const power = 10n ** BigInt(Math.abs(k));
  const bits = bitsOf(power);
  if (k >= 0) return bits <= 128 ? power << BigInt(128 - bits) : ceilDiv(power, 1n << BigInt(bits - 128));
  return ceilDiv(1n << BigInt(bits + 127), power);
}

const ceilDiv = (a: bigint, b: bigint): bigint => (a + b - 1n) / b;

const compiledModule = lazy(() => new WebAssembly.Module(numberTextModule().bytes()));
