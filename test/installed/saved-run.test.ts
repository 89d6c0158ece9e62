/** castor run --until, --save and --from as installed: each command is a new process. */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { castor, workFolder } from "../fixtures/installed.ts";

let folder: string;
beforeAll(() => {
  folder = workFolder();
});

const run = (...args: string[]) => castor(folder, ["run", ...args]);
const read = (path: string): string => readFileSync(join(folder, path), "utf8");
/** Rows of a log, without comments and the head. */
const rows = (out: string): string[] =>
  read(join(out, "log.csv"))
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"))
    .slice(1);
const timeOf = (row: string): number => Number(row.split(",", 1)[0]);

describe.each([
  ["satellite-pantograph", "12", "9.5"], // closed loops, behind a singular passage
  ["block-on-incline", "1", "0.4"], // dry friction
  ["rover-traverse", "6", "2"], // a controller with a map that it has learned
  ["docking-soft-capture", "2.5", "1.7"], // contact and latches
  ["free-floating-arm", "4", "1.234"], // steps inside WebAssembly, or not
])("%s", (name, duration, until) => {
  it("continues bit for bit in a new process", { timeout: 120_000 }, () => {
    const [whole, part, rest] = ["whole", "part", "rest"].map((out) => `${name}-${out}`) as [string, string, string];
    const saved = `${name}.json`;
    expect(run(name, "--duration", duration, "--out", whole).status).toBe(0);
    const paused = run(name, "--duration", duration, "--until", until, "--save", saved, "--out", part);
    expect([paused.status, paused.stdout]).toEqual([0, expect.stringContaining(`paused at`)]);
    const continued = run("--from", saved, "--out", rest);
    expect([continued.status, continued.stderr]).toEqual([0, ""]);
    const [all, first, second] = [rows(whole), rows(part), rows(rest)];
    expect(all.slice(0, first.length)).toEqual(first);
    const start = timeOf(second[0]!);
    expect(start).toBeGreaterThanOrEqual(Number(until));
    expect(second.slice(1)).toEqual(all.filter((row) => timeOf(row) > start));
    expect(second.length).toBeGreaterThan(1);
  });
});

describe("a saved run", () => {
  beforeAll(() => {
    expect(run("four-bar", "--duration", "1", "--until", "0.5", "--save", "bar.json", "--out", "bar").status).toBe(0);
  });

  it("branches with --set, and starts its log at the saved time", () => {
    const { status, stderr } = run("--from", "bar.json", "--set", "model.gravity=[0, -1, 0]", "--out", "branch");
    expect([status, stderr]).toEqual([0, ""]);
    const [whole, branch] = [run("--from", "bar.json", "--out", "same"), rows("branch")];
    expect(whole.status).toBe(0);
    expect(branch[0]!.split(",").slice(0, 4)).toEqual(rows("same")[0]!.split(",").slice(0, 4));
    expect(branch.at(-1)).not.toEqual(rows("same").at(-1));
  });

  it("is extended by --duration", () => {
    expect(run("--from", "bar.json", "--duration", "1.5", "--out", "longer").status).toBe(0);
    expect(timeOf(rows("longer").at(-1)!)).toBe(1.5);
    const { status, stderr } = run("--from", "bar.json", "--duration", "0.2");
    expect([status, stderr]).toEqual([1, expect.stringContaining("the run starts at t = 0.5")]);
  });

  it.each([
    ["another version", (text: string) => text.replace('"version":"0.1.0"', '"version":"0.0.9"'), /saved by Castor "0.0.9"/],
    ["a changed number", (text: string) => text.replace('"sample":', '"sample":1'), /hash does not fit: the file is damaged/],
    ["half of the file", (text: string) => text.slice(0, text.length / 2), /not JSON, or it is cut off/],
    ["something else", () => '{"model": 1}', /is not a saved run/],
  ])("is refused if it is %s", (_, change, message) => {
    writeFileSync(join(folder, "bad.json"), change(read("bar.json")));
    const { status, stderr } = run("--from", "bad.json", "--out", "bad");
    expect(status).toBe(1);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/mistake in Castor/);
    expect(existsSync(join(folder, "bad"))).toBe(false);
  });

  it("is refused if bodies or parts change, with the reason", () => {
    const { status, stderr } = run(
      "--from",
      "bar.json",
      "--set",
      "forces={extra: {kind: hinge-spring, hinge: crank, stiffness: 1}}",
    );
    expect(status).toBe(1);
    expect(stderr.replaceAll(/\s+/g, " ")).toMatch(
      /the changed scenario has force extra \(hinge-spring\), the saved run has not .*Change values only, or start a new run/,
    );
  });

  it("is no scenario, and needs none beside it", () => {
    expect(run("bar.json").stderr.replaceAll(/\s+/g, " ")).toMatch(
      /this is a saved run, not a scenario .*castor run --from FILE/,
    );
    expect(run("four-bar", "--from", "bar.json")).toMatchObject({ status: 2, stderr: expect.stringContaining("Leave out") });
    expect(run()).toMatchObject({ status: 2, stderr: expect.stringContaining("--from FILE") });
    expect(run("four-bar", "--until", "soon")).toMatchObject({
      status: 2,
      stderr: expect.stringContaining("--until needs a time"),
    });
  });
});
