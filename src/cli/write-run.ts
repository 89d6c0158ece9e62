/** The files of a run. */
import { accessSync, constants, mkdirSync } from "node:fs";
import { join } from "node:path";
import { csvLog } from "../formats/log-csv.ts";
import { jsonLog } from "../formats/log-json.ts";
import { reportHtml } from "../report/report.ts";
import type { Report } from "../report/types.ts";
import { refusal, writeWhole } from "./write-file.ts";

/** Makes the folder. @throws CommandError if nothing can be written there. */
export function prepareFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
    accessSync(folder, constants.W_OK | constants.X_OK);
  } catch (error) {
    throw refusal(folder, error);
  }
}

export async function writeRun(report: Report, folder: string): Promise<string[]> {
  writeWhole(join(folder, "log.csv"), [...csvLog(report.log)].join(""));
  writeWhole(join(folder, "log.json"), [...jsonLog(report.log)].join(""));
  writeWhole(join(folder, "report.html"), reportHtml(report, { logs: ["log.csv", "log.json"] }));
  return ["log.csv", "log.json", "report.html"];
}
