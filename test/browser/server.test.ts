/** The server of the studio: served files, allowed requests and headers. */

import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { hostname, tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { caseOf } from "../../src/campaign/cases.ts";
import { loadCampaignArgument } from "../../src/cli/files/campaign-argument.ts";
import { loadScenarioArgument } from "../../src/cli/files/scenario-argument.ts";
import { studioCampaign } from "../../src/cli/server/campaign-studio.ts";
import { studioStart } from "../../src/cli/server/studio-files.ts";
import { type StudioServer, serveStudio } from "../../src/cli/server/studio-server.ts";
import { parseOverride } from "../../src/scenario/override.ts";
import { contentPolicy } from "../../studio/content-policy.ts";
import { PENDULUM } from "../fixtures/models/pendulum.ts";
import { builtStudio } from "../fixtures/pages/studio-page.ts";

const place = mkdtempSync(join(tmpdir(), "castor-studio-"));
const folder = join(place, "studio");
/** The server sends the policy of the page as a header. */
const PAGE = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${contentPolicy}">`;
let server: StudioServer;

beforeAll(async () => {
  mkdirSync(join(folder, "assets"), { recursive: true });
  writeFileSync(join(place, "secret.txt"), "secret");
  writeFileSync(join(folder, "index.html"), PAGE);
  writeFileSync(join(folder, "assets/page.js"), "1");
  server = await serveStudio({ folder, opened: { name: "x", files: [] }, host: "127.0.0.1", port: 0 });
});
afterAll(() => server.close());

interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | string[] | undefined>>;
  readonly text: string;
}

/** Sends a request with the path as written, without normalisation. */
const ask = (path: string, options: { method?: string; host?: string } = {}): Promise<Reply> =>
  new Promise((resolve, reject) => {
    const { port } = new URL(server.address);
    const headers = options.host === undefined ? {} : { host: options.host };
    const sent = request({ host: "127.0.0.1", port, path, method: options.method ?? "GET", headers }, (reply) => {
      let text = "";
      reply.on("data", (piece) => {
        text += piece;
      });
      reply.on("end", () => resolve({ status: reply.statusCode!, headers: reply.headers, text }));
    });
    sent.on("error", reject);
    sent.end();
  });

describe("a campaign", () => {
  it("has its report as a page, and an address for every case", async () => {
    const campaign = await studioCampaign("campaign-manipulator");
    const { address } = campaign;
    const report = "<!doctype html><title>report</title>";
    const own = await serveStudio({ folder, report, caseAddress: address, host: "127.0.0.1", port: 0 });
    const get = (path: string) => fetch(`${own.address}${path}`, { redirect: "manual" });
    const page = await get("campaign.html");
    expect([page.status, await page.text()]).toEqual([200, report]);
    expect(page.headers.get("content-security-policy")).toMatch(
      /^default-src 'none'; style-src 'unsafe-inline'; frame-ancestors/,
    );
    const found = await get("case/7");
    expect(found.status).toBe(302);
    const [path, query] = found.headers.get("location")!.split("?");
    expect(path).toBe("/#/scenario/satellite-manipulator");
    // The address has the drawn values to the last bit.
    const { campaign: chosen } = await loadCampaignArgument("campaign-manipulator");
    const changes = new URLSearchParams(query).getAll("set").map((text) => parseOverride(text, "set"));
    expect(changes.map(({ path: key, value }) => [key, value])).toEqual(
      caseOf(chosen, 7).overrides.map(({ path: key, value }) => [key, value]),
    );
    for (const none of ["case/500", "case/-1", "case/x", "case/1234567890"]) expect((await get(none)).status).toBe(404);
    expect((await ask("/case/7")).status).toBe(404); // this studio has no campaign
    await own.close();
  });
});

