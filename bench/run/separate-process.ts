/** Runs a measurement in a separate process, so that it does not inherit the heap and type feedback of another. */
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { MEASUREMENTS } from "./one-measurement.ts";

type SeparateMeasurements = typeof MEASUREMENTS;

export function measureSeparately<N extends keyof SeparateMeasurements>(
  name: N,
  ...args: Parameters<SeparateMeasurements[N]>
): Awaited<ReturnType<SeparateMeasurements[N]>> {
  const program = fileURLToPath(new URL("./one-measurement.js", import.meta.url));
  return JSON.parse(execFileSync(process.execPath, [program, name, JSON.stringify(args)], { encoding: "utf8" }));
}
