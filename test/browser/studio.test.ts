import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { builtIn } from "../fixtures/pages/studio-log.ts";
import { columnOf, openScenario, openStudioPage, type StudioPage, waitForRun } from "../fixtures/pages/studio-page.ts";
import { artifact, seek as seekOn } from "../fixtures/pages/studio-pictures.ts";

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
    await page.goto(`${server.address}#/scenario/satellite-manipulator?set=duration%3D20000`);
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
    await page.addInitScript(() => {
      const workers: Worker[] = [];
      const create: ProxyHandler<typeof Worker>["construct"] = (target, options) => {
        const worker = Reflect.construct(target, options) as Worker;
        workers.push(worker);
        return worker;
      };
      Object.assign(window, { workers, Worker: new Proxy(Worker, { construct: create }) });
    });
    const endWorkers = (): Promise<void> =>
      page.evaluate(() => {
        for (const worker of (window as unknown as { workers: Worker[] }).workers) worker.terminate();
      });
    await page.goto("about:blank"); // the script is there from the next page on
    await page.goto(`${server.address}#/scenario/satellite-manipulator?set=duration%3D20000`);
    await page.waitForFunction(() => {
      const { runs, current } = window.studio.state ?? {};
      return (runs?.find(({ id }) => id === current)?.log.length ?? 0) > 10;
    });
    await endWorkers();
    await page.waitForFunction(() => document.querySelector(".status")?.textContent === "failed");
    expect(await text(".problems")).toMatch(/the simulation worker ended unexpectedly.*Run it again/);
    await page.click('button:text-is("Run again")');
    await page.waitForFunction(() => document.querySelector(".status")?.textContent?.endsWith("%"));
    await page.click('[aria-label="Cancel the run"]');
    expect(await page.locator(".run-chip").allTextContents()).toEqual(["duration=20000"]); // the label of the overrides, not "Run again"
    // A worker that ends without a pending job is replaced silently.
    await openScenario(studio, "simple-pendulum");
    await endWorkers();
    await page.waitForFunction(async () => (await navigator.locks.query()).held?.length === 0);
    await openScenario(studio, "four-bar");
    expect(await text(".status")).toMatch(/^complete/);
    expect(await page.isVisible(".problems li")).toBe(false);
  });

  it("works with the keyboard alone", async () => {
    const { page, server } = studio;
    await page.goto(`${server.address}#/`);
    expect(await page.getByRole("heading").allTextContents()).toContain("Simulate space robots in the browser");
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
    const always = ["Bodies", "Frames", "Names", "Mass centre", "Momentum"];
    expect(await listed()).toEqual(["Bodies", "Inertia solids", ...always.slice(1), "Trails", "Ghosts", "Surroundings"]);
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
});
