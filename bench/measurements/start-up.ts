/** Processor time of new processes: a command, and the import of the library, of two builds in turn. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

/** What a process does, for the build in a folder. */
export interface StartTask {
  readonly name: string;
  words(build: string): readonly string[];
}

interface Package {
  readonly bin: { readonly castor: string };
  readonly exports: Readonly<Record<string, { readonly node?: string; readonly default: string }>>;
}

const packageOf = (build: string): Package => JSON.parse(readFileSync(join(build, "package.json"), "utf8")) as Package;

export const START_TASKS: readonly StartTask[] = [
  { name: "castor --help", words: (build) => [program(build), "--help"] },
  { name: "castor run satellite-manipulator", words: (build) => [program(build), "run", "satellite-manipulator"] },
  {
    name: 'import "castor"',
    words: (build) => {
      const { node, default: modules } = packageOf(build).exports["."]!;
      return ["--input-type=module", "--eval", `import ${JSON.stringify(urlIn(build, node ?? modules))}`];
    },
  },
];

const program = (build: string): string => join(resolve(build), packageOf(build).bin.castor);
const urlIn = (build: string, path: string): string => pathToFileURL(join(resolve(build), path)).href;

/** Writes the processor time of the process, all threads, to file descriptor 3 at its end. */
const REPORT = `data:text/javascript,${encodeURIComponent(
  'import { writeSync } from "node:fs"; process.on("exit", () => writeSync(3, JSON.stringify(process.cpuUsage())));',
)}`;

/** Processor times of each build in ms. The builds take turns, so that both see the same load of the machine. */
export function measureStarts(task: StartTask, builds: readonly string[], runs: number): number[][] {
  const folder = mkdtempSync(join(tmpdir(), "castor-start-"));
  try {
    const times: number[][] = builds.map(() => []);
    for (let run = 0; run <= runs; run++)
      for (const [i, build] of builds.entries()) {
        const time = processMilliseconds(task.words(build), folder);
        if (run > 0) times[i]!.push(time); // the first run fills the cache of files
      }
    return times;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function processMilliseconds(words: readonly string[], cwd: string): number {
  const { status, stderr, output } = spawnSync(process.execPath, ["--import", REPORT, ...words], {
    cwd,
    encoding: "utf8",
    stdio: ["ignore", "ignore", "pipe", "pipe"],
  });
  if (status !== 0) throw new Error(`${words.join(" ")} failed: ${stderr}`);
  const { user, system } = JSON.parse(output[3]!) as NodeJS.CpuUsage;
  return (user + system) / 1000;
}
