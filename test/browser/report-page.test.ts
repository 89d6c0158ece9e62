/** The report in a real browser, opened from disk. Screenshots are written to artifacts/. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RunReport } from "../../src/report/report-data.ts";
import { reportHtml } from "../../src/report/report-html.ts";
import { launchBrowser } from "../fixtures/pages/browser.ts";
import { hostileReport, sampleReport } from "../fixtures/pages/sample-report.ts";

/** The package contains Chromium for this platform only. */
const hasBrowser = process.platform === "linux" && process.arch === "x64";
const artifacts = fileURLToPath(new URL("../../artifacts/", import.meta.url));
const place = mkdtempSync(join(tmpdir(), "castor-page-"));
let browser: Browser;

beforeAll(async () => {
  mkdirSync(artifacts, { recursive: true });
  if (!hasBrowser) return;
  browser = await launchBrowser();
});
afterAll(async () => {
  await browser?.close();
  rmSync(place, { recursive: true, force: true });
});

interface Opened {
  readonly page: Page;
  /** Errors, warnings, blocked content and network requests. */
  readonly incidents: readonly string[];
}

async function open(report: RunReport, options: BrowserContextOptions): Promise<Opened> {
  const file = join(place, "report.html");
  writeFileSync(file, reportHtml(report, { logs: ["log.csv", "log.json"], plots: report.plots.map(() => ["plots/x.svg"]) }));
  const page = await browser.newPage(options);
  const incidents: string[] = [];
  page.on("console", (message) => incidents.push(message.text()));
  page.on("pageerror", (error) => incidents.push(String(error)));
  page.on("request", (request) => {
    if (request.url() !== pathToFileURL(file).href) incidents.push(request.url());
  });
  await page.goto(pathToFileURL(file).href);
  await painted(page);
  return { page, incidents };
}

/** Waits for the next frames: plots are painted in the frame after a change. */
const painted = (page: Page): Promise<void> =>
  page.evaluate(() => new Promise<void>((done) => requestAnimationFrame(() => requestAnimationFrame(() => done()))));

/** Number of pixels of a plot with about this colour, in the upper part given by `depth`. */
const pixelsLike = (page: Page, plot: number, colour: string, depth = 1): Promise<number> =>
  page.evaluate(
    ([index, variable, part]) => {
      const canvas = document.querySelector<HTMLCanvasElement>(`#plot-${index} canvas`)!;
      const pen = new OffscreenCanvas(canvas.width, canvas.height).getContext("2d", { willReadFrequently: true })!;
      pen.drawImage(canvas, 0, 0);
      const wanted = getComputedStyle(document.documentElement).getPropertyValue(variable).trim();
      const rgb = [1, 3, 5].map((at) => Number.parseInt(wanted.slice(at, at + 2), 16));
      const { data } = pen.getImageData(0, 0, canvas.width, Math.floor(part * canvas.height));
      let count = 0;
      for (let i = 0; i < data.length; i += 4)
        if (data[i + 3]! > 200 && rgb.every((c, k) => Math.abs(data[i + k]! - c) < 24)) count++;
      return count;
    },
    [plot, colour, depth] as const,
  );

const pictureOf = (page: Page, plot: number): Promise<string> =>
  page.evaluate((index) => document.querySelector<HTMLCanvasElement>(`#plot-${index} canvas`)!.toDataURL(), plot);

async function dragAcross(page: Page, plot: number, from: number, to: number): Promise<void> {
  const box = (await page.locator(`#plot-${plot} .u-over`).boundingBox())!;
  const y = box.y + box.height / 2;
  await page.mouse.move(box.x + from * box.width, y);
  await page.mouse.down();
  await page.mouse.move(box.x + to * box.width, y, { steps: 4 });
  await page.mouse.up();
  await painted(page);
}

const clock = (page: Page, plot: number): Promise<string | null> => page.locator(`#plot-${plot} .clock`).textContent();

