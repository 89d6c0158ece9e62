/** The studio built from the sources of this moment, its server, and a page of a browser that shows it. */
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Browser, Page } from "playwright-core";
import { build } from "vite";
import { type StudioServer, serveStudio } from "../../src/cli/server/studio-server.ts";
import type { Studio } from "../../studio/src/studio.ts";
import { launchBrowser, SOFTWARE_WEBGL } from "../report/browser.ts";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CACHE = join(ROOT, "node_modules/.cache");
const PARTS = ["studio", "src", "scenarios", "docs/validation.md", "package-lock.json"];

/** The folder of the built studio, named by what went into it: built once for all test files, and never stale. */
export async function builtStudio(): Promise<string> {
  const hash = createHash("sha256");
  const add = (path: string): void => {
    if (statSync(join(ROOT, path)).isDirectory()) for (const name of readdirSync(join(ROOT, path)).sort()) add(`${path}/${name}`);
    else hash.update(path).update(readFileSync(join(ROOT, path)));
  };
  for (const part of PARTS) add(part);
  const folder = join(CACHE, `castor-studio-${hash.digest("hex").slice(0, 16)}`);
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  for (const name of readdirSync(CACHE)) if (name.startsWith("castor-studio-")) removeOld(join(CACHE, name));
  const draft = mkdtempSync(`${folder}-`);
  await build({
    configFile: join(ROOT, "studio/vite.config.ts"),
    root: join(ROOT, "studio"),
    logLevel: "warn",
    build: { outDir: draft },
  });
  try {
    renameSync(draft, folder);
  } catch {
    rmSync(draft, { recursive: true }); // another test file was faster
  }
  return folder;
}

const AN_HOUR = 3_600_000;

function removeOld(folder: string): void {
  if (Date.now() - statSync(folder).mtimeMs > AN_HOUR) rmSync(folder, { recursive: true, force: true });
}

export interface StudioPage {
  readonly page: Page;
  readonly server: StudioServer;
  /** Messages of the console above information, and errors of scripts: none are expected. */
  readonly complaints: string[];
  close(): Promise<void>;
}

export async function openStudioPage(options: { readonly width?: number; readonly opened?: unknown } = {}): Promise<StudioPage> {
  const server = await serveStudio({ folder: await builtStudio(), opened: options.opened, host: "127.0.0.1", port: 0 });
  const browser: Browser = await launchBrowser(SOFTWARE_WEBGL);
  const page = await browser.newPage({ viewport: { width: options.width ?? 1440, height: 900 } });
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return {
    page,
    server,
    complaints,
    close: async () => {
      await browser.close();
      await server.close();
    },
  };
}

declare global {
  interface Window {
    readonly studio: Studio;
  }
}

/** Opens a built-in scenario by its address and waits until it has run. */
export async function openScenario({ page, server }: StudioPage, name: string): Promise<void> {
  await page.goto(`${server.address}#/scenario/${name}`);
  await ran(page);
}

/** Waits until the current run has ended. */
export async function ran(page: Page): Promise<void> {
  await page.waitForFunction(() => {
    // Until its script has run, the name means the element of the page.
    const { runs = [], current } = window.studio.state ?? {};
    const status = runs.find(({ id }) => id === current)?.status;
    return status !== undefined && status !== "running";
  });
}

/** A column of the current run, computed if it was not recorded. */
export const columnOf = (page: Page, name: string): Promise<number[]> =>
  page.evaluate(async (channel) => {
    const { runs, current } = window.studio.state;
    const run = runs.find(({ id }) => id === current)!;
    await window.studio.complete(run, [channel]);
    return [...run.log.column(channel)];
  }, name);
