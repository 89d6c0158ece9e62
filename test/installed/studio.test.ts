/** castor studio as installed: it prints its address, serves the page, and ends by Ctrl-C. */
import { type ChildProcess, spawn } from "node:child_process";
import { cpSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { castor, installedFolder, workFolder } from "../fixtures/installed.ts";
import { PENDULUM } from "../fixtures/models/pendulum.ts";
import { builtStudio } from "../fixtures/pages/studio-page.ts";

let folder: string;
beforeAll(async () => {
  folder = workFolder();
  writeFileSync(join(folder, "pendulum.yaml"), PENDULUM);
  const place = join(installedFolder(), "node_modules/castor/dist/studio");
  if (!existsSync(place)) cpSync(await builtStudio(), place, { recursive: true });
});

/** Starts the studio and waits for its address. */
async function start(words: readonly string[]): Promise<{ child: ChildProcess; address: string; ended: Promise<number | null> }> {
  const child = spawn(join(installedFolder(), "node_modules/.bin/castor"), words, {
    cwd: folder,
    env: { ...process.env, PATH: process.env.PATH },
  });
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  let said = "";
  const address = await new Promise<string>((resolve, reject) => {
    child.stdout.on("data", (piece) => {
      said += piece;
      const found = /The studio is at (\S+)/.exec(said)?.[1];
      if (found) resolve(found);
    });
    void ended.then((code) => reject(new Error(`ended with ${code}: ${said}`)));
  });
  return { child, address, ended };
}

const textAt = async (address: string, path: string): Promise<string> => (await fetch(new URL(path, address))).text();

describe("castor studio", () => {
  it("serves a scenario by its name and ends by Ctrl-C", async () => {
    const { child, address, ended } = await start(["studio", "four-bar", "--no-open", "--port", "0", "--set", "duration=2"]);
    expect(address).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/#\/scenario\/four-bar\?set=duration%3D2$/);
    expect(await textAt(address, "/")).toContain("<title>Castor studio</title>");
    expect(await textAt(address, "/opened.json")).toBe("null");
    child.kill("SIGINT");
    expect(await ended).toBe(0);
  });

  it("opens a file and the files that it names, also if another studio uses the default port", async () => {
    const other = createServer();
    await new Promise<void>((resolve) =>
      other
        .once("listening", resolve)
        .once("error", () => resolve())
        .listen(4620, "127.0.0.1"),
    );
    const { child, address, ended } = await start(["studio", "pendulum.yaml", "--no-open"]);
    other.close();
    expect(new URL(address).port).not.toBe("4620");
    expect(JSON.parse(await textAt(address, "/opened.json"))).toEqual({
      name: "pendulum.yaml",
      files: [{ path: "pendulum.yaml", text: PENDULUM }],
    });
    child.kill("SIGTERM");
    expect(await ended).toBe(0);
  });

  it("castor run --open opens the new run", async () => {
    const { child, address, ended } = await start(["run", "pendulum.yaml", "--open", "--out", "made"]);
    const opened = JSON.parse(await textAt(address, "/opened.json")) as {
      readonly files: readonly { path: string; text: string }[];
    };
    expect(opened.files.map(({ path }) => path)).toEqual(["scenario.yaml", "log.csv", "summary.json"]);
    expect(opened.files[1]!.text).toBe(readFileSync(join(folder, "made/log.csv"), "utf8"));
    child.kill("SIGINT");
    expect(await ended).toBe(0);
  });

  it("reports unknown names and wrong ports", () => {
    const { status, stderr } = castor(folder, ["studio", "satelite-manipulator"]);
    expect(status).toBe(1);
    expect(stderr).toMatch(
      /there is nothing to open with the name "satelite-manipulator"[\s\S]*Did you mean "satellite-manipulator"\?/,
    );
    expect(castor(folder, ["studio", "--port", "many"]).stderr).toContain("--port must be a whole number up to 65535");
  });
});
