/** Stores of campaigns and the pools that fill them. For Node only. */
export { analyseMeasures, type CaseColumns, type MeasureAnalysis, readColumns, type Sensitivity } from "./analysis.ts";
export { compareStores } from "./compare-stores.ts";
export { casesNeeded, type FillOptions, type FillProgress, fillStore, type Shard } from "./fill.ts";
export { type HistoryEnvelope, readEnvelopes } from "./histories/envelope.ts";
export { inProcessPool } from "./pool/in-process.ts";
export { serveCases } from "./pool/messages.ts";
export { type Pool, PoolError } from "./pool/pool.ts";
export { type ThreadOptions, threadPool } from "./pool/threads.ts";
export {
  type BundleHead,
  type CampaignBundle,
  type FileContent,
  type FileContents,
  type OpenedBundle,
  openBundle,
  type RecordedCampaign,
  recordCampaign,
} from "./queue/bundle.ts";
export { type QueueOptions, queuePool } from "./queue/queue-pool.ts";
export { type QueueWorkerOptions, type QueueWorkerSummary, serveQueue } from "./queue/queue-worker.ts";
export { type CampaignReportOptions, writeCampaignReport } from "./report/write-report.ts";
export type { CaseBlock } from "./store/case-block.ts";
export type { ChunkName, HistoryRow } from "./store/chunk-file.ts";
export type { Manifest } from "./store/manifest.ts";
export { CaseStore } from "./store/store.ts";
export { csvTable, type TableSchema } from "./store/table.ts";
export { openStoredCampaign } from "./stored-campaign.ts";
export { type CampaignSummary, campaignVerdict, type MeasureSummary, type ReasonCount, summariseCampaign } from "./summary.ts";
