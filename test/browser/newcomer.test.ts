/** What a newcomer does first, in few clicks. Clicks are counted in the page; typing and the browser's own windows do not count. */
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { ROOT } from "../fixtures/pages/studio-log.ts";
import { openScenario, openStudioPage, type StudioPage, savedFile, waitForRun } from "../fixtures/pages/studio-page.ts";

let studio: StudioPage;
beforeAll(async () => {
  studio = await openStudioPage();
  await studio.page.addInitScript(() => {
    Object.assign(window, { clicks: 0 });
    addEventListener("pointerdown", () => (window as unknown as { clicks: number }).clicks++, true);
  });
});
afterAll(() => studio?.close());
afterEach(() => expect(studio.complaints.splice(0)).toEqual([]));

/** Clicks since the page was loaded. */
const clicks = (): Promise<number> => studio.page.evaluate(() => (window as unknown as { clicks: number }).clicks);

/** Clicks on the forearm in the scene. */
async function clickForearm(): Promise<void> {
  const { page } = studio;
  const canvas = page.locator(".view canvas");
  const { x, y, width, height } = (await canvas.boundingBox())!;
  // The name under the pointer shows where the body is.
  for (let k = 0; k < 60; k++) {
    await page.mouse.move(x + width * (0.54 + 0.08 * ((0.618 * k) % 1)), y + height * (0.36 + 0.001 * k));
    await page.waitForTimeout(90); // names are looked up every 80 ms
    if ((await page.isVisible(".scene-tip")) && (await page.innerText(".scene-tip")) === "forearm") break;
  }
  await page.mouse.down();
  await page.mouse.up();
  await page.waitForFunction(() => window.studio.state.selection?.name === "forearm");
}

describe("a newcomer", () => {
  beforeEach(async () => {
    await studio.page.goto("about:blank");
  });

  it("opens a model of their own with one click, from the gallery and inside a scenario", async () => {
    const { page, server } = studio;
    for (const place of ["", "#/scenario/simple-pendulum"]) {
      await page.goto("about:blank");
      await page.goto(server.address + place);
      await page.waitForSelector(place === "" ? ".card" : ".plot");
      const chooser = page.waitForEvent("filechooser");
      await page.getByRole("button", { name: "Open files" }).filter({ visible: true }).click();
      await (await chooser).setFiles(join(ROOT, "scenarios/free-floating-arm/model.yaml"));
      await page.waitForFunction(() => window.studio.state.source?.builtIn === false);
      await waitForRun(page);
      expect(await page.evaluate(() => window.studio.state.runs.at(-1)!.status)).toBe("complete");
      expect(await clicks()).toBe(1);
    }
  });

  it("changes a mass with two clicks, and plots a hinge's torque with two", async () => {
    const { page } = studio;
    await openScenario(studio, "satellite-manipulator");
    await page.waitForFunction(() => document.querySelector<HTMLElement>(".view canvas")?.dataset.time !== undefined);
    await clickForearm();
    await page.getByLabel("mass", { exact: true }).filter({ visible: true }).click();
    await page.keyboard.press("Control+a");
    await page.keyboard.type("80 kg");
    await page.keyboard.press("Enter");
    await waitForRun(page);
    expect(await clicks()).toBe(2);
    expect(await page.evaluate(() => window.studio.state.scenario!.model.bodies.find((b) => b.name === "forearm")!.mass)).toBe(
      80,
    );
    // The facts are those of the new run.
    expect(await page.innerText(".picked-card header")).toContain("80 kg");
    const count = await page.locator(".plot").count();
    await page.getByRole("button", { name: "hinge torque" }).click();
    expect(await clicks()).toBe(3); // the body is still selected
    await page.locator(".plot").nth(count).waitFor();
    expect(await page.evaluate(() => window.studio.state.plots.at(-1)!.channels)).toEqual(["tau.forearm"]);
  });

  it("compares formulations, exports the data and makes a video with two clicks each", async () => {
    const { page } = studio;
    await openScenario(studio, "four-bar");
    await page.getByRole("button", { name: "Compare with another formulation" }).click();
    await page.getByRole("menuitem", { name: "Compare with kane" }).click();
    await page.waitForFunction(() => document.querySelectorAll(".run-chip").length === 2);
    await waitForRun(page);
    expect(await clicks()).toBe(2);
    expect(await page.evaluate(() => window.studio.state.scenario!.formulation)).toBe("kane");
    const data = await savedFile(page, () => page.getByRole("button", { name: "Save the run as CSV" }).click());
    expect(data.name).toBe("four-bar-log.csv");
    expect(await clicks()).toBe(3);
    await page.evaluate(() => window.studio.store.set({ zoom: [0, 0.2], speed: 1 })); // a short video
    await page.getByRole("button", { name: /^Export/ }).click();
    const video = await savedFile(page, () => page.getByRole("menuitem", { name: "Video of the run (WebM)" }).click());
    expect(video.name).toBe("four-bar.webm");
    expect(await clicks()).toBe(5);
  });
});
