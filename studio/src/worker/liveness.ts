/**
 * Whether a worker lives. One that runs out of memory, or that the browser closes, says nothing, and one that compiles for long says nothing
 * either; so nobody waits for a word. A worker holds a lock by its own name as long as it lives, and the browser gives the lock to the page when
 * the worker has ended, however that came. Where there are no locks (a page from another machine without encryption) nobody is told.
 */
import type { AliveMessage } from "./protocol.ts";

/** In a worker: from now on it is seen to live. */
export function signalAlive(): void {
  const never = new Promise<void>(() => {});
  void navigator.locks
    ?.request(self.name, () => {
      self.postMessage({ type: "alive" } satisfies AliveMessage);
      return never;
    })
    .catch(() => {}); // refused: as where there are none
}

/** In the page, once the worker of this name has said that it is seen: tells when it has ended. */
export function onWorkerEnd(name: string, told: () => void): void {
  void navigator.locks?.request(name, async () => told()).catch(() => {});
}

/** No other worker of any page has the same. */
export const uniqueWorkerName = (): string => `castor ${Date.now().toString(36)} ${Math.random().toString(36).slice(2)}`;
