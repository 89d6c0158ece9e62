/** `castor studio`: serves the studio on this machine and opens it in a browser. */
import { listedTexts } from "../arguments.ts";
import { defineCommand, UsageError } from "../command.ts";
import { openFile } from "../files/open-file.ts";
import { packagePath } from "../files/package-files.ts";
import { SCENARIO_CHANGES } from "../files/scenario-argument.ts";
import { studioStart } from "../server/studio-files.ts";
import { isPortTaken, type StudioServer, serveStudio } from "../server/studio-server.ts";
import type { Terminal } from "../text/terminal.ts";

const DEFAULT_HOST = "127.0.0.1";
/** A fixed default port: browsers store the chosen theme per host and port. */
const DEFAULT_PORT = 4620;

export const studioCommand = defineCommand({
  name: "studio",
  about: "open the studio in a browser: watch motions, plot channels, change parameters",
  args: {
    what: {
      type: "positional",
      required: false,
      description: "a built-in scenario, a model, scenario or log file, or the folder of a run",
    },
    set: SCENARIO_CHANGES.set,
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
  ],
  async run(args, terminal) {
    const port = args.port === undefined ? undefined : Number(args.port);
    if (port !== undefined && (!/^\d+$/.test(args.port!) || port > 65_535))
      throw new UsageError(`--port must be a whole number up to 65535, got ${JSON.stringify(args.port)}`);
    await openStudio({ what: args.what, sets: listedTexts(args.set), port, host: args.host, open: !args["no-open"] }, terminal);
    return 0;
  },
});

export interface StudioOptions {
  readonly what: string | undefined;
  readonly sets?: readonly string[];
  /** Default: DEFAULT_PORT, or any free port if that is in use. */
  readonly port?: number | undefined;
  readonly host?: string;
  readonly open?: boolean;
}

/** Serves the studio until the process gets SIGINT (Ctrl-C) or SIGTERM. */
export async function openStudio(options: StudioOptions, terminal: Terminal): Promise<void> {
  const { what, sets = [], port, host = DEFAULT_HOST, open = true } = options;
  const { address, opened } = await studioStart(what, sets);
  const serve = (at: number): Promise<StudioServer> =>
    serveStudio({ folder: packagePath("dist/studio"), opened, host, port: at });
  const server = await (port === undefined
    ? serve(DEFAULT_PORT).catch((error) => (isPortTaken(error) ? serve(0) : Promise.reject(error)))
    : serve(port));
  terminal.print(`The studio is at ${server.address}${address}\nPress Ctrl-C to stop it.`);
  if (open) openFile(server.address + address, terminal);
  await new Promise((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
  await server.close();
}
