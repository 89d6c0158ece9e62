/** castor run as installed: files, summary, changes, bad input, Ctrl-C. */
import { spawn } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { beforeAll, describe, expect, it } from "vitest";
import { parseCsvLog } from "../../src/formats/log/log-csv.ts";
import { castor, installedFolder, type Result, workFolder } from "../fixtures/installed.ts";
import { PENDULUM } from "../fixtures/models/pendulum.ts";

const STACK = /\n\s+at .*:\d+:\d+/;
let folder: string;
beforeAll(() => {
  folder = workFolder();
  writeFileSync(join(folder, "pendulum.yaml"), PENDULUM);
});

const read = (path: string): string => readFileSync(join(folder, path), "utf8");
const column = (out: string, channel: string): Float64Array => parseCsvLog(read(join(out, "log.csv"))).column(channel);

interface Summary {
  readonly end: string;
  readonly t: number;
  readonly formulation: string;
  readonly integrator: { readonly name: string };
  readonly counts: { readonly steps: number };
  readonly samples: number;
  readonly audit: readonly { readonly channel: string; readonly worst: number; readonly pass: boolean }[];
  readonly final: Readonly<Record<string, number>>;
  readonly files: readonly string[];
}

const json = (result: Result): Summary => {
  expect([result.status, result.stderr]).toEqual([0, ""]);
  return JSON.parse(result.stdout) as Summary;
};

/** Checks that no output and no partial folder exists. */
const nothingWritten = (out: string): void => {
  const place = join(folder, out, "..");
  expect(existsSync(join(folder, out))).toBe(false);
  if (existsSync(place)) expect(readdirSync(place).filter((name) => name.includes("partial"))).toEqual([]);
};

/** A mass that oscillates with an amplitude of 1 m; samples are every 0.4 s. */
const limited = (most: number): string =>
  JSON.stringify({
    castor: 1,
    name: "limited",
    model: {
      name: "oscillator",
      gravity: [0, 0, 0],
      bodies: [{ name: "mass", mass: 1, inertia: "none", hinge: { kind: "prismatic", axis: "x" } }],
    },
    state: { u: { mass: 1 } },
    forces: { spring: { kind: "hinge-spring", hinge: "mass", stiffness: 1 } },
    integrator: { name: "dop853" },
    duration: 2,
    sample: 0.4,
    limits: { reach: { channels: "q.mass", most } },
  });

describe("limits of castor run", () => {
  it("with --strict end a run that breaks one with code 3, and say which", () => {
    writeFileSync(join(folder, "broken.yaml"), limited(0.9999));
    const strict = castor(folder, ["run", "broken.yaml", "--strict", "--out", "strict"]);
    expect(strict.status).toBe(3);
    expect(strict.stderr).toBe("castor: it ran, but 1 limit was broken: reach: q.mass is 1 at 1.5708 s, above 0.9999 m\n");
    expect(strict.stdout).toMatch(/^Limits {2}1 of 1 broken$/m);
    const summary = JSON.parse(read("strict/summary.json"));
    expect(summary).toMatchObject({ passed: true, withinLimits: false, limits: [{ name: "reach", within: false }] });
    expect(Math.abs(summary.limits[0].value - 1)).toBeLessThan(1e-9);
    expect(read("strict/report.html")).toContain("reach");
  });

  it("are shown without --strict too, with code 0", () => {
    writeFileSync(join(folder, "broken.yaml"), limited(0.9999));
    const { status, stdout, stderr } = castor(folder, ["run", "broken.yaml", "--out", "lenient"]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^ {2}✗ {2}reach/m);
  });

  it("that are kept end with code 0 with --strict", () => {
    writeFileSync(join(folder, "kept.yaml"), limited(1.0001));
    expect(castor(folder, ["run", "kept.yaml", "--strict", "--out", "kept"]).status).toBe(0);
    expect(castor(folder, ["run", "--help"]).stdout).toContain("3 with --strict if it ran but a limit was");
  });
});

