/**
 * Ctrl-C: the first aborts the computation, the second ends the program; partly written files are removed. It works also while the main thread
 * is inside a long step, a planner or a compilation, where no signal handler of JavaScript can run: a worker thread watches for the signal, and
 * ends the program if the main thread does not answer.
 */
import { Worker } from "node:worker_threads";
import { EXIT } from "./exit-codes.ts";

/** Time for the main thread to answer the first signal, ms. */
const GRACE_MS = 2000;
/**
 * The watch starts after this time, ms: it costs a short run more than it is worth. Before, and while the watch waits for an answer, the
 * system's own action ends the program at once; nothing has been written then.
 */
const START_MS = 100;

/**
 * `breakOnSigint` is the only way to notice a signal outside of the main thread: the signal ends the script. Its loop does nothing but wait.
 * workerData: the number of answers, and a number that never changes.
 */
const WATCH = `
const { parentPort, workerData } = require("node:worker_threads");
const { writeSync } = require("node:fs");
const { Script } = require("node:vm");
globalThis.waitForSignal = () => { for (;;) Atomics.wait(workerData, 1, 0, 500); };
const wait = new Script("waitForSignal()");
for (let signals = 0; ; signals++) {
  try { wait.runInThisContext({ breakOnSigint: true }); } catch {}
  parentPort.postMessage(signals);
  if (Atomics.wait(workerData, 0, signals, ${GRACE_MS}) !== "timed-out") continue;
  writeSync(2, "\\ncastor: interrupted; the computation did not answer within ${GRACE_MS / 1000} s, so the program was ended\\n");
  process.kill(process.pid, "SIGINT");
}`;

let watched: AbortSignal | undefined;

/** Calls back at Ctrl-C, also while the watch of an earlier run takes the signal for itself. */
export function onInterrupt(callback: () => void): void {
  process.once("SIGINT", callback);
  watched?.addEventListener("abort", callback, { once: true });
}

/** The signal of a command that Ctrl-C aborts. */
export function abortOnInterrupt(): AbortSignal {
  const controller = new AbortController();
  watched = controller.signal;
  const answers = new Int32Array(new SharedArrayBuffer(8));
  const watch = (): void => {
    const worker = new Worker(WATCH, { eval: true, workerData: answers });
    worker.on("message", () => {
      Atomics.add(answers, 0, 1);
      Atomics.notify(answers, 0);
      if (controller.signal.aborted) process.exit(EXIT.interrupted);
      controller.abort();
    });
    worker.unref(); // the program may end while it waits; a listener added later would hold it again
  };
  setTimeout(watch, START_MS).unref();
  return controller.signal;
}
