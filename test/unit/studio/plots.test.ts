/** Curves, plots, changes of a scenario and validation tables, without a browser. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { parseOverride } from "../../../src/scenario/override.ts";
import type { Scenario } from "../../../src/scenario/scenario.ts";
import { alignCurves, curveDifference, curveValueAt, type PlotCurve, plotCurves } from "../../../studio/src/plots/curves.ts";
import { commonNameParts, displayUnit } from "../../../studio/src/plots/plot-list.ts";
import { curvesCsv } from "../../../studio/src/plots/plot-menu.ts";
import { dashPattern } from "../../../studio/src/plots/plot-options.ts";
import { RunLog } from "../../../studio/src/run/run-log.ts";
import { lastSampleUpTo } from "../../../studio/src/run/sample-index.ts";
import { stepLastDigit } from "../../../studio/src/settings/field.ts";
import { equivalentCommand, runLabel, withChanges } from "../../../studio/src/state/changes.ts";
import type { StudioRun } from "../../../studio/src/state/state.ts";
import { validationTables } from "../../../studio/validation-tables.ts";

const samples = (t: readonly number[], y: readonly number[]) => ({ t: Float64Array.from(t), y: Float64Array.from(y) });

function run(id: number, t: readonly number[], angle: readonly number[]): StudioRun {
  const log = new RunLog([
    { name: "t", unit: "s" },
    { name: "q.arm", unit: "rad" },
  ]);
  log.append({ count: t.length, values: Float64Array.from([...t, ...angle]) });
  return { id, label: `run ${id}`, scenario: undefined, overrides: [], log, status: "complete", progress: 1 };
}

const plot = { id: 1, title: "Arm", channels: ["q.arm", "q.none"], unit: "deg", scale: "linear" } as const;

describe("names in a plot", () => {
  const shown = (...names: string[]): string[] => {
    const [start, end] = commonNameParts(names);
    return names.map((name) => name.slice(start, name.length - end));
  };
  it("omit the parts that all of them share", () => {
    expect(shown("q.rod1", "q.rod2")).toEqual(["rod1", "rod2"]);
    expect(shown("frame.tip.x", "frame.tip.y")).toEqual(["x", "y"]);
    expect(shown("ground-fl.slip", "ground-fr.slip")).toEqual(["ground-fl", "ground-fr"]);
    expect(shown("frame.a.x", "frame.b.x")).toEqual(["a", "b"]);
  });
  it("are complete if they share nothing, or if nothing would remain", () => {
    for (const names of [["q.rod"], ["q.a", "u.b"], ["x", "y"], ["q", "q.a"], ["rod.energy", "energy.kinetic"]])
      expect(shown(...names)).toEqual(names);
    expect(shown("q.a.b", "q.a")).toEqual(["a.b", "a"]);
  });
});

describe("curves", () => {
  it("use the unit of the plot; the current run comes first and is solid", () => {
    const curves = plotCurves(plot, [run(1, [0, 1], [0, Math.PI]), run(2, [0, 1], [0, Math.PI / 2])], false);
    expect(curves.map(({ run: { id }, dash, unit, y }) => [id, dash, unit, ...y])).toEqual([
      [2, 0, "deg", 0, 90],
      [1, 1, "deg", 0, 180],
    ]);
    expect(displayUnit("N", "deg")).toEqual({ unit: "N", factor: 1 });
  });

  it("include the measured histories of the scenario within the run, as dots in another colour", () => {
    const channel = { name: "q.arm", unit: "rad" };
    const series = [{ channel, values: Float64Array.of(9, Math.PI, 0, 9) }];
    const compare = [{ name: "film", times: Float64Array.of(-1, 0, 1, 2), series }];
    const measured = { ...run(1, [0, 1], [0, 1]), scenario: { compare, duration: 1.5 } as unknown as Scenario };
    const curves = plotCurves(plot, [measured], false);
    expect(curves.map(({ run: { label }, line, dash, y }) => [label, line, dash > 0, ...y])).toEqual([
      ["run 1", 0, false, 0, 180 / Math.PI],
      ["film", 2, true, 180, 0],
    ]);
    expect(plotCurves(plot, [run(2, [0, 1], [0, 1]), measured], true).some(({ isMeasured }) => isMeasured)).toBe(false);
  });

  it("show the current run minus another, also with other sample times", () => {
    const curves = plotCurves({ ...plot, unit: undefined }, [run(1, [0, 2], [0, 4]), run(2, [0, 1, 2, 3], [1, 2, 5, 9])], true);
    expect(curves.map(({ t, y }) => [[...t], [...y]])).toEqual([
      [
        [0, 1, 2],
        [1, 0, 1],
      ],
    ]);
    expect([...curveDifference(samples([0, 1], [3, 3]), samples([], [])).y]).toEqual([]);
  });

  it("of several runs have different dashes, and are saved as separate columns", () => {
    const dashes = [0, 1, 2, 3, 4, 5, 6].map((dash) => dashPattern(dash).join(" "));
    expect(new Set(dashes).size).toBe(7);
    expect(dashPattern(7)).not.toEqual(dashPattern(0)); // only the current run is solid
    const runs = [run(1, [0, 2], [0, 4]), run(1, [0, 1], [0, 1]), run(2, [0, 1], [Math.PI, 2 * Math.PI])];
    expect(curvesCsv(plotCurves(plot, runs, false), false)).toBe(
      [
        "t [s],q.arm · run 2 [deg],q.arm · run 1 [deg],q.arm · run 1 (2) [deg]",
        "0,180,0,0",
        `1,360,,${180 / Math.PI}`,
        `2,,${720 / Math.PI},`,
        "",
      ].join("\n"),
    );
    expect(curvesCsv(plotCurves(plot, runs.slice(1), true), true)).toBe(
      `t [s],q.arm · minus run 1 [deg]\n0,180\n1,${(2 * Math.PI - 1) * (180 / Math.PI)}\n`,
    );
  });

  it("are interpolated between samples, and undefined before the first", () => {
    const line = samples([1, 2, 4], [10, 20, 60]);
    expect([0.5, 1, 1.5, 2, 3, 4, 9].map((t) => curveValueAt(line, t))).toEqual([undefined, 10, 15, 20, 40, 60, 60]);
    expect([0.5, 1, 3.9, 4, 9].map((t) => lastSampleUpTo(line.t, t))).toEqual([-1, 0, 1, 2, 2]);
  });

  it("share one column of times; a missing sample is a gap", () => {
    const curve = (t: readonly number[], y: readonly number[]): PlotCurve => ({
      ...samples(t, y),
      channel: "q.arm",
      run: { id: 1, label: "" },
      line: 0,
      dash: 0,
      unit: "rad",
      logUnit: "rad",
    });
    expect(alignCurves([curve([0, 1], [5, 6]), curve([0, 0.5], [7, 8])], false).map((column) => [...column])).toEqual([
      [0, 0.5, 1],
      [5, null, 6],
      [7, 8, null],
    ]);
    expect(alignCurves([curve([0, 1], [-1, 0.1])], true)[1]).toEqual([null, 0.1]);
  });
});

describe("changes", () => {
  const overrides = withChanges([], [{ path: "integrator.step", value: 0.1 }]);

  it("replace the overrides at their path and below it", () => {
    const all = withChanges(overrides, [{ path: "model.bodies.hand.mass", value: "3 kg" }]);
    expect(withChanges(all, [{ path: "integrator", value: { name: "rk4" } }]).map((o) => o.path)).toEqual([
      "model.bodies.hand.mass",
      "integrator",
    ]);
    expect(withChanges(all, [{ path: "integrator.s", value: 1 }])).toHaveLength(3);
  });

  it("are written as a label and as a command", () => {
    const source = { name: "four-bar", path: "scenarios/four-bar/scenario.yaml", text: "", files: {}, builtIn: true };
    const all = withChanges(overrides, [{ path: "state.q.crank", value: "it's 1 deg" }]);
    expect(equivalentCommand({ source, overrides: all })).toBe(
      `castor run four-bar --set integrator.step=0.1 --set 'state.q.crank="it'\\''s 1 deg"'`,
    );
    expect(all.map(({ from }) => parseOverride(from.replace("set ", "")).path)).toEqual(["integrator.step", "state.q.crank"]);
    expect(runLabel([])).toBe("as in the file");
    expect(runLabel(overrides)).toBe("integrator.step=0.1");
  });

  it.each([
    ["30 deg", 1, "31 deg"],
    ["0.125", -10, "0.115"],
    ["1e-12", 1, "2e-12"],
    ["-1", 1, "0"],
    ["usual", 1, undefined],
    ["[1, 2]", 1, undefined],
  ])("stepping the last digit of %j by %d gives %j", (text, steps, expected) => {
    expect(stepLastDigit(text, steps)).toBe(expected);
  });
});

describe("the validation tables", () => {
  it("are all found by scenario", () => {
    const page = readFileSync("docs/validation.md", "utf8");
    const sections = page.split(/^(?=## )/m).filter((section) => section.includes(" Scenario: ["));
    const tables = validationTables(page);
    expect(tables["satellite-manipulator"]).toContain("| θ2 at 2 s |");
    const rows = (text: string): number => text.match(/^\| (?!quantity|---)/gm)?.length ?? 0;
    expect(rows(Object.values(tables).join("\n"))).toBe(rows(sections.join("")));
  });
});
