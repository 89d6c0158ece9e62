/** Writes files atomically: a file appears complete or not at all. */
import { renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CommandError } from "../command.ts";

/** Writes a temporary file in the same folder and renames it. @throws CommandError if it cannot be written. */
export function writeFileAtomically(path: string, content: string | Uint8Array): void {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    writeFileSync(draft, content, { flag: "wx" });
  } catch (error) {
    throw writeFailure(path, error);
  }
  try {
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw statSync(path).isDirectory() ? new CommandError(`cannot write ${path}: it is a folder`) : writeFailure(path, error);
  }
}

const WRITE_ERRORS: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  ENOTDIR: "its folder is a file",
  EEXIST: "a file with this name exists",
  EACCES: "no permission",
  EPERM: "no permission",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
};

export function writeFailure(path: string, error: unknown): CommandError {
  const { code, message } = error as NodeJS.ErrnoException;
  return new CommandError(`cannot write ${path}: ${WRITE_ERRORS[code ?? ""] ?? message}`);
}
