import { describe, expect, it } from "vitest";
import type { ModelError } from "../../../../src/errors.ts";
import { constantWrench } from "../../../../src/parts/force/loads/constant-wrench.ts";
import { monotoneCubic } from "../../../../src/parts/force/loads/monotone-cubic.ts";
import { wrenchTable } from "../../../../src/parts/force/loads/wrench-table.ts";
import { NO_FILES, type ScenarioFiles } from "../../../../src/scenario/files.ts";
import { describeScenario, loadScenario } from "../../../../src/scenario/load.ts";
import { parseOverride } from "../../../../src/scenario/override.ts";
import { runScenario } from "../../../../src/scenario/run.ts";
import { drift, runFor } from "../../../fixtures/force-run.ts";
import { block, hull } from "../../../fixtures/models/force-machines.ts";

describe("wrench-table", () => {
  it("interpolates without overshoot, with a continuous slope, constant beyond the ends", () => {
    const [times, values] = [
      [1, 2, 4, 5, 9],
      [0, 5, 4, 4, 7],
    ];
    const pieces = monotoneCubic(times, values);
    const at = (t: number): number => {
      const k = times.findLastIndex((time) => time <= t);
      const [a, b, c, d] = pieces[k + 1]! as [number, number, number, number];
      const x = t - times[Math.max(0, k)]!;
      return a + x * (b + x * (c + x * d));
    };
    for (const [i, t] of times.entries()) {
      expect(at(t)).toBe(values[i]);
      expect(at(t - 1e-9)).toBeCloseTo(values[i]!, 7);
      const [before, after] = [(at(t) - at(t - 1e-6)) / 1e-6, (at(t + 1e-6) - at(t)) / 1e-6];
      expect(before).toBeCloseTo(after, 4);
    }
    for (let t = 0; t < 12; t += 0.01) {
      const k = times.findLastIndex((time) => time <= t);
      const ends = [values[Math.max(0, k)]!, values[Math.min(4, k + 1)]!];
      expect(at(t)).toBeGreaterThanOrEqual(Math.min(...ends) - 1e-12);
      expect(at(t)).toBeLessThanOrEqual(Math.max(...ends) + 1e-12);
    }
  });

  it("gives the impulse of its cubics, also of a pulse in a long quiet run", () => {
    const model = block(2);
    const table = [
      [500, 0],
      [500.01, 4],
      [500.02, 0],
    ];
    const end = runFor(model, [wrenchTable.create("w", { frame: "block", columns: ["t", "fx"], table }, model)], 1000);
    // Two half pulses, each the integral of a smooth step.
    expect(end.u[0]).toBeCloseTo((4 * 0.01) / 2, 12);
    expect(drift(end.run, "energy")).toBeLessThan(1e-10);
  });

  it("with one row is the constant wrench, in world axes and in axes of the body", () => {
    const model = hull(3, [2, 3, 4]);
    const start = { q: [Math.SQRT1_2, 0.5, 0.5, 0, 1, 2, 3], u: [0.1, 0.2, -0.3, 1, 0, 0] };
    for (const axes of ["world", "body"] as const) {
      const table = wrenchTable.create("w", { frame: "mount", axes, table: [[7, 1, 2, 3, 0.1, 0.2, 0.3]] }, model);
      const constant = constantWrench.create("w", { frame: "mount", axes, force: [1, 2, 3], torque: [0.1, 0.2, 0.3] }, model);
      const [a, b] = [table, constant].map((element) => runFor(model, [element], 2, start)) as [
        ReturnType<typeof runFor>,
        ReturnType<typeof runFor>,
      ];
      for (const [i, q] of b.q.entries()) expect(a.q[i]).toBeCloseTo(q, 9);
    }
  });

  it.each([
    [{}, ["w.table: is missing"]],
    [{ columns: ["fx", "fy"], table: [[0, 1]] }, ["w.columns: there is no column of times"]],
    [{ columns: ["t"], table: [[0]] }, ["w.columns: there is no component"]],
    [{ table: [] }, ["w.table: has no rows"]],
    [{ columns: ["t", "fx"], table: [[0, 1, 2]] }, ["w.table[0]: must have 2 numbers, has 3"]],
    [
      {
        columns: ["fx", "t"],
        table: [
          [1, 3],
          [2, 3],
        ],
      },
      ["w.table[1][1]: times must increase"],
    ],
    [
      {
        columns: ["t", "fx"],
        table: [
          [0, 0],
          [1e-200, 1e30],
        ],
      },
      ["w.table: changes too fast: its slopes cannot be computed"],
    ],
    [{ file: "loads.csv" }, ["w.file: cannot be read here"]],
  ] as const)("refuses %j", (parameters, expected) => {
    let problems: string[] = [];
    try {
      wrenchTable.create("w", { frame: "block", ...parameters } as never, block(1));
    } catch (error) {
      problems = (error as ModelError).problems.map(({ path, message }) => `${path}: ${message}`);
    }
    expect(problems).toEqual(expected);
  });
});

