/**
 * Temporary files and folders next to their final place: their names, and the removal of those that killed processes have left. For Node only. The
 * name has the process and the machine, so that a draft of a running process, or of another machine on a shared disk, is never touched.
 */
import { createHash, randomBytes } from "node:crypto";
import { existsSync, readdirSync, renameSync, rmSync } from "node:fs";
import { hostname } from "node:os";
import { basename, dirname, join } from "node:path";

/** Drafts that this process is writing. */
const active = new Set<string>();

const machineMark = (): string => createHash("sha256").update(hostname()).digest("hex").slice(0, 8);

/** Path of a draft of a file or folder. Call `draftDone` when it is renamed or removed. */
export function draftPath(target: string, suffix: "partial" | "tmp"): string {
  const mark = `${process.pid}-${machineMark()}${randomBytes(4).toString("hex")}`;
  const draft = join(dirname(target), `.${basename(target)}.${mark}.${suffix}`);
  active.add(draft);
  return draft;
}

export const draftDone = (draft: string): void => void active.delete(draft);

/** Path to which an earlier folder is moved while the draft takes its place. */
export const replacedPath = (draft: string): string => `${draft}.old`;

/**
 * Removes drafts of the target that processes of this machine have left when they were killed. A folder that was being replaced returns to its
 * place if the new one had not arrived. What cannot be removed stays.
 */
export function removeStaleDrafts(target: string): void {
  const folder = dirname(target);
  const start = `.${basename(target)}.`;
  try {
    for (const name of readdirSync(folder)) {
      const mark = name.startsWith(start) ? DRAFT.exec(name.slice(start.length)) : null;
      if (mark === null || mark[2] !== machineMark()) continue;
      const path = join(folder, name);
      const draft = mark[4] === undefined ? path : path.slice(0, -mark[4].length);
      if (active.has(draft) || (Number(mark[1]) !== process.pid && isRunning(Number(mark[1])))) continue;
      if (mark[4] !== undefined && !existsSync(target)) renameSync(path, target);
      else rmSync(path, { recursive: true, force: true });
    }
  } catch {
    // Another process has removed it, or the folder cannot be read: its drafts do no harm.
  }
}

const DRAFT = /^(\d+)-([0-9a-f]{8})[0-9a-f]{8}\.(partial|tmp)(\.old)?$/;

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM"; // it exists, but belongs to another user
  }
}
