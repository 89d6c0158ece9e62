/** The motions of two runs with loops in one kernel have the bits of their own kernels, and each lane knows whether its pivots are accurate. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { loadScenario } from "../../src/scenario/load.ts";
import { diskFiles } from "../../src/scenario/node-files.ts";
import type { Override } from "../../src/scenario/override.ts";
import { prepareScenario } from "../../src/scenario/prepare.ts";
import { type ClosedMotion, loopMotion, loopMotionPair } from "../../src/sim/system/loop-motion.ts";
import { uniform } from "../fixtures/models/random-model.ts";
import { workspaceOf } from "../fixtures/workspace.ts";

/** A run of a built-in scenario at its start, with the pivot order for that. */
function startedRun(name: string, overrides: readonly Override[] = []) {
  const files = diskFiles(`scenarios/${name}`, { names: [], path: String });
  const text = readFileSync(`scenarios/${name}/scenario.yaml`, "utf8");
  const { system, start } = prepareScenario(loadScenario(text, name, { files, overrides }));
  const workspace = workspaceOf(system, start);
  workspace.compileLoopsAt(start.t, start.y);
  const closed = workspace.closed!;
  const motion: ClosedMotion = { layout: workspace.layout, model: workspace.loops.current.model, closed };
  const engagedParameters = new Float64Array(0);
  const kernel = loopMotion(motion.layout, motion.model, closed, { target: "wasm", engagedParameters })()!;
  return { workspace, start, motion, kernel };
}

type StartedRun = ReturnType<typeof startedRun>;

/** Inputs of the motion near the start of a run. */
function inputsNear({ workspace, start, kernel }: StartedRun, seed: number, size = 1e-3): Float64Array {
  const random = uniform(seed);
  const x = kernel.x.map(() => random() - 0.5);
  x[0] = start.t;
  for (const [i, v] of start.y.entries()) x[1 + i] = v + size * (random() - 0.5);
  x.set(workspace.held, 1 + start.y.length);
  return x;
}

function own({ kernel }: StartedRun, x: Float64Array): Float64Array {
  kernel.x.set(x);
  kernel.evaluate();
  return kernel.y.slice();
}

/** Compares both lanes at states near the starts of the runs. */
function comparePair(first: StartedRun, second: StartedRun): void {
  const pair = loopMotionPair(first.motion, second.motion)!;
  for (let seed = 1; seed <= 20; seed++) {
    const inputs = [inputsNear(first, seed), inputsNear(second, 100 + seed)] as const;
    const expected = [own(first, inputs[0]), own(second, inputs[1])];
    for (let i = 0; i < inputs[0].length; i++) for (const k of [0, 1] as const) pair.kernel.x[2 * i + k] = inputs[k][i]!;
    pair.kernel.evaluate();
    for (const k of [0, 1] as const) {
      expect(pair.kernel.y.filter((_, i) => i % 2 === k)).toEqual(expected[k]);
      expect(pair.isSuitable(k)).toBe(expected[k]!.at(-1)! < 1);
    }
  }
}

describe("two states of one machine", () => {
  test.each(["stewart-platform", "andrews-squeezer", "satellite-pantograph", "docking-retract", "docking-1g-rig"])(
    "%s",
    (name) => {
      const run = startedRun(name);
      comparePair(run, run);
    },
  );
});

test("two machines with other masses", () => {
  const lighter: Override = { path: "model.bodies[1].mass", value: 7001.3, from: "test" };
  const [first, second] = [startedRun("docking-retract"), startedRun("docking-retract", [lighter])];
  expect([first, second].map(({ motion }) => motion.model.bodies[1]!.mass)).toEqual([120000, 7001.3]);
  comparePair(first, second);
});

test("a lane whose pivots are not accurate does not disturb the other", () => {
  const run = startedRun("stewart-platform");
  const pair = loopMotionPair(run.motion, run.motion)!;
  const [good, bad] = [inputsNear(run, 1), inputsNear(run, 2)];
  for (let i = 0; i < run.workspace.layout.nq; i++) bad[1 + i] = i === 0 ? 1 : 0; // all legs at one place: the rows depend on each other
  const expected = own(run, good);
  for (const [i, v] of good.entries()) pair.kernel.x.set([v, bad[i]!], 2 * i);
  pair.kernel.evaluate();
  expect(pair.kernel.y.filter((_, i) => i % 2 === 0)).toEqual(expected);
  expect([pair.isSuitable(0), pair.isSuitable(1)]).toEqual([true, false]);
  expect(own(run, bad).at(-1)! < 1).toBe(false);
});

test("runs of different machines have no kernel together", () => {
  expect(loopMotionPair(startedRun("stewart-platform").motion, startedRun("andrews-squeezer").motion)).toBeUndefined();
  const { motion } = startedRun("stewart-platform");
  expect(loopMotionPair(motion, { ...motion, closed: { elimination: undefined } })).toBeUndefined();
});
