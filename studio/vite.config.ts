/** Build of the studio: static files with relative addresses. They work from any folder of a web server or of a disk. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { licenses } from "../tools/licenses.ts";
import { sourceAliases } from "../tools/source-aliases.ts";
import { contentPolicy } from "./content-policy.ts";
import { meshAssets, scenarioLibrary } from "./scenario-library.ts";
import { validationTables } from "./validation-tables.ts";

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Writes the built-in scenarios and the tables of `castor validate` as a script. A page that was opened from a file may load scripts, but may
 * not fetch data. Meshes are separate files, fetched when they are drawn.
 */
const dataScript = (): Plugin => ({
  name: "castor-data",
  generateBundle() {
    const scenarios = scenarioLibrary(pathOf("../scenarios"));
    const validation = validationTables(readFileSync(pathOf("../docs/validation.md"), "utf8"));
    const source = `self.castorData=${JSON.stringify({ scenarios, validation })}\n`;
    this.emitFile({ type: "asset", fileName: "data.js", source });
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

/**
 * Writes one classic script, because a page from a file cannot load modules or worker scripts. The script is a function, so that the page can
 * pass its text to a worker.
 */
const classicScript = (): Plugin => ({
  name: "castor-classic-script",
  enforce: "post",
  generateBundle: {
    order: "post",
    handler(_, bundle) {
      for (const output of Object.values(bundle)) {
        if (output.type === "chunk") output.code = `self.castorStudio=function(){${output.code}};self.castorStudio();\n`;
        else if (output.fileName === "index.html")
          output.source = String(output.source)
            .replaceAll(/ type="module"(?= )/g, " defer")
            .replaceAll(" crossorigin", "");
      }
    },
  },
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
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 2000,
    reportCompressedSize: false,
    rolldownOptions: {
      checks: { pluginTimings: false, emptyImportMeta: false },
      output: { format: "iife", codeSplitting: false },
    },
  },
  plugins: [dataScript(), licenses(pathOf("..")), policyInPage(), classicScript()],
});
