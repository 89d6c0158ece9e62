/** Files that a robot file refers to: meshes and included files, in its own folder and in the folders of --packages only. */
import { existsSync, realpathSync, statSync } from "node:fs";
import { basename, join, relative, resolve, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { ModelError } from "../../errors.ts";
import { readBytes, readText } from "../../formats/node-files.ts";
import type { ImportOptions } from "../../formats/robot/imported-model.ts";
import { listedTexts } from "../arguments.ts";
import { CommandError } from "../command.ts";

/** Options of the command line for robot files. */
export interface RobotArguments {
  readonly base?: string | undefined;
  readonly packages?: string | undefined;
  readonly srdf?: string | undefined;
  readonly pose?: string | undefined;
}

export interface RobotFiles {
  readonly options: ImportOptions;
  /** Reads a mesh by its path in the model; undefined if it is not one that `options.findMesh` returned. */
  readMesh(path: string): Uint8Array | undefined;
}

/** Paths that a model accepts: plain, below its folder. */
const PLAIN_PATH = /^(?!.*(^|\/)\.{0,2}(\/|$))[^\\:\p{Cc}]{1,300}$/u;

/** @param folder of the robot file. @throws CommandError if a folder of --packages does not exist */
export function robotFiles(folder: string, { base, packages, srdf, pose }: RobotArguments): RobotFiles {
  const packageFolders = listedTexts(packages);
  for (const given of packageFolders)
    if (!existsSync(given) || !statSync(given).isDirectory())
      throw new CommandError(`--packages: there is no folder ${JSON.stringify(given)}`);
  const allowed = [folder, ...packageFolders].flatMap((given) => realPath(given) ?? []);
  /** Real paths of meshes by their paths in the model. */
  const meshes = new Map<string, string>();
  const findMesh = (name: string): string | undefined => {
    for (const { path, candidate } of candidates(name, folder, packageFolders)) {
      const real = realPath(candidate);
      if (
        real === undefined ||
        !PLAIN_PATH.test(path) ||
        !allowed.some((root) => isInside(root, real)) ||
        !statSync(real).isFile()
      )
        continue;
      meshes.set(path, real);
      return path;
    }
    return undefined;
  };
  const readInclude = (path: string): string => {
    const real = realPath(resolve(folder, path));
    if (real === undefined) throw new ModelError(path, [{ path: "", message: "there is no such file" }]);
    if (!allowed.some((root) => isInside(root, real)))
      throw new ModelError(path, [
        { path: "", message: "is outside of the folder of the robot file", advice: "Add its folder with --packages" },
      ]);
    return readText(real);
  };
  const readMeshFile = (path: string): Uint8Array | undefined => {
    const real = meshes.get(path);
    return real === undefined ? undefined : readBytes(real);
  };
  return {
    options: {
      ...(base !== undefined && { base: base as "fixed" | "free" }),
      ...(srdf !== undefined && { srdf: { text: readText(srdf), source: srdf } }),
      ...(pose !== undefined && { pose }),
      findMesh,
      readMeshFile,
      readInclude,
    },
    readMesh: readMeshFile,
  };
}

interface Candidate {
  /** Path in the model. */
  readonly path: string;
  readonly candidate: string;
}

/** Places where a mesh may be, by its name in the robot file. Nothing is read from a network. */
function candidates(name: string, folder: string, packages: readonly string[]): readonly Candidate[] {
  if (name.includes("\0")) return [];
  const packaged = /^(?:package|model):\/\/([^/]+)\/(.+)$/.exec(name);
  if (packaged !== null) {
    const [, owner, path] = packaged as unknown as [string, string, string];
    return [folder, ...packages].flatMap((root) => [
      { path: `${owner}/${path}`, candidate: join(root, owner, path) },
      ...(basename(resolve(root)) === owner ? [{ path: `${owner}/${path}`, candidate: join(root, path) }] : []),
    ]);
  }
  const absolute = absolutePath(name);
  if (absolute !== undefined)
    return [folder, ...packages].map((root) => ({
      path: relative(realPath(root) ?? root, realPath(absolute) ?? absolute)
        .split(sep)
        .join("/"),
      candidate: absolute,
    }));
  if (/^[a-z][a-z\d+.-]*:/i.test(name)) return [];
  const path = name.replace(/^(\.\/)+/, "");
  return [folder, ...packages].map((root) => ({ path, candidate: resolve(root, path) }));
}

function absolutePath(name: string): string | undefined {
  if (name.startsWith("/")) return name;
  if (!name.startsWith("file://")) return undefined;
  try {
    return fileURLToPath(name);
  } catch {
    return undefined; // the address of another machine, or not an address
  }
}

const isInside = (root: string, path: string): boolean => path.startsWith(root.endsWith(sep) ? root : root + sep);

function realPath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
