/** Notices that Redis does not answer. Time during which this process itself is blocked does not count. */
import { PoolError } from "../pool/pool.ts";
import type { QueueConnection } from "./connection.ts";
import type { QueueAddress } from "./queue-address.ts";

const TICK_MS = 250;

export class Patience {
  readonly #timer: NodeJS.Timeout;
  #silentMs = 0;

  /** Calls `lost` once after so many seconds without `answered`. `advice` ends the message. */
  constructor(
    seconds: number,
    { shown }: QueueAddress,
    { problem }: QueueConnection,
    advice: string,
    lost: (error: PoolError) => void,
  ) {
    this.#timer = setInterval(() => {
      this.#silentMs += TICK_MS;
      if (this.#silentMs <= 1000 * seconds) return;
      this.end();
      lost(new PoolError(`the queue ${shown} is lost: Redis has not answered for ${seconds} s (${problem()}). ${advice}`));
    }, TICK_MS);
  }

  answered(): void {
    this.#silentMs = 0;
  }

  end(): void {
    clearInterval(this.#timer);
  }
}

/** Waits for work, at most so long. The time also holds a process that has nothing else to do. */
export async function waitAtMost(ms: number, work: Promise<unknown> | undefined): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const limit = new Promise((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work?.catch(() => {}), limit]);
  clearTimeout(timer);
}
