/**
 * Module with the inner loops of LU factorisations, two entries at a time, for real and for complex matrices. Real and imaginary parts are
 * separate matrices. Rows have an even number of entries. Lists of byte offsets name the pairs of entries of a row that may be nonzero.
 */
import { lazy } from "../../run/lazy.ts";
import type { KernelMemory } from "../../run/memory.ts";
import { complexEliminationCode, complexSolutionCode } from "./complex-lu-code.ts";
import { F64, I32, V128, type ValueType, type WasmCode } from "./instructions.ts";
import { WasmModule } from "./module.ts";
import { realEliminationCode, realSolutionCode } from "./real-lu-code.ts";

/** Exports of the module. All arguments but re and im are byte addresses or byte distances. */
export interface LUCode {
  /**
   * Subtracts multiples of the row at `pivot` from the rows after it, up to `end`. Their entries in `column` are replaced by the
   * multipliers. re is the reciprocal of the pivot. The list of nonzero pairs of the row is at `list` to `listEnd`.
   */
  eliminateReal(pivot: number, end: number, rowBytes: number, column: number, list: number, listEnd: number, re: number): void;
  /** The same for a complex matrix: (re, im) is the reciprocal of the pivot, `toImaginary` the distance from real to imaginary part. */
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
  /** Solves L U x = b in place, by pairs of rows. `table` holds the lists of each row. */
  solveReal(matrix: number, end: number, rowBytes: number, b: number, reciprocals: number, table: number): void;
  /** The same for a complex matrix; `bToImaginary` is the distance from real to imaginary part of b and of the reciprocals. */
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

/** Instantiates the module on a memory. */
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