describe("castor run", () => {
  it("runs the main example, writes the report and lists next steps", () => {
    const { status, stdout, stderr } = castor(folder, ["run", "satellite-manipulator"]);
    expect([status, stderr]).toEqual([0, ""]);
    expect(stdout).toMatch(/^simulated 8 s, formulation kane, integrator dop853$/m);
    expect(stdout).toMatch(/^wall time [\d.]+ m?s \([\d.]+ times real time\), compilation [\d.]+ m?s$/m);
    expect(stdout).toMatch(/^ {2}✓ {2}energy +\de-1\d|^ {2}✓ {2}energy +[\d.]+e-1\d/m);
    expect(stdout).toContain("out/satellite-manipulator/report.html   open this one");
    expect(stdout).toContain("npx castor verify satellite-manipulator");
    expect(stdout).not.toContain("\u001b");
    for (const line of stdout.split("\n")) if (!line.includes("model.yaml")) expect(line.length, line).toBeLessThanOrEqual(80);
    for (const file of ["log.csv", "log.json", "report.html", "summary.json", "plots/1-hinge-angles.svg"])
      expect(existsSync(join(folder, "out/satellite-manipulator", file)), file).toBe(true);
    expect(existsSync(join(folder, "out/satellite-manipulator/plots/1-hinge-angles.png"))).toBe(false);
    expect(read("out/satellite-manipulator/report.html")).toMatch(/^<!doctype html>/i);
    expect(column("out/satellite-manipulator", "t").length).toBe(161);
  });

  it("draws PNG on request", () => {
    const { stdout } = castor(folder, ["run", "pendulum.yaml", "--png", "--out", "drawn"]);
    expect(stdout).toContain("drawn/plots   every plot as SVG and PNG");
    const drawn = readdirSync(join(folder, "drawn/plots"));
    expect(drawn.filter((file) => file.endsWith(".png"))).toHaveLength(drawn.filter((file) => file.endsWith(".svg")).length);
  });

  it("gives the same bytes with the same inputs", () => {
    const words = ["run", "free-floating-arm", "--duration", "5"];
    json(castor(folder, [...words, "--out", "one", "--json"]));
    json(castor(folder, [...words, "--out", "two", "--json"]));
    for (const file of ["log.csv", "log.json", "plots/1-hinge-angles.svg"]) expect(read(`one/${file}`)).toBe(read(`two/${file}`));
    json(castor(folder, [...words, "--set", "state.u.wrist=0.6", "--out", "two", "--json"])); // replaces the earlier output
    expect(read("one/log.csv")).not.toBe(read("two/log.csv"));
  });

  it("runs a file, a folder, and a file in a folder", () => {
    expect(json(castor(folder, ["run", "pendulum.yaml", "--json"]))).toMatchObject({ end: "complete", t: 2, samples: 201 });
    expect(existsSync(join(folder, "out/pendulum/log.csv"))).toBe(true);
    cpSync(fileURLToPath(new URL("../../scenarios/block-on-incline", import.meta.url)), join(folder, "incline"), {
      recursive: true,
    });
    json(castor(folder, ["run", "incline", "--json"]));
    expect(existsSync(join(folder, "out/incline/log.csv"))).toBe(true);
    json(castor(folder, ["run", "incline/scenario.yaml", "--json"]));
  });

  it("runs a model without a scenario for 10 s from home", () => {
    cpSync(fileURLToPath(new URL("../../scenarios/free-floating-arm/model.yaml", import.meta.url)), join(folder, "free.txt"));
    for (const words of [["free.txt"], ["free.txt", "--set", "state.u.wrist=1", "--duration", "1"]])
      expect(json(castor(folder, ["run", ...words, "--json"]))).toMatchObject({ end: "complete", t: words.length > 1 ? 1 : 10 });
    expect(column("out/free", "u.wrist")[0]).toBe(1);
    mkdirSync(join(folder, "arm"));
    cpSync(join(folder, "free.txt"), join(folder, "arm/model.yaml"));
    json(castor(folder, ["run", "arm", "--json"]));
    expect(column("out/arm", "t").at(-1)).toBe(10);
    json(castor(folder, ["run", "out/arm/scenario.yaml", "--out", "again", "--json"]));
    expect(read("again/log.csv")).toBe(read("out/arm/log.csv"));
  });

  it("reads a scenario or a model from standard input", () => {
    const summary = json(castor(folder, ["run", "-", "--json"], {}, PENDULUM));
    expect(summary).toMatchObject({ end: "complete", t: 2 });
    expect(existsSync(join(folder, "out/standard-input/report.html"))).toBe(true);
    const model = readFileSync(new URL("../../scenarios/simple-pendulum/model.yaml", import.meta.url), "utf8");
    expect(json(castor(folder, ["run", "-", "--json", "--out", "model"], {}, model)).t).toBe(10);
    const evaluated = castor(folder, ["eval", "-", "--json"], {}, model);
    expect([evaluated.status, evaluated.stderr]).toEqual([0, ""]);
    expect(castor(folder, ["verify", "-"], {}, PENDULUM).status).toBe(0);
    expect(castor(folder, ["run", "-"])).toMatchObject({ status: 1, stderr: expect.stringContaining("standard input is empty") });
    const wrong = castor(folder, ["run", "-"], {}, "bodies: 3\n");
    expect([wrong.status, wrong.stderr]).toEqual([1, expect.stringContaining("castor: standard input has ")]);
  });

  it("changes values with --set and with options", () => {
    const summary = json(
      castor(folder, [
        ...["run", "pendulum.yaml", "--set", "model.bodies.rod.mass=3 kg", "--set", "state.q.rod=[45 deg]"],
        ...["--set", "channels=[q.rod, energy.potential]", "--set", "controllers.hold.hinges.rod.kp=20"],
        ...["--integrator", "dopri5", "--formulation", "matrix", "--duration", "500 ms", "--json", "-o", "changed"],
      ]),
    );
    expect(summary).toMatchObject({ formulation: "matrix", integrator: { name: "dopri5" }, t: 0.5 });
    expect(column("changed", "q.rod")[0]).toBe(Math.PI / 4);
    expect(column("changed", "energy.potential")[0]).toBeCloseTo(-30 * Math.cos(Math.PI / 4), 12);
    expect(Object.keys(summary.final)).toEqual(["t", "q.rod", "energy.potential"]);
  });

  it("stops when a condition becomes true", () => {
    const summary = json(castor(folder, ["run", "pendulum.yaml", "--set", "stop=q.rod < 0", "--json", "--out", "stopped"]));
    expect(summary.end).toBe("stopped by event");
    expect(Math.abs(summary.final["q.rod"]!)).toBeLessThan(1e-14);
    const { stdout } = castor(folder, ["run", "pendulum.yaml", "--set", "stop=q.rod < 0", "--out", "stopped"]);
    expect(stdout).toMatch(/stopped at 0\.\d+ s by "q.rod < 0"/);
  });

  it("reproduces the printed angles with the integrator of the report", () => {
    json(castor(folder, ["run", "satellite-manipulator", "--integrator", "rkg", "--json", "--out", "rkg"]));
    const [waist, arm] = [column("rkg", "q.waist"), column("rkg", "q.upper-arm")];
    const printed = [
      [0.050269164, -0.33256799],
      [-0.73774916, 1.8884898],
      [-0.50845999, 0.56723559],
      [0.71992821, -0.32072845],
    ] as const;
    for (const [i, [theta2, theta3]] of printed.entries()) {
      expect(Math.abs(waist[40 * (i + 1)]! - theta2)).toBeLessThan(1.5e-7);
      expect(Math.abs(arm[40 * (i + 1)]! - theta3)).toBeLessThan(1.5e-7);
    }
  });

  it("with a failed audit has exit code 1, reports the reason, and writes what was simulated", () => {
    const words = ["run", "pendulum.yaml", "--set", "integrator.step=0.2", "--set", "audit.energy=1e-9", "--out", "broken"];
    const { status, stdout, stderr } = castor(folder, words);
    expect(status).toBe(1);
    expect(stderr).toMatch(/energy drifted by .* more than the tolerance 1e-9\. Try a smaller step/);
    expect(stderr).not.toMatch(STACK);
    expect(stdout).toMatch(/^ {2}✗ {2}energy/m);
    expect(stdout).toMatch(/failed at [\d.]+ s of 2 s/);
    expect(JSON.parse(read("broken/summary.json"))).toMatchObject({ outcome: "failed", passed: false });
    const forPrograms = castor(folder, [...words, "--json"]);
    expect(forPrograms.status).toBe(1);
    expect(JSON.parse(forPrograms.stdout)).toMatchObject({ end: "failed", failure: { name: "AuditError" } });
  });
});

