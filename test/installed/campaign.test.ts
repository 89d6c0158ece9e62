/** castor campaign as installed: kill and resume, exit codes, dry run. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { OSCILLATOR, OSCILLATOR_CAMPAIGN } from "../fixtures/campaigns.ts";
import { castor, installedFolder, workFolder } from "../fixtures/installed.ts";

const CASES = 56;
/** How often two processes are killed at random instants. */
const KILLS = Number(process.env.CASTOR_KILLS ?? 2);
let folder: string;
beforeAll(() => {
  folder = workFolder();
  writeFileSync(join(folder, "scenario.yaml"), OSCILLATOR);
  writeFileSync(
    join(folder, "mine.yaml"),
    OSCILLATOR_CAMPAIGN.replace("cases: 40", `cases: ${CASES}`).replace("chunk: 8", "chunk: 4"),
  );
});

const campaign = (...words: string[]) => castor(folder, ["campaign", ...words]);
const read = (path: string): string => readFileSync(join(folder, path), "utf8");

describe("castor campaign", () => {
  it("gives the same table in this thread and on 2 threads (same-rows.test.ts has all other ways)", () => {
    const one = campaign("mine.yaml", "--threads", "0", "--out", "one", "--export", "one.csv");
    expect([one.status, one.stderr]).toEqual([3, expect.stringMatching(/cases failed; the first is case \d+: reach < 0.6/)]);
    expect(campaign("mine.yaml", "--threads", "2", "--out", "two", "--export", "two.csv").status).toBe(3);
    expect(read("two.csv")).toBe(read("one.csv"));
    expect(read("one.csv").trimEnd().split("\n")).toHaveLength(CASES + 1);
  });

  it("goes on after SIGKILL, with the same table", async () => {
    for (const [threads, wait] of [
      ["0", 3],
      ["2", 9],
    ] as const) {
      const out = `killed-${threads}`;
      const program = join(installedFolder(), "node_modules/.bin/castor");
      const child = spawn(program, ["campaign", "mine.yaml", "--threads", threads, "--out", out], {
        cwd: folder,
        stdio: "ignore",
      });
      const ended = new Promise((resolve) => child.on("exit", resolve));
      const lines = (): number => {
        const journal = join(folder, out, "journal");
        const chunks = join(folder, out, "chunks");
        const open = existsSync(journal) ? readdirSync(journal) : [];
        return (existsSync(chunks) ? 4 * readdirSync(chunks).length : 0) + open.length;
      };
      while (child.exitCode === null && lines() < wait) await new Promise((resolve) => setTimeout(resolve, 5));
      child.kill("SIGKILL");
      await ended;
      expect(campaign("mine.yaml", "--threads", threads, "--out", out, "--export", `${out}.csv`).status).toBe(3);
      expect(read(`${out}.csv`)).toBe(read("one.csv"));
    }
  });

  it("fills one store by two processes at the same time, which are killed and started again", async () => {
    const program = join(installedFolder(), "node_modules/.bin/castor");
    const start = (): { readonly kill: () => void; readonly ended: Promise<number | null> } => {
      const child = spawn(program, ["campaign", "mine.yaml", "--threads", "0", "--out", "both"], {
        cwd: folder,
        stdio: "ignore",
      });
      const ended = new Promise<number | null>((resolve) => child.on("exit", resolve));
      return { kill: () => void child.kill("SIGKILL"), ended };
    };
    for (let attempt = 0; attempt < KILLS; attempt++) {
      const both = [start(), start()];
      await new Promise((resolve) => setTimeout(resolve, 400 + 600 * Math.random()));
      for (const { kill } of both) kill();
      await Promise.all(both.map(({ ended }) => ended));
    }
    expect(await Promise.all([start(), start()].map(({ ended }) => ended))).toEqual([3, 3]);
    expect(campaign("mine.yaml", "--out", "both", "--export", "both.csv").status).toBe(3);
    expect(read("both.csv")).toBe(read("one.csv"));
  });

  it("prints the summary as JSON, and says what happened in words", () => {
    const { stdout } = campaign("mine.yaml", "--out", "one", "--json");
    const summary = JSON.parse(stdout);
    expect(summary).toMatchObject({ verdict: "failed", cases: CASES, done: CASES, counts: { invalid: 0 } });
    expect(summary.counts.passed + summary.counts.failed).toBe(CASES);
    const text = campaign("mine.yaml", "--out", "one").stdout;
    expect(text).toContain(`${summary.counts.failed} × reach < 0.6   castor campaign mine.yaml --case ${summary.failed[0].case}`);
  });

  it("writes the scenario of every case, which reproduces the case bit for bit", () => {
    expect(campaign("mine.yaml", "--cases", "3", "--dry-run", "--out", "dry").status).toBe(0);
    expect(readdirSync(join(folder, "dry"))).toEqual(["case-0.yaml", "case-1.yaml", "case-2.yaml", "cases.csv"]);
    const row = read("one.csv").split("\n")[3]!.split(",");
    expect(read("dry/cases.csv").split("\n")[3]).toBe([row[0], row[3], row[4]].join(","));
    const run = castor(folder, ["run", "dry/case-2.yaml", "--out", "dry-run", "--json"]);
    expect(JSON.parse(run.stdout).final["q.mass"]).toBe(Number(row[6]));
    const single = campaign("mine.yaml", "--case", "2", "--out", "case-2");
    expect(single.status).toBe(row[1] === "passed" ? 0 : 3);
    expect(single.stdout).toContain(`end: ${row[6]} m`);
    expect(existsSync(join(folder, "case-2/report.html"))).toBe(true);
  });

  it("names commands that run the same case again, also with changes of the command line", () => {
    writeFileSync(join(folder, "my cases.yaml"), read("mine.yaml").replace("monte-carlo", "latin-hypercube"));
    const { stdout } = campaign("my cases.yaml", "--cases", "9", "--seed", "5", "--out", "again", "--export", "again.csv");
    const [, words, index] = /castor campaign ('my cases.yaml' --cases 9 --seed 5) --case (\d+)/.exec(stdout)!;
    expect(read("again/report.html")).toContain(`castor campaign ${words!.replaceAll("'", "&#39;")} --case `);
    expect(read("again/report.html")).toContain("castor studio again --case ");
    const single = campaign("my cases.yaml", ...words!.split(" ").slice(2), "--case", index!, "--out", "again-one").stdout;
    const [names, ...rows] = read("again.csv").trimEnd().split("\n");
    const cells = rows[Number(index)]!.split(",");
    for (const [i, name] of names!.split(",").entries())
      if (i > 2) expect(single).toContain(`  ${name}${i > 4 ? ":" : " ="} ${cells[i] || "none"} `.trimEnd());
  });

  it("exits with 0 if the requirement is met, and 1 if cases are invalid", () => {
    writeFileSync(
      join(folder, "required.yaml"),
      `${read("mine.yaml").replace(/cases: \d+/, "cases: 8")}require: { probability: 0.01 }\nkeep: { cases: [2], logs: [extremes], most: 2 }\n`,
    );
    expect(campaign("required.yaml", "--threads", "0").status).toBe(0);
    const runs = readdirSync(join(folder, "out/required/runs"));
    expect([runs.length, runs.includes("case-2"), existsSync(join(folder, "out/required/runs/case-2/log.csv"))]).toEqual([
      2,
      true,
      true,
    ]);
    const text = read("mine.yaml")
      .replace(/cases: \d+/, "cases: 8")
      .replace("path: state.u.mass, from: 0.5", "path: model.bodies.mass.mass, from: -1");
    writeFileSync(join(folder, "invalid.yaml"), text);
    const { status, stderr } = campaign("invalid.yaml", "--threads", "0");
    expect([status, stderr]).toEqual([1, expect.stringMatching(/cases are invalid; the first is case \d: model: /)]);
  });

  it.each([
    [["nothing.yaml"], 1, /there is no campaign "nothing.yaml"/],
    [["mine.yaml", "--shard", "8/7"], 2, /K from 1 to N/],
    [["mine.yaml", "--threads", "many"], 2, /whole number/],
    [["mine.yaml", "--case", "100000"], 2, /below/],
    [["mine.yaml", "--case", "1", "--dry-run"], 2, /exclude each other/],
    [["mine.yaml", "--seed", "99", "--out", "one"], 1, /cases of another campaign/],
    [["mine.yaml", "--merge", "nothing", "--out", "one"], 1, /nothing is not the store of a campaign/],
  ])("refuses %j", (words, status, message) => {
    const result = campaign(...words);
    expect([result.status, result.stderr]).toEqual([status, expect.stringMatching(message)]);
  });
});
