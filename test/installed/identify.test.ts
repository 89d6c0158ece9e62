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
