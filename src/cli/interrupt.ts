/** Ctrl-C: the first aborts the computation, the second ends the program; partly written files are removed. */
import { EXIT } from "./exit-codes.ts";

export function abortOnInterrupt(): AbortSignal {
  const controller = new AbortController();
  process.on("SIGINT", () => {
    if (controller.signal.aborted) process.exit(EXIT.interrupted);
    controller.abort();
  });
  return controller.signal;
}
