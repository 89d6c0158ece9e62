/** The argument CAMPAIGN: a campaign file, a folder, or the name of a built-in campaign. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import type { Campaign, CampaignScenario } from "../../campaign/campaign.ts";
import { type CampaignFiles, openCampaign } from "../../campaign/load.ts";
import { type RecordedCampaign, recordCampaign } from "../../campaign/queue/bundle.ts";
import { didYouMean } from "../../declare/names.ts";
import { ModelError } from "../../errors.ts";
import { readText } from "../../formats/node-files.ts";
import { pathProblem } from "../../scenario/files.ts";
import { diskFiles } from "../../scenario/node-files.ts";
import type { Override } from "../../scenario/override.ts";
import { registerPrintedForms } from "../../validation/register.ts";
import { UsageError } from "../command.ts";
import { readChosenFile, shortestPath } from "./chosen-file.ts";
import { builtInNames, packagePath } from "./package-files.ts";
import { BUILT_IN_MODELS } from "./scenario-argument.ts";

/** A campaign on disk and the changes of the command line: plain data, which a worker gets. */
export interface CampaignRequest {
  /** Absolute path of the file. */
  readonly file: string;
  /** Path for messages. */
  readonly source: string;
  readonly overrides: readonly Override[];
}

export interface CampaignChanges {
  readonly cases?: string | undefined;
  readonly seed?: string | undefined;
}

export interface ChosenCampaign {
  readonly campaign: Campaign;
  readonly request: CampaignRequest;
  /** Short name for files and messages. */
  readonly name: string;
}

/** Script of the worker threads. */
export const WORKER_SCRIPT = pathToFileURL(packagePath("dist/cli/campaign-worker.js"));

/** Loads the campaign of an argument. @throws CommandError if it does not exist, ModelError if it has problems */
export async function loadCampaignArgument(argument: string, changes: CampaignChanges = {}): Promise<ChosenCampaign> {
  const { source, name } = readChosenFile(argument, "campaign", ["campaign.yaml"]);
  const request = { file: resolve(source), source, overrides: overridesOf(changes) };
  return { campaign: await openCampaignFile(request), request, name };
}

/** Loads the campaign of a request. @throws ModelError */
export function openCampaignFile({ file, source, overrides }: CampaignRequest): Promise<Campaign> {
  registerPrintedForms();
  return openCampaign(readText(file), source, { files: campaignFiles(dirname(file)), overrides });
}

/** The same with the contents of all files that it reads, for workers on other machines. @throws ModelError */
export function recordCampaignFile({ file, source, overrides }: CampaignRequest): Promise<RecordedCampaign> {
  registerPrintedForms();
  return recordCampaign(readText(file), source, { files: campaignFiles(dirname(file)), overrides });
}

function overridesOf({ cases, seed }: CampaignChanges): readonly Override[] {
  const whole = (option: string, text: string): number => {
    if (!/^\d+$/.test(text)) throw new UsageError(`${option} needs a whole number, got ${text}`);
    return Number(text);
  };
  return [
    ...(cases === undefined ? [] : [{ path: "design.cases", value: whole("--cases", cases), from: `--cases ${cases}` }]),
    ...(seed === undefined ? [] : [{ path: "seed", value: whole("--seed", seed), from: `--seed ${seed}` }]),
  ];
}

/** Files next to a campaign, and the built-in scenarios. */
const campaignFiles = (folder: string): CampaignFiles => ({
  readText: (path) => readText(shortestPath(insideFolder(folder, path))),
  scenario(name): CampaignScenario {
    const isBuiltIn = builtInNames("scenario.yaml").includes(name);
    if (!isBuiltIn && !/\.(ya?ml|json)$/i.test(name))
      throw new ModelError(name, [
        {
          path: "",
          message: "is neither a scenario file (.yaml, .yml, .json) nor a built-in scenario",
          advice: didYouMean(name, builtInNames("scenario.yaml")),
        },
      ]);
    const path = isBuiltIn ? packagePath(`scenarios/${name}/scenario.yaml`) : insideFolder(folder, name);
    if (!existsSync(path)) throw new ModelError(name, [{ path: "", message: `there is no file ${shortestPath(path)}` }]);
    const source = shortestPath(path);
    return { text: readText(source), source, files: diskFiles(dirname(source), BUILT_IN_MODELS) };
  },
});

function insideFolder(folder: string, path: string): string {
  const refusal = pathProblem(path);
  if (refusal !== undefined) throw new ModelError(path, [{ path: "", message: refusal.replace("scenario", "campaign") }]);
  return join(folder, path);
}