describe("bad input: a clear error, exit code 1, nothing written", () => {
  it.each([
    ["an unknown channel", ["--set", "channels=[q.rood]"], ["channels[0]", "there is no such channel", 'Did you mean "q.rod"?']],
    [
      "wrong units",
      ["--set", "state.q.rod=3 kg"],
      ["state.q.rod", "the unit kg is of the wrong dimension", "Accepted: rad, deg"],
    ],
    ["an impossible state", ["--set", "state.q.rod=[1, 2]"], ["state.q.rod", "must be 1 number for a revolute hinge, has 2"]],
    ["NaN in the state", ["--set", "state.q.rod=.nan"], ["state.q.rod", "must be a finite number"]],
    ["a step of zero", ["--set", "integrator.step=0"], ["integrator.step", "must be positive, got 0"]],
    ["a negative step", ["--set", "integrator.step=-0.1"], ["integrator.step", "must be positive"]],
    ["a negative duration", ["--duration=-2"], ["duration", "--duration -2", "must be positive"]],
    ["a fixed step without step", ["--set", "integrator={name: rkg}"], ["integrator.step", "is missing: rkg has a fixed step"]],
    ["a path that leads nowhere", ["--set", "forces.dampper.damping=1"], ["forces.dampper", 'Did you mean "damper"?']],
    ["a model that does not exist", ["--set", "model=missing.yaml"], ["model", "there is no such file"]],
    ["no value", ["--set", "duration="], ["--set duration=", "the value is missing"]],
    ["a stop at the start", ["--set", "stop=q.rod > 0"], ["stop", "is true at the start"]],
    ["an out that is a file", ["--out", "pendulum.yaml"], ["cannot write pendulum.yaml", "a file with this name exists"]],
    ["an out below a file", ["--out", "pendulum.yaml/x"], ["cannot write pendulum.yaml/x", "a part of its path is a file"]],
  ])("%s", (_, words, texts) => {
    const { status, stdout, stderr } = castor(folder, [
      "run",
      "pendulum.yaml",
      ...(words.includes("--out") ? [] : ["--out", "never"]),
      ...words,
    ]);
    for (const text of texts) expect(stderr).toContain(text);
    expect(stderr).not.toMatch(STACK);
    expect([status, stdout]).toEqual([1, ""]);
    nothingWritten("never");
  });

  it("a missing file, and a misspelled name", () => {
    const missing = castor(folder, ["run", "nowhere.yaml"]);
    expect(missing.status).toBe(1);
    expect(missing.stderr).toContain('there is no scenario "nowhere.yaml"');
    expect(missing.stderr).toContain("castor list scenarios shows all");
    expect(missing.stderr.length).toBeLessThan(400);
    expect(castor(folder, ["run", "satelite-manipulator"]).stderr).toContain('Did you mean "satellite-manipulator"?');
    mkdirSync(join(folder, "empty"), { recursive: true });
    expect(castor(folder, ["run", "empty"]).stderr).toContain("is a folder without a scenario.yaml");
    expect(castor(folder, ["run", "pendulum.yaml", "--json", "--duration", "0"]).stdout).toContain('"error"');
  });

  it("a folder that cannot be written to, or has other files in it", () => {
    mkdirSync(join(folder, "mine"), { recursive: true });
    writeFileSync(join(folder, "mine/thesis.txt"), "years of work");
    const { status, stderr } = castor(folder, ["run", "pendulum.yaml", "--out", "mine"]);
    expect([status, stderr]).toEqual([1, expect.stringContaining("it exists and has other files in it, e.g. thesis.txt")]);
    expect(read("mine/thesis.txt")).toBe("years of work");
    const { status: far, stderr: why } = castor(folder, ["run", "pendulum.yaml", "--out", "/proc/castor/out"]);
    expect([far, why]).toEqual([1, expect.stringMatching(/cannot write \/proc\/castor\/out: /)]);
    mkdirSync(join(folder, "locked"), { recursive: true });
    chmodSync(join(folder, "locked"), 0o555);
    const locked = castor(folder, ["run", "pendulum.yaml", "--out", "locked/out"]);
    chmodSync(join(folder, "locked"), 0o755);
    if (process.getuid?.() !== 0) expect([locked.status, locked.stderr]).toEqual([1, expect.stringContaining("no permission")]);
  });

  it("a wrong command line: exit code 2", () => {
    for (const words of [
      ["run"],
      ["run", "a", "b"],
      ["run", "pendulum.yaml", "--integrator", "euler"],
      ["run", "pendulum.yaml", "--set"],
    ])
      expect(castor(folder, words).status).toBe(2);
  });
});

