/** castor identify: its results, and its messages for insufficient or wrong files. */
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { castor, workFolder } from "../fixtures/installed.ts";

describe("castor identify", () => {
  const folder = workFolder();
  const identify = (text: string, ...more: string[]) => {
    writeFileSync(join(folder, "rod.yaml"), text);
    return castor(folder, ["identify", "rod.yaml", ...more]);
  };

  it("finds the optimum for the weights of the paper, and the contradictions", () => {
    const { status, stdout } = castor(folder, ["identify", "identify-link-2", "--json"]);
    expect(status).toBe(0);
    const { criterion, stiffnesses, contradictions } = JSON.parse(stdout);
    expect(criterion).toBeLessThanOrEqual(0.1998);
    expect(stiffnesses).toEqual([expect.closeTo(62.14, 1), expect.closeTo(30.894, 1)]);
    expect(contradictions).not.toEqual([]);
  });

  it("accepts decays and damping ratios, and reports that joint dampers cannot reproduce both ratios", () => {
    const values = Array.from({ length: 200 }, (_, i) => Math.exp(-0.01 * 40 * i * 0.01) * Math.cos(40 * i * 0.01)).join(", ");
    const { stdout } = identify(`
length: 1 m
mass: 1 kg
cuts: [0.2, 0.7]
measurements:
  - { kind: decay, mode: 1, step: 10 ms, values: [${values}] }
  - { kind: frequency, mode: 2, value: 45 Hz, error: 0.01 }
  - { kind: damping-ratio, mode: 2, value: 0.0001 }
`);
    expect(stdout).toMatch(/Decay of mode 1: 6\.366\d* Hz/);
    expect(stdout).toMatch(/no\s+joint\s+dampers\s+reproduce\s+all\s+of\s+them/);
  });

  it("accepts one curve of two modes and deflections under load, and gives the errors of the dampers", () => {
    const [w1, w2] = [40, 230];
    const swing = (w: number, z: number, t: number): number => Math.exp(-z * w * t) * Math.cos(w * t);
    const values = Array.from({ length: 400 }, (_, i) =>
      (swing(w1, 0.01, i * 0.004) + 0.5 * swing(w2, 0.02, i * 0.004) + 0.01 * Math.sin(i * i)).toFixed(5),
    );
    const { stdout, status } = identify(
      `
length: 1 m
mass: 1 kg
cuts: [0.2, 0.7]
measurements:
  - { kind: decay, modes: [1, 2], step: 4 ms, values: [${values.join(", ")}] }
  - { kind: deflection-by-force, value: 0.0105, load: 5, error: 0.2 }
`,
      "--json",
    );
    expect(status).toBe(0);
    const { decays, damping, rows } = JSON.parse(stdout);
    expect(decays.map((d: { frequency: number }) => d.frequency)).toEqual([expect.closeTo(6.3665, 2), expect.closeTo(36.61, 1)]);
    expect(rows[2].measurement.value).toBeCloseTo(0.0021, 12);
    expect(damping.dampers.errors.every((e: number) => e > 0)).toBe(true);
  });

  const SWING = `
model:
  name: swing
  bodies:
    - { name: swing, mass: 2, inertia: none, hinge: { kind: prismatic, axis: x } }
state: { q: { swing: 0.1 } }
forces:
  spring: { kind: hinge-spring, hinge: swing, stiffness: 60 }
duration: 2
compare:
  bench: { file: bench.csv, channels: [{ channel: q.swing }] }
identify:
  unknowns: { spring: { path: forces.spring.stiffness } }
`;
  const swing = (rows: readonly string[], ...more: string[]) => {
    writeFileSync(join(folder, "bench.csv"), ["t,q.swing", ...rows, ""].join("\n"));
    return identify(SWING, ...more);
  };
  // x = 0.1 cos ω t with ω² = 80 / 2, rounded to 1 mm
  const SWINGING = Array.from({ length: 40 }, (_, i) => `${0.05 * i},${(0.1 * Math.cos(Math.sqrt(40) * 0.05 * i)).toFixed(3)}`);

  it("finds values of a scenario from time histories, and writes the run with them", () => {
    const { stdout, status } = swing(SWINGING, "--json", "--out", "found");
    expect(status).toBe(0);
    const { unknowns, overrides, files, warnings } = JSON.parse(stdout);
    expect(Math.abs(unknowns[0].value - 80)).toBeLessThan(4 * unknowns[0].error);
    expect(overrides).toEqual([{ path: "forces.spring.stiffness", value: unknowns[0].value }]);
    expect(files).toContain("report.html");
    expect(warnings).toEqual([]);
    expect(swing(SWINGING).stdout).toMatch(/spring\s+60\s+79\.997 ± 0\.011\s+79\.976 to 80\.019/);
  });

  it("reports problems of histories with file, line and value", () => {
    expect(swing(["0,0.1", "0.1,x"]).stderr).toMatch(/bench\.csv.*line 3.*finite number, got "x"/s);
    expect(swing(["0,0.1", "0.1,NaN"]).stderr).toMatch(/line 3.*finite number, got "NaN"/s);
    expect(swing(["0,0.1", "0.2,0", "0.1,0"]).stderr).toMatch(/line 4.*times must increase/s);
    expect(swing(["7,0.1", "8,0"]).stderr).toMatch(/no sample lies in the run, 0 to 2 s: they are from 7 to 8 s/);
    expect(swing(["0,0.1,3"]).stderr).toMatch(/there are 2 channels, but 3 numbers/);
    writeFileSync(join(folder, "bench.csv"), "t,x\n0,0\n1,0\n");
    expect(identify(SWING).stderr).toMatch(/bench.csv has no such column.*q\.swing.*The columns are t, x/s);
    expect(identify(SWING.replace("{ channel: q.swing }", "{ channel: q.swong, column: x }")).stderr).toMatch(
      /q\.swong.*q\.swing/s,
    );
    swing(SWINGING);
    expect(identify(SWING.replace(/identify:[\s\S]*/, "")).stderr).toMatch(/identify.*nothing is unknown.*unknowns/s);
    expect(swing(SWINGING, "--grid").stderr).toMatch(/--grid is for measurement files/);
    expect(castor(folder, ["identify", "identify-link-1", "--out", "x"]).stderr).toMatch(/--out is for scenarios/);
  });

  it("reports missing and wrong values, with the line", () => {
    const few = identify("length: 1 m\nmass: 1 kg\nmeasurements:\n  - { kind: frequency, value: 3 Hz }\n");
    expect(few.status).toBe(1);
    expect(few.stderr).toMatch(/4 unknowns.*frequency of mode 2/s);
    const wrong = identify("length: -1 m\nmass: 1 kg\nmeasurements:\n  - { kind: frequenzy, value: 3 Hz }\n");
    expect(wrong.stderr).toMatch(/length.*must be positive/s);
    expect(wrong.stderr).toMatch(/line 4.*frequency/s);
    const strange = identify(`
length: 1 m
mass: 1 kg
measurements:
  - { kind: damping-ratio, mode: 0, value: 1.5 }
  - { kind: frequency, value: 3 Hz, step: 1 s, tipMass: -1 }
  - { kind: decay, modes: [2, 1], step: 0, values: [1, 2] }
`);
    for (const words of [
      /mode.*whole number from 1/s,
      /from 0 to below 1/,
      /frequency has no step/,
      /tipMass.*negative/s,
      /slowest first/,
    ])
      expect(strange.stderr).toMatch(words);
  });
});
