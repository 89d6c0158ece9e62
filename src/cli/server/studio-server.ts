/**
 * Web server of the studio: serves the files of one folder, listed at start, and the content that the user opened. Paths that are not on
 * the list do not exist, so no path can leave the folder. By default the server listens on the loopback address only. It refuses
 * requests with the name of another host, so that a foreign page cannot read the content by DNS rebinding.
 */
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isIP } from "node:net";
import { hostname } from "node:os";
import { extname, join } from "node:path";
import { CommandError } from "../command.ts";

export interface StudioServerOptions {
  /** Folder of the built studio. */
  readonly folder: string;
  /** Content of `opened.json`; see studio-files.ts. */
  readonly opened?: unknown;
  /** The report of a campaign, which is the page campaign.html. */
  readonly report?: string | undefined;
  /** Address within the page of a case of the campaign; the path case/K leads there. @throws Error if there is no such case */
  readonly caseAddress?: ((index: number) => string) | undefined;
  readonly host: string;
  /** 0 for any free port. */
  readonly port: number;
}

export interface StudioServer {
  /** Ends with a slash. */
  readonly address: string;
  close(): Promise<void>;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript; charset=utf-8",
  ".css": "text/css; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".svg": "image/svg+xml",
  ".wasm": "application/wasm",
};

type Headers = Readonly<Record<string, string>>;

/** Headers of every answer. The policy is the one that the build wrote into the page, and forbids frames, which a page cannot. */
const headersFor = (policy: string): Headers => ({
  "content-security-policy": `${policy}; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-opener-policy": "same-origin",
  "cross-origin-resource-policy": "same-origin",
});

const policyInPage = (page: string): string | undefined =>
  /<meta http-equiv="Content-Security-Policy" content="([^"]+)"/.exec(page)?.[1]?.replaceAll("&#39;", "'"); // HTML escapes quotes

/** Starts the server. @throws CommandError if the port is in use or the host is not an address of this machine. */
export async function serveStudio(options: StudioServerOptions): Promise<StudioServer> {
  const { folder, opened, report, host, port } = options;
  const files = new Map(listFiles(folder).map((name) => [`/${name}`, join(folder, name)]));
  if (!files.has("/index.html"))
    throw new CommandError(`the studio is not built: there is no ${join(folder, "index.html")}. Run npm run build`);
  const policy = policyInPage(readFileSync(join(folder, "index.html"), "utf8"));
  if (policy === undefined)
    throw new CommandError(`${join(folder, "index.html")} has no content security policy. Run npm run build`);
  const headers = headersFor(policy);
  const openedJson = JSON.stringify(opened ?? null);
  const server = createServer((request, response) => {
    if (!isOwnName(hostName(request.headers.host), host)) return sendStatus(response, headers, 421);
    if (request.method !== "GET" && request.method !== "HEAD") return sendStatus(response, headers, 405);
    const path = requestPath(request);
    if (path === "/opened.json") return sendContent(request, response, headers, openedJson, ".json", "no-store");
    if (path === "/campaign.html" && report !== undefined)
      return sendContent(request, response, headersFor(REPORT_POLICY), report, ".html", "no-store");
    const caseAddress = addressOfCase(path, options);
    if (caseAddress !== undefined) return sendRedirect(response, headers, `/${caseAddress}`);
    const file = files.get(path === "/" ? "/index.html" : path);
    if (file === undefined) return sendStatus(response, headers, 404);
    const cache = path.startsWith("/assets/") ? "max-age=31536000, immutable" : "no-cache";
    const content = readIfExists(file); // the page may have been rebuilt in the meantime
    if (content === undefined) return sendStatus(response, headers, 404);
    sendContent(request, response, headers, content, extname(file), cache);
  });
  await listen(server, host, port);
  const socketAddress = server.address();
  const actualPort = typeof socketAddress === "object" && socketAddress !== null ? socketAddress.port : port;
  const hostInAddress = host === "0.0.0.0" || host === "::" ? "localhost" : isIP(host) === 6 ? `[${host}]` : host;
  return {
    address: `http://${hostInAddress}:${actualPort}/`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/** A report runs no script and loads nothing. */
const REPORT_POLICY = "default-src 'none'; style-src 'unsafe-inline'";

/** The address that a path case/K leads to; undefined if there is no such case. */
function addressOfCase(path: string, { caseAddress }: StudioServerOptions): string | undefined {
  const [, index] = /^\/case\/(\d{1,9})$/.exec(path) ?? [];
  try {
    return index === undefined ? undefined : caseAddress?.(Number(index));
  } catch {
    return undefined;
  }
}

const sendRedirect = (response: ServerResponse, headers: Headers, location: string): void => {
  response.writeHead(302, { ...headers, location, "cache-control": "no-store", "content-type": "text/plain" });
  response.end();
};

const listFiles = (folder: string): string[] => {
  try {
    return readdirSync(folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length).replaceAll("\\", "/").replace(/^\/+/, ""));
  } catch {
    return [];
  }
};

function readIfExists(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function sendContent(
  request: IncomingMessage,
  response: ServerResponse,
  common: Headers,
  content: string | Buffer,
  type: string,
  cache: string,
): void {
  const headers = { ...common, "content-type": CONTENT_TYPES[type] ?? "application/octet-stream", "cache-control": cache };
  response.writeHead(200, { ...headers, "content-length": Buffer.byteLength(content) });
  response.end(request.method === "HEAD" ? undefined : content);
}

const sendStatus = (response: ServerResponse, headers: Headers, code: 404 | 405 | 421): void => {
  response.writeHead(code, { ...headers, "content-type": "text/plain" });
  response.end(`${code}\n`);
};

function requestPath({ url = "/" }: IncomingMessage): string {
  try {
    return decodeURIComponent(new URL(url, "http://studio").pathname);
  } catch {
    return "";
  }
}

const hostName = (host = ""): string => host.replace(/:\d+$/, "").replace(/^\[(.*)\]$/, "$1");
/**
 * True for names by which a browser may ask the server. A foreign page can make its own name point to this machine, but not an address, the
 * name after --host, or the name of the machine.
 */
function isOwnName(name: string, host: string): boolean {
  if (isLoopback(name)) return true;
  if (isLoopback(host)) return false;
  const own = hostname().toLowerCase();
  return isIP(name) !== 0 || [host.toLowerCase(), own, `${own}.local`].includes(name.toLowerCase());
}

const isLoopback = (host: string): boolean => host === "localhost" || host === "::1" || /^127(\.\d{1,3}){3}$/.test(host);

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const reason = LISTEN_ERRORS[error.code ?? ""] ?? error.message;
      reject(new CommandError(`cannot serve at ${host}, port ${port}: ${reason}`, { cause: error }));
    });
    server.listen(port, host, resolve);
  });
}

/** True if `serveStudio` failed because the port is in use, usually by another studio. */
export const isPortTaken = (error: unknown): boolean =>
  error instanceof CommandError && (error.cause as NodeJS.ErrnoException | undefined)?.code === "EADDRINUSE";

const LISTEN_ERRORS: Readonly<Record<string, string>> = {
  EADDRINUSE: "the port is in use. Choose another one with --port (0 for any free port)",
  EACCES: "ports below 1024 need special rights. Choose another one with --port",
  EADDRNOTAVAIL: "this machine has no such address. Choose another one with --host",
  ENOTFOUND: "there is no such host. Choose another one with --host",
};
