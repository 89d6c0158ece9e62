import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runScenario } from "../../src/scenario/run.ts";
import { NAMES } from "../fixtures/built-in.ts";
import { builtIn } from "../fixtures/pages/studio-log.ts";
import {
  builtStudio,
  columnOf,
  openScenario,
  openStudioPage,
  type StudioPage,
  waitForRun,
} from "../fixtures/pages/studio-page.ts";
import { seek } from "../fixtures/pages/studio-pictures.ts";

let studio: StudioPage;
beforeAll(async () => {
  studio = await openStudioPage();
  await studio.page.goto(studio.server.address);
  await studio.page.waitForSelector(".card");
});
afterAll(() => studio?.close());
afterEach(() => expect(studio.complaints.splice(0)).toEqual([]));

describe("the page", () => {
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
    await page.waitForTimeout(200);
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

  it("reports missing WebGL on every card and scene, and works otherwise", async () => {
    const { page, server, complaints } = studio;
    const context = await page.context().browser()!.newContext();
    const bare = await context.newPage();
    bare.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
    });
    await bare.addInitScript(() => {
      const real = HTMLCanvasElement.prototype.getContext;
      HTMLCanvasElement.prototype.getContext = function (this: HTMLCanvasElement, kind: string, ...rest: unknown[]) {
        return kind.startsWith("webgl") ? null : (real as (...args: unknown[]) => unknown).call(this, kind, ...rest);
      } as typeof real;
    });
    await bare.goto(`${server.address}#/`);
    await bare.waitForSelector(".no-webgl:not([hidden])");
    const cards = await bare.locator(".card").allInnerTexts();
    expect(cards.length).toBe(NAMES.length);
    expect(cards.filter((text) => !text.includes("no WebGL"))).toEqual([]);
    for (const name of ["simple-pendulum", "four-bar"]) {
      await bare.goto(`${server.address}#/scenario/${name}`);
      await bare.waitForFunction((wanted) => window.studio.state.source?.name === wanted, name);
      await waitForRun(bare);
      await bare.waitForSelector(".view [role=alert]");
      expect(await bare.locator(".view [role=alert]").innerText()).toContain("The scene cannot be drawn here");
      expect(await bare.isVisible(".panel canvas")).toBe(true);
    }
    await context.close();
    expect(complaints.splice(0).filter((text) => !text.includes("WebGL"))).toEqual([]); // three.js reports it too
  });

  it("draws again after the graphics context was lost and restored, without warnings", async () => {
    const { page } = studio;
    await openScenario(studio, "satellite-manipulator");
    await page.evaluate(() => window.studio.store.set({ selection: { kind: "body", name: "hand" } }));
    const picture = async (t: number): Promise<Buffer> => {
      await seek(page, t);
      return page.locator(".view canvas").screenshot();
    };
    const before = await picture(2);
    const lose = async (): Promise<void> => {
      await page.evaluate(() => {
        const canvas = document.querySelector<HTMLCanvasElement>(".view canvas")!;
        Object.assign(window, { graphics: canvas.getContext("webgl2")!.getExtension("WEBGL_lose_context")! });
        (window as unknown as { graphics: WEBGL_lose_context }).graphics.loseContext();
      });
      await page.waitForSelector(".remark:has-text('lost the graphics card')");
    };
    const restore = async (): Promise<void> => {
      await page.evaluate(() => (window as unknown as { graphics: WEBGL_lose_context }).graphics.restoreContext());
      await page.waitForSelector(".remark", { state: "hidden" });
      await page.waitForFunction(() => document.querySelector<HTMLElement>(".view canvas")!.style.visibility === "");
    };
    await lose();
    await restore();
    await expect.poll(async () => (await picture(2)).equals(before), { timeout: 10_000 }).toBe(true);
    // The scenario changes while the context is lost, and after it was restored.
    await lose();
    await page.evaluate(() => window.studio.change([{ path: "model.bodies.hand.mass", value: 60, from: "" }]));
    await waitForRun(page);
    await page.evaluate(() => window.studio.store.set({ theme: "dark" }));
    expect(await page.locator(".remark").innerText()).toContain("lost the graphics card");
    await restore();
    await page.evaluate(() => window.studio.store.set({ theme: "light", layers: { names: true, momentum: true } }));
    await page.evaluate(() => window.studio.change([]));
    await waitForRun(page);
    await page.evaluate(() => window.studio.store.set({ layers: {} }));
    await expect.poll(async () => (await picture(2)).equals(before), { timeout: 10_000 }).toBe(true);
    expect(studio.complaints).toEqual([]);
  });
});
