/** Measurement files of elastic rods, for `castor identify`. */
import { type IdentifyFile, readIdentification } from "../analysis/identification/identify-file.ts";
import type { Problem } from "../errors.ts";
import { readDocument } from "../formats/document.ts";

/** @throws ModelError with every problem of the text, each with its line. */
export function parseMeasurementFile(text: string, source = "measurements"): IdentifyFile {
  const document = readDocument(text, source);
  const problems: Problem[] = [...document.problems];
  const file = readIdentification(document.data, problems);
  if (file === undefined || problems.length > 0) throw document.error(problems);
  return file;
}
