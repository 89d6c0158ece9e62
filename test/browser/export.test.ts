/** Exports of the scene: each file is opened again and compared with the run. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  builtStudio,
  columnOf,
  openScenario,
  openStudioPage,
  type StudioPage,
  savedFile,
} from "../fixtures/pages/studio-page.ts";
import { webmBlocks } from "../fixtures/pages/webm-blocks.ts";

let studio: StudioPage;
/** A page without the policy of the studio, which forbids media. */
let plain: Page;
beforeAll(async () => {
  studio = await openStudioPage({ width: 900 });
  plain = await studio.page.context().browser()!.newPage();
  await openScenario(studio, "four-bar");
});
afterAll(() => studio?.close());
afterEach(() => studio.page.evaluate(() => window.studio.store.set({ zoom: undefined, speed: undefined, time: 0 })));

async function saved(item: string): Promise<{ readonly name: string; readonly bytes: Buffer }> {
  const { page } = studio;
  await page.getByRole("button", { name: "Save a picture, a video or a 3D file" }).click();
  return savedFile(page, () => page.getByRole("menuitem", { name: item, exact: true }).click());
}

interface Pictures {
  readonly width: number;
  readonly height: number;
  /** Brightness of 48 by 32 squares of each picture. */
  readonly pictures: readonly (readonly number[])[];
}

/** Opens a PNG in a browser. */
const opened = (bytes: Buffer): Promise<Pictures> =>
  plain.evaluate(async (base64) => {
    const image = new Image();
    image.src = `data:image/png;base64,${base64}`;
    await image.decode();
    const [columns, rows] = [48, 32];
    const context = new OffscreenCanvas(columns, rows).getContext("2d", { willReadFrequently: true })!;
    context.imageSmoothingQuality = "high";
    context.drawImage(image, 0, 0, columns, rows);
    const { data } = context.getImageData(0, 0, columns, rows);
    const brightness = Array.from({ length: columns * rows }, (_, i) => data[4 * i]! + data[4 * i + 1]! + data[4 * i + 2]!);
    return { width: image.naturalWidth, height: image.naturalHeight, pictures: [brightness] };
  }, bytes.toString("base64"));

/** Size and duration of a video, s, as a player sees it. */
const playerFacts = (bytes: Buffer): Promise<{ width: number; height: number; duration: number }> =>
  plain.evaluate(async (base64) => {
    const video = document.createElement("video");
    video.src = URL.createObjectURL(new Blob([Uint8Array.from(atob(base64), (c) => c.charCodeAt(0))], { type: "video/webm" }));
    await new Promise((resolve, reject) => {
      video.addEventListener("loadeddata", resolve, { once: true });
      video.addEventListener("error", () => reject(new Error(video.error?.message)), { once: true });
    });
    return { width: video.videoWidth, height: video.videoHeight, duration: video.duration };
  }, bytes.toString("base64"));

/**
 * Decodes every frame of a video. A player that has sought to a time may still show the frame before it, so no player is used.
 * The page of the studio decodes, because only pages of a server may.
 */
const decoded = (bytes: Buffer): Promise<Pictures> => {
  const { codec, blocks } = webmBlocks(bytes);
  return studio.page.evaluate(
    async (video) => {
      const [columns, rows] = [48, 32];
      const context = new OffscreenCanvas(columns, rows).getContext("2d", { willReadFrequently: true })!;
      context.imageSmoothingQuality = "high";
      const pictures: number[][] = [];
      let [width, height] = [0, 0];
      const decoder = new VideoDecoder({
        output: (frame) => {
          [width, height] = [frame.displayWidth, frame.displayHeight];
          context.drawImage(frame, 0, 0, columns, rows);
          frame.close();
          const { data } = context.getImageData(0, 0, columns, rows);
          pictures.push(Array.from({ length: columns * rows }, (_, i) => data[4 * i]! + data[4 * i + 1]! + data[4 * i + 2]!));
        },
        error: (error) => {
          throw error;
        },
      });
      decoder.configure({ codec: video.codec });
      for (const { base64, time, isKey } of video.blocks)
        decoder.decode(
          new EncodedVideoChunk({
            type: isKey ? "key" : "delta",
            timestamp: 1000 * time,
            data: Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)),
          }),
        );
      await decoder.flush();
      decoder.close();
      return { width, height, pictures };
    },
    { codec, blocks: blocks.map(({ data, ...block }) => ({ ...block, base64: data.toString("base64") })) },
  );
};

