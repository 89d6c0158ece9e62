import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { parseCsvLog } from "../../../src/formats/log/log-csv.ts";
import { parseJsonLog } from "../../../src/formats/log/log-json.ts";
import { listFiles, writeFolder } from "../../../src/report/write-folder.ts";
import { checkOutputFolder, OUTPUT_FORMATS, plotFileName, writeRun } from "../../../src/report/write-run.ts";
import { sampleReport } from "../../fixtures/pages/sample-report.ts";

let place: string;
let out: string;
beforeEach(() => {
  place = mkdtempSync(join(tmpdir(), "castor-write-"));
  out = join(place, "out");
});
afterEach(() => {
  chmodSync(place, 0o700);
  rmSync(place, { recursive: true, force: true });
});

const report = sampleReport(101);
const quick = { report, formats: ["csv"] } as const;
const contents = (folder: string): Map<string, string> =>
  new Map(listFiles(folder).map((name) => [name, readFileSync(join(folder, name), "base64")]));

describe("the output of a run", () => {
  test("has log, report, plots and summary; a second run replaces them with the same bytes", async () => {
    const files = await writeRun(out, { report });
    expect([...files].sort()).toEqual(listFiles(out));
    expect(files).toEqual(
      expect.arrayContaining(["log.csv", "log.json", "report.html", "summary.json", "plots/1-hinge-angles.svg"]),
    );
    expect(files).toHaveLength(4 + report.plots.length);
    const withPng = await writeRun(join(place, "png"), { report, formats: OUTPUT_FORMATS });
    expect(withPng.filter((file) => !files.includes(file))).toEqual(
      report.plots.map(({ title }, i) => `plots/${plotFileName(title, i, report.plots.length)}.png`),
    );
    rmSync(join(place, "png"), { recursive: true });
    const first = contents(out);
    await writeRun(out, { report: sampleReport(101) });
    expect(contents(out)).toEqual(first);
    expect(readdirSync(place)).toEqual(["out"]);
  });

  test("can be read again, and the page links existing files", async () => {
    await writeRun(out, { report });
    const text = (name: string): string => readFileSync(join(out, name), "utf8");
    for (const log of [parseCsvLog(text("log.csv")), parseJsonLog(text("log.json"))])
      for (const { name } of report.log.channels) expect(log.column(name)).toEqual(report.log.column(name));
    const summary = JSON.parse(text("summary.json"));
    expect(summary).toMatchObject({ castor: "run", passed: true, samples: 101, files: expect.arrayContaining(["report.html"]) });
    expect(summary.final["energy.total"]).toBe(report.log.column("energy.total")[100]);
    for (const [, href] of text("report.html").matchAll(/href="([^"]+)"/g)) expect(existsSync(join(out, href!)), href).toBe(true);
  });

  test("contains only the given formats, in folders that had to be created", async () => {
    const deep = join(place, "a", "b", "out");
    expect(await writeRun(deep, quick)).toEqual(["log.csv", "summary.json"]);
    expect(listFiles(deep)).toEqual(["log.csv", "summary.json"]);
  });

  test("writes NaN as text in the summary, because JSON has no NaN", async () => {
    const audit = [{ channel: "energy", worst: Number.NaN, at: 1, tolerance: 1e-9, pass: false }];
    await writeRun(out, { report: { ...report, audit }, formats: [] });
    const summary = JSON.parse(readFileSync(join(out, "summary.json"), "utf8"));
    expect(summary).toMatchObject({ passed: false, audit: [{ worst: "NaN" }] });
  });

  test("has plain file names for any titles", () => {
    expect(plotFileName("Hinge angles (°)", 0, 9)).toBe("1-hinge-angles");
    expect(plotFileName("../../etc/passwd", 4, 12)).toBe("05-etc-passwd");
    expect(plotFileName("速度", 1, 2)).toBe("2");
  });
});

