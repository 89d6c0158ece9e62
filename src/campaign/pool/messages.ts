/** Messages between a pool of threads and its workers, and the side of the worker. */
import type { MessagePort } from "node:worker_threads";
import type { Campaign } from "../campaign.ts";
import { CaseRunner } from "../case-runner.ts";
import type { CaseRow } from "../run-case.ts";
import { identityOf } from "../store/manifest.ts";

/** `alone`: every case is to run by itself. */
export type ToWorker = { readonly run: readonly number[]; readonly alone: boolean };

export type FromWorker =
  | { readonly ready: string }
  | { readonly lost: string }
  /** The cases that run from now on: one, or two at once. */
  | { readonly started: readonly number[] }
  | { readonly row: CaseRow }
  /** Files that a case needs and the worker does not have. */
  | { readonly lacking: readonly string[] }
  | { readonly done: true };

/** Answers requests of a pool. `open` loads the campaign; `lacking` names files that it could not read, and without which no case counts. */
export async function serveCases(
  port: MessagePort,
  open: () => Promise<Campaign>,
  host: string,
  lacking: () => readonly string[] = () => [],
): Promise<void> {
  const send = (message: FromWorker): void => port.postMessage(message);
  let campaign: Campaign;
  try {
    campaign = await open();
  } catch (error) {
    send({ lost: (error as Error).message });
    return;
  }
  const runner = new CaseRunner(campaign);
  port.on("message", async ({ run, alone }: ToWorker) => {
    const finished = (row: CaseRow): "stop" | undefined => {
      if (lacking().length > 0) {
        send({ lacking: lacking() });
        return "stop";
      }
      send({ row });
      return undefined;
    };
    await runner.run(run, finished, { host, alone, started: (started) => send({ started }) });
    send({ done: true });
  });
  send({ ready: identityOf(campaign) });
}
