/** The studio in a browser: every built-in scenario, files, links and errors. All tests share one page. */
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { BUILT_IN_MODELS } from "../../src/cli/files/scenario-argument.ts";
import { studioStart } from "../../src/cli/server/studio-files.ts";
import { serveStudio } from "../../src/cli/server/studio-server.ts";
import { ModelError } from "../../src/errors.ts";
import { csvLog } from "../../src/formats/log-csv.ts";
import type { Log } from "../../src/log/log.ts";
import { formatScenario } from "../../src/scenario/format.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import { diskFiles, loadScenarioFile } from "../../src/scenario/node-files.ts";
import { openScenario as openScenarioText } from "../../src/scenario/open.ts";
import { parseOverride } from "../../src/scenario/override.ts";
import { runScenario } from "../../src/scenario/run.ts";
import type { Scenario } from "../../src/scenario/scenario.ts";
import { NAMES } from "../fixtures/built-in.ts";
import { tiff } from "../fixtures/map-bytes.ts";
import { PENDULUM } from "../fixtures/models/pendulum.ts";
import {
  builtStudio,
  columnOf,
  openScenario,
  openStudioPage,
  type StudioPage,
  waitForRun,
} from "../fixtures/pages/studio-page.ts";
import { artifact, furthest, LOOKS, pictures, seek as seekOn } from "../fixtures/pages/studio-pictures.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
/** Longer runs are cancelled after this time, ms, and compared up to there. */
const LONG_ENOUGH = 500;

let studio: StudioPage;
beforeAll(async () => {
  studio = await openStudioPage();
  await studio.page.goto(studio.server.address);
  await studio.page.waitForSelector(".card");
});
afterAll(() => studio?.close());
afterEach(() => expect(studio.complaints.splice(0)).toEqual([]));

const builtIn = (name: string, ...sets: readonly string[]): Scenario =>
  loadScenarioFile(
    join(ROOT, "scenarios", name, "scenario.yaml"),
    BUILT_IN_MODELS,
    sets.map((set) => parseOverride(set)),
  );

const text = (selector: string): Promise<string> => studio.page.locator(selector).first().innerText();

/** Hash of the first samples of a channel. */
const fingerprint = (column: Float64Array, count: number): string =>
  createHash("sha256")
    .update(new Uint8Array(column.slice(0, count).buffer))
    .digest("hex");

const fingerprintsInPage = (names: readonly string[], count: number): Promise<string[]> =>
  studio.page.evaluate(
    async ([channels, n]) => {
      const { runs, current } = window.studio.state;
      const run = runs.find(({ id }) => id === current)!;
      const { log } = run;
      await window.studio.completeChannels(run, channels);
      const hex = (bytes: ArrayBuffer): string =>
        Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
      return Promise.all(channels.map(async (name) => hex(await crypto.subtle.digest("SHA-256", log.column(name).slice(0, n)))));
    },
    [names, count] as const,
  );

/** The log of the command line, with at least `samples` samples if the run has them. */
async function logOf(scenario: Scenario, samples: number): Promise<Log> {
  const enough = new AbortController();
  const progress = (_: number, log: Log): void => {
    if (log.length >= samples) enough.abort();
  };
  return (await runScenario(scenario, { progress, signal: enough.signal })).run.log;
}

/** Waits until the run has ended, or cancels it after `limit` ms. Returns the number of samples. */
async function runFor(limit: number): Promise<number> {
  const { page } = studio;
  await page.waitForFunction(() => {
    const { runs, current } = window.studio.state;
    return (runs.find(({ id }) => id === current)?.log.length ?? 0) > 1;
  });
  await Promise.race([waitForRun(page), page.waitForTimeout(limit)]);
  return page.evaluate(() => {
    window.studio.cancel();
    const { runs, current } = window.studio.state;
    return runs.find(({ id }) => id === current)!.log.length;
  });
}

const scene = (): Promise<Buffer> => studio.page.locator(".view canvas").screenshot();

const seek = (t: number): Promise<void> => seekOn(studio.page, t);

/** Expects bit-identical columns: kernels, steps, plans, soils and terrains use plain arithmetic. */
async function expectSame(log: Log, count: number): Promise<void> {
  const names = log.channels.map(({ name }) => name);
  const theirs = await fingerprintsInPage(names, count);
  expect(names.filter((name, i) => theirs[i] !== fingerprint(log.column(name), count))).toEqual([]);
}

