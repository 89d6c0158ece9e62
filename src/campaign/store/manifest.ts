/** The manifest of a store: which campaign it belongs to. For Node only. */
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { FormatError } from "../../errors.ts";
import { VERSION } from "../../version.ts";
import type { Campaign } from "../campaign.ts";
import { schemaOf, type TableSchema } from "./table.ts";

export const MANIFEST = "campaign.json";

/** Content of the file campaign.json. */
export interface Manifest extends TableSchema {
  readonly castor: "campaign";
  readonly version: string;
  /** SHA-256 of the definition. Chunks of one store have the same identity. */
  readonly identity: string;
  readonly name: string;
  readonly seed: number;
  readonly design: string;
  /** Number of cases; with a stopping rule the largest number. */
  readonly cases: number;
  readonly chunk: number;
  readonly definition: Readonly<Record<string, unknown>>;
  /** SHA-256 of everything else here, so that damage is noticed. */
  readonly digest: string;
}

export function manifestOf(campaign: Campaign): Manifest {
  const manifest = {
    castor: "campaign",
    version: VERSION,
    identity: identityOf(campaign),
    name: campaign.name,
    seed: campaign.seed,
    design: campaign.design.kind,
    cases: campaign.cases,
    chunk: campaign.chunk,
    ...schemaOf(campaign),
    definition: campaign.definition,
  } as const;
  return { ...manifest, digest: digestOf(manifest) };
}

/** SHA-256 of everything in a manifest except this digest itself. */
const digestOf = ({ digest: _, ...manifest }: Partial<Manifest>): string =>
  createHash("sha256").update(canonicalJson(manifest)).digest("hex");

/** SHA-256 of everything that determines the results of a campaign. */
export const identityOf = ({ definition }: Campaign): string =>
  createHash("sha256").update(canonicalJson(definition)).digest("hex");

/** JSON with sorted keys, so that the order of a file does not matter. */
const canonicalJson = (data: unknown): string =>
  JSON.stringify(data, (_, value: unknown) =>
    typeof value === "object" && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );

/** @throws FormatError */
export function readManifest(folder: string): Manifest {
  const refuse = (reason: string, cause?: unknown): FormatError =>
    new FormatError(`${folder} is not the store of a campaign: ${reason}`, { cause });
  let manifest: Partial<Manifest> | null;
  try {
    manifest = JSON.parse(readFileSync(join(folder, MANIFEST), "utf8")) as Partial<Manifest> | null;
  } catch (error) {
    throw refuse((error as Error).message, error);
  }
  if (manifest?.castor !== "campaign") throw refuse(`${MANIFEST} has no entry castor: campaign`);
  if (digestOf(manifest) !== manifest.digest) throw refuse(`${MANIFEST} is damaged, or was changed`);
  return manifest as Manifest;
}

/** How the campaign of a store differs from the wanted one. */
export function differenceText(folder: string, stored: Manifest, wanted: Manifest): string {
  const keys = [...new Set([...Object.keys(stored.definition), ...Object.keys(wanted.definition)])];
  const changed = keys.filter(
    (key) => canonicalJson(stored.definition[key] ?? null) !== canonicalJson(wanted.definition[key] ?? null),
  );
  const what = changed.map((key) => (key === "castor" ? `version ${stored.version}` : key)).join(", ");
  return `${folder} has the cases of another campaign: it differs in ${what}. Choose another folder with --out, or remove it`;
}
