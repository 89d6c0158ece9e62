/** Pictures of the page, for people to look at: both themes, a desk and a phone. */
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { expect } from "vitest";

const ARTIFACTS = fileURLToPath(new URL("../../artifacts", import.meta.url));

export const LOOKS = [
  ["light", 1440, 900],
  ["dark", 1440, 900],
  ["light", 390, 844],
  ["dark", 390, 844],
] as const;

/** Where the picture of a name goes. */
export function artifact(name: string): string {
  mkdirSync(ARTIFACTS, { recursive: true });
  return join(ARTIFACTS, `${name}.png`);
}

/** The scene and the plots at a time, drawn. */
export const seek = (page: Page, t: number): Promise<void> =>
  page.evaluate(async (time) => {
    window.studio.seek(time);
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  }, t);

/** The time at which coordinates are furthest from where they began, and how far that is. */
export const furthest = (page: Page): Promise<{ t: number; distance: number }> =>
  page.evaluate(() => {
    const { runs, current } = window.studio.state;
    const { log } = runs.find(({ id }) => id === current)!;
    const columns = log.channels.filter(({ name }) => name.startsWith("q.")).map(({ name }) => log.column(name));
    let [at, most] = [0, 0];
    for (let i = 0; i < log.length; i++) {
      const distance = Math.max(...columns.map((column) => Math.abs(column[i]! - column[0]!)));
      if (distance > most) [at, most] = [i, distance];
    }
    return { t: log.column("t")[at]!, distance: most };
  });

/** The page in some themes and sizes; it is left as the first of all looks. */
export async function pictures(page: Page, name: string, t: number, looks: readonly (typeof LOOKS)[number][]): Promise<void> {
  for (const [theme, width, height] of looks) {
    await look(page, theme, width, height);
    await page.waitForTimeout(60);
    await seek(page, t);
    await page.screenshot({ path: artifact(`${name}-${theme}-${width}`) });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(width);
  }
  await look(page, ...LOOKS[0]);
}

async function look(page: Page, theme: "light" | "dark", width: number, height: number): Promise<void> {
  await page.setViewportSize({ width, height });
  await page.evaluate((wanted) => window.studio.store.set({ theme: wanted }), theme);
}
