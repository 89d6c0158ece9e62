/** Entry point of the workers. */
import { signalAlive } from "./liveness.ts";
import { startWorker } from "./worker.ts";

if (typeof document === "undefined") {
  startWorker();
  signalAlive();
}
