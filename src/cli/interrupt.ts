/** Ctrl-C: the first asks the work to end, a second one ends the program; what is being written then is taken away. */
import { EXIT } from "./failure.ts";

export function abortOnInterrupt(): AbortSignal {
  const controller = new AbortController();
  process.on("SIGINT", () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  });
  return controller.signal;
}