describe("every built-in scenario", () => {
  it.each(NAMES)(
    "%s opens from the gallery, moves, and has the same numbers as on the command line",
    { timeout: 180_000 },
    async (name) => {
      const { page } = studio;
      await page.click(".brand");
      await page.click(`[data-scenario="${name}"]`);
      await page.waitForFunction((wanted) => window.studio.state.source?.name === wanted, name);
      const samples = await runFor(LONG_ENOUGH);
      const scenario = builtIn(name);
      expect(await text("h1")).toBe(scenario.name);
      const log = await logOf(scenario, samples);
      const count = Math.min(samples, log.length);
      expect(count).toBeGreaterThan(1);
      await expectSame(log, count);

      await seek(0);
      const before = await scene();
      const { t, distance } = await furthest(page);
      if (distance > 0.02) {
        // Slow playback: even the shortest run has not ended before it is paused.
        await page.evaluate(() => window.studio.store.set({ speed: window.studio.endTime() / 1000 }));
        await page.keyboard.press(" ");
        await page.waitForFunction(() => window.studio.state.time > 0);
        await page.keyboard.press(" ");
        expect(await page.evaluate(() => window.studio.state.playing)).toBe(false);
        await page.evaluate(() => window.studio.store.set({ speed: 1 }));
        await seek(t);
        expect((await scene()).equals(before)).toBe(false);
      }
      await pictures(page, name, t, [LOOKS[0]]);
    },
  );

  it("fits on a phone and on a desktop screen, in both themes", { timeout: 180_000 }, async () => {
    await openScenario(studio, "satellite-manipulator");
    await pictures(studio.page, "satellite-manipulator", 3, LOOKS);
    // Plots fill the height of their cells and must not increase it.
    await studio.page.setViewportSize({ width: 390, height: 844 });
    const heights: number[] = [];
    for (const t of [1, 2, 3]) {
      await seek(t);
      heights.push(await studio.page.evaluate(() => document.documentElement.scrollHeight));
    }
    expect(new Set(heights).size).toBe(1);
    // On a desktop screen no text is cut off: titles, the badge, names of channels.
    await studio.page.setViewportSize({ width: 1440, height: 900 });
    const cut = await studio.page.evaluate(() =>
      [...document.querySelectorAll(".plot figcaption, .chips, .badge, .run-chip .name, .entry .name")]
        .filter((e) => e.scrollWidth > e.clientWidth + 1 || (e.className === "chips" && e.scrollHeight > e.clientHeight + 1))
        .map((e) => e.textContent),
    );
    expect(cut).toEqual([]);
    // A desktop screen with a zoom of 200 %: parts keep their size, and the page scrolls.
    await studio.page.setViewportSize({ width: 720, height: 450 });
    for (const part of [".view", ".plot-body"])
      expect((await studio.page.locator(part).first().boundingBox())!.height, part).toBeGreaterThan(150);
    expect(await studio.page.evaluate(() => document.querySelector(".region-bottom")!.clientHeight)).toBeGreaterThan(400);
    await studio.page.setViewportSize({ width: 1440, height: 900 });
  });
});

/** Drops files onto the page. */
const drop = (files: Readonly<Record<string, string | Uint8Array>>): Promise<void> =>
  studio.page.evaluate(
    (given) => {
      const dataTransfer = new DataTransfer();
      for (const [name, content] of given)
        dataTransfer.items.add(new File([typeof content === "string" ? content : Uint8Array.from(content)], name));
      document.body.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    },
    Object.entries(files).map(([name, content]) => [name, typeof content === "string" ? content : [...content]] as const),
  );

/** The problems of a file, with the text of the command line. */
function problemsOf(source: string, name: string): readonly string[] {
  try {
    loadScenario(source, name);
    return [];
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return error.problems.map((p) => `${p.message}${p.value === undefined ? "" : `, got ${p.value}`}`);
  }
}

