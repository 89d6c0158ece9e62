/** Build of the studio: static files with relative addresses. They work from any folder of a web server or of a disk. */
import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { castorViewScript } from "../src/report/replay/replay-page.ts";
import { licenses } from "../tools/licenses.ts";
import { sourceAliases } from "../tools/source-aliases.ts";
import { contentPolicy } from "./content-policy.ts";
import { partScripts } from "./part-loader.ts";
import { meshAssets, scenarioLibrary } from "./scenario-library.ts";
import { validationTables } from "./validation-tables.ts";

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

const isLibrary = (id: string): boolean =>
  (id.startsWith(pathOf("../src/")) && !id.endsWith("/geotiff.ts")) || /[\\/]node_modules[\\/]yaml[\\/]/.test(id);

/**
 * Writes the built-in scenarios and the tables of `castor validate` as a script. A page that was opened from a file may load scripts, but may
 * not fetch data. Meshes are separate files, fetched when they are drawn.
 */
const dataScript = (): Plugin => ({
  name: "castor-data",
  generateBundle() {
    const scenarios = scenarioLibrary(pathOf("../scenarios"));
    const validation = validationTables(readFileSync(pathOf("../docs/validation.md"), "utf8"));
    const pictures = readdirSync(pathOf("public/pictures"));
    const source = `self.castorData=${JSON.stringify({ scenarios, validation, pictures })}\n`;
    this.emitFile({ type: "asset", fileName: "data.js", source });
    this.emitFile({ type: "asset", fileName: "castor-view.js", source: castorViewScript() });
    for (const mesh of meshAssets(pathOf("../scenarios"))) this.emitFile({ type: "asset", ...mesh });
  },
});

/** Writes the content security policy into the page, for pages from a file and for any server. `castor studio` sends it as a header too. */
const policyInPage = (): Plugin => ({
  name: "castor-policy",
  transformIndexHtml: () => [
    { tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content: contentPolicy }, injectTo: "head-prepend" },
    { tag: "script", attrs: { defer: true, src: "./data.js" }, injectTo: "head-prepend" },
  ],
});

// biome-ignore lint/style/noDefaultExport: vite reads the default export of its configuration
export default defineConfig({
  root: pathOf("."),
  base: "./",
  resolve: {
    alias: [
      ...sourceAliases(),
      // geotiff imports two builds of this decoder. The streaming build contains the other one, so the page needs only one of them.
      { find: /^zstddec$/, replacement: "zstddec/stream" },
    ],
  },
  build: {
    outDir: pathOf("../dist/studio"),
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { pluginTimings: false, emptyImportMeta: false },
      input: { page: pathOf("index.html"), worker: pathOf("src/worker/main.ts") },
      output: {
        format: "cjs",
        // The library is one part, which the page and its workers share. Readers of GeoTIFF files are loaded when they are needed.
        codeSplitting: {
          groups: [
            { name: "runtime", test: /rolldown.runtime|vite.preload|oxc-project/ },
            { name: "castor", test: (id) => isLibrary(id), includeDependenciesRecursively: false },
            { name: "three", test: /[\\/]node_modules[\\/]three[\\/]build[\\/]/ },
          ],
        },
      },
    },
  },
  plugins: [dataScript(), licenses(pathOf("..")), policyInPage(), partScripts("worker")],
});
