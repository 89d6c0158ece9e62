/** The generated mechanisms agree with the data of the reference, and the files of the built-in scenarios agree with the generators. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { parseModel } from "../../src/formats/model-file.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import type { Model } from "../../src/model/model.ts";
import { planarFourBar, planarPlatform } from "../../src/validation/docking/linkages.ts";
import { describeMechanism, type Mechanism } from "../../src/validation/docking/mechanism.ts";
import { ringOnCranks, ringOnLegs } from "../../src/validation/docking/models.ts";
import { ringWithFourBar, ringWithInnerLoops, ringWithMutualLoops } from "../../src/validation/docking/nested-loop-models.ts";
import { dockingModel, LOOP_CASES } from "../data/docking-models.ts";

/** Hinges, masses and loops as text, without frames, names of loops and shapes. */
const bare = (model: Model): string =>
  JSON.stringify(
    {
      bodies: model.bodies.map(({ name, parent, mass, com, inertia, hinge }) => [
        name,
        parent,
        mass,
        com,
        inertia,
        hinge.onParent,
        hinge.onBody,
        hinge.elements.map(({ screw, partials, armature }) => [screw, partials, armature]),
      ]),
      loops: model.loops.map((loop) => [loop.kind, loop.type === "frames" && [loop.from, loop.to]]),
    },
    (_, value: unknown) => (typeof value === "number" ? Math.round(value * 1e12) / 1e12 + 0 : value),
  );

const CASES: Readonly<Record<string, Mechanism>> = {
  a_fourbar_planar: planarFourBar,
  b3_stewart_3legs_fixed: ringOnLegs({ legs: [0, 2, 4] }),
  b6_stewart_6legs_fixed: ringOnLegs(),
  b6f_stewart_6legs_floating12t: ringOnLegs({ base: "floating" }),
  c6_apas_fixed: ringOnCranks(),
  d1_nested_inner_in_dependent_floating: ringWithInnerLoops({ base: "floating" }),
  d2_nested_on_path: ringWithFourBar(),
  d3_nested_mutual_block: ringWithMutualLoops(),
  e_planar_platform_3loops_m2: planarPlatform(),
};

test.each(Object.entries(LOOP_CASES))("%s follows from its rule", (name, { model }) => {
  const made = createModel(describeMechanism(CASES[name]!, "elementary"));
  expect(bare(made)).toBe(bare(dockingModel(model, name)));
});

describe("built-in scenarios are written by the rules", () => {
  test.each([
    ["docking-ring-6-legs", ringOnLegs({ base: "floating", looks: "shapes", name: "ring on six legs" })],
    ["docking-apas", ringOnCranks({ base: "floating", looks: "shapes", armature: 0.15, name: "ring on six cranks and rods" })],
  ] as const)("%s", (name, mechanism) => {
    const text = readFileSync(new URL(`../../scenarios/${name}/model.yaml`, import.meta.url), "utf8");
    expect(bare(parseModel(text))).toBe(bare(createModel(describeMechanism(mechanism))));
  });
});