const meanDifference = (a: readonly number[], b: readonly number[]): number =>
  a.reduce((sum, x, i) => sum + Math.abs(x - b[i]!), 0) / a.length;

/** Expects that the element castor-view of the page shows the machine of the run, moves it, and that Play plays. */
async function expectToPlay(page: Page): Promise<void> {
  const canvas = page.locator("castor-view canvas");
  await canvas.waitFor();
  const end = await studio.page.evaluate(() => window.studio.endTime());
  const pictureAt = async (t: number): Promise<readonly number[]> => {
    const address = await page.evaluate((time) => {
      const view = document.querySelector("castor-view") as HTMLElement & { time: number };
      view.time = time;
      return view.shadowRoot!.querySelector("canvas")!.toDataURL();
    }, t);
    return (await opened(Buffer.from(address.split(",")[1]!, "base64"))).pictures[0]!;
  };
  const [first, later] = [await pictureAt(0), await pictureAt(0.3 * end)];
  expect(Math.max(...first)).toBeGreaterThan(100); // a machine
  expect(meanDifference(first, later)).toBeGreaterThan(1); // that moves: the same moment has no difference
  expect(await pictureAt(0)).toEqual(first);
  expect(await page.locator("castor-view output").textContent()).toMatch(/^0(\.0*)? s$/);
  await page.locator("castor-view button").click();
  await page.waitForFunction(() => (document.querySelector("castor-view") as HTMLElement & { time: number }).time > 0);
  await page.locator("castor-view button").click();
  expect(await page.locator("castor-view button").textContent()).toBe("Play");
  const paused = await page.locator("castor-view output").textContent();
  await page.locator("castor-view input").fill("5000");
  expect(Number.parseFloat((await page.locator("castor-view output").textContent())!)).toBeCloseTo(end / 2, 1);
  expect(paused).not.toBe("0 s");
}

const sizeOfScene = (): Promise<number[]> =>
  studio.page.evaluate(() => {
    const canvas = document.querySelector<HTMLCanvasElement>(".view canvas")!;
    return [canvas.clientWidth, canvas.clientHeight];
  });

const seek = (t: number): Promise<void> => studio.page.evaluate((time) => window.studio.seek(time), t);

