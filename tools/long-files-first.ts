import { BaseSequencer, type TestSpecification } from "vitest/node";

/** Test files that take longer than 30 s. A file that is started late keeps one worker busy when all others are done. */
const LONG = [
  "browser/built-in-scenarios",
  "browser/engines",
  "browser/export",
  "installed/docs",
  "browser/modes",
  "installed/same-rows",
  "agreement/formulations",
  "agreement/loops",
  "browser/studio",
  "browser/open-files",
  "browser/sessions",
  "browser/restrictions",
];

const rank = ({ moduleId }: TestSpecification): number => {
  const place = LONG.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
  return place < 0 ? LONG.length : place;
};

/**
 * Order of test files on a machine that has not run them before: projects with long files first, and in each project the long files first.
 * Files of one project stay together, because a worker that changes the project starts again.
 */
export class LongFilesFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const longest = new Map<string, number>();
    for (const file of sorted)
      longest.set(file.project.name, Math.min(rank(file), longest.get(file.project.name) ?? LONG.length));
    const byProject = (a: TestSpecification, b: TestSpecification): number =>
      longest.get(a.project.name)! - longest.get(b.project.name)! ||
      (a.project.name < b.project.name ? -1 : Number(a.project.name > b.project.name));
    return sorted.sort((a, b) => byProject(a, b) || rank(a) - rank(b));
  }
}
