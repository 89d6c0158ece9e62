import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { sourceAliases } from "./source-aliases.ts";

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// Tools measure or draw; they assert nothing, so they are not part of any test tier. See the scripts in package.json.
// biome-ignore lint/style/noDefaultExport: vitest reads the default export of its configuration
export default defineConfig({
  root: pathOf("../"),
  resolve: { alias: sourceAliases() },
  test: { include: ["tools/**/*.tool.ts"], maxWorkers: 1, testTimeout: 300_000, hookTimeout: 120_000 },
});