describe("existing files", () => {
  test("an earlier output stays until the new one is complete", async () => {
    await writeRun(out, { report });
    const before = contents(out);
    const bad = sampleReport(101);
    bad.log.column("elbow.u")[90] = Number.NaN;
    await expect(writeRun(out, { report: bad })).rejects.toThrow(/channel "elbow.u" is NaN at t = 18 s/);
    expect(contents(out)).toEqual(before);
    expect(readdirSync(place)).toEqual(["out"]);
  });

  test("fewer files leave none of the earlier ones behind", async () => {
    await writeRun(out, { report });
    await writeRun(out, quick);
    expect(listFiles(out)).toEqual(["log.csv", "summary.json"]);
  });

  test("a folder with the user's own files is refused, also when an earlier output is beside them", async () => {
    await writeRun(out, quick);
    writeFileSync(join(out, "notes.txt"), "mine");
    await expect(writeRun(out, quick)).rejects.toThrow(`cannot write ${out}: it exists and has other files in it`);
    expect(() => checkOutputFolder(out)).toThrow("has other files in it");
    expect(readFileSync(join(out, "notes.txt"), "utf8")).toBe("mine");
    expect(readdirSync(place)).toEqual(["out"]);
  });

  test("a folder that only looks like an earlier output is refused", async () => {
    mkdirSync(out);
    writeFileSync(join(out, "thesis.txt"), "mine");
    writeFileSync(join(out, "summary.json"), JSON.stringify({ castor: "run", files: ["summary.json", "thesis.txt"] }));
    await expect(writeRun(out, quick)).rejects.toThrow("has other files in it");
    expect(readFileSync(join(out, "thesis.txt"), "utf8")).toBe("mine");
  });

  test("an earlier output is refused if one of its files was changed, and the file is named", async () => {
    await writeRun(out, { ...quick, scenario: "duration: 1\n" });
    writeFileSync(join(out, "scenario.yaml"), "duration: 2\n");
    const message = `cannot write ${out}: it exists and has other files in it, e.g. scenario.yaml, which was changed after the run. Choose another folder or remove it`;
    await expect(writeRun(out, quick)).rejects.toThrow(message);
    expect(() => checkOutputFolder(out)).toThrow(message);
    expect(readFileSync(join(out, "scenario.yaml"), "utf8")).toBe("duration: 2\n");
    rmSync(join(out, "scenario.yaml"));
    symlinkSync(join(out, "log.csv"), join(out, "scenario.yaml"));
    await expect(writeRun(out, quick)).rejects.toThrow("scenario.yaml");
  });

  test("what a killed run has left is removed by the next run; drafts of running processes stay", async () => {
    const killed = spawnSync(process.execPath, ["-e", "process.kill(process.pid, 'SIGKILL')"]).pid;
    const mark = createHash("sha256").update(hostname()).digest("hex").slice(0, 8);
    const drafts = {
      killed: `.out.${killed}-${mark}01234567.partial`,
      recycled: `.out.${process.pid}-${mark}01234567.partial`, // an earlier process of the same number
      running: `.out.${process.ppid}-${mark}01234567.partial`,
      elsewhere: `.out.${killed}-0000000001234567.partial`,
      other: `.other.${killed}-${mark}01234567.partial`,
    };
    for (const name of Object.values(drafts)) {
      mkdirSync(join(place, name));
      writeFileSync(join(place, name, "log.csv"), "t\n");
    }
    await writeRun(out, quick);
    expect(readdirSync(place).sort()).toEqual([drafts.elsewhere, drafts.other, drafts.running, "out"].sort());
    // Killed between the two renamings: the earlier output returns.
    const before = contents(out);
    renameSync(out, join(place, `${drafts.killed}.old`));
    mkdirSync(join(place, drafts.killed));
    checkOutputFolder(out);
    expect(contents(out)).toEqual(before);
    expect(existsSync(join(place, drafts.killed))).toBe(false);
  });

  test("an empty folder is used", async () => {
    mkdirSync(out);
    await writeRun(out, quick);
    expect(listFiles(out)).toEqual(["log.csv", "summary.json"]);
  });

  test("a link to a folder stays a link", async () => {
    mkdirSync(join(place, "elsewhere"));
    symlinkSync(join(place, "elsewhere"), out);
    await writeRun(out, quick);
    expect(listFiles(join(place, "elsewhere"))).toEqual(["log.csv", "summary.json"]);
    expect(readdirSync(place).sort()).toEqual(["elsewhere", "out"]);
  });

  test("the current folder is not replaced", async () => {
    await expect(writeRun(".", quick)).rejects.toThrow("cannot write .: it is the current folder");
  });
});

describe("locations that cannot be written", () => {
  test("a file with the same name", async () => {
    writeFileSync(out, "mine");
    await expect(writeRun(out, quick)).rejects.toMatchObject({
      name: "WriteError",
      message: `cannot write ${out}: a file with this name exists. Choose another name, or remove it`,
    });
    await expect(writeRun(join(out, "deeper"), quick)).rejects.toThrow(
      `cannot write ${join(out, "deeper")}: a part of its path is a file`,
    );
    expect(readFileSync(out, "utf8")).toBe("mine");
    expect(readdirSync(place)).toEqual(["out"]);
  });

  // Root can write to every folder.
  test.skipIf(process.getuid?.() === 0)("a read-only folder", async () => {
    chmodSync(place, 0o500);
    await expect(writeRun(out, quick)).rejects.toThrow(`cannot write ${out}: no permission`);
    expect(readdirSync(place)).toEqual([]);
  });

  test.runIf(process.platform === "linux")("a file system without new folders", async () => {
    await expect(writeRun("/proc/castor/out", quick)).rejects.toThrow(
      "cannot write /proc/castor/out: its folder does not exist and cannot be created",
    );
  });
});

describe("during writing", () => {
  const endless = function* (): Generator<string> {
    for (;;) yield "0".repeat(1000);
  };

  test("an error leaves no files and none of the created folders", async () => {
    const failing = function* (): Generator<string> {
      yield "0".repeat(100_000);
      throw new Error("power cut");
    };
    const files = [
      { name: "a/one.txt", content: () => "one" },
      { name: "a/two.txt", content: failing },
    ];
    await expect(writeFolder(join(place, "x", "y", "out"), files)).rejects.toThrow("power cut");
    expect(readdirSync(place)).toEqual([]);
  });

  test("an abort leaves no files", async () => {
    const control = new AbortController();
    setTimeout(() => control.abort(new Error("Ctrl-C")), 30);
    await expect(writeFolder(out, [{ name: "log.csv", content: endless }], { signal: control.signal })).rejects.toThrow("Ctrl-C");
    expect(readdirSync(place)).toEqual([]);
    const already = { signal: AbortSignal.abort(new Error("too late")) };
    await expect(writeRun(out, quick, already)).rejects.toThrow("too late");
  });

  test("a file that another program writes to the folder meanwhile is kept", async () => {
    const content = (): string => {
      mkdirSync(out);
      writeFileSync(join(out, "theirs"), "");
      return "";
    };
    await expect(writeFolder(out, [{ name: "log.csv", content }])).rejects.toThrow("has other files in it");
    expect(listFiles(place)).toEqual(["out/theirs"]);
  });
});
