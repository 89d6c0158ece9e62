/** Caches: a scenario that is read and compiled again reuses its own results, and never those of another scenario. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, vi } from "vitest";
import { BUILT_IN_MODELS } from "../../../src/cli/files/scenario-argument.ts";
import { cachedPerOwner, contentKey, LruCache } from "../../../src/kernel/run/program-cache.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { diskFiles } from "../../../src/scenario/node-files.ts";
import { parseOverride } from "../../../src/scenario/override.ts";
import { runScenario } from "../../../src/scenario/run.ts";
import type { Scenario } from "../../../src/scenario/scenario.ts";
import { layoutOf } from "../../../src/sim/system/layout.ts";
import { observationProgram } from "../../../src/sim/system/motion-program.ts";

const SCENARIOS = fileURLToPath(new URL("../../../scenarios", import.meta.url));
const load = (name: string, ...sets: readonly string[]): Scenario =>
  loadScenario(readFileSync(join(SCENARIOS, name, "scenario.yaml"), "utf8"), name, {
    files: diskFiles(join(SCENARIOS, name), BUILT_IN_MODELS),
    overrides: sets.map((set) => parseOverride(set)),
  });
const programOf = ({ model, forces }: Scenario) => observationProgram(layoutOf(model, forces)).program;

describe("a scenario that is read again", () => {
  it("is traced again only if its model or a force has changed", () => {
    const program = programOf(load("flexible-two-link"));
    const again = (...sets: readonly string[]): boolean => programOf(load("flexible-two-link", ...sets)) === program;
    expect(again()).toBe(true);
    expect(again("duration=1")).toBe(true);
    expect(again("forces.motor-1-friction.viscous=4")).toBe(false);
    expect(again("model.gravity=[0,0,-2]")).toBe(false);
    expect(again()).toBe(true);
  });

  it.each([
    ["stewart-platform", "model.bodies[0].mass=33"],
    ["free-floating-arm", "state.q.elbow=-75 deg"],
    ["four-bar", "model.gravity=[0,-3,0]"],
  ])("moves as before: %s, with %s in between", async (name, change) => {
    const log = async (...sets: readonly string[]): Promise<readonly string[]> => {
      const { run } = await runScenario({ ...load(name, "duration=0.2", ...sets) });
      return run.log.channels.map((c) => `${c.name} ${run.log.column(c.name).join(" ")}`);
    };
    const first = await log();
    const changed = await log(change);
    expect(changed).not.toEqual(first);
    expect(await log()).toEqual(first);
    expect(await log(change)).toEqual(changed);
  });

  it.each([
    ["docking-ring-6-legs", 12345.5],
    ["capture-tumbling-target", 345.6],
    ["reorient-by-arm", 345.6],
  ])("compiles no WebAssembly after a change of a mass: %s", async (name, mass) => {
    let compiled = 0;
    const Module = WebAssembly.Module;
    const counted = class extends Module {
      constructor(bytes: BufferSource) {
        super(bytes);
        compiled++;
      }
    };
    vi.stubGlobal("WebAssembly", Object.create(WebAssembly, { Module: { value: counted } }));
    try {
      await runScenario(load(name, "duration=0.5"));
      const before = compiled;
      await runScenario(load(name, "duration=0.5", `model.bodies[0].mass=${mass}`));
      expect(before).toBeGreaterThan(0);
      expect(compiled - before).toBe(0);
    } finally {
      vi.unstubAllGlobals();
    }
  });

  it("has immutable data", () => {
    const { document } = load("four-bar");
    expect(() => Object.assign((document as { model: { bodies: object[] } }).model.bodies[0]!, { mass: 9 })).toThrow();
    expect(load("four-bar").model.bodies[0]!.mass).not.toBe(9);
  });
});

describe("what is remembered", () => {
  it("is told apart by all that it was made of", () => {
    const keys = [1, "1", [1], { a: 1 }, { a: Number.NaN }, { a: Number.POSITIVE_INFINITY }, { a: null }, {}].map(contentKey);
    expect(new Set(keys).size).toBe(keys.length);
    expect([() => 0, { a: () => 0 }, [Symbol("s")], new Float64Array(1), new Map()].map(contentKey)).toEqual(
      new Array(5).fill(undefined),
    );
  });

  it("belongs to its owner, and without a key is made anew", () => {
    const [a, b] = [{}, {}];
    const make = (): object => ({});
    expect(cachedPerOwner(a, "x", make)).toBe(cachedPerOwner(a, "x", make));
    expect(cachedPerOwner(b, "x", make)).not.toBe(cachedPerOwner(a, "x", make));
    expect(cachedPerOwner(a, undefined, make)).not.toBe(cachedPerOwner(a, undefined, make));
  });

  it("of one owner is bounded: a campaign that changes a force again and again does not fill the memory", () => {
    const owner = {};
    let made = 0;
    const get = (key: number): object => cachedPerOwner(owner, String(key), () => ({ graph: { size: 50_000 }, number: ++made }));
    for (let key = 0; key < 100; key++) {
      get(0); // is used again and again
      get(key);
    }
    expect(made).toBe(100);
    get(99);
    expect(made).toBe(100);
    get(50);
    expect(made).toBe(101);
  });

  it("is of the last that were wanted", () => {
    let made = 0;
    const latest = new LruCache<number>(2);
    const get = (key?: string): number => latest.get(key, () => ++made);
    expect([get("a"), get("b"), get("a"), get("c"), get("a"), get("b"), get(), get()]).toEqual([1, 2, 1, 3, 1, 4, 5, 6]);
  });
});
