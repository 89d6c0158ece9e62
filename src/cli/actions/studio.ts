/** `castor studio`: serves the studio on this machine and opens it in a browser. */

import { listedTexts } from "../arguments.ts";
import { type Action, UsageError } from "../command.ts";
import { DEFAULT_HOST, DEFAULT_PORT, type studioCommand } from "../commands/studio.ts";
import { openFile } from "../files/open-file.ts";
import { packagePath } from "../files/package-files.ts";
import type { RobotArguments } from "../files/robot-files.ts";
import { onInterrupt } from "../interrupt.ts";
import { studioStart } from "../server/studio-files.ts";
import { isPortTaken, type StudioServer, serveStudio } from "../server/studio-server.ts";
import { toJson } from "../text/json.ts";
import type { Terminal } from "../text/terminal.ts";

export const run: Action<typeof studioCommand> = async (args, terminal) => {
  const port = args.port === undefined ? undefined : Number(args.port);
  if (port !== undefined && (!/^\d+$/.test(args.port!) || port > 65_535))
    throw new UsageError(`--port must be a whole number up to 65535, got ${JSON.stringify(args.port)}`);
  await openStudio(
    { what: args.what, sets: listedTexts(args.set), robot: args, port, host: args.host, open: !args["no-open"], json: args.json },
    terminal,
  );
  return 0;
};

export interface StudioOptions {
  readonly what: string | undefined;
  readonly sets?: readonly string[];
  readonly robot?: RobotArguments;
  /** Default: DEFAULT_PORT, or any free port if that is in use. */
  readonly port?: number | undefined;
  readonly host?: string;
  readonly open?: boolean;
  /** Print the address as JSON. */
  readonly json?: boolean | undefined;
}

/** Serves the studio until the process gets SIGINT (Ctrl-C) or SIGTERM. */
export async function openStudio(options: StudioOptions, terminal: Terminal): Promise<void> {
  const { what, sets = [], robot = {}, port, host = DEFAULT_HOST, open = true, json = false } = options;
  const { address, opened } = await studioStart(what, sets, robot);
  const serve = (at: number): Promise<StudioServer> =>
    serveStudio({ folder: packagePath("dist/studio"), opened, host, port: at });
  const server = await (port === undefined
    ? serve(DEFAULT_PORT).catch((error) => (isPortTaken(error) ? serve(0) : Promise.reject(error)))
    : serve(port));
  const url = server.address + address;
  terminal.print(json ? toJson({ address: url }) : `The studio is at ${url}\nPress Ctrl-C to stop it.`);
  if (open) openFile(url, terminal);
  await new Promise((resolve) => {
    onInterrupt(() => resolve(undefined));
    process.once("SIGTERM", resolve);
  });
  await server.close();
}
