/** Files that are there completely or not at all. */
import { renameSync, rmSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { CommandError } from "./command.ts";

/** Writes beside the place and renames. @throws CommandError if the place cannot be written to. */
export function writeWhole(path: string, content: string | Uint8Array): void {
  const draft = join(dirname(path), `.${basename(path)}.${process.pid}.tmp`);
  try {
    writeFileSync(draft, content, { flag: "wx" });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw new CommandError(`cannot write ${path}: ${reasonOf(error as NodeJS.ErrnoException)}`);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: "its folder does not exist",
  ENOTDIR: "its folder is a file",
  EISDIR: "it is a folder",
  EACCES: "no permission",
  EPERM: "no permission",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
};

const reasonOf = ({ code, message }: NodeJS.ErrnoException): string => REASONS[code ?? ""] ?? message;
