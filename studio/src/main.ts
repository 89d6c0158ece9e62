/** Entry point of the page and of its workers: both run the same script, so that the library is loaded once. See worker/spawn.ts. */
import { startPage } from "./page.ts";
import { signalAlive } from "./worker/liveness.ts";
import { startWorker } from "./worker/worker.ts";

if (typeof document === "undefined") {
  startWorker();
  signalAlive();
} else void startPage();
