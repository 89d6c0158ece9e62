/** Writes files atomically: a file appears complete or not at all. */
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { draftDone, draftPath, removeStaleDrafts } from "../../report/stale-drafts.ts";
import { writeErrorOf } from "../../report/write-error.ts";

/** Writes a temporary file in the same folder and renames it. Devices and pipes are written directly. @throws WriteError */
export function writeFileAtomically(path: string, content: string | Uint8Array): void {
  try {
    const stat = existsSync(path) ? statSync(path) : undefined;
    if (stat !== undefined && !stat.isFile()) writeFileSync(path, content);
    else replaceFile(path, content);
  } catch (error) {
    throw writeErrorOf(path, error);
  }
}

function replaceFile(path: string, content: string | Uint8Array): void {
  removeStaleDrafts(path);
  const draft = draftPath(path, "tmp");
  try {
    writeFileSync(draft, content, { flag: "wx" });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  } finally {
    draftDone(draft);
  }
}
