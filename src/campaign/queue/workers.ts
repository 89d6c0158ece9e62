/** Which worker processes are connected: each shows itself every second, by the clock of Redis. */
import type { Redis } from "ioredis";
import { PREFIX } from "./protocol.ts";

/** A worker process as others see it. */
export interface WorkerEntry {
  readonly id: string;
  readonly version: string;
  readonly threads: number;
  readonly host: string;
}

export const WORKERS_KEY = `${PREFIX}:workers`;
/** A worker that has not shown itself for this time has gone, s. */
const WORKER_SECONDS = 10;

export async function showWorker(redis: Redis, entry: WorkerEntry): Promise<void> {
  const [seconds] = await redis.time();
  await redis.zadd(WORKERS_KEY, Number(seconds), JSON.stringify(entry));
  await redis.zremrangebyscore(WORKERS_KEY, "-inf", Number(seconds) - WORKER_SECONDS);
}

export async function hideWorker(redis: Redis, entry: WorkerEntry): Promise<void> {
  await redis.zrem(WORKERS_KEY, JSON.stringify(entry));
}

export async function connectedWorkers(redis: Redis): Promise<readonly WorkerEntry[]> {
  const [seconds] = await redis.time();
  const members = await redis.zrangebyscore(WORKERS_KEY, Number(seconds) - WORKER_SECONDS, "+inf");
  return members.flatMap((text) => {
    try {
      const entry = JSON.parse(text) as WorkerEntry;
      return typeof entry.version === "string" && entry.threads >= 1 ? [entry] : [];
    } catch {
      return [];
    }
  });
}

/** Number of threads of the workers of one version; if there are none, how to say it. */
export function workersOf(
  version: string,
  workers: readonly WorkerEntry[],
): { readonly threads: number; readonly problem: string | undefined } {
  const threads = workers.filter((worker) => worker.version === version).reduce((sum, worker) => sum + worker.threads, 0);
  const others = [...new Set(workers.map((worker) => worker.version))].join(", ");
  const problem = `no worker of version ${version} is connected${others && `, only of version ${others}`}`;
  return { threads, problem: threads > 0 ? undefined : problem };
}
