/** `castor bench`: runs the benchmark of the repository. */
import { defineCommand } from "../command.ts";

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
});
