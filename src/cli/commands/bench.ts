/** `castor bench`: runs the benchmark of the repository. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { didYouMean } from "../../declare/names.ts";
import { listedItems } from "../arguments.ts";
import { CommandError, defineCommand, UsageError } from "../command.ts";
import { packagePath } from "../files/package-files.ts";

export const benchCommand = defineCommand({
  name: "bench",
  about: "measure speed and accuracy against MuJoCo, and cost against model size",
  args: {
    quick: { type: "boolean", description: "shorter measurements, for a first look" },
    section: {
      type: "string",
      valueHint: "NAME",
      list: true,
      description: "only these sections, e.g. forward, loops, contact; npm run bench -- --help lists all",
    },
    model: { type: "string", valueHint: "NAME", list: true, description: "only these models: m1a, m1g, ... m5g" },
    json: { type: "boolean", description: "print the results as JSON" },
  },
  details: "The benchmark is part of Castor's repository, not of the package.",
  examples: [
    { command: "castor bench --quick --model m1a,m2a", about: "two models, a few seconds each" },
    { command: "castor bench --section throughput,drift", about: "time integration only" },
  ],
  run(args) {
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
  },
});

/** Items of a list argument; each must be the name of a file in the folder. */
function knownItems(what: string, value: string | undefined, folder: string): string[] {
  const names = readdirSync(packagePath(folder))
    .map((file) => file.replace(/\.\w+$/, ""))
    .filter((name) => name !== "index");
  const items = listedItems(value);
  const unknownItem = items.find((name) => !names.includes(name));
  if (unknownItem !== undefined)
    throw new UsageError(`there is no ${what} ${JSON.stringify(unknownItem)}. ${didYouMean(unknownItem, names)}`);
  return items;
}
