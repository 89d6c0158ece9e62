/** `castor bench`: the benchmark of the repository. */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { didYouMean } from "../model/names.ts";
import { itemsOf } from "./arguments.ts";
import { CommandError, defineCommand, UsageError } from "./command.ts";
import { packagePath } from "./package-files.ts";

export const benchCommand = defineCommand({
  name: "bench",
  about: "forward dynamics against MuJoCo, and cost against size",
  args: {
    quick: { type: "boolean", description: "shorter measurements, for a first look" },
    model: { type: "string", valueHint: "NAME", list: true, description: "only these models: m1a, m1g, ... m5g" },
    json: { type: "boolean", description: "the results for programs" },
  },
  details: "It is part of Castor's repository, where its peers are installed, not of the package.",
  examples: [{ command: "castor bench --quick --model m1a,m2a", about: "two models, a few seconds each" }],
  run(args) {
    const root = packagePath("");
    if (!existsSync(packagePath("bench/main.ts")))
      throw new CommandError(
        "the benchmark is part of Castor's repository, not of the package: clone it, then npm ci && npm run bench",
      );
    const known = readdirSync(packagePath("bench/models")).map((file) => file.replace(/\.json$/, ""));
    const stranger = itemsOf(args.model).find((name) => !known.includes(name));
    if (stranger !== undefined)
      throw new UsageError(`there is no model ${JSON.stringify(stranger)}. ${didYouMean(stranger, known)}`);
    const options = [...(args.quick ? ["--quick"] : []), ...(args.json ? ["--json"] : []), ...itemsOf(args.model)];
    const { status, error } = spawnSync("npm", ["run", "--silent", "bench", "--", ...options], { cwd: root, stdio: "inherit" });
    if (error) throw new CommandError(`cannot run npm: ${error.message}`);
    return status ?? 1;
  },
});
