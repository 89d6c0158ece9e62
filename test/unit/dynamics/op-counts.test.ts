/** A performance test without noise: operation counts of the compiled forward dynamics of the benchmark models. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { BUILT_IN_MODELS } from "../../../src/cli/files/scenario-argument.ts";
import * as programs from "../../../src/dynamics/programs.ts";
import { costOf } from "../../../src/kernel/trace/program.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { BodyDescription } from "../../../src/model/description.ts";
import { loadScenarioFile } from "../../../src/scenario/node-files.ts";
import { prepareScenario } from "../../../src/scenario/prepare.ts";
import { workspaceOf } from "../../fixtures/workspace.ts";

const SCENARIOS = fileURLToPath(new URL("../../../scenarios", import.meta.url));

interface BenchBody {
  parent: number;
  jtype: 0 | 1 | 2 | 3;
  R: number[];
  p: [number, number, number];
  mass: number;
  com: [number, number, number];
  I: [number, number, number, number, number, number];
}

function benchModel(name: string) {
  const { bodies, gravity } = JSON.parse(
    readFileSync(new URL(`../../../bench/models/${name}.json`, import.meta.url), "utf8"),
  ) as {
    bodies: BenchBody[];
    gravity: [number, number, number];
  };
  const described = bodies.map(
    ({ parent, jtype, R, p, mass, com, I: [xx, xy, xz, yy, yz, zz] }, i): BodyDescription => ({
      name: `b${i}`,
      ...(parent < 0 ? {} : { parent: `b${parent}` }),
      mass,
      com,
      inertia: [xx, yy, zz, xy, xz, yz],
      hinge:
        jtype === 0
          ? { kind: "free" }
          : {
              kind: "revolute",
              axis: (["x", "y", "z"] as const)[jtype - 1]!,
              at: p,
              rotation: { matrix: [R.slice(0, 3), R.slice(3, 6), R.slice(6)] },
            },
    }),
  );
  return createModel({ name, gravity, bodies: described });
}

/** Free bases are not actuated. Their speeds and accelerations are in inertial axes nevertheless. */
function forwardDynamicsOf(name: string) {
  const model = benchModel(name);
  return programs.forwardDynamics(model, {
    actuated: model.bodies.filter((b) => b.hinge.kind !== "free").map((b) => b.hinge.name),
  });
}

const ASKED = { m1a: 980, m2a: 2060, m4a: 7300, m1g: 2000, m2g: 5450 } as const;

test.each(Object.entries(ASKED))("%s takes at most %i operations", (name, most) => {
  expect(costOf(forwardDynamicsOf(name)).ops).toBeLessThanOrEqual(most);
});

test("operation counts are unchanged", () => {
  const counts = ["m1a", "m1g", "m2a", "m2g", "m3a", "m3g", "m4a", "m4g", "m5a", "m5g"].map((name) => [
    name,
    costOf(forwardDynamicsOf(name)),
  ]);
  expect(Object.fromEntries(counts)).toMatchSnapshot();
});

test("mass matrix and inverse dynamics of the 7R arm and the free-flying robot", () => {
  const counts = ["m2a", "m3a", "m3g"].map((name) => {
    const model = benchModel(name);
    return [name, { mass: costOf(programs.massMatrix(model)).ops, inverse: costOf(programs.inverseDynamics(model)).ops }];
  });
  expect(Object.fromEntries(counts)).toMatchSnapshot();
});

test("the motion of models with loops, including elimination", () => {
  const counts = ["andrews-squeezer", "stewart-platform", "docking-1g-rig"].map((name) => {
    const { system, start } = prepareScenario(loadScenarioFile(join(SCENARIOS, name, "scenario.yaml"), BUILT_IN_MODELS));
    const workspace = workspaceOf(system, start);
    workspace.compileLoopsAt(start.t, start.y);
    return [name, workspace.loops.current.motion()!.ops];
  });
  expect(Object.fromEntries(counts)).toMatchSnapshot();
});
