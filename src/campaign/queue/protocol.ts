/**
 * Messages between producer and workers through Redis. Jobs of BullMQ name a campaign and its cases, nothing else. The campaign is a hash of its files;
 * rows come back in a list of the campaign. All of it is data, and every member is checked by the side that reads it.
 */
import { createHash } from "node:crypto";
import { VERSION } from "../../version.ts";
import type { Campaign } from "../campaign.ts";
import type { CaseRow } from "../run-case.ts";
import { isRow, rowText } from "../store/row-text.ts";
import type { BundleHead, CampaignBundle, FileContent, FileContents } from "./bundle.ts";

/** All keys of Redis begin with this. */
export const PREFIX = "castor";
/** Producers and workers of one version share a queue: results of different versions can differ. */
export const QUEUE_NAME = `chunks-${VERSION}`;

export interface CampaignKeys {
  /** Hash: the campaign and its files. It exists as long as the campaign is wanted. */
  readonly campaign: string;
  /** List of answers of workers. */
  readonly answers: string;
  /** The process that takes the answers. */
  readonly producer: string;
}

export const keysOf = (identity: string): CampaignKeys => ({
  campaign: `${PREFIX}:campaign:${identity}`,
  answers: `${PREFIX}:answers:${identity}`,
  producer: `${PREFIX}:producer:${identity}`,
});

/** Time after which everything of a campaign whose producer does not come back is removed, s. */
export const KEPT_SECONDS = 86_400;

/** The data of a job. */
export interface ChunkJob {
  /** SHA-256 of the definition. */
  readonly campaign: string;
  /** First and last case of ranges, in ascending order. */
  readonly ranges: readonly (readonly [number, number])[];
}

/** Largest number of cases of a job. */
export const MOST_CASES = 1000;

/**
 * The job for cases. Its id depends on campaign and cases only: a job that is added twice is in the queue once. `files`: number of files that were
 * sent after the campaign; a job that is repeated with more of them is another one.
 */
export function chunkJob(
  campaign: string,
  cases: readonly number[],
  files = 0,
): { readonly id: string; readonly data: ChunkJob } {
  const ranges: [number, number][] = [];
  for (const index of [...cases].sort((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && last[1] + 1 === index) last[1] = index;
    else ranges.push([index, index]);
  }
  const hash = createHash("sha256")
    .update(JSON.stringify([campaign, ranges, files]))
    .digest("hex")
    .slice(0, 24);
  return { id: `${ranges[0]![0]}-${ranges.at(-1)![1]}-${hash}`, data: { campaign, ranges } };
}

/** Reads the data of a job; undefined if it is not a job of a campaign. */
export function parseJob(data: unknown): { readonly campaign: string; readonly cases: readonly number[] } | undefined {
  const { campaign, ranges } = (typeof data === "object" && data !== null ? data : {}) as Partial<ChunkJob>;
  if (typeof campaign !== "string" || !/^[0-9a-f]{64}$/.test(campaign) || !Array.isArray(ranges)) return undefined;
  const cases: number[] = [];
  for (const range of ranges as unknown[]) {
    const [first, last] = Array.isArray(range) ? (range as unknown[]) : [];
    if (!isCase(first) || !isCase(last) || last < first || last - first >= MOST_CASES) return undefined;
    for (let index = first; index <= last; index++) cases.push(index);
    if (cases.length > MOST_CASES) return undefined;
  }
  return cases.length > 0 ? { campaign, cases } : undefined;
}

const isCase = (value: unknown): value is number => Number.isSafeInteger(value) && (value as number) >= 0;

/** Answer of a worker to a job: rows, or the files that it lacks. */
export interface Answer {
  readonly job: string;
  readonly rows: readonly CaseRow[];
  readonly lacking: readonly string[];
}

export const answerText = (job: string, rows: readonly CaseRow[], lacking: readonly string[] = []): string =>
  `{"job":${JSON.stringify(job)},"rows":[${rows.map(rowText).join(",")}],"lacking":${JSON.stringify(lacking)}}`;

export function parseAnswer(text: string): Answer | undefined {
  try {
    const answer = JSON.parse(text) as Partial<Answer> | null;
    const { job, rows, lacking } = answer ?? {};
    if (typeof job !== "string" || !Array.isArray(rows) || !rows.every(isRow)) return undefined;
    return Array.isArray(lacking) && lacking.every((key) => typeof key === "string") ? (answer as Answer) : undefined;
  } catch {
    return undefined;
  }
}

/** True if a row has the columns of the campaign. */
export const fitsCampaign = ({ case: index, inputs, measures, histories }: CaseRow, campaign: Campaign): boolean =>
  index < campaign.cases &&
  inputs.length === campaign.inputs.length &&
  campaign.inputs.every(({ type }, i) => (typeof inputs[i] === "number") === (type === "number")) &&
  measures.length === campaign.measures.length &&
  histories?.length === campaign.histories?.list.length;

const HEAD = "head";

/** Fields of the hash of a campaign. */
export const bundleFields = (head: BundleHead, files: FileContents): Record<string, string> => ({
  [HEAD]: JSON.stringify(head),
  ...Object.fromEntries(Object.entries(files).map(([key, content]) => fileField(key, content))),
});

export const fileField = (key: string, content: FileContent): readonly [string, string] => [
  `file:${key}`,
  JSON.stringify(content),
];

/** The campaign of a hash; undefined if the hash does not exist any more. @throws SyntaxError for a hash with other contents */
export function parseBundle(fields: Readonly<Record<string, string>>): CampaignBundle | undefined {
  if (fields[HEAD] === undefined) return undefined;
  const files = Object.entries(fields).flatMap(([field, text]): [string, FileContent][] =>
    field.startsWith("file:") ? [[field.slice("file:".length), JSON.parse(text) as FileContent]] : [],
  );
  return { ...(JSON.parse(fields[HEAD]) as BundleHead), files: Object.fromEntries(files) };
}
