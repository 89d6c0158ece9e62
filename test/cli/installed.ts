/**
 * Castor as a user has it: built from the sources of this moment and installed in a folder of its own. The folder is named by what
 * went into it, so it is built once for all test files and is never stale.
 */
import { type SpawnSyncReturns, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));
const CACHE = join(ROOT, "node_modules/.cache/castor-installed");
/** What npm would take along, and what it is built from. */
const PARTS = ["package.json", "tsconfig.json", "tsconfig.build.json", "scenarios", "schema", "src"];
const AN_HOUR = 3_600_000;

export const TSC = join(ROOT, "node_modules/.bin/tsc");

let place: string | undefined;

/** The folder that has Castor in its node_modules; the same for a whole test file. */
export function installed(): string {
  place ??= install();
  return place;
}

function install(): string {
  const folder = join(CACHE, fingerprint());
  if (existsSync(folder)) return folder;
  mkdirSync(CACHE, { recursive: true });
  for (const name of readdirSync(CACHE)) {
    const old = join(CACHE, name);
    if (Date.now() - statSync(old).mtimeMs > AN_HOUR) rmSync(old, { recursive: true, force: true });
  }
  const draft = mkdtempSync(join(CACHE, "draft-"));
  build(draft);
  try {
    renameSync(draft, folder);
  } catch {
    rmSync(draft, { recursive: true }); // another test file was faster
  }
  return folder;
}

function build(folder: string): void {
  const home = join(folder, "node_modules/castor");
  mkdirSync(join(folder, "node_modules/.bin"), { recursive: true });
  for (const part of ["package.json", "scenarios", "schema"]) cpSync(join(ROOT, part), join(home, part), { recursive: true });
  // Whether the sources are well typed is for `npm run check` to say; tsc writes its output either way.
  const { error, stdout } = spawnSync(TSC, ["-p", join(ROOT, "tsconfig.build.json"), "--outDir", join(home, "dist")], {
    encoding: "utf8",
  });
  if (error || !existsSync(join(home, "dist/cli/main.js"))) throw new Error(`cannot build Castor: ${error?.message ?? stdout}`);
  chmodSync(join(home, "dist/cli/main.js"), 0o755);
  symlinkSync("../castor/dist/cli/main.js", join(folder, "node_modules/.bin/castor"));
}

function fingerprint(): string {
  const hash = createHash("sha256");
  const add = (path: string): void => {
    if (statSync(join(ROOT, path)).isDirectory()) for (const name of readdirSync(join(ROOT, path)).sort()) add(`${path}/${name}`);
    else
      hash
        .update(path)
        .update("\0")
        .update(readFileSync(join(ROOT, path)))
        .update("\0");
  };
  for (const part of PARTS) add(part);
  return hash.digest("hex").slice(0, 16);
}

/** A new empty folder in which Castor is installed, by the name that a program started in it sees: node_modules may be a link. */
export const workFolder = (): string => realpathSync(mkdtempSync(join(installed(), "work-")));

export type Result = Pick<SpawnSyncReturns<string>, "status" | "stdout" | "stderr">;

/** Runs the installed program in a folder. */
export function castor(folder: string, words: readonly string[], env: NodeJS.ProcessEnv = {}): Result {
  const program = join(installed(), "node_modules/.bin/castor");
  return spawnSync(program, words, { cwd: folder, encoding: "utf8", env: { ...process.env, CASTOR_DEBUG: "", ...env } });
}
