/** `castor modes`: natural frequencies, damping ratios and mode shapes of a model or of a scenario at its start. */
import { defineCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { SCENARIO_CHANGES } from "../options.ts";

export const modesCommand = defineCommand({
  name: "modes",
  about: "natural frequencies, damping ratios and mode shapes of a model, or of a scenario at its start",
  args: {
    machine: {
      type: "positional",
      required: true,
      description: "a model or scenario file, the name of a built-in scenario, or - for standard input",
    },
    lock: {
      type: "string",
      valueHint: "NAME",
      list: true,
      description: "hinges to hold fixed, or single freedoms as hinge.part",
    },
    rest: { type: "boolean", description: "linearise about the equilibrium near the start, not about the start itself" },
    count: {
      type: "string",
      valueHint: "N",
      default: "12",
      description: "number of modes to show, slowest first",
    },
    set: SCENARIO_CHANGES.set,
    report: { type: "string", valueHint: "FILE", description: "write an HTML page that animates the modes" },
    open: { type: "boolean", description: "open the page in a browser" },
    json: { type: "boolean", description: "print all results as JSON at full precision" },
  },
  details: [
    "For a scenario, the forces act with their state at the start; commands of",
    "controllers are zero.",
    "",
    `Exit code: 0, ${EXIT.failure} if the input has problems, ${EXIT.usage} for a wrong command line.`,
  ].join("\n"),
  examples: [
    {
      command: "castor modes flexible-two-link --lock motor-1,motor-2 --rest",
      about: "the arm with its motors held, in equilibrium under gravity",
    },
    { command: "castor modes flexible-satellite --report modes.html", about: "a page that animates the mode shapes" },
  ],
});
