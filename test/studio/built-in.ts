/** The built-in scenarios, by name. */
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

export const SCENARIOS = fileURLToPath(new URL("../../scenarios", import.meta.url));

export const NAMES = readdirSync(SCENARIOS)
  .filter((name) => readdirSync(join(SCENARIOS, name)).includes("scenario.yaml"))
  .sort();
