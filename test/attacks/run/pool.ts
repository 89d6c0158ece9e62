/** Processes that run attack cases. A case that does not end, or that ends its process, is wrong: a new process takes the next one. */
import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";
import type { Outcome } from "../cases/case.ts";
import type { Job } from "./worker.ts";

export interface CaseResult extends Job {
  readonly description: string;
  readonly outcome: Outcome;
  readonly seconds: number;
}

/** Time for one case, s: longer is a hang. */
export const CASE_SECONDS = 120;

const RUNNER = fileURLToPath(new URL("../../../tools/run-typescript.js", import.meta.url));
const WORKER = fileURLToPath(new URL("./worker.ts", import.meta.url));

/** Runs all jobs in `count` processes. Calls `finished` after each. */
export async function runJobs(jobs: readonly Job[], count: number, finished: (result: CaseResult) => void): Promise<void> {
  let next = 0;
  const lane = async (): Promise<void> => {
    let worker: ChildProcess | undefined;
    while (next < jobs.length) {
      const job = jobs[next++]!;
      worker = worker?.connected ? worker : await startWorker();
      const started = performance.now();
      const answer = await caseAnswer(worker, job);
      finished({ ...job, ...answer, seconds: (performance.now() - started) / 1000 });
    }
    if (worker?.connected) worker.disconnect();
  };
  await Promise.all(Array.from({ length: Math.min(count, jobs.length) }, lane));
}

function startWorker(): Promise<ChildProcess> {
  const worker = fork(RUNNER, [WORKER], { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  return new Promise((resolve, reject) => {
    worker.once("message", () => resolve(worker));
    worker.once("exit", (code) => reject(new Error(`the process for attack cases ended with code ${code}`)));
  });
}

function caseAnswer(worker: ChildProcess, job: Job): Promise<{ readonly description: string; readonly outcome: Outcome }> {
  return new Promise((resolve) => {
    const settle = (answer: { readonly description: string; readonly outcome: Outcome }): void => {
      clearTimeout(timer);
      worker.removeAllListeners();
      resolve(answer);
    };
    const timer = setTimeout(() => {
      settle({ description: "", outcome: { wrong: `did not end within ${CASE_SECONDS} s` } });
      if (worker.connected) worker.disconnect();
      worker.kill("SIGKILL");
    }, 1000 * CASE_SECONDS);
    worker.once("message", (answer: { readonly description: string; readonly outcome: Outcome }) => settle(answer));
    worker.once("exit", (code, signal) =>
      settle({ description: "", outcome: { wrong: `its process ended with ${signal ?? `code ${code}`}` } }),
    );
    worker.send(job);
  });
}
