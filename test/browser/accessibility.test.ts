/** Accessibility of every view: rules of axe, the keyboard alone, and reduced motion. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openScenario, openStudioPage, type StudioPage, savedFile, waitForRun } from "../fixtures/pages/studio-page.ts";

const AXE = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");

let studio: StudioPage;
beforeAll(async () => {
  studio = await openStudioPage();
  await studio.page.goto(studio.server.address);
  await studio.page.waitForSelector(".card");
});
afterAll(() => studio?.close());
afterEach(() => expect(studio.complaints.splice(0)).toEqual([]));

declare const axe: {
  run(
    context: Element,
    options: { resultTypes: string[] },
  ): Promise<{ violations: { id: string; nodes: { html: string; failureSummary: string }[] }[] }>;
};

/** Expects that axe finds no violation in the page as it is shown, or in an element. */
async function expectAccessible(view: string, selector = "html"): Promise<void> {
  const { page } = studio;
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(AXE);
  const found = await page.evaluate(
    async (element) =>
      (await axe.run(document.querySelector(element)!, { resultTypes: ["violations"] })).violations.map(
        ({ id, nodes }) =>
          `${id}: ${nodes.map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary}`).join("; ")}`,
      ),
    selector,
  );
  expect(found, view).toEqual([]);
}

describe("axe finds no violation", () => {
  it("in the gallery, in both themes and on a phone", async () => {
    const { page } = studio;
    await expectAccessible("gallery");
    await page.getByRole("button", { name: "Switch between light and dark" }).click();
    await expectAccessible("dark gallery");
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible("gallery on a phone");
    await page.setViewportSize({ width: 1440, height: 900 });
  });

  it("in a scenario, its tabs, menus and windows", async () => {
    const { page } = studio;
    await openScenario(studio, "rover-flat");
    await page.evaluate(() => window.studio.store.set({ theme: "dark" }));
    await expectAccessible("dark scenario");
    await page.evaluate(() => window.studio.store.set({ theme: "light", selection: { kind: "body", name: "base" } }));
    await expectAccessible("scenario with a selection");
    await page.setViewportSize({ width: 390, height: 844 });
    await expectAccessible("scenario on a phone");
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.click("#tab-channels");
    await page.click("#tab-modes");
    await page.waitForFunction(() => window.studio.state.modes?.status !== "computing");
    await expectAccessible("channels and modes");
    await page.click("#tab-plots");
    await page.evaluate(() => {
      const { store, state } = window.studio;
      const plots = [
        ...state.plots,
        { id: 90, title: "Path", channels: ["q.base.y"], x: "q.base.x", unit: undefined, scale: "linear" } as const,
      ];
      store.set({ plots, enlargedPlot: 90 });
    });
    await page.waitForSelector(".plot.large .xy");
    await expectAccessible("an enlarged plot of a path");
    await page.evaluate(() => window.studio.store.set({ enlargedPlot: undefined }));
    for (const menu of ["Show or hide layers", "Standard views", "Export: save a picture, a video or a 3D file"]) {
      await page.getByRole("button", { name: menu }).click();
      await expectAccessible(menu, ":popover-open");
      await page.keyboard.press("Escape");
    }
    await page.click(".badge");
    await expectAccessible("audit", "#audit-details");
    await page.keyboard.press("Escape");
    for (const open of ["Control+k", "?"]) {
      await page.keyboard.press(open);
      await page.waitForSelector("dialog[open]");
      await expectAccessible(open, "dialog[open]");
      await page.keyboard.press("Escape");
    }
    await page.getByRole("button", { name: "About this scenario" }).click();
    await expectAccessible("about", "dialog[open]");
    await page.keyboard.press("Escape");
  });

  it("in a comparison, in the table of a verification, beside a broken file, and in an offline page", async () => {
    const { page } = studio;
    await openScenario(studio, "four-bar");
    await page.getByRole("button", { name: "Compare with another formulation" }).click();
    await page.getByRole("menuitem", { name: "Compare with kane" }).click();
    await page.click('button:text-is("Difference")');
    await waitForRun(page);
    await expectAccessible("comparison");
    await page.click('button:text-is("Verify")');
    await page.waitForSelector("[data-verdict=agree]");
    await expectAccessible("verification", "dialog[open]");
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Export/ }).click();
    const { bytes } = await savedFile(page, () => page.getByRole("menuitem", { name: "Page that plays offline (HTML)" }).click());
    await page.evaluate(() => {
      const { files } = window.studio.state.library.find(({ name }) => name === "simple-pendulum")!;
      const text = files["scenario.yaml"]!.replace(/^duration:.*/m, "duration: -3 s");
      window.studio.open({ name: "mine", path: "mine/scenario.yaml", text, files, builtIn: false });
    });
    await page.waitForSelector(".editor-text textarea");
    await expectAccessible("broken file");
    const file = join(mkdtempSync(join(tmpdir(), "castor-page-")), "run.html");
    writeFileSync(file, bytes);
    await page.goto(pathToFileURL(file).href);
    await page.locator("castor-view canvas").waitFor();
    await expectAccessible("offline page");
    rmSync(dirname(file), { recursive: true });
  });
});

describe("the keyboard alone", () => {
  it("reaches every control of a scenario, in the gallery the cards", async () => {
    const { page } = studio;
    await openScenario(studio, "four-bar");
    await page.waitForSelector(".tools .fit");
    await page.evaluate(() => {
      document.body.tabIndex = -1;
      document.body.focus();
    });
    // Every control that can be seen gets a mark when it has the focus.
    const missed = async (): Promise<string[]> =>
      page.evaluate(() =>
        [...document.querySelectorAll<HTMLElement>("button, input, select, a[href], textarea, summary, [tabindex='0']")]
          .filter(
            (e) => e.checkVisibility({ visibilityProperty: true }) && !e.matches(":disabled, [tabindex='-1'], [data-reached]"),
          )
          .map((e) => e.outerHTML.slice(0, 160)),
      );
    await page.evaluate(() => {
      addEventListener("focusin", ({ target }) => (target as HTMLElement).setAttribute("data-reached", ""));
    });
    for (let k = 0; k < 400; k++) {
      await page.keyboard.press("Tab");
      if (k % 40 === 39 && (await missed()).length === 0) break;
    }
    expect(await missed()).toEqual([]);
  });

  it("works the splitters, menus, folding parts, the palette and enlarged plots", async () => {
    const { page } = studio;
    await openScenario(studio, "rover-flat");
    const width = (selector: string): Promise<number> => page.evaluate((s) => document.querySelector(s)!.clientWidth, selector);
    const before = await width(".region-left");
    const splitter = page.getByRole("separator", { name: "Size of the model and channels" });
    await splitter.press("ArrowRight");
    expect(await width(".region-left")).toBeGreaterThan(before);
    await splitter.press("Enter");
    expect(await width(".region-left")).toBe(0);
    await splitter.press("Enter");
    expect(await width(".region-left")).toBeGreaterThan(before);
    await splitter.press("ArrowLeft");

    await page.click("#tab-outline");
    const branches = page.getByRole("button", { name: /^Hide the branches of/ }).first();
    const entries = (): Promise<number> => page.locator("#panel-outline .entry").filter({ visible: true }).count();
    const all = await entries();
    await branches.press("Enter");
    expect(await entries()).toBeLessThan(all);
    // A selection in the scene unfolds the tree.
    await page.evaluate(() => {
      const { bodies } = window.studio.state.scenario!.model;
      window.studio.store.set({ selection: { kind: "body", name: bodies.at(-1)!.name } });
    });
    expect(await entries()).toBe(all);

    await page.waitForFunction(() => document.querySelector<HTMLElement>(".view canvas")?.dataset.time !== undefined);
    await page.getByRole("button", { name: "Standard views" }).press("Enter");
    await page.waitForFunction(() => document.activeElement?.getAttribute("role") === "menuitem");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await page.waitForFunction(() => window.studio.state.camera !== undefined);

    const enlarge = page.getByRole("button", { name: /^Enlarge the plot/ }).first();
    await enlarge.press("Enter");
    await page.waitForSelector(".plot.large");
    await page.keyboard.press("Escape");
    await page.waitForSelector(".plot.large", { state: "detached" });

    await page.getByRole("button", { name: "Play again and again" }).press("Enter");
    expect(await page.evaluate(() => window.studio.state.loop)).toBe(true);

    await page.keyboard.press("Control+k");
    await page.keyboard.type("settings show");
    await page.keyboard.press("Enter");
    expect(await width(".region-right")).toBe(0);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("settings show");
    await page.keyboard.press("Enter");
    expect(await width(".region-right")).toBeGreaterThan(200);
  });
});

describe("with reduced motion", () => {
  it.runIf(process.env.CASTOR_BROWSER !== "firefox")("nothing moves by itself: cards, modes, pages", async () => {
    const { page, server } = studio;
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto("about:blank");
    await page.goto(`${server.address}#/`);
    const card = page.locator(".card:has(.motion)").first();
    await card.hover();
    await page.waitForTimeout(300);
    expect(await page.locator(".card .motion").filter({ visible: true }).count()).toBe(0);
    await page.goto(`${server.address}#/scenario/four-bar?mode=1`);
    await waitForRun(page);
    await page.waitForFunction(() => window.studio.state.modes?.status === "ready");
    const { playing, phase } = await page.evaluate(() => window.studio.state);
    expect([playing, phase]).toEqual([false, 0.25]);
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0);
    await page.emulateMedia({ reducedMotion: "no-preference" });
    await page.goto(`${server.address}#/`);
    await page.locator(".card:has(.motion)").first().hover();
    await page.waitForSelector(".card .motion:not([hidden])");
  });
});
