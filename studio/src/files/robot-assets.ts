/** Files that a robot file names, among the files that the user opened. */
import type { ImportOptions } from "castor/formats";

/** Options of a robot file that are plain data. */
export type RobotOptions = Pick<ImportOptions, "base" | "pose" | "srdf">;

/** A path that a model accepts: below its folder. */
const PLAIN_PATH = /^(?!.*(^|\/)\.{0,2}(\/|$))[^\\:\p{Cc}]{1,300}$/u;

/**
 * The opened file that a robot file means: the one with the path, or the one whose path ends with the longest part of it.
 * `package://arm/meshes/hand.stl` is any of arm/meshes/hand.stl, meshes/hand.stl and hand.stl. Undefined if there is none or no single one.
 */
export function openedFile(name: string, paths: readonly string[]): string | undefined {
  const parts = name
    .replace(/^[a-z][a-z\d+.-]*:\/\//i, "")
    .split(/[\\/]/)
    .filter((part) => part !== "" && part !== "." && part !== "..");
  for (let first = 0; first < parts.length; first++) {
    const wanted = parts.slice(first).join("/");
    const found = paths.filter((path) => path === wanted || path.endsWith(`/${wanted}`));
    if (found.includes(wanted)) return PLAIN_PATH.test(wanted) ? wanted : undefined;
    if (found.length > 0) return found.length === 1 && PLAIN_PATH.test(found[0]!) ? found[0] : undefined;
  }
  return undefined;
}
