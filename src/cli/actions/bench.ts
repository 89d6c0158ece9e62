/** `castor bench`: runs the benchmark of the repository. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { didYouMean } from "../../declare/names.ts";
import { listedItems } from "../arguments.ts";
import { type Action, CommandError, UsageError } from "../command.ts";
import type { benchCommand } from "../commands/bench.ts";
import { packagePath } from "../files/package-files.ts";

export const run: Action<typeof benchCommand> = (args) => {
  const root = packagePath("");
  if (!existsSync(packagePath("bench/main.ts")))
    throw new CommandError(
      "the benchmark is part of Castor's repository, not of the package. Clone the repository, then npm ci && npm run bench",
    );
  const sections = knownItems("section", args.section, "bench/sections");
  const models = knownItems("model", args.model, "bench/models");
  const options = [...(args.quick ? ["--quick"] : []), ...(args.json ? ["--json"] : []), ...sections, ...models];
  const { status, error } = spawnSync("npm", ["run", "--silent", "bench", "--", ...options], { cwd: root, stdio: "inherit" });
  if (error) throw new CommandError(`cannot run npm: ${error.message}`);
  return status ?? 1;
};

/** Items of a list argument; each must be the name of a file in the folder or in a folder of it. */
function knownItems(what: string, value: string | undefined, folder: string): string[] {
  const names = readdirSync(packagePath(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name.replace(/\.\w+$/, ""))
    .filter((name) => name !== "index");
  const items = listedItems(value);
  const unknownItem = items.find((name) => !names.includes(name));
  if (unknownItem !== undefined)
    throw new UsageError(`there is no ${what} ${JSON.stringify(unknownItem)}. ${didYouMean(unknownItem, names)}`);
  return items;
}
