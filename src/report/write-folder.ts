/** Folders that are there completely or not at all. For Node only. */
import { randomBytes } from "node:crypto";
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
import { basename, dirname, join, resolve, sep } from "node:path";

/** What was to be written could not be: says which path and why. Nothing half-written is left. */
export class WriteError extends Error {
  override readonly name = "WriteError";
}

/** A file to be: its name inside the folder, with "/", and its content when it is its turn. */
export interface OutputFile {
  readonly name: string;
  content(): string | Uint8Array | Iterable<string>;
}

export interface WriteOptions {
  /** Stops the writing; the folder stays as it was. For Ctrl-C. */
  readonly signal?: AbortSignal;
  /** Whether a folder with these files, all that it has, may be replaced; by default only an empty one may. */
  replaces?(folder: string, files: readonly string[]): boolean;
}

/**
 * Writes the files beside the folder, and moves them to their place when they are complete. An error, an abort by the signal
 * or the end of the process before that leaves everything as it was. @throws WriteError with path and reason; whatever the
 * content or the signal throws.
 */
export async function writeFolder(folder: string, files: readonly OutputFile[], options: WriteOptions = {}): Promise<void> {
  const place = realFolderPath(folder);
  const parent = dirname(place);
  const draft = join(parent, `.${basename(place)}.${process.pid}-${randomBytes(4).toString("hex")}.partial`);
  options.signal?.throwIfAborted();
  checkReplaceable(folder, place, options);

  let made: string | undefined;
  const remove = (): void => {
    if (existsSync(draft)) rmSync(draft, { recursive: true, force: true });
    if (made !== undefined && !existsSync(place)) removeEmptyFolders(parent, made);
  };
  // Also when the process is ended by a handler of a signal, in the middle of an await.
  process.once("exit", remove);
  try {
    withWriteError(folder, () =>
      makeFolders(parent, (first) => {
        made ??= first;
      }),
    );
    withWriteError(folder, () => mkdirSync(draft));
    for (const file of files) await writeFile(join(folder, file.name), join(draft, file.name), file, options.signal);
    options.signal?.throwIfAborted();
    checkReplaceable(folder, place, options);
    withWriteError(folder, () => replaceFolder(place, draft));
  } finally {
    process.off("exit", remove);
    remove();
  }
}

/** Whether the folder could be written: to be known before the work whose result it is for. @throws WriteError */
export function checkFolder(folder: string, options: WriteOptions = {}): void {
  const place = realFolderPath(folder);
  checkReplaceable(folder, place, options);
  let parent = dirname(place);
  while (!existsSync(parent) && dirname(parent) !== parent) parent = dirname(parent);
  if (!statSync(parent).isDirectory()) throw new WriteError(`cannot write ${folder}: a part of its path is a file`);
  withWriteError(folder, () => accessSync(parent, constants.W_OK | constants.X_OK));
}

/** Makes a folder and those around it. Not by mkdir's own recursion, which never ends where a folder cannot be, e.g. in /proc. */
function makeFolders(folder: string, onMade: (folder: string) => void): void {
  if (existsSync(folder)) return;
  if (dirname(folder) !== folder) makeFolders(dirname(folder), onMade);
  mkdirSync(folder);
  onMade(folder);
}

/** The folders that were made to hold the new one, from the inside out, unless something is in them by now. */
function removeEmptyFolders(folder: string, outermost: string): void {
  try {
    if (existsSync(folder)) rmdirSync(folder);
  } catch {
    return;
  }
  if (folder !== outermost) removeEmptyFolders(dirname(folder), outermost);
}

/** Where links lead to: the folder is replaced there, the link stays. */
function realFolderPath(folder: string): string {
  const place = resolve(folder);
  return withWriteError(folder, () => (existsSync(place) ? realpathSync(place) : place));
}

/** Nothing is overwritten that could be of value: an empty folder or an earlier output, never the user's own files. */
function checkReplaceable(folder: string, place: string, { replaces }: WriteOptions): void {
  if (!existsSync(place)) return;
  if (!statSync(place).isDirectory()) throw new WriteError(`cannot write ${folder}: a file is in the way`);
  if (`${process.cwd()}${sep}`.startsWith(place + sep))
    throw new WriteError(`cannot write ${folder}: it is the current folder or contains it. Name a folder inside it`);
  const files = withWriteError(folder, () => listFiles(place));
  if (files.length > 0 && replaces?.(place, files) !== true)
    throw new WriteError(
      `cannot write ${folder}: it exists and has other files in it, e.g. ${files[0]!}. Choose another folder or remove it`,
    );
}

/** Names of all files, with "/", in order; empty folders count as files. */
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
    await handle.sync().catch((error) => throwWriteError(shown, error)); // a full disk may show only here
  } finally {
    await handle.close();
  }
}

/** Synchronous, so that no signal handler runs between the two moves; what was there comes back if the second fails. */
function replaceFolder(place: string, draft: string): void {
  const old = `${draft}.old`;
  const replaced = existsSync(place);
  if (replaced) renameSync(place, old);
  try {
    renameSync(draft, place);
  } catch (error) {
    if (replaced) renameSync(old, place);
    throw error;
  }
  if (replaced) rmSync(old, { recursive: true, force: true });
}

function withWriteError<T>(path: string, action: () => T): T {
  try {
    return action();
  } catch (error) {
    return throwWriteError(path, error);
  }
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTDIR: "a part of its path is a file",
  ENOENT: "its folder cannot be made",
  EEXIST: "a file is in the way",
  EFBIG: "the file would be larger than allowed",
  EACCES: "no permission",
  EPERM: "no permission",
  EROFS: "the file system is read-only",
  ENOSPC: "the disk is full",
  EDQUOT: "the disk quota is used up",
  ENAMETOOLONG: "its name is too long",
  EMFILE: "too many files are open",
};

function throwWriteError(path: string, error: unknown): never {
  const { code, message } = error as NodeJS.ErrnoException;
  throw new WriteError(`cannot write ${path}: ${REASONS[code ?? ""] ?? message}`, { cause: error });
}
