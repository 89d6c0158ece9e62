/** Messages between a pool of threads and its workers, and the side of the worker. */
import type { MessagePort } from "node:worker_threads";
import type { Campaign } from "../campaign.ts";
import { type CaseRow, runCase } from "../run-case.ts";
import { identityOf } from "../store/manifest.ts";

export type ToWorker = { readonly run: readonly number[] };

export type FromWorker =
  | { readonly ready: string }
  | { readonly lost: string }
  | { readonly started: number }
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
  port.on("message", async ({ run }: ToWorker) => {
    for (const index of run) {
      send({ started: index });
      const row = await runCase(campaign, index, { host });
      if (lacking().length > 0) {
        send({ lacking: lacking() });
        break;
      }
      send({ row });
    }
    send({ done: true });
  });
  send({ ready: identityOf(campaign) });
}
