/** What is asked of the benchmarks: largest ratios of times measured in the same run. */
import type { ModelName } from "./models.ts";

/** Castor's WebAssembly kernel to MuJoCo's WebAssembly. */
export const MUJOCO_RATIO: Partial<Readonly<Record<ModelName, number>>> = {
  m1a: 0.09,
  m2a: 0.12,
  m4a: 0.12,
  m5a: 0.15,
  m1g: 0.25,
  m2g: 0.25,
  m3g: 0.25,
  m4g: 0.25,
};

/** Two states at once, per state, to one state at a time. */
export const BATCH_RATIO = 0.66;

/** Time per hinge of a chain of 200 to that of a chain of 20. */
export const SCALING_RATIO = 2;

/** Trace, emit and compile forward dynamics of 100 hinges, ms. */
export const COMPILE_MS = 1500;

/** Difference from MuJoCo relative to the largest acceleration: below it the contenders solve the same problem. */
export const DIFFERENCE = 1e-9;

export interface Verdict {
  readonly value: number;
  readonly limit: number | undefined;
  readonly pass: boolean;
}

export const judge = (value: number, limit: number | undefined): Verdict => ({
  value,
  limit,
  pass: limit === undefined || value <= limit,
});

/** "0.071 (0.09)", with a mark where the limit is exceeded. */
export const shown = ({ value, limit, pass }: Verdict, digits = 3): string =>
  `${pass ? "" : "FAIL "}${value.toFixed(digits)}${limit === undefined ? "" : ` (${limit})`}`;
