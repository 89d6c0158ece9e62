/** The campaign of a store, from the definition in its manifest: the store alone is enough to open any case. */
import type { Fields } from "../declare/plain-data.ts";
import { FormatError } from "../errors.ts";
import { NO_FILES } from "../scenario/files.ts";
import type { Campaign } from "./campaign.ts";
import { openCampaign } from "./load.ts";
import type { Manifest } from "./store/manifest.ts";
import type { CaseStore } from "./store/store.ts";

/** Names of what is missing in a store to open its campaign: files of the scenario, the list of its cases. */
function neededFiles({ definition: { files, list } }: Manifest): readonly string[] {
  return [...Object.keys(files as Fields), ...(list === undefined ? [] : ["the list of its cases"])];
}

/** True if the store alone is enough to open any case. */
export const isSelfContained = ({ manifest }: CaseStore): boolean => neededFiles(manifest).length === 0;

/** Opens the campaign of a store. @throws FormatError if it needs files that are not in the store, ModelError */
export async function openStoredCampaign({ folder, manifest }: CaseStore): Promise<Campaign> {
  const { campaign, scenario } = manifest.definition;
  const outside = neededFiles(manifest);
  if (outside.length > 0)
    throw new FormatError(
      `${folder} does not contain ${outside.join(", ")}. Name the campaign file instead, e.g. castor studio mine.yaml --case 17`,
    );
  // The stored scenario has the changes of `set`.
  const { set, ...written } = campaign as Fields;
  const text = JSON.stringify({ ...written, name: manifest.name, scenario: "scenario.json" });
  const readText = (): never => {
    throw new FormatError(`${folder}: the campaign names a file that is not in the store`);
  };
  return openCampaign(text, `${folder}/campaign.json`, {
    files: { readText, scenario: (source) => ({ text: JSON.stringify(scenario), source, files: NO_FILES }) },
  });
}
