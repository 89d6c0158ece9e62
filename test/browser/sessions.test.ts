/** Sessions: the view of a scenario is the same after a reload, in a new process from its link, and after a crash of the tab. */
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { BROWSER } from "../fixtures/pages/browser.ts";
import {
  columnOf,
  launchStudioBrowser,
  openScenario,
  openStudioPage,
  type StudioPage,
  type,
  waitForRun,
  write,
} from "../fixtures/pages/studio-page.ts";

let studio: StudioPage;
beforeAll(async () => {
  studio = await openStudioPage({ width: 1100 });
});
afterAll(() => studio?.close());

/** Everything that a session keeps. Runs are named by their changes. */
const session = (page: Page): Promise<unknown> =>
  page.evaluate(() => {
    const { time, zoom, camera, layers, plots, overrides, compared, runs, current, difference, followed, selection, speed } =
      window.studio.state;
    const run = (id: number | undefined): unknown => {
      const { label, status, log } = runs.find((r) => r.id === id)!;
      return [label, status, log.length, log.endTime];
    };
    return {
      ...{ time, zoom, camera, layers, difference, followed, selection, speed },
      changes: overrides.map(({ path, value }) => [path, value]),
      plots: plots.map(({ id: _, ...plot }) => plot),
      runs: [run(current), ...compared.map(run)],
    };
  });

/** Waits until all runs have ended, and the address has been written. */
async function settled(page: Page): Promise<void> {
  await waitForRun(page);
  await page.waitForFunction(() => window.studio.state.runs.every(({ status }) => status !== "running"));
  await page.waitForFunction(() => document.querySelector<HTMLElement>(".view canvas")?.dataset.time !== undefined);
  await page.waitForTimeout(500);
}

async function change(path: string, text: string): Promise<void> {
  const { page } = studio;
  await type(page.locator('[aria-label="Find a setting"]'), path);
  const input = page.locator(`[data-path="${path}"] :is(input, select)`).first();
  await write(input, text);
  await settled(page);
}