describe("the menu of the scene", () => {
  it("saves the scene as a picture of any size", async () => {
    const [width, height] = await sizeOfScene();
    const small = await saved("Picture (PNG)");
    expect(small.name).toMatch(/^four-bar-.*s\.png$/);
    const one = await opened(small.bytes);
    expect([one.width, one.height]).toEqual([width, height]);
    const [a] = one.pictures;
    expect(Math.max(...a!) - Math.min(...a!)).toBeGreaterThan(100); // a machine on a background
    for (const scale of [2, 3, 4]) {
      const large = await opened((await saved(`Picture, ${scale} times as large (PNG)`)).bytes);
      expect([large.width, large.height]).toEqual([scale * width!, scale * height!]);
      expect(meanDifference(a!, large.pictures[0]!), `${scale}`).toBeLessThan(12); // the same picture, with finer edges
    }
  });

  it("saves the zoomed time of the run as a video whose frames are the pictures of the run", async () => {
    const { page } = studio;
    const end = await page.evaluate(() => window.studio.endTime());
    const range: [number, number] = [0.25 * end, 0.75 * end];
    const speed = (range[1] - range[0]) / 1; // one second of video
    await page.evaluate((state) => window.studio.store.set(state), { zoom: range, speed, time: 0.1 * end });
    const { name, bytes } = await saved("Video of the run (WebM)");
    expect(name).toBe("four-bar.webm");
    expect(await page.evaluate(() => window.studio.state.time)).toBeCloseTo(0.1 * end, 12);
    const facts = await playerFacts(bytes);
    const [w, h] = await sizeOfScene();
    expect(Math.abs(facts.width - w!)).toBeLessThan(2);
    expect(Math.abs(facts.height - h!)).toBeLessThan(2);
    expect(facts.duration).toBeCloseTo(31 / 30, 2);
    expect(webmBlocks(bytes).blocks.map(({ time }) => time)).toEqual(
      Array.from({ length: 31 }, (_, k) => Math.round((1000 * k) / 30)),
    );
    const { width, height, pictures } = await decoded(bytes);
    expect([width, height]).toEqual([facts.width, facts.height]);
    expect(pictures.length).toBe(31);
    // Every frame shows another moment: none is left out.
    for (let k = 1; k < pictures.length; k++)
      expect(meanDifference(pictures[k]!, pictures[k - 1]!), `frame ${k}`).toBeGreaterThan(0.2);
    const frames = [0, 15, 30];
    const stills: (readonly number[])[] = [];
    for (const k of frames) {
      await seek(range[0] + (k / 30) * (range[1] - range[0]));
      stills.push((await opened((await saved("Picture (PNG)")).bytes)).pictures[0]!);
    }
    for (const [i, k] of frames.entries())
      for (const [j, still] of stills.entries())
        if (i === j)
          expect(meanDifference(pictures[k]!, still), `frame ${k}`).toBeLessThan(8); // compression
        else expect(meanDifference(pictures[k]!, still)).toBeGreaterThan(10); // another moment
  });

  it("saves the motion as a GLB file: a node per body, and positions of the run", async () => {
    const { bytes } = await saved("3D file with the motion (GLB)");
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    expect(view.getUint32(0, true)).toBe(0x46546c67);
    const jsonLength = view.getUint32(12, true);
    const gltf = JSON.parse(bytes.subarray(20, 20 + jsonLength).toString()) as {
      nodes: { name: string; mesh?: number; children?: number[] }[];
      animations: {
        channels: { sampler: number; target: { node: number; path: string } }[];
        samplers: { input: number; output: number }[];
      }[];
      accessors: { bufferView: number; byteOffset?: number; count: number }[];
      bufferViews: { byteOffset: number }[];
    };
    const numbers = (accessor: number, width: number): Float32Array => {
      const { bufferView, byteOffset = 0, count } = gltf.accessors[accessor]!;
      const start = 28 + jsonLength + (gltf.bufferViews[bufferView]!.byteOffset ?? 0) + byteOffset;
      return new Float32Array(bytes.buffer.slice(bytes.byteOffset + start, bytes.byteOffset + start + 4 * width * count));
    };
    const bodies = await studio.page.evaluate(() => window.studio.state.scenario!.model.bodies.map(({ name }) => name));
    const { channels, samplers } = gltf.animations[0]!;
    const t = await columnOf(studio.page, "t");
    for (const body of bodies) {
      const node = gltf.nodes.findIndex(({ name }) => name === body);
      expect(gltf.nodes[node]!.children!.length).toBeGreaterThan(0);
      const { sampler } = channels.find(({ target }) => target.node === node && target.path === "translation")!;
      const [times, positions] = [numbers(samplers[sampler]!.input, 1), numbers(samplers[sampler]!.output, 3)];
      expect(times[0]).toBe(0);
      expect(times.at(-1)).toBeCloseTo(t.at(-1)!, 5);
      for (const [k, axis] of ["x", "y", "z"].entries()) {
        const column = await columnOf(studio.page, `frame.${body}.${axis}`);
        // The origin of the scene is a fixed point, so displacements agree.
        expect(positions.at(-3 + k)! - positions[k]!).toBeCloseTo(column.at(-1)! - column[0]!, 4);
      }
    }
    expect(studio.complaints).toEqual([]);
  });

  it("saves the run as a page that plays without a network", async () => {
    const { name, bytes } = await saved("Page that plays offline (HTML)");
    expect(name).toBe("four-bar.html");
    const file = join(mkdtempSync(join(tmpdir(), "castor-page-")), name);
    writeFileSync(file, bytes);
    const context = await studio.page.context().browser()!.newContext({ offline: true });
    const page = await context.newPage();
    const incidents: string[] = [];
    page.on("request", (request) => {
      if (request.url() !== pathToFileURL(file).href) incidents.push(request.url());
    });
    page.on("console", (message) => incidents.push(message.text()));
    page.on("pageerror", (error) => incidents.push(error.message));
    await page.goto(pathToFileURL(file).href);
    await expectToPlay(page);
    const plots = await studio.page.evaluate(() => window.studio.state.plots.map(({ title, channels }) => ({ title, channels })));
    expect(await page.locator("castor-view figcaption").count()).toBe(plots.length);
    expect(await page.locator("castor-view figure >> nth=0 >> li").allTextContents()).toEqual(plots[0]!.channels);
    expect(incidents).toEqual([]);
    await context.close();
    rmSync(dirname(file), { recursive: true });
  });

  it("saves data for castor-view, which plays them in a page with a strict policy", async () => {
    const { name, bytes } = await saved("Data for <castor-view> (JSON)");
    expect(name).toBe("four-bar.castor-view.json");
    const answers: Readonly<Record<string, readonly [type: string, body: Buffer | string]>> = {
      "/": [
        "text/html",
        '<!doctype html><meta charset="utf-8"><script src="castor-view.js" defer></script><castor-view src="run.json"></castor-view>',
      ],
      "/castor-view.js": ["text/javascript", readFileSync(join(await builtStudio(), "castor-view.js"))],
      "/run.json": ["application/json", bytes],
    };
    const server = createServer(({ url }, response) => {
      const answer = answers[url!];
      response.setHeader("content-security-policy", "default-src 'none'; script-src 'self'; connect-src 'self'; img-src 'self'");
      if (answer) response.setHeader("content-type", answer[0]).end(answer[1]);
      else response.writeHead(204).end();
    });
    await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
    const page = await studio.page.context().browser()!.newPage();
    const incidents: string[] = [];
    page.on("console", (message) => incidents.push(message.text()));
    page.on("pageerror", (error) => incidents.push(error.message));
    await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
    await expectToPlay(page);
    expect(incidents).toEqual([]);
    await page.close();
    server.close();
  });

  it("ends a video at Cancel, and says why a video cannot be made", async () => {
    const { page } = studio;
    await page.evaluate(() => window.studio.store.set({ speed: window.studio.endTime() / 100 }));
    await page.getByRole("button", { name: "Save a picture, a video or a 3D file" }).click();
    await page.getByRole("menuitem", { name: "Video of the run (WebM)" }).click();
    await page.getByRole("button", { name: "Cancel", exact: true }).click();
    await page.locator(".export-note").waitFor({ state: "hidden" });
    await page.evaluate(() => window.studio.store.set({ speed: window.studio.endTime() / 1e6 }));
    await page.getByRole("button", { name: "Save a picture, a video or a 3D file" }).click();
    await page.getByRole("menuitem", { name: "Video of the run (WebM)" }).click();
    await page.getByText(/The video was not made: the video would have \d+ pictures, at most 18000 are made/).waitFor();
    await page.getByRole("button", { name: "Close", exact: true }).click();
    expect(studio.complaints).toEqual([]);
  });
});