describe("the server", () => {
  it("serves its files with a strict content policy", async () => {
    const { status, headers, text } = await ask("/");
    expect([status, text]).toEqual([200, PAGE]);
    expect(headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(headers["x-content-type-options"]).toBe("nosniff");
    const policy = String(headers["content-security-policy"]);
    expect(policy).toContain("script-src 'self' 'wasm-unsafe-eval'");
    expect(policy).toContain("worker-src 'self'");
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain("unsafe-inline");
    expect(policy).not.toContain("'unsafe-eval'");
    expect((await ask("/assets/page.js")).headers["content-type"]).toBe("text/javascript; charset=utf-8");
    expect(JSON.parse((await ask("/opened.json")).text)).toEqual({ name: "x", files: [] });
  });

  it.each([
    "/../secret.txt",
    "/assets/../../secret.txt",
    "/%2e%2e/secret.txt",
    "/..%2fsecret.txt",
    "/assets/..%2f..%2fsecret.txt",
    "/..%5csecret.txt",
    "//etc/passwd",
    "/%",
    "/assets",
    "/index.html%00.js",
  ])("does not serve %s", async (path) => {
    const { status, text } = await ask(path);
    expect(status).toBe(404);
    expect(text).not.toContain("secret");
  });

  it("survives a rebuild of its files", async () => {
    writeFileSync(join(folder, "assets/old.js"), "1");
    const other = await serveStudio({ folder, host: "127.0.0.1", port: 0 });
    rmSync(join(folder, "assets/old.js"));
    expect((await fetch(`${other.address}assets/old.js`)).status).toBe(404);
    expect((await fetch(`${other.address}assets/page.js`)).status).toBe(200);
    await other.close();
  });

  it("accepts only read requests, and only with its own host name", async () => {
    for (const method of ["POST", "PUT", "DELETE", "OPTIONS"]) expect((await ask("/", { method })).status).toBe(405);
    expect((await ask("/", { method: "HEAD" })).text).toBe("");
    expect((await ask("/opened.json", { host: "elsewhere.example" })).status).toBe(421);
    expect((await ask("/", { host: "localhost:1" })).status).toBe(200);
  });

  it("refuses names of other hosts also if it listens on all addresses", async () => {
    const open = await serveStudio({ folder, opened: { name: "x", files: [] }, host: "0.0.0.0", port: 0 });
    const port = Number(new URL(open.address).port);
    const status = (host: string): Promise<number> =>
      new Promise((resolve, reject) => {
        request({ host: "127.0.0.1", port, path: "/opened.json", headers: { host } }, (reply) => resolve(reply.statusCode!))
          .on("error", reject)
          .end();
      });
    for (const foreign of ["elsewhere.example", `elsewhere.example:${port}`, "127.0.0.1.elsewhere.example"])
      expect(await status(foreign), foreign).toBe(421);
    for (const own of ["localhost", `127.0.0.1:${port}`, "192.168.1.7", `[fe80::1]:${port}`, hostname(), `${hostname()}.local`])
      expect(await status(own), own).toBe(200);
    await open.close();
  });

  it("reports why it cannot serve", async () => {
    const port = Number(new URL(server.address).port);
    await expect(serveStudio({ folder, host: "127.0.0.1", port })).rejects.toThrow("the port is in use");
    await expect(serveStudio({ folder: place, host: "127.0.0.1", port: 0 })).rejects.toThrow("is not built");
    await expect(serveStudio({ folder, host: "203.0.113.1", port: 0 })).rejects.toThrow("no such address");
  });
});

describe("the built page", () => {
  it("is small, contains its content policy, and loads nothing from elsewhere", async () => {
    const built = await builtStudio();
    const files = readdirSync(built, { recursive: true, encoding: "utf8" }).filter((name) => /\.(js|css|html)$/.test(name));
    const sizeOf = (names: readonly string[]): number =>
      names.reduce((sum, name) => sum + gzipSync(readFileSync(join(built, name))).length, 0);
    // The program: kernels, formulations and their saved states, 3D with export, maps, meshes, robots, YAML. The scenarios are data beside it.
    expect(sizeOf(files.filter((name) => name !== "data.js"))).toBeLessThan(900_000);
    expect(sizeOf(["data.js"])).toBeLessThan(120_000);
    const page = readFileSync(join(built, "index.html"), "utf8");
    expect(page).toContain('http-equiv="Content-Security-Policy"');
    expect(page.indexOf("Content-Security-Policy")).toBeLessThan(page.indexOf("<script"));
    expect(page).not.toMatch(/(src|href)="(https?:)?\/\//);
    const data = readFileSync(join(built, "data.js"), "utf8").replace("self.castorData=", "");
    const { scenarios } = JSON.parse(data) as { readonly scenarios: readonly { readonly name: string }[] };
    expect(scenarios.map(({ name }) => name)).toContain("satellite-manipulator");
  });
});

describe("opened files", () => {
  it("can be a built-in scenario with overrides; without a name the gallery opens", async () => {
    expect(await studioStart(undefined, [])).toEqual({ address: "#/" });
    expect(await studioStart("four-bar", ["duration=2"])).toEqual({ address: "#/scenario/four-bar?set=duration%3D2" });
    await expect(studioStart("fuor-bar", [])).rejects.toThrow('Did you mean "four-bar"?');
  });

  it("can be a scenario, even with problems, with the files that it names, but none outside its folder", async () => {
    writeFileSync(join(place, "pendulum.yaml"), PENDULUM);
    expect((await studioStart(join(place, "pendulum.yaml"), [])).opened).toEqual({
      name: "pendulum.yaml",
      files: [{ path: "pendulum.yaml", text: PENDULUM }],
    });
    writeFileSync(join(folder, "scenario.yaml"), "model: ./m.yaml\nduration: never");
    writeFileSync(join(folder, "m.yaml"), "name: 3");
    expect((await studioStart(folder, [])).opened!.files.map(({ path }) => path)).toEqual(["scenario.yaml", "m.yaml"]);
    const map = "model: ./m.yaml\nduration: 1\nterrain: { site: { kind: map, file: site.tif } }";
    writeFileSync(join(folder, "map.yaml"), map);
    writeFileSync(join(folder, "site.tif"), "II*\0");
    const { opened } = await studioStart(join(folder, "map.yaml"), []);
    expect(opened!.files).toContainEqual({ path: "site.tif", text: "", base64: "SUkqAA==" });
    writeFileSync(join(folder, "bad.yaml"), "model: ../secret.txt");
    expect(JSON.stringify(await studioStart(join(folder, "bad.yaml"), []))).not.toContain('"secret"');
  });

  it("can be the folder of a run: its log and its scenario", async () => {
    const run = join(place, "run");
    mkdirSync(run);
    await expect(studioStart(run, [])).rejects.toThrow("contains no log, no scenario.yaml and no model.yaml");
    writeFileSync(join(run, "scenario.yaml"), PENDULUM);
    const long = `t [s]\n${"0.123456789\n".repeat(1.5e6)}`; // longer than any handwritten file
    writeFileSync(join(run, "log.csv"), long);
    const { files } = (await studioStart(run, [])).opened!;
    expect(files.map(({ path }) => path)).toEqual(["scenario.yaml", "log.csv"]);
    expect(files[1]!.text.length).toBe(long.length);
    expect((await studioStart(join(run, "log.csv"), [])).opened!.files[0]!.text.length).toBe(long.length);
  });

  it("can be a model with its meshes and their buffers, but no files from elsewhere", async () => {
    const place = join(folder, "kite");
    mkdirSync(join(place, "parts/meshes"), { recursive: true });
    const shapes = ["meshes/a.stl", "b.gltf", "none.glb"].map((file) => `{ kind: mesh, file: ${file} }`).join(", ");
    const model = `name: kite\nbodies:\n  - { name: kite, mass: 1, inertia: [1, 1, 1], hinge: { kind: free }, shapes: [${shapes}] }\n`;
    writeFileSync(join(place, "parts/model.yaml"), model);
    writeFileSync(join(place, "parts/meshes/a.stl"), "solid");
    const buffers = ["my%20b.bin", "../../../secret.bin", "data:,x.bin", "summary.json"].map((uri) => ({ uri }));
    writeFileSync(join(place, "parts/b.gltf"), JSON.stringify({ buffers }));
    writeFileSync(join(place, "parts/my b.bin"), "numbers");
    writeFileSync(join(place, "../../secret.bin"), "secret");
    writeFileSync(join(place, "scenario.yaml"), "castor: 1\nmodel: ./parts/model.yaml\nduration: 1\n");
    const names = async (what: string): Promise<string[]> =>
      (await studioStart(join(place, what), [])).opened!.files.map(({ path }) => path);
    const meshes = ["meshes/a.stl", "b.gltf", "my b.bin"];
    expect(await names("scenario.yaml")).toEqual(["scenario.yaml", "parts/model.yaml", ...meshes]);
    expect(await names("parts/model.yaml")).toEqual(["model.yaml", ...meshes]);
    expect([...(await loadScenarioArgument(place)).meshes().keys()]).toEqual(meshes);
  });
});
