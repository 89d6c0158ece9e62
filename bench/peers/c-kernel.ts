/** C output of a program, compiled by the C compiler of the machine. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Program } from "castor";
import { cName, cSource, sizeOf } from "castor/kernel";
import type { BatchTiming } from "../run/interleaved-timing.ts";

const MAIN = fileURLToPath(new URL("../../bench/peers/c-kernel.c", import.meta.url));

export interface CKernel {
  /** Processor time of the compiler, s. */
  readonly compileSeconds: number;
  /** Times calls for some milliseconds. */
  run(x: ArrayLike<number>, milliseconds: number): { readonly timing: BatchTiming; readonly y: Float64Array };
  delete(): void;
}

/**
 * Undefined without a compiler.
 * @param moved input that moves a little from call to call
 */
export function createCKernel(program: Program, moved: number): CKernel | undefined {
  const folder = mkdtempSync(join(tmpdir(), "castor-bench-"));
  const remove = (): void => rmSync(folder, { recursive: true });
  const file = (name: string): string => join(folder, name);
  writeFileSync(file("kernel.c"), cSource(program));
  const settings = { KERNEL: cName(program), INPUTS: sizeOf(program.inputs), OUTPUTS: sizeOf(program.outputs), MOVED: moved };
  const definitions = Object.entries(settings).map(([key, value]) => `-D${key}=${value}`);
  const compilation = [
    ["-c", file("kernel.c"), "-o", file("kernel.o")],
    [...definitions, MAIN, file("kernel.o"), "-lm", "-o", file("c-kernel")],
  ].map(compileSeconds);
  if (compilation.includes(undefined)) {
    remove();
    return undefined;
  }
  return {
    compileSeconds: compilation[0]!,
    run(x, milliseconds) {
      const input = Array.from(x).join("\n");
      const { status, stdout, stderr } = spawnSync(file("c-kernel"), [String(milliseconds)], { input, encoding: "utf8" });
      if (status !== 0) throw new Error(`the C kernel failed: ${stderr}`);
      const [times, outputs] = stdout.split("\n");
      const [min, median] = times!.split(" ").map(Number);
      return { timing: { min: min!, median: median! }, y: Float64Array.from(outputs!.trim().split(" "), Number) };
    },
    delete: remove,
  };
}

/** Processor time of a call of the C compiler, s; undefined if it fails. */
function compileSeconds(args: readonly string[]): number | undefined {
  const { status, stdout } = spawnSync("sh", ["-c", 'cc -O2 -std=c99 "$@" && times', "sh", ...args], { encoding: "utf8" });
  if (status !== 0) return undefined;
  // the second line of `times`: user and system time of the children, e.g. "0m4.105s 0m0.210s"
  const times = stdout
    .trim()
    .split("\n")
    .at(-1)!
    .matchAll(/(\d+)m([\d.]+)s/g);
  return [...times].reduce((sum, [, minutes, seconds]) => sum + 60 * Number(minutes) + Number(seconds), 0);
}
