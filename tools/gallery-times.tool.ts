/**
 * Measures how soon the gallery is complete on a cold cache: `npm run tool -- gallery-times`. It is complete when all pictures in the window
 * are drawn. Run it on an idle machine. It prints a table and asserts nothing.
 */
import { afterAll, beforeAll, it } from "vitest";
import { openStudioPage, type StudioPage } from "../test/fixtures/pages/studio-page.ts";

const REPETITIONS = 5;

let studio: StudioPage;
beforeAll(async () => {
  studio = await openStudioPage();
});
afterAll(() => studio?.close());

it("gallery", async () => {
  const browser = studio.page.context().browser()!;
  for (let k = 0; k < REPETITIONS; k++) {
    const context = await browser.newContext({ viewport: { width: 1440, height: 900 } }); // an empty cache
    const page = await context.newPage();
    await page.addInitScript(() => {
      const tasks: number[] = [];
      Object.assign(window, { tasks });
      new PerformanceObserver((list) => {
        for (const { startTime, duration } of list.getEntries()) tasks.push(startTime, duration);
      }).observe({ type: "longtask", buffered: true });
    });
    await page.goto(studio.server.address);
    const times = await page.evaluate(async () => {
      const isInWindow = (image: Element): boolean => image.getBoundingClientRect().top < innerHeight;
      while (document.querySelector(".gallery .card img") === null) await new Promise((wait) => setTimeout(wait, 5));
      const images = [...document.querySelectorAll<HTMLImageElement>(".gallery img")].filter(isInWindow);
      await Promise.all(images.map((image) => image.decode()));
      await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn)));
      const complete = performance.now();
      const paints = Object.fromEntries(performance.getEntriesByType("paint").map(({ name, startTime }) => [name, startTime]));
      const loaded = performance
        .getEntriesByType("resource")
        .map((entry) => entry as PerformanceResourceTiming)
        .map(({ name, responseEnd }) => `${name.split("/").at(-1)} ${responseEnd.toFixed(0)}`);
      await new Promise((wait) => setTimeout(wait, 1500));
      return { paints, complete, images: images.length, loaded, tasks: (window as unknown as { tasks: number[] }).tasks };
    });
    const first = times.paints["first-contentful-paint"]!;
    console.log(
      `first paint ${first.toFixed(0)} ms, ${times.images} pictures in the window complete ${(times.complete - first).toFixed(0)} ms later; long tasks (start, duration): ${times.tasks.map((t) => t.toFixed(0)).join(" ")}`,
    );
    if (k === 0) console.log(times.loaded.slice(0, 30).join(", "));
    await context.close();
  }
});
