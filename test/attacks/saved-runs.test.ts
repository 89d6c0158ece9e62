/** Saved runs that were changed by hand: each is refused with a CastorError, or runs. None crashes, hangs or escapes. */
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { BUILT_IN_MODELS } from "../../src/cli/files/scenario-argument.ts";
import { CastorError } from "../../src/errors.ts";
import { loadScenarioFile } from "../../src/scenario/node-files.ts";
import { prepareScenario } from "../../src/scenario/prepare.ts";
import type { SavedRun } from "../../src/sim/run/saved-run.ts";
import { Simulation } from "../../src/sim/run/simulation.ts";
import { SCENARIOS } from "../fixtures/built-in.ts";
import { uniform } from "../fixtures/models/random-model.ts";

/** Loops with a singular passage, contact and latches, friction, tracks and maps, a quadratic program, flexible bodies. */
const NAMES = [
  "satellite-pantograph",
  "docking-soft-capture",
  "block-on-incline",
  "rover-traverse",
  "multi-arm-limited",
  "flexible-two-link",
];
const CASES = 120;
const STEPS = 5;

const JUNK: readonly unknown[] = [
  null,
  undefined,
  true,
  -1,
  0.5,
  1e300,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  "x",
  "__proto__",
  [],
  {},
  new Map(),
  new Set([1]),
  new Float64Array(0),
  new Float64Array(3).fill(Number.NaN),
  new Int32Array(7).fill(2 ** 30),
  [[[]]],
];

/** Changes one random entry in the data, which is not changed itself. */
function mutate(data: unknown, random: () => number): { readonly data: unknown; readonly path: string } {
  const pick = (n: number): number => Math.floor(random() * n);
  const copy = structuredClone(data) as Record<string, unknown>;
  let holder = copy as Record<string, unknown> | unknown[];
  const path: string[] = [];
  for (;;) {
    const keys = Object.keys(holder);
    if (keys.length === 0) return { data: copy, path: path.join(".") };
    const key = keys[pick(keys.length)]!;
    path.push(key);
    const value = (holder as Record<string, unknown>)[key];
    const isTyped = ArrayBuffer.isView(value);
    if (isTyped && (value as Float64Array).length > 0 && random() > 0.5) {
      const list = value as Float64Array;
      list[pick(list.length)] = Number(JUNK[3 + pick(5)]);
      return { data: copy, path: `${path.join(".")}[]` };
    }
    if (value instanceof Map && value.size > 0 && random() > 0.3) {
      value.set([...value.keys()][pick(value.size)], structuredClone(JUNK[pick(JUNK.length)]));
      return { data: copy, path: `${path.join(".")} (map)` };
    }
    const isHolder =
      typeof value === "object" && value !== null && !isTyped && !(value instanceof Map) && Object.keys(value).length > 0;
    if (isHolder && random() > 0.1) {
      holder = value as Record<string, unknown>;
      continue;
    }
    if (random() > 0.85 && !Array.isArray(holder)) delete holder[key];
    else (holder as Record<string, unknown>)[key] = structuredClone(JUNK[pick(JUNK.length)]);
    return { data: copy, path: path.join(".") };
  }
}

describe.each(NAMES)("%s", (name) => {
  test(`${CASES} changed files`, { timeout: 300_000 }, () => {
    const { system, start, options } = prepareScenario(loadScenarioFile(join(SCENARIOS, name, "scenario.yaml"), BUILT_IN_MODELS));
    const simulation = new Simulation(system, start, options);
    for (let k = 0; k < 40; k++) simulation.advance();
    const saved = simulation.save();
    const random = uniform(7);
    const defects: string[] = [];
    let refused = 0;
    for (let k = 0; k < CASES; k++) {
      const { data, path } = mutate(saved, random);
      const before = performance.now();
      try {
        const again = new Simulation(system, data as SavedRun, options);
        for (let step = 0; step < STEPS && again.end === undefined; step++) again.advance();
      } catch (error) {
        refused++;
        if (!(error instanceof CastorError)) defects.push(`${path}: ${String(error)} ${(error as Error).stack?.split("\n")[1]}`);
      }
      if (performance.now() - before > 20_000) defects.push(`${path}: took ${performance.now() - before} ms`);
    }
    expect(defects).toEqual([]);
    expect(refused).toBeGreaterThan(CASES / 4);
    expect(({} as Record<string, unknown>).polluted).toBeUndefined();
  });
});
