/** `castor identify`: virtual links of an elastic rod from measurements. */
import { defineCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";

export const identifyCommand = defineCommand({
  name: "identify",
  about: "cut positions, stiffnesses and damping of an elastic rod from measurements",
  args: {
    file: { type: "positional", required: true, description: "a measurement file, or the name of a built-in one" },
    grid: { type: "boolean", description: "search only on the grid of the file, as in Yoshikawa and Hosoda (1991)" },
    plot: { type: "string", valueHint: "FILE.svg", description: "write a bar chart of the misfits" },
    json: { type: "boolean", description: "print all results as JSON at full precision" },
  },
  details: [
    `Exit code: 0, ${EXIT.failure} if the input has problems or is not sufficient, ${EXIT.usage} for a wrong`,
    "command line.",
  ].join("\n"),
  examples: [
    { command: "castor identify identify-link-1", about: "the first link of the paper; the fit is better than the printed one" },
    { command: "castor identify identify-link-1 --grid", about: "the same on the grid of the paper: exactly its Table 2" },
  ],
});
