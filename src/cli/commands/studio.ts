/** `castor studio`: the studio in a browser, from a server on this machine. */
import { listedTexts } from "../arguments.ts";
import { defineCommand, UsageError } from "../command.ts";
import { openFile } from "../files/open-file.ts";
import { packagePath } from "../files/package-files.ts";
import { SCENARIO_CHANGES } from "../files/scenario-argument.ts";
import { studioStart } from "../server/studio-files.ts";
import { isPortTaken, type StudioServer, serveStudio } from "../server/studio-server.ts";
import type { Terminal } from "../text/terminal.ts";

const DEFAULT_HOST = "127.0.0.1";
/** The same from day to day, so that the browser finds again what it remembers, e.g. the theme. */
const DEFAULT_PORT = 4620;

export const studioCommand = defineCommand({
  name: "studio",
  about: "opens the studio in a browser: machines in motion, plots, changes",
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
      description: `where to serve; ${DEFAULT_PORT} if not given, or any if that is taken`,
    },
    host: { type: "string", valueHint: "HOST", default: DEFAULT_HOST, description: "0.0.0.0 lets other machines see it" },
    "no-open": { type: "boolean", description: "only say the address" },
  },
  details: [
    "Everything is computed in the browser; the server gives out files and nothing else, on",
    "this machine only unless --host says otherwise. Ctrl-C ends it. The folder dist/studio",
    "of the package can also be copied to any web server, or opened as a file.",
  ].join("\n"),
  examples: [
    { command: "castor studio", about: "all built-in scenarios to choose from" },
    { command: "castor studio satellite-manipulator --set forces.control.stiffness=12", about: "one of them, changed" },
    { command: "castor studio out/satellite-manipulator", about: "a run that castor run has made" },
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
  /** The usual one if not given, or any that is free where that is taken. */
  readonly port?: number | undefined;
  readonly host?: string;
  readonly open?: boolean;
}

/** Serves until Ctrl-C. */
export async function openStudio(options: StudioOptions, terminal: Terminal): Promise<void> {
  const { what, sets = [], port, host = DEFAULT_HOST, open = true } = options;
  const { address, opened } = await studioStart(what, sets);
  const serve = (at: number): Promise<StudioServer> =>
    serveStudio({ folder: packagePath("dist/studio"), opened, host, port: at });
  const server = await (port === undefined
    ? serve(DEFAULT_PORT).catch((error) => (isPortTaken(error) ? serve(0) : Promise.reject(error)))
    : serve(port));
  terminal.print(`The studio is at ${server.address}${address}\nCtrl-C ends it.`);
  if (open) openFile(server.address + address, terminal);
  await new Promise((resolve) => {
    process.once("SIGINT", resolve);
    process.once("SIGTERM", resolve);
  });
  await server.close();
}
