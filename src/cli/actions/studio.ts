/** `castor studio`: serves the studio on this machine and opens it in a browser. */

import { listedTexts } from "../arguments.ts";
import { type Action, CommandError, UsageError } from "../command.ts";
import { DEFAULT_HOST, DEFAULT_PORT, type studioCommand } from "../commands/studio.ts";
import { openFile } from "../files/open-file.ts";
import { packagePath } from "../files/package-files.ts";
import type { RobotArguments } from "../files/robot-files.ts";
import { onInterrupt } from "../interrupt.ts";
import { isCampaign, studioCampaign } from "../server/campaign-studio.ts";
import { type StudioStart, studioStart } from "../server/studio-files.ts";
import { isPortTaken, type StudioServer, serveStudio } from "../server/studio-server.ts";
import { toJson } from "../text/json.ts";
import type { Terminal } from "../text/terminal.ts";

export const run: Action<typeof studioCommand> = async (args, terminal) => {
  const port = args.port === undefined ? undefined : Number(args.port);
  if (port !== undefined && (!/^\d+$/.test(args.port!) || port > 65_535))
    throw new UsageError(`--port must be a whole number up to 65535, got ${JSON.stringify(args.port)}`);
  await openStudio(
    {
      what: args.what,
      case: args.case,
      sets: listedTexts(args.set),
      robot: args,
      port,
      host: args.host,
      open: !args["no-open"],
      json: args.json,
    },
    terminal,
  );
  return 0;
};

export interface StudioOptions {
  readonly what: string | undefined;
  /** Number of a case, if a campaign is opened. */
  readonly case?: string | undefined;
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
  const { port, host = DEFAULT_HOST, open = true, json = false } = options;
  const start = await startOf(options);
  const serve = (at: number): Promise<StudioServer> =>
    serveStudio({ folder: packagePath("dist/studio"), ...start, host, port: at });
  const server = await (port === undefined
    ? serve(DEFAULT_PORT).catch((error) => (isPortTaken(error) ? serve(0) : Promise.reject(error)))
    : serve(port));
  const url = server.address + start.address;
  terminal.print(json ? toJson({ address: url }) : `The studio is at ${url}\nPress Ctrl-C to stop it.`);
  if (open) openFile(url, terminal);
  await new Promise((resolve) => {
    onInterrupt(() => resolve(undefined));
    process.once("SIGTERM", resolve);
  });
  await server.close();
}

interface ServedStart extends StudioStart {
  readonly report?: string | undefined;
  readonly caseAddress?: (index: number) => string;
}

async function startOf({ what, case: index, sets = [], robot = {} }: StudioOptions): Promise<ServedStart> {
  if (index !== undefined && !/^\d{1,9}$/.test(index))
    throw new UsageError(`--case needs a whole number of at least 0, got ${JSON.stringify(index)}`);
  if (what === undefined || !isCampaign(what)) {
    if (index !== undefined)
      throw new UsageError("--case needs a campaign or its store, e.g. castor studio campaign-docking --case 17");
    return studioStart(what, sets, robot);
  }
  if (sets.length > 0) throw new UsageError("--set changes a scenario; change a campaign in its file");
  const campaign = await studioCampaign(what);
  if (index === undefined && campaign.report === undefined)
    throw new CommandError(
      `there is no store of ${what} yet. Run castor campaign ${what} first, name its store, or open one case with --case`,
    );
  const { report, opened } = campaign;
  return {
    address: index === undefined ? "campaign.html" : campaign.address(Number(index)),
    ...(opened && { opened }),
    ...(report !== undefined && { report }),
    caseAddress: (k) => campaign.address(k),
  };
}
