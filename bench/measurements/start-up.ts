/** Processor time of new processes: a command, and the import of the library, of two builds in turn. */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { entryOf, programOf } from "../machines/scenario-of-build.ts";

/** What a process does, for the build in a folder. */
export interface StartTask {
  readonly name: string;
  readonly words: (build: string) => readonly string[];
}

export const START_TASKS: readonly StartTask[] = [
  { name: "castor --help", words: (build) => [programOf(build), "--help"] },
  { name: "castor run satellite-manipulator", words: (build) => [programOf(build), "run", "satellite-manipulator"] },
  {
    name: 'import "castor"',
    words: (build) => ["--input-type=module", "--eval", `import ${JSON.stringify(entryOf(build, "."))}`],
  },
];

/** Writes the processor time of the process, all threads, to file descriptor 3 at its end. */
const REPORT = `data:text/javascript,${encodeURIComponent(
  'import { writeSync } from "node:fs"; process.on("exit", () => writeSync(3, JSON.stringify(process.cpuUsage())));',
)}`;

/** Processor times of each build in ms. */
export function measureStarts(task: StartTask, builds: readonly string[], runs: number): number[][] {
  const folder = mkdtempSync(join(tmpdir(), "castor-start-"));
  try {
    return timesInTurns(builds, runs, folder, task.words);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Processor times of new processes, ms. The builds take turns, so that both see the same load of the machine. */
export function timesInTurns(
  builds: readonly string[],
  runs: number,
  folder: string,
  words: (build: string) => readonly string[],
): number[][] {
  const times: number[][] = builds.map(() => []);
  for (let run = 0; run <= runs; run++)
    for (const [i, build] of builds.entries()) {
      const time = processMilliseconds(words(build), folder);
      if (run > 0) times[i]!.push(time); // the first run fills the cache of files
    }
  return times;
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
