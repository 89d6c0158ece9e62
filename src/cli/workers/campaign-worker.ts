/** Script of a worker thread of a campaign: loads the campaign that the pool names, and runs its cases. */
import { hostname } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import { serveCases } from "../../campaign/pool/messages.ts";
import { type CampaignRequest, openCampaignFile } from "../files/campaign-argument.ts";

await serveCases(parentPort!, () => openCampaignFile(workerData as CampaignRequest), hostname());