test.runIf(hasBrowser)(
  "plots are drawn, zoom together and share one cursor; lines can be hidden; the theme can be switched",
  async () => {
    const report = sampleReport();
    const { page, incidents } = await open(report, { viewport: { width: 1440, height: 1000 }, colorScheme: "light" });

    for (const [i, plot] of report.plots.entries())
      for (const s of plot.series.keys())
        expect(await pixelsLike(page, i, `--line-${s}`), `${plot.title} ${s}`).toBeGreaterThan(50);
    await page.screenshot({ path: join(artifacts, "report-1440.png"), fullPage: true });

    // All plots share the cursor; without a cursor, the last values are shown.
    expect(await clock(page, 1)).toBe("t = 20 s");
    await page.locator("#plot-0").evaluate((plot) => plot.scrollIntoView()); // the plots may be far down the page
    const box = (await page.locator("#plot-0 .u-over").boundingBox())!;
    await page.mouse.move(box.x + box.width / 2, box.y + 50);
    await painted(page);
    expect(await clock(page, 1)).toBe("t = 10 s");
    const elbow = Number((await page.locator("#plot-0 button").nth(2).locator(".value").textContent())!.replace("−", "-"));
    expect(elbow).toBeCloseTo(report.log.column("elbow.q")[1000]!, 4);
    await page.mouse.move(5, 5);

    // Zoom: all plots follow, and all are reset.
    const before = [await pictureOf(page, 0), await pictureOf(page, 1)];
    await dragAcross(page, 0, 0.25, 0.5);
    expect(await pictureOf(page, 0)).not.toBe(before[0]);
    expect(await pictureOf(page, 1)).not.toBe(before[1]);
    await page.mouse.move(box.x + box.width / 2, box.y + 50);
    expect(Number(/[\d.]+/.exec((await clock(page, 3))!)![0])).toBeCloseTo(7.5, 1);
    await page.screenshot({ path: join(artifacts, "report-zoomed.png") });
    await page.locator("#plot-1 .u-over").dblclick();
    await page.mouse.move(5, 5);
    await painted(page);
    expect([await pictureOf(page, 0), await pictureOf(page, 1)]).toEqual(before);
    await dragAcross(page, 1, 0.6, 0.2);
    await page.locator("#reset").click();
    await painted(page);
    expect(await pictureOf(page, 0)).toBe(before[0]);
    expect(await page.locator("#reset").isVisible()).toBe(false);

    // Toggle a line.
    const wrist = page.locator("#plot-0 .legend button").nth(3);
    await wrist.click();
    await painted(page);
    expect(await wrist.getAttribute("aria-pressed")).toBe("false");
    expect(await pixelsLike(page, 0, "--line-3")).toBe(0);
    expect(await pixelsLike(page, 0, "--line-0")).toBeGreaterThan(50);
    await wrist.click();
    await painted(page);
    expect(await pixelsLike(page, 0, "--line-3")).toBeGreaterThan(50);

    // Theme: that of the system, then the opposite by the button.
    const background = (): Promise<string> => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    const light = await background();
    await page.emulateMedia({ colorScheme: "dark" });
    await painted(page);
    const dark = await background();
    expect(dark).not.toBe(light);
    expect(await pixelsLike(page, 0, "--line-0")).toBeGreaterThan(50);
    await page.screenshot({ path: join(artifacts, "report-1440-dark.png"), fullPage: true });
    await page.locator("#theme").click();
    expect(await background()).toBe(light);
    await page.locator("#theme").click();
    expect(await background()).toBe(dark);

    expect(incidents).toEqual([]);
    await page.close();
  },
);

test.runIf(hasBrowser)("on a phone: the page fits the width, and touch zooms", async () => {
  const phone = { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2, hasTouch: true, isMobile: true };
  const { page, incidents } = await open(sampleReport(), phone);
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  const smallest = await page.evaluate(() =>
    Math.min(
      ...[...document.querySelectorAll("main *:not(sup)")].map((element) =>
        Number.parseFloat(getComputedStyle(element).fontSize),
      ),
    ),
  );
  expect(smallest).toBeGreaterThanOrEqual(12);
  await page.screenshot({ path: join(artifacts, "report-390.png"), fullPage: true });

  const before = await pictureOf(page, 0);
  await page.locator("#plot-0 .u-over").evaluate((over) => {
    const { left, top, width } = over.getBoundingClientRect();
    const send = (type: string, part: number): boolean =>
      over.dispatchEvent(
        new PointerEvent(type, { pointerType: "touch", clientX: left + part * width, clientY: top + 40, bubbles: true }),
      );
    send("pointerdown", 0.2);
    send("pointermove", 0.5);
    send("pointerup", 0.6);
  });
  await painted(page);
  expect(await pictureOf(page, 0)).not.toBe(before);
  await page.locator("#reset").tap();
  await painted(page);
  expect(await pictureOf(page, 0)).toBe(before);

  // Plots grow with the window.
  await page.setViewportSize({ width: 800, height: 844 });
  await painted(page);
  expect(await page.locator("#plot-0 canvas").evaluate((canvas) => canvas.clientWidth)).toBeGreaterThan(600);
  expect(incidents).toEqual([]);
  await page.close();
});

test.runIf(hasBrowser)("hostile names, failed runs and very long logs are shown without side effects", async () => {
  const hostile = await open(hostileReport(), {});
  expect(await hostile.page.evaluate(() => "hacked" in window)).toBe(false);
  expect(await hostile.page.locator("#plot-0 canvas").count()).toBe(1);
  expect(hostile.incidents).toEqual([]);
  await hostile.page.close();

  const report = sampleReport(100_000);
  report.log.column("elbow.q")[54_321] = 9;
  const audit = report.audit.map((line, i) => (i === 0 ? { ...line, worst: 3.2e-4, pass: false } : line));
  const long = await open({ ...report, audit, outcome: "failed" }, { viewport: { width: 1000, height: 800 } });
  // A single outlier in a hundred thousand samples stays visible.
  expect(await pixelsLike(long.page, 0, "--line-2", 0.5)).toBeGreaterThan(20);
  expect(await pixelsLike(long.page, 0, "--line-0", 0.5)).toBe(0);
  await long.page.screenshot({ path: join(artifacts, "report-failed.png") });
  expect(long.incidents).toEqual([]);
  await long.page.close();
});