describe("files", () => {
  it("with problems show the messages of the command line and the affected lines", async () => {
    const { page } = studio;
    const broken = PENDULUM.replace(/mass: .*/, "mass: heavy").replace(/duration: .*/, "duration: -3");
    await drop({ "broken.yaml": broken });
    await page.waitForSelector(".problems li");
    expect(await text(".problems .head")).toBe("broken.yaml has 2 problems");
    expect(await page.locator(".problems .what").allInnerTexts()).toEqual(problemsOf(broken, "broken.yaml"));
    const lines = await page.locator(".problems code.line").allInnerTexts();
    expect(lines.map((line) => line.replace(/^\d+/, "").trim())).toContain("duration: -3");
    // Nothing else is shown or enabled.
    expect(await page.isVisible(".desk")).toBe(false);
    expect(await page.isDisabled('button:text-is("Verify")')).toBe(true);
    await drop({ "odd.yaml": "bodies: [" });
    await page.waitForFunction(() => document.querySelector(".problems .head")?.textContent?.includes("odd.yaml"));
    await page.click('[aria-label="Close the message"]');
    expect(await page.isVisible(".problems")).toBe(false);
    await drop({ "picture.png": "no" });
    await page.waitForSelector(".problems .head");
    expect(await text(".problems .head")).toContain("there is no scenario, model");
    await page.click('[aria-label="Close the message"]');
    await drop({ "table.csv": "hello" });
    await page.waitForFunction(() => document.querySelector(".problems .head")?.textContent?.includes("has no column t"));
    await drop({ "turned.csv": "t [s],x [m]\n0,1\n2,1\n1,2\n" });
    await page.waitForFunction(() => document.querySelector(".problems")?.textContent?.includes("goes back from 2 to 1 s"));
    await drop({ "empty.csv": "t [s],x [m]\n" });
    await page.waitForFunction(() => document.querySelector(".problems")?.textContent?.includes("empty.csv has no samples"));
    // A log is shown, together with the problems of the scenario next to it.
    await drop({ "log.csv": "t [s],x [m]\n0,1\n1,2\n", "scenario.yaml": "castor: 1\nmodel: nothing\nduration: 1\n" });
    await page.waitForSelector(".problems li");
    expect(await columnOf(page, "x")).toEqual([1, 2]);
    await page.click(".brand");
    await page.waitForSelector(".gallery");
    await page.click('[aria-label="Close the message"]');
  });

  it("can be a scenario with its model, a model alone, or a log for comparison; a link contains the files", async () => {
    const { page } = studio;
    const model = readFileSync(join(ROOT, "scenarios/free-floating-arm/model.yaml"), "utf8");
    const scenario = readFileSync(join(ROOT, "scenarios/free-floating-arm/scenario.yaml"), "utf8");
    await drop({ "scenario.yaml": scenario, "model.yaml": model });
    await page.waitForFunction(() => window.studio.state.page === "scenario" && window.studio.state.scenario !== undefined);
    await waitForRun(page);
    const whole = await columnOf(page, "q.elbow");
    await page.waitForFunction(() => location.hash.startsWith("#/file?text="));
    await page.reload();
    await waitForRun(page);
    expect(await columnOf(page, "q.elbow")).toEqual(whole);

    await drop({ "arm.yaml": stringify(parse(model), { collectionStyle: "flow" }) });
    await page.waitForFunction(() => window.studio.state.scenario?.duration === 10);
    await waitForRun(page);
    expect(await text("h1")).toBe(builtIn("free-floating-arm").model.name);
    // Without declared plots there are default plots.
    await page.waitForSelector(".plot .u-over");
    expect(await page.locator(".plot figcaption").allTextContents()).toEqual(["Coordinates", "Speeds", "Energy"]);

    const { run } = await runScenario(builtIn("free-floating-arm", "duration=1"));
    await drop({ "log.csv": [...csvLog(run.log)].join("") });
    await page.waitForFunction(() => window.studio.state.runs.some(({ status }) => status === "recorded"));
    expect(await page.evaluate(() => window.studio.state.runs.map(({ label }) => label))).toContain("log.csv");
  });

  it("with several scenarios show one of them and offer the others", async () => {
    const { page } = studio;
    const named = (name: string): string => PENDULUM.replace(/^name: .*/m, `name: ${name}`);
    await drop({ "first.yaml": named("first"), "second.yaml": named("second"), "broken.yaml": "castor: 1\nmodel: nothing\n" });
    await page.waitForSelector(".problems.warnings select");
    expect(await text(".problems")).toContain("3 scenarios were opened together. Shown:");
    expect(await text("h1")).toBe("first");
    await page.selectOption(".problems select", "broken.yaml");
    await page.waitForSelector(".problems.alone:not(.warnings) select");
    expect(await text(".problems")).toContain("broken.yaml has");
    await page.selectOption(".problems select", "second.yaml");
    await page.waitForFunction(() => document.querySelector("h1")!.textContent === "second");
    await waitForRun(page);
    expect(await page.inputValue(".problems select")).toBe("second.yaml");
    await page.click(".problems .close");
    await page.waitForSelector(".problems", { state: "hidden" });
    // A single file offers no choice.
    await drop({ "first.yaml": named("alone") });
    await page.waitForFunction(() => document.querySelector("h1")!.textContent === "alone");
    expect(await page.isVisible(".problems")).toBe(false);
    await drop({
      "a.yaml": readFileSync(join(ROOT, "scenarios/free-floating-arm/model.yaml"), "utf8"),
      "b.yaml": "name: b\nbodies: []\n",
    });
    await page.waitForSelector(".problems select");
    expect(await text(".problems")).toContain("2 models were opened together");
    await page.click(".problems .close");
  });

  it("can be meshes: STL and glTF are drawn, a missing file is reported", async () => {
    const { page } = studio;
    const corners = Buffer.from(Float32Array.of(0, 0, 0, 2, 0, 0, 0, 0, 2).buffer).toString("base64");
    const gltf = JSON.stringify({
      asset: { version: "2.0" },
      scenes: [{ nodes: [0] }],
      nodes: [{ mesh: 0 }],
      meshes: [{ primitives: [{ attributes: { POSITION: 0 } }] }],
      buffers: [{ uri: `data:application/octet-stream;base64,${corners}`, byteLength: 36 }],
      bufferViews: [{ buffer: 0, byteLength: 36 }],
      accessors: [{ bufferView: 0, componentType: 5126, count: 3, type: "VEC3", min: [0, 0, 0], max: [2, 0, 2] }],
    });
    const facet = ["0 0 0", "0 2 0", "0 0 2"].map((corner) => `vertex ${corner}`).join("\n");
    const stl = `solid a\nfacet normal 1 0 0\nouter loop\n${facet}\nendloop\nendfacet\nendsolid a\n`;
    const model = (...meshes: readonly string[]): string =>
      `name: kite\nbodies:\n  - name: kite\n    mass: 1\n    inertia: [1, 1, 1]\n    hinge: { kind: free }\n    shapes:\n` +
      [...meshes.map((file) => `{ kind: mesh, file: ${file}, colour: "#ff8800" }`), "{ kind: sphere, radius: 0.5 }"]
        .map((shape) => `      - ${shape}\n`)
        .join("");
    const shown = async (files: Readonly<Record<string, string | Uint8Array>>): Promise<Buffer> => {
      const name = Object.keys(files)[0]!;
      await drop(files);
      await page.waitForFunction((wanted) => wanted in (window.studio.state.source?.files ?? {}), name);
      await waitForRun(page);
      await page.waitForTimeout(400);
      await seek(0);
      return scene();
    };
    const bare = await shown({ "bare.yaml": model() });
    /** Waits until the meshes have been loaded and drawn. */
    const becomes = async (fits: (picture: Buffer) => boolean): Promise<Buffer> => {
      const again = async (): Promise<boolean> => {
        await seek(0);
        return fits(await scene());
      };
      await expect.poll(again, { timeout: 10_000 }).toBe(true);
      await page.waitForTimeout(200);
      return scene();
    };
    await shown({ "one.yaml": model("a.stl"), "a.stl": stl });
    const one = await becomes((picture) => !picture.equals(bare));
    await shown({ "two.yaml": model("a.stl", "b.gltf"), "a.stl": stl, "b.gltf": gltf });
    const two = await becomes((picture) => !picture.equals(one) && !picture.equals(bare));
    // The same mesh with its buffer in a separate file, dropped without folders.
    const apart = gltf.replace(/data:[^"]*/, "c.bin");
    const files = { "a.stl": stl, "b.gltf": apart, "c.bin": Buffer.from(corners, "base64") };
    await shown({ "two-apart.yaml": model("m/a.stl", "b.gltf"), ...files });
    await becomes((picture) => picture.equals(two));
    expect(await page.isVisible(".view .remark")).toBe(false);
    await shown({ "three.yaml": model("a.stl") });
    expect(await text(".view .remark")).toBe("a.stl is missing among the opened files; drop it together with the model");
    await shown({ "four.yaml": model("b.gltf"), "b.gltf": apart });
    expect(await text(".view .remark")).toContain("c.bin is missing among the opened files");
  });

  it("can be a height map: a rover stands on a GeoTIFF as on the command line; a missing map is reported", async () => {
    const { page } = studio;
    const heights = Array.from({ length: 400 }, (_, i) => 100 + 0.3 * Math.sin(0.4 * i) + 0.02 * (i % 20));
    const site = tiff({ columns: 20, rows: 20, heights, compression: 8 });
    const map = "  site: { kind: map, file: site.tif, x: 1020, y: 4980, length: 12, width: 12 }";
    const rover = readFileSync(join(ROOT, "scenarios/rover-bump/scenario.yaml"), "utf8")
      .replace(/^ {2}bump: .*$/m, map)
      .replace("duration: 40", "duration: 0.1")
      .replace("state:", "state:\n  onGround: base");
    await drop({ "scenario.yaml": rover, "site.tif": site });
    await page.waitForFunction(() => "site.tif" in (window.studio.state.source?.assets ?? {}));
    await waitForRun(page);
    const folder = mkdtempSync(join(tmpdir(), "castor-map-"));
    writeFileSync(join(folder, "scenario.yaml"), rover);
    writeFileSync(join(folder, "site.tif"), site);
    const { run } = await runScenario(
      await openScenarioText(rover, "scenario.yaml", { files: diskFiles(folder, BUILT_IN_MODELS) }),
    );
    await expectSame(run.log, run.log.length);
    await page.evaluate(() => window.studio.change([{ path: "terrain.site.x", value: 1024, from: "" }]));
    await waitForRun(page);
    expect(await page.isVisible(".problems")).toBe(false);
    await drop({ "scenario.yaml": rover });
    await page.waitForSelector(".problems li");
    expect(await text(".problems")).toContain("Drop it together with the scenario");
  });

  it("in the folder of a run open that run", async () => {
    const folder = mkdtempSync(join(tmpdir(), "castor-run-"));
    const scenario = builtIn("free-floating-arm", "duration=1", "state.u.wrist=0.7");
    const { run } = await runScenario(scenario);
    writeFileSync(join(folder, "log.csv"), [...csvLog(run.log)].join(""));
    writeFileSync(join(folder, "scenario.yaml"), formatScenario(scenario));
    const audit = [{ channel: "energy", worst: 3e-12, at: 0.5, tolerance: 1e-9, pass: true }];
    writeFileSync(join(folder, "summary.json"), JSON.stringify({ castor: "run", outcome: "complete", audit }));
    const { address, opened } = await studioStart(folder, []);
    const server = await serveStudio({ folder: await builtStudio(), opened, host: "127.0.0.1", port: 0 });
    await studio.page.goto(server.address + address);
    await waitForRun(studio.page);
    expect(await columnOf(studio.page, "q.wrist")).toEqual([...run.log.column("q.wrist")]);
    expect(await text(".badge")).toBe("energy 3e−12");
    // The log is not sent to the worker with every change.
    expect(await studio.page.evaluate(() => Object.keys(window.studio.state.source!.files))).toEqual(["scenario.yaml"]);
    expect(await text("h1")).toBe(scenario.name);
    await seek(0);
    const before = await scene();
    await seek(1);
    expect((await scene()).equals(before)).toBe(false);
    await studio.page.goto(studio.server.address);
    await server.close();
    // log.csv and log.json have the same content, so only one run is opened.
    const csv = "t [s],x [m]\n0,1\n1,2\n";
    const json = JSON.stringify({ channels: [{ name: "t", unit: "s" }], columns: { t: [0, 1] } });
    await drop({ "log.csv": csv, "log.json": json, "summary.json": readFileSync(join(folder, "summary.json"), "utf8") });
    await waitForRun(studio.page);
    expect(await studio.page.evaluate(() => window.studio.state.runs.map(({ label }) => label))).toEqual(["log.csv"]);
  });

  it("can be a log without its scenario: plots, and a message in place of the machine", async () => {
    await studio.page.goto(`${studio.server.address}#/`);
    await studio.page.reload();
    await studio.page.waitForSelector(".card");
    await drop({ "log.csv": "t [s],x [m]\n100,1\n101,2\n" });
    await waitForRun(studio.page);
    expect(await columnOf(studio.page, "x")).toEqual([1, 2]);
    await studio.page.waitForFunction(() => document.querySelector(".remark")?.textContent?.includes("without its scenario"));
    // Opening adds a step to the browser's history. What an address cannot contain stays until the page is closed.
    const { page } = studio;
    const shows = (place: string): Promise<unknown> =>
      page.waitForFunction((wanted) => window.studio.state?.page === wanted, place);
    await page.goBack();
    await shows("gallery");
    await page.goForward();
    await shows("scenario");
    expect(await columnOf(page, "x")).toEqual([1, 2]);
    expect(await page.evaluate(() => window.studio.state.time)).toBe(100); // the first time of the log
    const long = Array.from({ length: 9000 }, (_, i) => `# ${Math.sin(i)}\n`).join(""); // text that cannot be compressed
    await drop({ "long.yaml": PENDULUM + long });
    await page.waitForFunction(() => location.hash === "#/file");
    await page.click(".brand");
    await shows("gallery");
    await page.goBack();
    await shows("scenario");
    await page.reload();
    await page.waitForSelector(".problems:has-text('the address does not contain the scenario')");
    await drop({ "log.csv": "t [s],x [m]\n100,1\n101,2\n" });
    await page.waitForSelector(".remark:has-text('without its scenario')");
    await drop({ "broken.yaml": "model: nothing\n" });
    await studio.page.waitForSelector(".problems li");
    expect(await studio.page.isVisible(".view .remark")).toBe(false);
    expect(await studio.page.isVisible(".desk")).toBe(false); // only the problems are shown
  });
});

describe("the page", () => {
  it("shows a long run from its first samples: wheel forces, wheel tracks, and the planned path of the rover", async () => {
    const { page, server } = studio;
    // Commands that jump every 20 ms and a tight tolerance make the run long.
    const long = ["controllers.guide.between=hold", "controllers.guide.period=0.02", "integrator.relativeTolerance=1e-9"];
    const query = long.map((change) => `set=${encodeURIComponent(change)}`).join("&");
    await page.goto(`${server.address}#/scenario/rover-traverse?${query}`);
    const shown = await page.waitForFunction(() => {
      const { source, runs, current } = window.studio.state ?? {};
      const run = runs?.find(({ id }) => id === current);
      return source?.name === "rover-traverse" && (run?.log.length ?? 0) > 12 && run?.status;
    });
    expect(await shown.jsonValue()).toBe("running");
    await page.evaluate(() => {
      window.studio.cancel();
      window.studio.seek(Number.POSITIVE_INFINITY);
    });
    const drawn = async (layers: Readonly<Record<string, boolean>>): Promise<Buffer> => {
      await page.evaluate((wanted) => window.studio.store.set({ layers: wanted }), layers);
      await seek(await page.evaluate(() => window.studio.state.time));
      return scene();
    };
    const all = await drawn({});
    expect(await text(".view .legend")).toMatch(/contact forces up to [\d.]+ N/);
    for (const layer of ["contact-forces", "wheel-tracks", "intents"])
      expect((await drawn({ [layer]: false })).equals(all), layer).toBe(false);
    await drawn({});
  });

  it("runs the requested overrides, whatever the worker has read ahead", async () => {
    await openScenario(studio, "simple-pendulum");
    const ends = await studio.page.evaluate(async () => {
      const page = window.studio;
      const durations = (value: number) => [{ path: "duration", value, from: "duration" }];
      const ended = (overrides: ReturnType<typeof durations>): Promise<number> =>
        new Promise((resolve) => {
          page.change(overrides);
          const stop = page.store.watch(["runs"], ({ runs, current }) => {
            const run = runs.find(({ id }) => id === current)!;
            if (run.status === "running") return;
            queueMicrotask(() => stop());
            resolve(run.log.endTime);
          });
        });
      page.readScenario(page.state.source!, durations(1));
      const other = await ended(durations(2));
      const twice = durations(3);
      const [first, second] = [await ended(twice), await ended(twice)];
      page.change(durations(-1));
      const wrong = page.state.failure?.problems?.[0]?.path;
      return [other, first, second, wrong, await ended(durations(4))];
    });
    expect(ends).toEqual([2, 3, 3, "duration", 4]);
  });

  it("stays usable when a long run is cancelled", async () => {
    const { page, server } = studio;
    await page.goto(`${server.address}#/scenario/satellite-manipulator?set=duration%3D3000`);
    await page.waitForFunction(() => {
      const { runs, current } = window.studio.state ?? {};
      return (runs?.find(({ id }) => id === current)?.log.length ?? 0) > 10;
    });
    await page.click('[aria-label="Cancel the run"]');
    expect(await text(".status")).toBe("cancelled");
    await openScenario(studio, "simple-pendulum");
    expect(await text(".status")).toMatch(/^complete/);
  });

  it("reports a worker that ends unexpectedly, and runs again", async () => {
    const { page, server } = studio;
    await page.goto(`${server.address}#/scenario/satellite-manipulator?set=duration%3D3000`);
    await page.waitForFunction(() => {
      const { runs, current } = window.studio.state ?? {};
      return (runs?.find(({ id }) => id === current)?.log.length ?? 0) > 10;
    });
    for (const worker of page.workers()) await worker.evaluate(() => self.close());
    await page.waitForFunction(() => document.querySelector(".status")?.textContent === "failed");
    expect(await text(".problems")).toMatch(/the simulation worker ended unexpectedly.*Run it again/);
    await page.click('button:text-is("Run again")');
    await page.waitForFunction(() => document.querySelector(".status")?.textContent?.endsWith("%"));
    await page.click('[aria-label="Cancel the run"]');
    expect(await page.locator(".run-chip").allTextContents()).toEqual(["duration=3000"]); // the label of the overrides, not "Run again"
    // A worker that ends without a pending job is replaced silently.
    await openScenario(studio, "simple-pendulum");
    for (const worker of page.workers()) await worker.evaluate(() => self.close());
    await page.waitForFunction(async () => (await navigator.locks.query()).held?.length === 0);
    await openScenario(studio, "four-bar");
    expect(await text(".status")).toMatch(/^complete/);
    expect(await page.isVisible(".problems li")).toBe(false);
  });

  it("works with the keyboard alone", async () => {
    const { page, server } = studio;
    await page.goto(`${server.address}#/`);
    expect(await page.getByRole("heading").allTextContents()).toEqual(["Castor studio: built-in scenarios"]);
    await page.focus('[data-scenario="four-bar"]');
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.studio.state.page === "scenario" && window.studio.state.source?.name === "four-bar");
    await waitForRun(page);
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Four-bar linkage");
    const time = (): Promise<number> => page.evaluate(() => window.studio.state.time);
    const times = await columnOf(page, "t");
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(await time()).toBe(times[2]);
    await page.keyboard.press("ArrowLeft");
    expect(await time()).toBe(times[1]);
    await page.keyboard.press("End");
    expect(await time()).toBe(times.at(-1));
    await page.keyboard.press("Home");
    expect(await time()).toBe(0);
    await page.focus(".view canvas");
    const before = await scene();
    for (const key of ["d", "d", "w", "+"]) await page.keyboard.press(key);
    await seek(0);
    expect((await scene()).equals(before)).toBe(false);
  });

  it("selects the body under the pointer, and draws the layers that are switched on", async () => {
    const { page } = studio;
    await openScenario(studio, "satellite-manipulator");
    await seek(0);
    const { width, height } = (await page.locator(".view canvas").boundingBox())!;
    for (const [x, y] of [
      [0.5, 0.5],
      [0.5, 0.55],
      [0.5, 0.6],
      [0.52, 0.65],
    ] as const) {
      await page.click(".view canvas", { position: { x: x * width, y: y * height } });
      if ((await page.evaluate(() => window.studio.state.selection?.kind)) === "body") break;
    }
    const name = await page.evaluate(() => window.studio.state.selection?.name);
    expect(builtIn("satellite-manipulator").model.bodies.map((b) => b.name)).toContain(name);
    const isInWindow = (selector: string): Promise<boolean> =>
      page.evaluate((wanted) => {
        const { left, top, right, bottom } = document.querySelector(wanted)!.getBoundingClientRect();
        return right > left && left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight;
      }, selector);
    await page.setViewportSize({ width: 390, height: 500 }); // the list scrolls in a low window
    await page.click('[aria-label="Show or hide layers"] >> nth=0');
    expect(await isInWindow(".switches")).toBe(true);
    await page.keyboard.press("Escape");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.click('[aria-label="Show or hide layers"] >> nth=0');
    expect(await isInWindow(".switches")).toBe(true);
    const plain = await scene();
    for (const layer of await page.locator("#layers label:visible input").all()) await layer.setChecked(true);
    await seek(2);
    expect(await text(".view .legend")).toMatch(/momentum.*hinge forces up to/);
    await page.screenshot({ path: artifact("all-layers") });
    expect((await scene()).equals(plain)).toBe(false);
    await page.selectOption('[aria-label="Follow a body"]', "hand");
    await seek(4);
    expect(await page.evaluate(() => window.studio.state.followed)).toBe("hand");
  });

  it("lists only the layers that the scenario has", async () => {
    const { page } = studio;
    const listed = async (): Promise<string[]> => {
      await page.focus('[aria-label="Show or hide layers"] >> nth=0');
      await page.keyboard.press("Enter");
      const titles = await page.locator("#layers label:visible").allInnerTexts();
      // With the keyboard, the first stop is the first visible layer.
      await page.keyboard.press("Tab");
      expect(await page.evaluate(() => document.activeElement?.parentElement?.textContent)).toBe(titles[0]);
      await page.keyboard.press("Escape");
      return titles;
    };
    await page.keyboard.press("Escape"); // closes the menu of the test before
    await openScenario(studio, "asymmetric-top");
    const always = ["Bodies", "Frames", "Mass centre", "Momentum"];
    expect(await listed()).toEqual([...always, "Trails", "Ghosts", "Surroundings"]);
    await openScenario(studio, "four-bar");
    expect(await listed()).toEqual(
      expect.arrayContaining([...always, "Anchors", "Hinge axes", "Hinge forces", "Loops", "Loop forces"]),
    );
    await openScenario(studio, "rover-flat");
    const onGround = await listed();
    expect(onGround).toEqual(expect.arrayContaining([...always, "Terrain", "Wheel tracks", "Contact forces"]));
    for (const absent of ["Surroundings", "Elastic bodies", "Rest shape of a mode"]) expect(onGround).not.toContain(absent);
    await openScenario(studio, "flexible-elastica");
    expect(await listed()).toContain("Elastic bodies");
  });

  it("has a strict content policy in the header and in the page, loads nothing from elsewhere, and does not shift its layout", async () => {
    const { page, server } = studio;
    const asked: string[] = [];
    const note = (request: { url(): string }): void => void asked.push(request.url());
    page.on("request", note);
    const answer = (await page.goto(`${server.address}?fresh#/`))!;
    expect(answer.headers()["content-security-policy"]).toContain("script-src 'self' 'wasm-unsafe-eval'");
    expect(await page.getAttribute('meta[http-equiv="Content-Security-Policy"]', "content")).toContain("default-src 'none'");
    await openScenario(studio, "simple-pendulum");
    const shifts = await page.evaluate(
      () =>
        new Promise<number>((resolve) => {
          const add = (list: PerformanceObserverEntryList): void =>
            resolve(list.getEntries().reduce((sum, entry) => sum + (entry as PerformanceEntry & { value: number }).value, 0));
          new PerformanceObserver(add).observe({ type: "layout-shift", buffered: true });
          setTimeout(() => resolve(0), 300); // without layout shifts the observer is not called
        }),
    );
    expect(shifts).toBeLessThan(0.01); // the badge grows
    page.off("request", note);
    const elsewhere = asked.filter(
      (url) => !url.startsWith(server.address) && !url.startsWith("blob:") && !url.startsWith("data:"),
    );
    expect(asked.length).toBeGreaterThan(4);
    expect(elsewhere).toEqual([]);
    // In a timeout, because code that the test evaluates directly is exempt from the policy.
    const made = await page.evaluate(
      () =>
        new Promise((resolve) => {
          setTimeout(() => {
            try {
              resolve(new Function("return 1")());
            } catch (error) {
              resolve((error as Error).name);
            }
          });
        }),
    );
    expect(made).toBe("EvalError");
    studio.complaints.splice(0); // the console reports the blocked evaluation
  });

  it("works from a file, without a server", async () => {
    const { page, complaints } = studio;
    const context = await page.context().browser()!.newContext();
    const opened = await context.newPage();
    opened.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    opened.on("pageerror", (error) => complaints.push(error.message));
    await opened.goto(pathToFileURL(join(await builtStudio(), "index.html")).href);
    await opened.click('[data-scenario="simple-pendulum"]');
    await waitForRun(opened);
    const { run } = await runScenario(builtIn("simple-pendulum"));
    const [name] = run.log.channels.map((c) => c.name).filter((c) => c.startsWith("q."));
    expect(await columnOf(opened, name!)).toEqual([...run.log.column(name!)]);
    await opened.waitForFunction(() => document.querySelector<HTMLElement>(".view canvas")?.dataset.time !== undefined);
    expect(await opened.evaluate(() => document.querySelector(".plot canvas")!.clientWidth)).toBeGreaterThan(100);
    expect(opened.url()).toContain("#/scenario/simple-pendulum");
    await context.close();
  });

  it("reports missing workers and missing WebAssembly, and still shows the page", async () => {
    const { page, server, complaints } = studio;
    const context = await page.context().browser()!.newContext();
    const bare = await context.newPage();
    bare.on("pageerror", (error) => complaints.push(error.message));
    await bare.addInitScript(() => {
      Object.assign(window, { Worker: undefined, WebAssembly: undefined });
      Object.defineProperty(window, "localStorage", { get: () => fail() });
      const fail = (): never => {
        throw new Error("denied");
      };
    });
    await bare.goto(`${server.address}#/scenario/simple-pendulum`);
    await bare.waitForFunction(() => document.querySelector(".remark")?.textContent?.includes("cannot be drawn here"));
    expect(await bare.locator(".problems").textContent()).toContain("workers are blocked");
    expect(await bare.locator("h1.title").textContent()).toBe("Simple pendulum");
    await context.close();
  });

  it("reports missing WebGL, and works otherwise", async () => {
    const { page, server, complaints } = studio;
    const context = await page.context().browser()!.newContext();
    const bare = await context.newPage();
    await bare.addInitScript(() => {
      const real = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
        return kind.startsWith("webgl") ? null : (real as (...args: unknown[]) => unknown).call(this, kind, ...rest);
      } as typeof real;
    });
    await bare.goto(`${server.address}#/scenario/simple-pendulum`);
    await waitForRun(bare);
    await bare.waitForSelector(".view [role=alert]");
    expect(await bare.locator(".view [role=alert]").innerText()).toContain("The scene cannot be drawn here");
    expect(await bare.isVisible(".panel canvas")).toBe(true);
    await context.close();
    expect(complaints.splice(0)).toEqual([]);
  });
});
