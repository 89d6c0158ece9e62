/** `castor worker`: serves a queue until it is interrupted, or has nothing to do. */
import { availableParallelism } from "node:os";
import { serveQueue } from "../../campaign/queue/queue-worker.ts";
import { countText } from "../../report/numbers.ts";
import { registerPrintedForms } from "../../validation/register.ts";
import { type Action, UsageError } from "../command.ts";
import type { workerCommand } from "../commands/worker.ts";
import { EXIT } from "../exit-codes.ts";
import { WORKER_SCRIPT } from "../files/campaign-argument.ts";
import { abortOnInterrupt } from "../interrupt.ts";
import { toJson } from "../text/json.ts";

export const run: Action<typeof workerCommand> = async (args, terminal) => {
  const threads = args.threads === undefined ? availableParallelism() : number("--threads", args.threads, /^[1-9]\d*$/);
  const idle = args.idle === undefined ? undefined : number("--idle", args.idle, /^\d+(\.\d+)?$/);
  const password = process.env.CASTOR_QUEUE_PASSWORD;
  registerPrintedForms();
  const terminated = new AbortController();
  process.once("SIGTERM", () => terminated.abort());
  const summary = await serveQueue({
    queue: args.queue,
    ...(password && { password }),
    threads,
    script: WORKER_SCRIPT,
    ...(idle !== undefined && { idle }),
    signal: AbortSignal.any([abortOnInterrupt(), terminated.signal]),
    notice: (text) => terminal.remark(`worker: ${text}`),
  });
  if (args.json) terminal.print(toJson(summary));
  else terminal.print(`${countText(summary.cases, "case")} in ${countText(summary.jobs, "job")}`);
  return summary.end === "interrupted" ? EXIT.interrupted : 0;
};

function number(option: string, text: string, form: RegExp): number {
  if (!form.test(text)) throw new UsageError(`${option} needs a positive number, got ${text}`);
  return Number(text);
}
