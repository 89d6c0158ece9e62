/**
 * Detects that a worker has ended. A worker that runs out of memory, or that the browser closes, sends no message; neither does one that
 * compiles for a long time. Timeouts cannot distinguish the two. Therefore a worker holds a Web Lock with its own name while it lives, and the
 * page waits for this lock: the browser grants it when the worker has ended for any reason. Without Web Locks (a page from another machine
 * without encryption) the end of a worker is not detected.
 */
import type { AliveMessage } from "./protocol.ts";

/** Called in the worker: takes the lock and sends the "alive" message. */
export function signalAlive(): void {
  const never = new Promise<void>(() => {});
  void navigator.locks
    ?.request(self.name, () => {
      self.postMessage({ type: "alive" } satisfies AliveMessage);
      return never;
    })
    .catch(() => {}); // refused: as without Web Locks
}

/** Called in the page after the "alive" message of a worker: calls `ended` when the worker has ended. */
export function onWorkerEnd(name: string, ended: () => void): void {
  void navigator.locks?.request(name, async () => ended()).catch(() => {});
}

/** A name that no other worker of any page has. */
export const uniqueWorkerName = (): string => `castor ${Date.now().toString(36)} ${Math.random().toString(36).slice(2)}`;
