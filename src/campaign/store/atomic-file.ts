/** Files that appear complete or not at all, and stay after a crash of the machine: written to a draft, flushed, renamed. For Node only. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import { draftDone, draftPath } from "../../report/stale-drafts.ts";
import { writeErrorOf } from "../../report/write-error.ts";

/** @throws WriteError */
export function writeDurably(path: string, content: Uint8Array | string): void {
  const bytes = typeof content === "string" ? Buffer.from(content) : content;
  const draft = draftPath(path, "tmp");
  try {
    const handle = openSync(draft, "wx");
    try {
      for (let done = 0; done < bytes.length; ) done += writeSync(handle, bytes, done);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
    renameSync(draft, path);
    flushFolder(dirname(path));
  } catch (error) {
    rmSync(draft, { force: true });
    throw writeErrorOf(path, error);
  } finally {
    draftDone(draft);
  }
}

/** Makes a rename durable. Systems that cannot flush folders do it by themselves. */
function flushFolder(folder: string): void {
  let handle: number | undefined;
  try {
    handle = openSync(folder, "r");
    fsyncSync(handle);
  } catch {
    // Windows cannot open folders.
  } finally {
    if (handle !== undefined) closeSync(handle);
  }
}