describe("wrench-table from a CSV file", () => {
  const SCENARIO = `
castor: 1
model: { name: block, bodies: [{ name: block, mass: 2, inertia: [1, 1, 1], hinge: { kind: prismatic, axis: x } }] }
forces: { push: { kind: wrench-table, frame: block, file: loads.csv } }
duration: 2
`;
  const filesWith = (text: string): ScenarioFiles => ({
    ...NO_FILES,
    readBeside: (path) => (path === "loads.csv" ? { text, source: "loads.csv" } : NO_FILES.readBeside(path)),
  });
  const problemsOf = (text: string, scenario = SCENARIO): string[] => {
    try {
      loadScenario(scenario, "s.yaml", { files: filesWith(text) });
    } catch (error) {
      return (error as ModelError).problems.map((p) => `${p.file ?? ""}:${p.line}: ${p.path}: ${p.message}`);
    }
    return [];
  };

  it("is read into the scenario, with units in the header or without", async () => {
    for (const header of ["t [s],fx [N]", "t,fx"]) {
      const scenario = loadScenario(SCENARIO, "s.yaml", { files: filesWith(`${header}\n0,0\n1,4\n2,0\n`) });
      const { run } = await runScenario(scenario);
      expect(run.log.column("u.block").at(-1)).toBeCloseTo(2, 9);
      const { forces } = describeScenario(scenario) as { forces: { push: object } };
      expect(forces.push).toEqual({
        kind: "wrench-table",
        frame: "block",
        columns: ["t", "fx"],
        table: [
          [0, 0],
          [1, 4],
          [2, 0],
        ],
      });
    }
  });

  it("is changed by settings as if its rows were in the scenario", () => {
    const csv = "t,fx\n0,0\n1,4\n2,0\n";
    const forcesWith = (...sets: string[]): object => {
      const overrides = sets.map((set) => parseOverride(set));
      const { forces } = describeScenario(loadScenario(SCENARIO, "s.yaml", { files: filesWith(csv), overrides })) as {
        forces: object;
      };
      return forces;
    };
    const columns = ["t", "fx"];
    const table = [
      [0, 0],
      [1, 4],
      [2, 0],
    ];
    const common = { kind: "wrench-table", frame: "block" };
    expect(forcesWith()).toEqual({ push: { ...common, columns, table } });
    expect(forcesWith("forces.push.table[1][1]=7")).toEqual({
      push: {
        ...common,
        columns,
        table: [
          [0, 0],
          [1, 7],
          [2, 0],
        ],
      },
    });
    expect(forcesWith("forces.push.columns=[t, fy]", "forces.push.axes=body")).toEqual({
      push: { ...common, axes: "body", columns: ["t", "fy"], table },
    });
    expect(forcesWith("forces.push.table=null")).toEqual({ push: { ...common, columns, table } });
    expect(forcesWith("forces.push.file=null", "forces.push.table=[[0, 1]]", "forces.push.columns=[t, fz]")).toEqual({
      push: { ...common, columns: ["t", "fz"], table: [[0, 1]] },
    });
  });

  it("has problems with file and line", () => {
    expect(problemsOf("t,fx\n0,0\n1,none\n")).toEqual([
      'loads.csv:3: forces.push.file: channel "fx" must be a finite number, got "none"',
    ]);
    expect(problemsOf("t,fx\n0,0\n\n2,1\n2,2\n")).toEqual(["loads.csv:5: forces.push.file: times must increase"]);
    expect(problemsOf("t,force\n0,0\n")).toEqual(['loads.csv:1: forces.push.file: "force" is no column of a wrench table']);
    expect(problemsOf("t,fx [kN]\n0,0\n")).toEqual(['loads.csv:1: forces.push.file: column "fx" must be in N, is in kN']);
    expect(problemsOf("", SCENARIO.replace("loads.csv", "../loads.csv"))).toEqual([
      ":4: forces.push.file: must not lead out of the scenario's folder",
    ]);
    expect(problemsOf("", SCENARIO.replace("loads.csv", "none.csv"))).toEqual([
      ":4: forces.push.file: cannot be read: no files were given with this scenario",
    ]);
    expect(problemsOf("t,fx\n0,1", SCENARIO.replace("file: loads.csv", "file: loads.csv, columns: [t, fx]"))).toEqual([
      ":4: forces.push.file: the table is given twice",
    ]);
  });
});
