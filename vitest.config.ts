import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const pathOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url));
const resolve = { alias: { castor: pathOf("./src/index.ts") } };
const limits = { maxWorkers: "100%", testTimeout: 180_000, hookTimeout: 120_000 };

/** Test files of the unit tier that need modules of their own: they look at module-wide caches or replace modules. */
const OWN_MODULES = ["test/unit/kernel/code-cache.test.ts"];

// biome-ignore lint/style/noDefaultExport: vitest reads the default export of its configuration
export default defineConfig({
  resolve,
  test: {
    ...limits,
    projects: [
      {
        // The inner loop: `npm run test:unit`. Files share the loaded modules, which saves most of the time.
        resolve,
        test: {
          ...limits,
          name: "unit",
          include: ["test/unit/**/*.test.ts", "test/contracts/**/*.test.ts"],
          exclude: OWN_MODULES,
          isolate: false,
        },
      },
      {
        // Everything else: formulations and tools against each other, published values, attacks, browser, installed package.
        resolve,
        test: {
          ...limits,
          name: "whole",
          include: [
            ...OWN_MODULES,
            "test/agreement/**/*.test.ts",
            "test/published/**/*.test.ts",
            "test/attacks/**/*.test.ts",
            "test/browser/**/*.test.ts",
            "test/installed/**/*.test.ts",
            "test/oracles/**/*.test.ts",
          ],
        },
      },
    ],
  },
});
