/** Writes folders atomically: a folder appears complete or not at all. For Node only. */

import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  statSync,
} from "node:fs";
import { open } from "node:fs/promises";
import { dirname, join, resolve, sep } from "node:path";
import { WriteError } from "../errors.ts";
import { draftDone, draftPath, removeStaleDrafts, replacedPath } from "./stale-drafts.ts";
import { WRITE_REASONS, writeErrorOf } from "./write-error.ts";

/** A file to write: its name inside the folder, with "/", and a function for its content, called when the file is written. */
export interface OutputFile {
  readonly name: string;
  content(): string | Uint8Array | Iterable<string | Uint8Array>;
}

export interface WriteOptions {
  /** Aborts the writing, e.g. on Ctrl-C; the folder stays unchanged. */
  readonly signal?: AbortSignal;
  /**
   * Tells whether a folder that contains exactly these files may be replaced. If not, returns what is in the way: the name of a file, with a
   * remark. Default: only an empty folder may be replaced.
   */
  obstacle?(folder: string, files: readonly string[]): string | undefined;
}

/**
 * Writes the files to a temporary folder next to the final one and renames it when it is complete. After an error, an abort by the signal
 * or the end of the process, everything is as before. @throws WriteError with path and reason, and errors of the content or the signal.
 */
export async function writeFolder(folder: string, files: readonly OutputFile[], options: WriteOptions = {}): Promise<void> {
  const target = realFolderPath(folder);
  const parent = dirname(target);
  options.signal?.throwIfAborted();
  removeStaleDrafts(target);
  checkReplaceable(folder, target, options);

  const draft = draftPath(target, "partial");
  let firstCreated: string | undefined;
  const remove = (): void => {
    if (existsSync(draft)) rmSync(draft, { recursive: true, force: true });
    if (firstCreated !== undefined && !existsSync(target)) removeEmptyFolders(parent, firstCreated);
  };
  // Cleans up also if a signal handler ends the process during an await.
  process.once("exit", remove);
  try {
    withWriteError(folder, () =>
      makeFolders(parent, (first) => {
        firstCreated ??= first;
      }),
    );
    withWriteError(folder, () => mkdirSync(draft));
    for (const file of files) await writeFile(join(folder, file.name), join(draft, file.name), file, options.signal);
    options.signal?.throwIfAborted();
    checkReplaceable(folder, target, options);
    withWriteError(folder, () => replaceFolder(target, draft));
  } finally {
    process.off("exit", remove);
    remove();
    draftDone(draft);
  }
}

/** Checks that the folder can be written. Call it before a long computation whose result goes there. @throws WriteError */
export function checkFolder(folder: string, options: WriteOptions = {}): void {
  const target = realFolderPath(folder);
  removeStaleDrafts(target);
  checkReplaceable(folder, target, options);
  let parent = dirname(target);
  while (!existsSync(parent) && dirname(parent) !== parent) parent = dirname(parent);
  if (!statSync(parent).isDirectory()) throw new WriteError(`cannot write ${folder}: ${WRITE_REASONS.ENOTDIR}`);
  withWriteError(folder, () => accessSync(parent, constants.W_OK | constants.X_OK));
}

/** Creates a folder and its parents. Does not use the recursive mkdir of Node, which hangs where folders are impossible, e.g. in /proc. */
function makeFolders(folder: string, onMade: (folder: string) => void): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolders(dirname(folder), onMade);
  mkdirSync(folder);
  onMade(folder);
}

/** Removes the parent folders that were created for the new folder, from the inside out, if they are empty. */
function removeEmptyFolders(folder: string, outermost: string): void {
  try {
    if (existsSync(folder)) rmdirSync(folder);
  } catch {
    return;
  }
  if (folder !== outermost) removeEmptyFolders(dirname(folder), outermost);
}

/** The path with symbolic links resolved: the target folder is replaced, the link stays. */
function realFolderPath(folder: string): string {
  const path = resolve(folder);
  return withWriteError(folder, () => (existsSync(path) ? realpathSync(path) : path));
}

/** Refuses to overwrite files of the user: only an empty folder or an earlier output may be replaced. */
function checkReplaceable(folder: string, target: string, { obstacle = (_, [first]) => first }: WriteOptions): void {
  if (!existsSync(target)) return;
  if (!statSync(target).isDirectory()) throw new WriteError(`cannot write ${folder}: ${WRITE_REASONS.EEXIST}`);
  if (`${process.cwd()}${sep}`.startsWith(target + sep))
    throw new WriteError(`cannot write ${folder}: it is the current folder or contains it. Choose a folder inside it`);
  const files = withWriteError(folder, () => listFiles(target));
  const inTheWay = files.length > 0 ? obstacle(target, files) : undefined;
  if (inTheWay !== undefined)
    throw new WriteError(
      `cannot write ${folder}: it exists and has other files in it, e.g. ${inTheWay}. Choose another folder or remove it`,
    );
}

/** Names of all files in the folder, with "/", sorted; an empty folder counts as a file. */
export function listFiles(folder: string, prefix = ""): string[] {
  return readdirSync(folder, { withFileTypes: true })
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((entry) => {
      const name = prefix + entry.name;
      const inside = entry.isDirectory() ? listFiles(join(folder, entry.name), `${name}/`) : [];
      return inside.length > 0 ? inside : [entry.isDirectory() ? `${name}/` : name];
    });
}

async function writeFile(shown: string, path: string, file: OutputFile, signal: AbortSignal | undefined): Promise<void> {
  withWriteError(shown, () => mkdirSync(dirname(path), { recursive: true }));
  const handle = await open(path, "wx").catch((error) => throwWriteError(shown, error));
  try {
    const content = file.content();
    const pieces = typeof content === "string" || content instanceof Uint8Array ? [content] : content;
    for (const piece of pieces) {
      signal?.throwIfAborted();
      const bytes = typeof piece === "string" ? Buffer.from(piece) : piece;
      for (let done = 0; done < bytes.length; )
        done += (await handle.write(bytes, done).catch((error) => throwWriteError(shown, error))).bytesWritten;
    }
    await handle.sync().catch((error) => throwWriteError(shown, error)); // a full disk may be reported only here
  } finally {
    await handle.close();
  }
}

/** Renames the draft to its final place. Synchronous, so that no signal handler runs in between. Restores the old folder on failure. */
function replaceFolder(target: string, draft: string): void {
  const old = replacedPath(draft);
  const targetExists = existsSync(target);
  if (targetExists) renameSync(target, old);
  try {
    renameSync(draft, target);
  } catch (error) {
    if (targetExists) renameSync(old, target);
    throw error;
  }
  if (targetExists) rmSync(old, { recursive: true, force: true });
}

function withWriteError<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    return throwWriteError(path, error);
  }
}

function throwWriteError(path: string, error: unknown): never {
  throw writeErrorOf(path, error);
}
