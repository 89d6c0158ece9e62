import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { runScenario } from "../../src/scenario/run.ts";
import { builtIn } from "../fixtures/pages/studio-log.ts";
import {
  builtStudio,
  columnOf,
  openScenario,
  openStudioPage,
  type StudioPage,
  waitForRun,
} from "../fixtures/pages/studio-page.ts";

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
