/** How the studio is built: static files with relative addresses, so that any folder of any web server can hold them. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { contentPolicy } from "../src/cli/content-policy.ts";
import { meshes, scenarioLibrary } from "./scenario-library.ts";
import { validationTables } from "./validation-tables.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/** The built-in scenarios as one file, which the page fetches, and their meshes, each fetched when it is drawn. */
const scenarios = (): Plugin => ({
  name: "castor-scenarios",
  generateBundle() {
    this.emitFile({ type: "asset", fileName: "scenarios.json", source: JSON.stringify(scenarioLibrary(at("../scenarios"))) });
    for (const { fileName, source } of meshes(at("../scenarios"))) this.emitFile({ type: "asset", fileName, source });
  },
});

/** What `castor validate` says of them, for their pages. */
const validation = (): Plugin => ({
  name: "castor-validation",
  generateBundle() {
    const page = readFileSync(at("../docs/validation.md"), "utf8");
    this.emitFile({ type: "asset", fileName: "validation.json", source: JSON.stringify(validationTables(page)) });
  },
});

/** The policy that `castor studio` sends as a header, for servers that send none. */
const policy = (): Plugin => ({
  name: "castor-policy",
  transformIndexHtml: () => [
    { tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content: contentPolicy }, injectTo: "head-prepend" },
  ],
});

// biome-ignore lint/style/noDefaultExport: vite reads the default export of its configuration
export default defineConfig({
  root: at("."),
  base: "./",
  resolve: { alias: { castor: at("../src/index.ts") } },
  worker: { format: "es" },
  build: {
    outDir: at("../dist/studio"),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
    rolldownOptions: { checks: { pluginTimings: false } },
  },
  plugins: [scenarios(), validation(), policy()],
});
