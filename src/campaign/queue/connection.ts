/** Connections to Redis. The packages bullmq and ioredis are loaded here, and only when a queue is used. For Node only. */
import type { Queue } from "bullmq";
import type { Redis } from "ioredis";
import { PoolError } from "../pool/pool.ts";
import { KEPT_SECONDS, PREFIX, QUEUE_NAME } from "./protocol.ts";
import type { QueueAddress } from "./queue-address.ts";

export interface QueueConnection {
  readonly redis: Redis;
  readonly bullmq: typeof import("bullmq");
  /** The last error of the connection in words, without secrets. */
  problem(): string;
}

/** Time for the first answer, ms. */
const CONNECT_MS = 5000;
const LONGEST_RETRY_MS = 1000;

/** Connects to a queue. @throws PoolError if the packages are missing, or Redis does not answer */
export async function connectQueue(address: QueueAddress): Promise<QueueConnection> {
  const { bullmq, ioredis } = await loadPackages();
  const { host, port, database, username, password, isEncrypted, shown } = address;
  const redis = new ioredis.Redis({
    host,
    port,
    db: database,
    ...(username !== undefined && { username }),
    ...(password !== undefined && { password }),
    ...(isEncrypted && { tls: { servername: host } }),
    connectionName: "castor",
    maxRetriesPerRequest: null, // commands wait until the connection is back; the pool decides when it is lost
    retryStrategy: (times) => Math.min(LONGEST_RETRY_MS, 50 * 2 ** Math.min(times, 10)),
    lazyConnect: true,
  });
  let problem = "no answer";
  redis.on("error", (error) => {
    problem = errorText(error);
  });
  redis.on("ready", () => {
    problem = "no answer";
  });
  const refusal = await firstAnswer(redis);
  if (refusal !== undefined) {
    redis.disconnect();
    throw new PoolError(`cannot use the queue ${shown}: ${refusal}`);
  }
  return { redis, bullmq, problem: () => problem };
}

const ATTEMPTS = 3;

/** The queue of jobs, for a producer. */
export function openJobs({ redis, bullmq }: QueueConnection): Queue {
  const queue = new bullmq.Queue(QUEUE_NAME, {
    connection: redis,
    prefix: PREFIX,
    streams: { events: { maxLen: 100 } }, // nobody reads them
    defaultJobOptions: {
      attempts: ATTEMPTS,
      backoff: { type: "fixed", delay: 1000 },
      removeOnComplete: true,
      removeOnFail: { age: KEPT_SECONDS },
    },
  });
  queue.on("error", () => {}); // the pool decides when it is lost
  return queue;
}

/** Why Redis cannot be used; undefined if it can. */
async function firstAnswer(redis: Redis): Promise<string | undefined> {
  let last = `no answer within ${CONNECT_MS / 1000} s`;
  const refused = new Promise<string>((resolve) => {
    redis.on("error", (error) => {
      last = errorText(error);
      if (isRefusal(last)) resolve(`${last}. Give user and password in the address, or the password in CASTOR_QUEUE_PASSWORD`);
    });
    setTimeout(() => resolve(`${last}. Start Redis there, or correct the address`), CONNECT_MS).unref();
  });
  void redis.connect().catch(() => {}); // it goes on trying
  const ready = new Promise<undefined>((resolve) => redis.once("ready", () => resolve(undefined)));
  const refusal = await Promise.race([refused, ready]);
  if (refusal !== undefined) return refusal;
  // A command shows what the handshake does not: a missing password, or rights that the user lacks.
  return Promise.race([refused, redis.time().then(() => undefined, errorText)]);
}

const isRefusal = (text: string): boolean => /NOAUTH|WRONGPASS|NOPERM|without any password|invalid password/i.test(text);

/** Code and message of an error of Redis. Its other members can contain the password, so it is never passed on. */
export function errorText(error: unknown): string {
  const { code, message, errors } = error as NodeJS.ErrnoException & { readonly errors?: readonly Error[] };
  const text = message || errors?.[0]?.message || code || String(error);
  return text.replace(/\s+/g, " ").slice(0, 300);
}

interface QueuePackages {
  readonly bullmq: typeof import("bullmq");
  readonly ioredis: Pick<typeof import("ioredis"), "Redis">;
}

async function loadPackages(): Promise<QueuePackages> {
  try {
    const [bullmq, ioredis] = await Promise.all([import("bullmq"), import("ioredis")]);
    return { bullmq, ioredis };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ERR_MODULE_NOT_FOUND") throw error;
    throw new PoolError("a queue needs two packages beside castor: npm install bullmq ioredis");
  }
}
