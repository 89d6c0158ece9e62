/** `castor identify`: virtual links of an elastic rod from measurements, or unknown values of a scenario from time histories. */
import { defineCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { SCENARIO_CHANGES } from "../options.ts";

export const identifyCommand = defineCommand({
  name: "identify",
  about: "unknown values from measurements of a rod, or from measured time histories of a scenario",
  args: {
    file: {
      type: "positional",
      required: true,
      description: "a measurement file, a scenario with identify and compare, or the name of a built-in one",
    },
    set: { ...SCENARIO_CHANGES.set },
    out: {
      type: "string",
      alias: "o",
      valueHint: "DIR",
      description: "run the scenario with the values that were found, and write log, plots and report there",
    },
    grid: { type: "boolean", description: "search only on the grid of the file, as in Yoshikawa and Hosoda (1991)" },
    plot: { type: "string", valueHint: "FILE.svg", description: "write a bar chart of the misfits" },
    json: { type: "boolean", description: "print all results as JSON at full precision" },
  },
  details: [
    "For a measurement file: cut positions, stiffnesses and damping of an elastic rod.",
    "For a scenario: the unknown values that its section identify lists, from the",
    "measured histories of its section compare, by least squares; with standard",
    "errors, intervals of 95 %, and warnings if they cannot be trusted.",
    "",
    `Exit code: 0, ${EXIT.failure} if the input has problems or is not sufficient, ${EXIT.usage} for a wrong`,
    "command line.",
  ].join("\n"),
  examples: [
    { command: "castor identify identify-link-1", about: "the first link of the paper; the fit is better than the printed one" },
    { command: "castor identify identify-link-1 --grid", about: "the same on the grid of the paper: exactly its Table 2" },
    { command: "castor identify identify-boom --out found", about: "from an accelerometer at the tip of a moving boom" },
  ],
});
