/** Chromium from the npm packages alone, with the libraries and fonts that a bare machine lacks. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Browser, chromium as playwright } from "playwright-core";
import { vi } from "vitest";

const CACHE = fileURLToPath(new URL("../../node_modules/.cache/castor-chromium", import.meta.url));

const ARGUMENTS = [
  ..."--no-sandbox --headless=new --disable-quic --no-first-run --disable-background-networking".split(" "),
  ..."--disable-component-update --disable-sync --font-render-hinting=none --force-color-profile=srgb".split(" "),
];

const NO_GPU = ["--disable-gpu"];
/** WebGL drawn by the processor. */
export const SOFTWARE_WEBGL = "--use-gl=angle --use-angle=swiftshader --enable-unsafe-swiftshader --ignore-gpu-blocklist".split(
  " ",
);

export async function launchBrowser(graphics: readonly string[] = NO_GPU): Promise<Browser> {
  if (!existsSync(CACHE)) await unpackBrowser();
  return playwright.launch({
    executablePath: join(CACHE, "chromium"),
    args: [...ARGUMENTS, ...graphics],
    env: { ...process.env, LD_LIBRARY_PATH: join(CACHE, "al2023", "lib"), FONTCONFIG_FILE: fontConfiguration() },
  });
}

/** The package's own configuration looks where Amazon's Linux has fonts. Without any, text is invisible and a list of choices crashes. */
function fontConfiguration(): string {
  const cache = realpathSync(CACHE); // by whatever link it was reached, it names the same place
  const file = join(cache, "castor-fonts.conf");
  const folder = join(cache, "fonts", "fonts");
  const text = `<?xml version="1.0"?>\n<fontconfig><dir>${folder}</dir><cachedir>${join(cache, "fonts-cache")}</cachedir></fontconfig>\n`;
  if (!existsSync(file) || readFileSync(file, "utf8") !== text) writeFileSync(file, text);
  return file;
}

/** The package unpacks into the temporary folder, its libraries only where it believes itself on Amazon's Linux. */
async function unpackBrowser(): Promise<void> {
  mkdirSync(join(CACHE, ".."), { recursive: true });
  const draft = mkdtempSync(`${CACHE}-`);
  vi.stubEnv("TMPDIR", draft);
  vi.stubEnv("AWS_EXECUTION_ENV", "AWS_Lambda_nodejs20.x");
  vi.stubEnv("LD_LIBRARY_PATH", undefined); // the package sets these two: restored with the others
  vi.stubEnv("FONTCONFIG_PATH", undefined);
  try {
    const { default: chromium } = await import("@sparticuz/chromium");
    await chromium.executablePath();
    renameSync(draft, CACHE);
  } catch (error) {
    rmSync(draft, { recursive: true, force: true });
    if (!existsSync(CACHE)) throw error; // else another test run was faster
  } finally {
    vi.unstubAllEnvs();
  }
}
