import { beforeAll, describe, expect, it } from "vitest";
import { castor, workFolder } from "../fixtures/installed.ts";

let folder: string;
beforeAll(() => {
  folder = workFolder();
});

describe("castor verify", () => {
  it("shows that the formulations agree on the whole motion", () => {
    const { status, stdout, stderr } = castor(folder, ["verify", "satellite-manipulator"]);
    expect([status, stderr]).toEqual([0, ""]);
    for (const name of ["articulated", "kane", "matrix"])
      expect(stdout).toMatch(new RegExp(`^ {2}${name} +\\d+ steps to 8 s`, "m"));
    expect(stdout).toMatch(/^ {2}✓ {2}q +[\d.]+e-1\d +rad /m);
    expect(stdout).toMatch(/^✓ articulated, kane, matrix.* agree: /m);
    for (const line of stdout.split("\n")) expect(line.length, line).toBeLessThanOrEqual(100);
  });

  it("prints every channel as JSON", () => {
    const result = castor(folder, ["verify", "block-on-incline", "--json"]);
    const verification = JSON.parse(result.stdout);
    expect(verification).toMatchObject({ agree: true, tolerance: 1e-8, notApplicable: [] });
    expect(verification.differences.map((d: { channel: string }) => d.channel)).toContain("tau.block");
  });

  it("fails if they differ by more than the tolerance: exit code 1", () => {
    const { status, stdout } = castor(folder, ["verify", "satellite-manipulator", "--tolerance", "1e-17", "--duration", "4"]);
    expect(status).toBe(1);
    expect(stdout).toMatch(/^ {2}✗/m);
    expect(stdout).toMatch(/✗ articulated, kane, matrix.* do not agree to 1e-17/);
  });

  it("reports the same errors as run", () => {
    expect(castor(folder, ["verify", "nothing"]).stderr).toContain('there is no scenario "nothing"');
    expect(castor(folder, ["verify", "asymmetric-top", "--tolerance", "x"]).status).toBe(2);
    expect(castor(folder, ["verify", "asymmetric-top", "--set", "duration=-1"]).status).toBe(1);
  });
});
