/** One script for the page and for its workers, so that the library is loaded once; see worker/spawn.ts. */
import { startPage } from "./page.ts";
import { signalAlive } from "./worker/liveness.ts";
import { startWorker } from "./worker/worker.ts";

if (typeof document === "undefined") {
  startWorker();
  signalAlive();
} else void startPage();
