import { spawnSync } from "node:child_process";
import { defineConfig } from "vitest/config";
import { LongFilesFirst } from "./tools/long-files-first.ts";
import { sourceAliases } from "./tools/source-aliases.ts";

const resolve = { alias: sourceAliases() };
const limits = { maxWorkers: "100%", testTimeout: 180_000, hookTimeout: 120_000 };

/** The inner loop: closed forms, invariants, contracts. */
const UNIT = ["test/unit/**/*.test.ts", "test/contracts/**/*.test.ts"];
/** The rest: formulations and tools against each other, published values, attacks, browser, installed package. */
const WHOLE = ["agreement", "published", "attacks", "browser", "installed", "oracles"].map((tier) => `test/${tier}/**/*.test.ts`);

/** Files that replace modules, register kinds, or count what module-wide caches do. They cannot share modules with other files. */
const ISOLATED_UNIT = ["kernel/code-cache", "scenario/reload", "scenario/own-kinds"].map((name) => `test/unit/${name}.test.ts`);
const ISOLATED_WHOLE = ["test/agreement/formulations.test.ts", "test/agreement/loops.test.ts"];

/** Tests of the studio that also run in Debian's Firefox. CASTOR_BROWSER=firefox runs all of them there. */
const FIREFOX = ["newcomer", "export"].map((name) => `test/browser/${name}.test.ts`);
const hasFirefox = spawnSync("firefox-esr", ["--version"]).status === 0;

/** Test files of a project share the loaded modules unless they are isolated. Sharing saves a third of the time of the unit tier. */
const project = (name: string, include: string[], exclude: string[], isolate: boolean) => ({
  resolve,
  test: { ...limits, name, include, exclude, isolate },
});

const inFirefox = (tests: ReturnType<typeof project>) => ({
  ...tests,
  test: { ...tests.test, env: { CASTOR_BROWSER: "firefox" } },
});

// biome-ignore lint/style/noDefaultExport: vitest reads the default export of its configuration
export default defineConfig({
  resolve,
  test: {
    ...limits,
    sequence: { sequencer: LongFilesFirst },
    projects: [
      project("unit", UNIT, ISOLATED_UNIT, false),
      project("unit-isolated", ISOLATED_UNIT, [], true),
      project("whole", WHOLE, ISOLATED_WHOLE, false),
      project("whole-isolated", ISOLATED_WHOLE, [], true),
      ...(hasFirefox ? [inFirefox(project("firefox", FIREFOX, [], true))] : []),
    ],
  },
});
