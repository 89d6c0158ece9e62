import { describe, expect, it } from "vitest";
import * as programs from "../../../src/dynamics/programs.ts";
import { parseModel } from "../../../src/formats/model-file.ts";
import { compile } from "../../../src/kernel/run/kernel.ts";
import type { Model } from "../../../src/model/model.ts";
import { elasticRods, rodSections } from "../../../studio/src/view/geometry/elastic-rods.ts";

describe("elastic bodies", () => {
  const model = (...more: readonly string[]): Model =>
    parseModel(
      [
        "name: m",
        "bodies:",
        "  - name: rod",
        "    elastic: { length: 2 m, material: steel, section: { kind: round, diameter: 20 mm }, freedoms: [rz], joints: 4 }",
        "    hinge: { kind: fixed }",
        ...more,
      ].join("\n"),
      "m.yaml",
    );
  const sections = (m: Model, q: readonly number[]): ReturnType<typeof rodSections> => {
    const kernel = compile(programs.bodyPoses(m));
    kernel.x.set(q);
    kernel.evaluate();
    return rodSections(elasticRods(m)[0]!, kernel.y);
  };

  it("are found by their springs; other springs are ignored", () => {
    const rods = elasticRods(model());
    expect(rods.map(({ name, links, round }) => [name, links.length, round])).toEqual([["rod", 5, true]]);
    const spring = "springs: [{ name: drive, joints: [{ hinge: rod-2, stiffness: [1] }] }]";
    expect(elasticRods(model(spring)).map(({ name }) => name)).toEqual(["rod"]);
  });

  it("are straight at rest, and bend without corners", () => {
    const m = model();
    const straight = sections(m, new Array(m.nq).fill(0));
    for (const { at, size } of straight) expect([at[1], at[2], ...size].map((v) => +v.toFixed(12))).toEqual([0, 0, 0.02, 0.02]);
    expect([straight[0]!.at[0], straight.at(-1)!.at[0]].map((v) => +v.toFixed(12))).toEqual([0, 2]);
    const bent = sections(m, new Array(m.nq).fill(0.2)).map(({ at }) => at);
    const directions = bent.slice(1).map((b, i) => Math.atan2(...([1, 0].map((k) => b[k]! - bent[i]![k]!) as [number, number])));
    const turns = directions.slice(1).map((d, i) => Math.abs(d - directions[i]!));
    expect(Math.abs(directions.at(-1)!)).toBeGreaterThan(0.7); // four joints of 0.2 rad
    expect(Math.max(...turns)).toBeLessThan(0.1); // no corner as large as a joint
  });
});
