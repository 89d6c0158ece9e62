/** The right to take the answers of a campaign from a queue: one process has it at a time, and loses it when it does not renew it. */
import { randomBytes } from "node:crypto";
import { hostname } from "node:os";
import type { Redis } from "ioredis";
import { PoolError } from "../pool/pool.ts";

const LEASE_MS = 15_000;
const WAIT_MS = 500;

interface Holder {
  readonly host: string;
  readonly process: number;
}

export class ProducerLease {
  readonly #redis: Redis;
  readonly #key: string;
  readonly #mark = JSON.stringify({ host: hostname(), process: process.pid, mark: randomBytes(6).toString("hex") });
  isOwn = false;

  constructor(redis: Redis, key: string) {
    this.#redis = redis;
    this.#key = key;
  }

  /** Takes the lease. Waits for that of a process that may have died. @throws PoolError if another process keeps it */
  async take(notice: (text: string) => void): Promise<void> {
    for (let waited = 0; ; waited += WAIT_MS) {
      if ((await this.#redis.set(this.#key, this.#mark, "PX", LEASE_MS, "NX")) === "OK") break;
      const mark = await this.#redis.get(this.#key);
      if (mark === null) continue;
      const holder = holderOf(mark);
      if (holder && isDead(holder)) {
        await this.#redis.set(this.#key, this.#mark, "PX", LEASE_MS);
        break;
      }
      const who = holder ? `process ${holder.process} on ${holder.host}` : "another process";
      if (waited > LEASE_MS + 2 * WAIT_MS)
        throw new PoolError(`${who} fills this campaign through the same queue. Wait until it has ended, or stop it`);
      notice(`${who} has filled this campaign through the same queue; waiting whether it still does`);
      await new Promise((resolve) => setTimeout(resolve, WAIT_MS));
    }
    this.isOwn = true;
  }

  /** @throws PoolError if another process has taken it */
  async renew(): Promise<void> {
    const mark = await this.#redis.get(this.#key);
    if (mark !== null && mark !== this.#mark) {
      this.isOwn = false;
      throw new PoolError(
        "another process has taken over this campaign. The store keeps the finished cases; join the stores with --merge",
      );
    }
    await this.#redis.set(this.#key, this.#mark, "PX", LEASE_MS);
  }

  async release(): Promise<void> {
    if (this.isOwn && (await this.#redis.get(this.#key)) === this.#mark) await this.#redis.del(this.#key);
    this.isOwn = false;
  }
}

function holderOf(mark: string): Holder | undefined {
  try {
    const holder = JSON.parse(mark) as Partial<Holder>;
    return typeof holder.host === "string" && Number.isSafeInteger(holder.process) && holder.process! > 0
      ? (holder as Holder)
      : undefined;
  } catch {
    return undefined;
  }
}

/** True if the holder was a process of this machine that has ended. */
function isDead({ host, process: id }: Holder): boolean {
  if (host !== hostname()) return false;
  try {
    process.kill(id, 0);
    return false;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ESRCH";
  }
}