describe("a session", () => {
  it("with changes, plots, a comparison, a camera and a time is the same after reload, in a new process and after a crash", async () => {
    const { page, server } = studio;
    await openScenario(studio, "four-bar");
    await change("duration", "2");
    await page.getByRole("button", { name: "Keep this run for comparison" }).click();
    await change("model.bodies.rocker.mass", "2.5");
    await page.evaluate(() => {
      const { store, state } = window.studio;
      const added = [
        { title: "Crank", channels: ["q.crank"], unit: "deg", scale: "linear" },
        { title: "Energy", channels: ["energy.kinetic", "energy.potential"], unit: undefined, scale: "linear" },
        { title: "Path", channels: ["frame.tracer.y"], unit: undefined, scale: "linear", x: "frame.tracer.x" },
      ] as const;
      const plots = [...state.plots, ...added.map((plot, i) => ({ ...plot, id: 10 + i }))];
      store.set({ plots, zoom: [0.25, 1.5], layers: { frames: true, bodies: false }, difference: true, speed: 0.5 });
      store.set({ selection: { kind: "body", name: "rocker" } });
      window.studio.seek(0.75);
    });
    await page.focus(".view canvas");
    for (const key of ["d", "d", "w", "+"]) await page.keyboard.press(key);
    await settled(page);
    const before = await session(page);
    expect(before).toMatchObject({
      time: 0.75,
      changes: [
        ["duration", 2],
        ["model.bodies.rocker.mass", 2.5],
      ],
    });
    expect((before as { runs: unknown[]; camera: unknown }).runs.length).toBeGreaterThan(1);
    expect((before as { camera: unknown }).camera).toBeDefined();
    const link = page.url();
    const angles = await columnOf(page, "q.crank");

    await page.reload();
    await settled(page);
    expect(await session(page)).toEqual(before);
    expect(page.url()).toBe(link);

    const other = await launchStudioBrowser();
    try {
      const fresh = await other.newPage({ viewport: { width: 1100, height: 900 } });
      await fresh.goto(link);
      await settled(fresh);
      expect(await session(fresh)).toEqual(before);
      expect(await columnOf(fresh, "q.crank")).toEqual(angles);
    } finally {
      await other.close();
    }

    // The browser opens the address of a crashed tab again.
    const context = await page
      .context()
      .browser()!
      .newContext({ viewport: { width: 1100, height: 900 } });
    const crashing = await context.newPage();
    await crashing.goto(link);
    await settled(crashing);
    if (BROWSER === "chromium") {
      const crashed = crashing.waitForEvent("crash");
      await Promise.race([crashing.goto("chrome://crash").catch(() => {}), crashed]);
      await crashed;
    }
    await crashing.close(); // Firefox has no page that crashes: the tab ends without being asked
    const again = await context.newPage();
    await again.goto(`${server.address}#/`);
    await again.locator(".recent a").first().click();
    await settled(again);
    expect(await session(again)).toEqual(before);
    await context.close();
    expect(studio.complaints.splice(0)).toEqual([]);
  });

  /** Wrong values of every key of a link, and what the page says about them. */
  const WRONG: readonly (readonly [parameter: string, message: RegExp])[] = [
    ["set=duration=-4", /duration\n.*must be positive, got -4/],
    ["t=abc", /t\n.*must be a time of the run, 0 to 10 s, got abc/],
    ["zoom=1,99", /zoom\n.*must be two times of the run, 0 to 10 s.*got 1,99/],
    ["camera=1,2", /camera\n.*got 1,2/],
    ["layers=nothing", /layers\n.*got nothing/],
    ["follow=nobody", /follow\n.*got nobody/],
    ["select=body:none", /select\n.*got body:none/],
    ["speed=-1", /speed\n.*got -1/],
    ["loop=x", /loop\n.*has no value, got x/],
    ["difference=x", /difference\n.*has no value, got x/],
    ['plot=["A",["q.none"]]', /plot\n.*there is no such channel, got q.none/],
    ['plot=["A",["t"],{"unit":"kg"}]', /plot\n.*is not a unit of its channels, got kg/],
    ['plot=["A",["t"],{"range":[3,1]}]', /plot\n.*is no plot, got .*3,1/],
    ["plots=x", /plots\n.*got x/],
    ["enlarge=99", /enlarge\n.*got 99/],
    ["with=x", /with\n.*got x/],
    ["mode=abc", /mode\n.*must be the number of a mode.*got abc/],
    ["lock=nobody", /lock\n.*got nobody/],
    ["rest=x", /rest\n.*has no value, got x/],
    ["text=abc", /text\n.*is no part of the link of a built-in scenario/],
    ["id=abc", /id\n.*is no part of the link of a built-in scenario/],
    ["other=1", /other\n.*is no part of a link, got 1/],
  ];

  it("with a wrong value in its link opens unchanged, and every wrong value is named", async () => {
    const { page, server } = studio;
    const open = async (query: string): Promise<string> => {
      await page.goto("about:blank");
      await page.goto(`${server.address}#/scenario/simple-pendulum?${query}`);
      await waitForRun(page);
      expect(await page.evaluate(() => window.studio.state.runs[0]!.status)).toBe("complete");
      return page.locator(".problems").innerText();
    };
    const query = WRONG.map(([parameter]) => {
      const [name, ...value] = parameter.split("=");
      return `${name}=${encodeURIComponent(value.join("="))}`;
    }).join("&");
    const text = await open(query);
    expect(text).toContain(`The scenario is opened unchanged, because the link has ${WRONG.length} problems`);
    for (const [, message] of WRONG) expect(text).toMatch(message);
    const state = (): Promise<unknown> =>
      page.evaluate(() => {
        const { overrides, layers, selection, followed, compared, modes, time } = window.studio.state;
        return [overrides, layers, selection, followed, compared, modes, time];
      });
    const unchanged = [[], {}, undefined, undefined, [], undefined, 0];
    expect(await state()).toEqual(unchanged);
    // One wrong value is enough: the right ones beside it are not applied either.
    expect(await open("t=2&set=duration=5&speed=fast")).toContain("the link has 1 problem");
    expect(await state()).toEqual(unchanged);
    expect(await open("t=1&t=2")).toContain("must not be repeated");
    // How many modes there are is known after they are computed.
    await page.goto("about:blank");
    await page.goto(`${server.address}#/scenario/simple-pendulum?mode=99`);
    await page.waitForSelector(".problems:has-text('there is only 1 mode, got 99')");
    await page.goto(`${server.address}#/scenery/simple-pendulum`);
    await page.waitForSelector(".problems:has-text('there is nothing at the address #/scenery/simple-pendulum')");
  });

  it("of a broken file shows the problems beside the text, which can be corrected", async () => {
    const { page } = studio;
    await page.evaluate(() => {
      const { library } = window.studio.state;
      const { files } = library.find(({ name }) => name === "simple-pendulum")!;
      const text = files["scenario.yaml"]!.replace(/^duration:.*/m, "duration: -3 s");
      window.studio.open({ name: "mine", path: "mine/scenario.yaml", text, files, builtIn: false });
    });
    const line = await page
      .inputValue(".editor-text textarea")
      .then((v) => v.split("\n").findIndex((l) => l.includes("-3 s")) + 1);
    await page.getByRole("button", { name: `Go to line ${line}` }).click();
    expect(await page.evaluate(() => getSelection()?.toString())).toBe("duration: -3 s");
    expect(await page.getByRole("button", { name: "Open another file" }).isVisible()).toBe(true);
    await page.keyboard.type("duration: 1 s");
    await page.keyboard.press("Control+Enter");
    await waitForRun(page);
    expect(await page.evaluate(() => window.studio.endTime())).toBe(1);
    expect(await page.isVisible(".file-editor")).toBe(false);
  });
});
