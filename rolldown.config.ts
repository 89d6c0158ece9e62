/**
 * Build for Node: the command line (dist/cli/main.js) and every public name of package.json (condition `node`, dist/node), joined into few
 * files. Loading many small files takes longer than most commands run. Bundlers get the single modules that tsc writes, and drop what a page
 * does not use.
 */
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { defineConfig } from "rolldown";
import { licenses } from "./tools/licenses.ts";

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

interface Package {
  readonly exports: Readonly<Record<string, { readonly node: string; readonly default: string } | string>>;
}

/** Entries by their path in dist without extension. Those of the library are the entries of package.json with the condition `node`. */
function entries(): Readonly<Record<string, string>> {
  const { exports } = JSON.parse(readFileSync(pathOf("package.json"), "utf8")) as Package;
  const inDist = (path: string): string => path.replace(/^\.\/dist\/(.*)\.js$/, "$1");
  const library = Object.values(exports).flatMap((target) =>
    typeof target === "string" ? [] : [[inDist(target.node), pathOf(`src/${inDist(target.default)}.ts`)] as const],
  );
  // Workspaces are not public; the benchmarks measure them. They must come from the same build as the systems that they belong to.
  const workspaces = { "node/workspaces": pathOf("src/sim/system/system.ts") };
  const commands = { "cli/main": pathOf("src/cli/main.ts"), "cli/campaign-worker": pathOf("src/cli/workers/campaign-worker.ts") };
  return { ...commands, ...Object.fromEntries(library), ...workspaces };
}

/**
 * Folders of src that are mostly needed together become one file, with the packages that they import. The rest is split by what loads it.
 * Readers of maps are loaded only for maps, and help
 * loads only `base` and `commands`. main.ts stays apart: actions import `commands` while main.ts waits for them.
 */
const GROUPS = [
  { name: "base", test: /\/src\/(errors|arguments|declare\/names|report\/(numbers|write-error))\.ts/, priority: 1 },
  { name: "maps", test: /\/node_modules\/geotiff\//, priority: 1 },
  { name: "core", test: /\/src\/(math|log|kernel|spatial|ground|declare|model|dynamics|sim|plan|analysis|parts)/ },
  { name: "scenario", test: /\/src\/(formats|scenario)\// },
  { name: "report", test: /\/src\/report\// },
  { name: "campaign", test: /\/src\/campaign\/|\/node_modules\/hyparquet/ },
  { name: "commands", test: /\/src\/cli\/((?!main)[^/]+\.ts|commands\/)/ },
];

// biome-ignore lint/style/noDefaultExport: rolldown reads the default export of its configuration
export default defineConfig({
  input: entries(),
  platform: "node",
  external: ["@resvg/resvg-js", "bullmq", "ioredis"], // a native library, and packages that only queues need
  preserveEntrySignatures: "strict",
  plugins: [licenses(pathOf("."), "node/licenses.txt")],
  output: {
    dir: pathOf("dist"),
    entryFileNames: "[name].js",
    chunkFileNames: "node/[name]-[hash].js",
    codeSplitting: { groups: GROUPS },
    comments: false,
    sourcemap: true,
    sourcemapExcludeSources: true,
  },
});
