import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { parse, stringify } from "yaml";
import { BUILT_IN_MODELS } from "../../src/cli/files/scenario-argument.ts";
import { studioStart } from "../../src/cli/server/studio-files.ts";
import { serveStudio } from "../../src/cli/server/studio-server.ts";
import { ModelError } from "../../src/errors.ts";
import { csvLog } from "../../src/formats/log/log-csv.ts";
import { formatScenario } from "../../src/scenario/format.ts";
import { loadScenario } from "../../src/scenario/load.ts";
import { diskFiles } from "../../src/scenario/node-files.ts";
import { openScenario as openScenarioText } from "../../src/scenario/open.ts";
import { runScenario } from "../../src/scenario/run.ts";
import { tiff } from "../fixtures/map-bytes.ts";
import { objText } from "../fixtures/mesh-bytes.ts";
import { PENDULUM } from "../fixtures/models/pendulum.ts";
import { builtIn, expectSameColumns, ROOT } from "../fixtures/pages/studio-log.ts";
import { builtStudio, columnOf, openStudioPage, type StudioPage, waitForRun } from "../fixtures/pages/studio-page.ts";
import { seek as seekOn } from "../fixtures/pages/studio-pictures.ts";

let studio: StudioPage;
beforeAll(async () => {
  studio = await openStudioPage();
  await studio.page.goto(studio.server.address);
  await studio.page.waitForSelector(".card");
});
afterAll(() => studio?.close());
afterEach(() => expect(studio.complaints.splice(0)).toEqual([]));

const text = (selector: string): Promise<string> => studio.page.locator(selector).first().innerText();

const scene = (): Promise<Buffer> => studio.page.locator(".view canvas").screenshot();

const seek = (t: number): Promise<void> => seekOn(studio.page, t);

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
    await page.waitForFunction(() => /^#\/file\?.*text=/.test(location.hash));
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

  it("can be a robot with its meshes in other folders: its warnings are folded, and it can touch with the hulls of its meshes", async () => {
    const { page } = studio;
    const inertial = '<inertial><mass value="8"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial>';
    const mesh = '<geometry><mesh filename="package://crate_description/meshes/crate.obj"/></geometry>';
    const urdf = `<robot name="crate"><link name="world"/><joint name="float" type="floating"><parent link="world"/><child link="crate"/></joint><link name="crate">${inertial}<visual>${mesh}</visual><collision>${mesh}</collision></link><gazebo><plugin/></gazebo></robot>`;
    await drop({ "crate.urdf": urdf, "crate.obj": objText() });
    await page.waitForFunction(() => window.studio.state.scenario?.name === "crate" || window.studio.state.failure !== undefined);
    expect(await page.evaluate(() => window.studio.state.failure)).toBeUndefined();
    await waitForRun(page);
    const shapes = await page.evaluate(() =>
      window.studio.state.scenario!.model.bodies[0]!.shapes.map((shape) => ({ ...shape })),
    );
    expect(shapes).toMatchObject([{ kind: "mesh", file: "crate.obj" }]);
    expect(await text(".problems summary")).toContain("crate.urdf has 1 warning");
    expect(await page.isVisible(".problems ol")).toBe(false);
    const scenario =
      "castor: 1\nmodel: crate.urdf\nduration: 0.02\nforces:\n  floor: { kind: contact, shapes: [{ kind: collisions }], against: [{ kind: plane, at: [0, 0, -9] }], law: pressure, modulus: 1e5 }\n";
    await drop({ "touching.yaml": scenario, "crate.urdf": urdf, "crate.obj": objText() });
    await page.waitForFunction(() => (window.studio.state.scenario?.forces.length ?? 0) === 1);
    await waitForRun(page); // the worker has the mesh too
    expect(await page.evaluate(() => window.studio.state.failure?.message)).toBeUndefined();
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
    await expectSameColumns(studio, run.log, run.log.length);
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
    await page.waitForFunction(() => /^#\/file\?id=\w+$/.test(location.hash));
    await page.click(".brand");
    await shows("gallery");
    await page.goBack();
    await shows("scenario");
    await page.reload(); // the browser has kept the file
    await shows("scenario");
    expect(await page.evaluate(() => window.studio.state.source?.text.length)).toBeGreaterThan(100_000);
    await page.goto("about:blank");
    await page.goto(`${studio.server.address}#/file?id=unknown`); // as on another computer
    await page.waitForSelector(".problems:has-text('the address does not contain the scenario')");
    await drop({ "log.csv": "t [s],x [m]\n100,1\n101,2\n" });
    await page.waitForSelector(".remark:has-text('without its scenario')");
    await drop({ "broken.yaml": "model: nothing\n" });
    await studio.page.waitForSelector(".problems li");
    expect(await studio.page.isVisible(".view .remark")).toBe(false);
    expect(await studio.page.isVisible(".desk")).toBe(false); // only the problems are shown
  });
});
