/** Script of a worker thread of a campaign: loads the campaign that the pool names or sends, and runs its cases. */
import { hostname } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { Campaign } from "../../campaign/campaign.ts";
import { serveCases } from "../../campaign/pool/messages.ts";
import { type CampaignBundle, openBundle } from "../../campaign/queue/bundle.ts";
import { registerPrintedForms } from "../../validation/register.ts";
import { type CampaignRequest, openCampaignFile } from "../files/campaign-argument.ts";

const data = workerData as CampaignRequest | { readonly bundle: CampaignBundle };
let lacking: () => readonly string[] = () => [];

async function open(): Promise<Campaign> {
  if (!("bundle" in data)) return openCampaignFile(data);
  registerPrintedForms();
  const opened = await openBundle(data.bundle);
  lacking = opened.lacking;
  return opened.campaign;
}

await serveCases(parentPort!, open, hostname(), () => lacking());
