/** `castor studio`: serves the studio on this machine and opens it in a browser. */
import { defineCommand } from "../command.ts";
import { ROBOT_OPTIONS, SCENARIO_CHANGES } from "../options.ts";

export const DEFAULT_HOST = "127.0.0.1";
/** A fixed default port: browsers store the chosen theme per host and port. */
export const DEFAULT_PORT = 4620;

export const studioCommand = defineCommand({
  name: "studio",
  about: "open the studio in a browser: watch motions, plot channels, change parameters",
  args: {
    what: {
      type: "positional",
      required: false,
      description: "a built-in scenario, a model, scenario or log file, the folder of a run, a campaign or its store",
    },
    set: SCENARIO_CHANGES.set,
    case: { type: "string", valueHint: "K", description: "open case K of a campaign or of its store" },
    ...ROBOT_OPTIONS,
    port: {
      type: "string",
      valueHint: "PORT",
      description: `port of the server (default: ${DEFAULT_PORT}, or any free port if it is in use)`,
    },
    host: {
      type: "string",
      valueHint: "HOST",
      default: DEFAULT_HOST,
      description: "address of the server; 0.0.0.0 allows access from other machines",
    },
    json: { type: "boolean", description: "print the address as JSON" },
    "no-open": { type: "boolean", description: "print the address, but do not open a browser" },
  },
  details: [
    "Everything is computed in the browser. The server only delivers files, and only",
    "to this machine unless --host is given. Ctrl-C stops it. The folder dist/studio",
    "of the package can also be copied to any web server, or opened as a file.",
  ].join("\n"),
  examples: [
    { command: "castor studio", about: "choose from all built-in scenarios" },
    {
      command: "castor studio satellite-manipulator --set forces.control.stiffness=12",
      about: "one scenario, with a changed value",
    },
    { command: "castor studio out/satellite-manipulator", about: "the output of castor run" },
    { command: "castor studio out/campaign-docking", about: "the report of a campaign; every dot opens its case" },
    { command: "castor studio campaign-docking --case 17", about: "case 17 of a campaign" },
  ],
});
