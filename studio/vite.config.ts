/** Build of the studio: static files with relative addresses. They work from any folder of a web server or of a disk. */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig, type Plugin } from "vite";
import { filePolicy } from "../src/cli/server/content-policy.ts";
import { licenses } from "./licenses.ts";
import { meshAssets, scenarioLibrary } from "./scenario-library.ts";
import { validationTables } from "./validation-tables.ts";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

/**
 * Writes the built-in scenarios and the tables of `castor validate` as a script. A page that was opened from a file may load scripts, but may
 * not fetch data. Meshes are separate files, fetched when they are drawn.
 */
const data = (): Plugin => ({
  name: "castor-data",
  generateBundle() {
    const scenarios = scenarioLibrary(at("../scenarios"));
    const validation = validationTables(readFileSync(at("../docs/validation.md"), "utf8"));
    const source = `self.castorData=${JSON.stringify({ scenarios, validation })}\n`;
    this.emitFile({ type: "asset", fileName: "data.js", source });
    for (const mesh of meshAssets(at("../scenarios"))) this.emitFile({ type: "asset", ...mesh });
  },
});

/**
 * Writes the content security policy into the page, for pages from a file and for servers that send no policy. `castor studio` sends it as a
 * header. The policy for files allows workers that are made from a blob.
 */
const policy = (): Plugin => ({
  name: "castor-policy",
  transformIndexHtml: () => [
    { tag: "meta", attrs: { "http-equiv": "Content-Security-Policy", content: filePolicy }, injectTo: "head-prepend" },
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
      for (const part of Object.values(bundle)) {
        if (part.type === "chunk") part.code = `self.castorStudio=function(){${part.code}};self.castorStudio();\n`;
        else if (part.fileName === "index.html")
          part.source = String(part.source)
            .replaceAll(/ type="module"(?= )/g, " defer")
            .replaceAll(" crossorigin", "");
      }
    },
  },
});

// biome-ignore lint/style/noDefaultExport: vite reads the default export of its configuration
export default defineConfig({
  root: at("."),
  base: "./",
  resolve: { alias: { castor: at("../src/index.ts") } },
  build: {
    outDir: at("../dist/studio"),
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
  plugins: [data(), licenses(at("..")), policy(), classicScript()],
});
