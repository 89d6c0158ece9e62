/** Files on disk after the process was interrupted or ran into a limit: real processes, real signals, a real limit. */
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformWithOxc } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const place = mkdtempSync(join(tmpdir(), "castor-process-"));
const out = join(place, "made", "out");

const CHILD = `
import { writeFolder } from "./write-folder.mjs";
process.on("SIGINT", () => process.exit(130));
const endless = function* () { console.log("writing"); for (;;) yield "0".repeat(1000); };
writeFolder(process.argv[2], [{ name: "log.csv", content: endless }]).catch((error) => {
  console.log(error.name + ": " + error.message);
  process.exitCode = 1;
});
`;

/** The source file as a module in `place` that finds its imports there. */
async function writeModule(path: string): Promise<void> {
  const source = fileURLToPath(new URL(`../../../src/${path}.ts`, import.meta.url));
  const { code } = await transformWithOxc(readFileSync(source, "utf8"), source);
  writeFileSync(join(place, `${basename(path)}.mjs`), code.replaceAll(/"\.\.?\/([\w-]+)\.ts"/g, '"./$1.mjs"'));
}

beforeAll(async () => {
  await writeModule("errors");
  await writeModule("report/write-error");
  await writeModule("report/stale-drafts");
  await writeModule("report/write-folder");
  writeFileSync(join(place, "child.mjs"), CHILD);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Runs the child; `interrupt` sends it Ctrl-C as soon as it writes. */
function run(before: string, interrupt: "interrupt" | "wait"): Promise<{ code: number | null; text: string }> {
  return new Promise((resolve, reject) => {
    const command = `${before} exec "${process.execPath}" "${join(place, "child.mjs")}" "${out}"`;
    const child = spawn("sh", ["-c", command], { stdio: ["ignore", "pipe", "inherit"] });
    let text = "";
    child.stdout.on("data", (data) => {
      text += data;
      if (interrupt === "interrupt" && String(data).includes("writing")) setTimeout(() => child.kill("SIGINT"), 50);
    });
    child.on("error", reject);
    child.on("close", (code) => resolve({ code, text }));
  });
}

const left = (): string[] => readdirSync(place).filter((name) => !name.endsWith(".mjs"));

describe.skipIf(process.platform === "win32")("a process that writes", () => {
  test("leaves no files after Ctrl-C", async () => {
    expect(await run("", "interrupt")).toEqual({ code: 130, text: "writing\n" });
    expect(left()).toEqual([]);
  });

  test("reports the file that was too large, and leaves no files", async () => {
    const { code, text } = await run("ulimit -f 200;", "wait");
    expect(text).toContain(`WriteError: cannot write ${join(out, "log.csv")}: the file would be larger than allowed`);
    expect(code).toBe(1);
    expect(left()).toEqual([]);
  });
});