describe("Ctrl-C", () => {
  it("ends a long run with exit code 130 and a complete log until then", async () => {
    const words = [
      "run",
      "pendulum.yaml",
      "--duration",
      "9000",
      "--set",
      "integrator.step=1e-4",
      "--set",
      "sample=0.5",
      "-o",
      "long",
    ];
    /** Sends Ctrl-C after a delay. A program that has not installed its handler yet ends without an exit code. */
    const interruptAfter = async (delay: number): Promise<{ code: number | null; stdout: string }> => {
      const child = spawn(join(installedFolder(), "node_modules/.bin/castor"), words, { cwd: folder });
      let stdout = "";
      child.stdout.on("data", (data) => {
        stdout += data;
      });
      const exit = new Promise<number | null>((resolve) => child.on("exit", resolve));
      await new Promise((resolve) => setTimeout(resolve, delay));
      child.kill("SIGINT");
      return { code: await exit, stdout };
    };
    // A busy machine takes longer to start the program.
    let { code, stdout } = await interruptAfter(2500);
    if (code === null) ({ code, stdout } = await interruptAfter(20_000));
    expect(code).toBe(130);
    expect(stdout).toMatch(/interrupted at [\d.]+ s of 9000 s/);
    const t = column("long", "t");
    expect(t.length).toBeGreaterThan(1);
    expect(t[t.length - 1]).toBeCloseTo(0.5 * (t.length - 1), 9);
    expect(JSON.parse(read("long/summary.json"))).toMatchObject({ outcome: "interrupted" });
    expect(JSON.parse(read("long/log.json")).columns.t).toHaveLength(t.length);
    expect(readdirSync(folder).filter((name) => name.includes("partial"))).toEqual([]);
  });
});
