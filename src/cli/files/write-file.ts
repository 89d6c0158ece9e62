/** Writes files atomically: a file appears complete or not at all. */
import { randomBytes } from "node:crypto";
import { existsSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
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
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}-${randomBytes(4).toString("hex")}.tmp`);
  try {
    writeFileSync(draft, content, { flag: "wx" });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}
