import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const at = (path: string): string => fileURLToPath(new URL(path, import.meta.url));

// biome-ignore lint/style/noDefaultExport: vitest reads the default export of its configuration
export default defineConfig({
  resolve: { alias: { castor: at("./src/index.ts") } },
  test: { include: ["test/**/*.test.ts"], maxWorkers: "100%", testTimeout: 180_000, hookTimeout: 120_000 },
});
