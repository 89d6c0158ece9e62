/** Ctrl-C in a real process: also while the main thread computes without a pause, where no signal handler of JavaScript can run. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import { transformWithOxc } from "vite";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

const place = mkdtempSync(join(tmpdir(), "castor-interrupt-"));

/** A computation in slices that ends when it is aborted; or one that never yields again after the watch has started. */
const CHILD = `
import { abortOnInterrupt } from "./interrupt.mjs";
const signal = abortOnInterrupt();
const yieldToEventLoop = () => new Promise((resolve) => setImmediate(resolve));
const start = performance.now();
process.on("exit", (code) => console.log("exit " + code));
if (process.argv[2] === "ends") await new Promise((resolve) => setTimeout(resolve, 300));
else {
  while (performance.now() < start + 1000) await yieldToEventLoop();
  console.log("ready");
  if (process.argv[2] === "stuck") for (;;);
  while (!signal.aborted) await yieldToEventLoop();
  console.log("aborted");
  if (process.argv[2] === "aborted, then slow") await new Promise((resolve) => setTimeout(resolve, 60000));
}
`;

beforeAll(async () => {
  for (const path of ["cli/interrupt", "cli/exit-codes"]) {
    const source = fileURLToPath(new URL(`../../../src/${path}.ts`, import.meta.url));
    const { code } = await transformWithOxc(readFileSync(source, "utf8"), source);
    writeFileSync(join(place, `${basename(path)}.mjs`), code.replaceAll(/"\.\/([\w-]+)\.ts"/g, '"./$1.mjs"'));
  }
  writeFileSync(join(place, "child.mjs"), CHILD);
});
afterAll(() => rmSync(place, { recursive: true, force: true }));

/** Runs the child and sends it Ctrl-C at each of the texts. Returns its exit code or signal, and what it has printed. */
function run(
  mode: string,
  ...signalsAt: readonly string[]
): Promise<{ end: number | string | null; text: string; errors: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [join(place, "child.mjs"), mode]);
    let [text, errors] = ["", ""];
    const waiting = [...signalsAt];
    child.stdout.on("data", (data) => {
      text += data;
      while (waiting.length > 0 && text.includes(waiting[0]!)) {
        waiting.shift();
        child.kill("SIGINT");
      }
    });
    child.stderr.on("data", (data) => {
      errors += data;
    });
    child.on("error", reject);
    child.on("close", (code, signal) => resolve({ end: signal ?? code, text, errors }));
  });
}

describe.skipIf(process.platform === "win32")("Ctrl-C", () => {
  test("aborts a computation that yields, which then ends by itself", async () => {
    expect(await run("slices", "ready")).toEqual({ end: 0, text: "ready\naborted\nexit 0\n", errors: "" });
  });

  // On a machine that is busy, the second signal may arrive before the watch of the first has taken over; then the system ends the program.
  test("a second one ends the program with exit code 130 and its clean-up", { retry: 3 }, async () => {
    const { end, text } = await run("aborted, then slow", "ready", "aborted");
    expect([end, text]).toEqual([130, "ready\naborted\nexit 130\n"]);
  });

  test("ends a computation that never yields", async () => {
    const { end, text, errors } = await run("stuck", "ready");
    expect([end, text]).toEqual(["SIGINT", "ready\n"]);
    expect(errors).toBe("\ncastor: interrupted; the computation did not answer within 2 s, so the program was ended\n");
  });

  test("a program without Ctrl-C ends although the watch still waits", async () => {
    expect(await run("ends")).toEqual({ end: 0, text: "exit 0\n", errors: "" });
  });
});
