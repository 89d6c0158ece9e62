/** Where a report comes from: its date, version and command, and an address that opens the run in the studio. */
import { createHash } from "node:crypto";
import { deflateRawSync } from "node:zlib";
import type { Provenance } from "../../report/report-data.ts";
import { formatOverride, type Override } from "../../scenario/override.ts";
import { DEFAULT_PORT } from "../commands/studio.ts";
import { packageVersion } from "./package-files.ts";

export interface ProvenanceOptions {
  readonly name: string;
  readonly isBuiltIn: boolean;
  readonly overrides: readonly Override[];
  /** The command without its changes. */
  readonly command: string;
  /** Text of the scenario with its model. */
  readonly scenario: string;
}

/** Longest address; browsers and mail programs cut longer ones. */
const MAX_ADDRESS = 60_000;

/** The date is that of SOURCE_DATE_EPOCH, if it is set: then two runs write the same files. */
export function provenanceOf({ name, isBuiltIn, overrides, command, scenario }: ProvenanceOptions): Provenance {
  const epoch = process.env.SOURCE_DATE_EPOCH;
  const date = epoch !== undefined && /^\d{1,11}$/.test(epoch) ? new Date(1000 * Number(epoch)) : new Date();
  const sets = overrides.map(formatOverride);
  const quote = (text: string): string => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`);
  const address = `http://localhost:${DEFAULT_PORT}/#/${isBuiltIn ? builtInAddress(name, sets) : fileAddress(name, scenario)}`;
  return {
    date: date.toISOString(),
    version: packageVersion(),
    command: [command, ...sets.map((set) => `--set ${quote(set)}`)].join(" "),
    scenarioHash: createHash("sha256").update(scenario).digest("hex"),
    ...(address.length <= MAX_ADDRESS && { link: address }),
  };
}

function builtInAddress(name: string, sets: readonly string[]): string {
  const query = new URLSearchParams(sets.map((set) => ["set", set]));
  return `scenario/${encodeURIComponent(name)}${sets.length > 0 ? `?${query}` : ""}`;
}

/** The scenario packed into the address, as the studio packs files. */
function fileAddress(name: string, text: string): string {
  const source = { name, path: `${name}/scenario.yaml`, text, files: { "scenario.yaml": text }, builtIn: false };
  return `file?text=${deflateRawSync(JSON.stringify(source)).toString("base64url")}`;
}
