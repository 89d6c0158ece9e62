/** The address of a queue: redis://[USER:PASSWORD@]HOST[:PORT][/DATABASE]. Its password never appears in a message, a file or a log. */
import { ArgumentError } from "../../errors.ts";

export interface QueueAddress {
  readonly host: string;
  readonly port: number;
  readonly database: number;
  readonly username?: string;
  readonly password?: string;
  /** True for rediss://, which encrypts the connection. */
  readonly isEncrypted: boolean;
  /** The address for messages: without user and password. */
  readonly shown: string;
}

const DEFAULT_PORT = 6379;

/** Reads an address. `password` is used if the address has none. @throws ArgumentError */
export function readQueueAddress(text: string, password?: string): QueueAddress {
  const refuse = (reason: string): never => {
    throw new ArgumentError("queue", `${reason}, for example redis://localhost:6379`);
  };
  let url: URL;
  try {
    url = new URL(text);
  } catch {
    return refuse("needs the address of a Redis server");
  }
  const isEncrypted = url.protocol === "rediss:";
  if (!isEncrypted && url.protocol !== "redis:") refuse(`must begin with redis:// or rediss://, got ${url.protocol}//`);
  if (url.hostname === "") refuse("needs the name of a host");
  if (url.search !== "" || url.hash !== "")
    refuse("must end after the number of the database: options after ? or # are not read");
  const [, database = ""] = /^\/?(\d*)$/.exec(url.pathname) ?? refuse("must end with the number of a database, or nothing");
  const secret = decoded(url.password) || password;
  return {
    host: url.hostname.replace(/^\[|\]$/g, ""), // IPv6
    port: url.port === "" ? DEFAULT_PORT : Number(url.port),
    database: Number(database),
    ...(url.username !== "" && { username: decoded(url.username) }),
    ...(secret && { password: secret }),
    isEncrypted,
    shown: `${url.protocol}//${url.hostname}:${url.port || DEFAULT_PORT}${database === "" ? "" : `/${database}`}`,
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new ArgumentError("queue", "the user or the password has a % that begins no character. Write % as %25");
  }
}
