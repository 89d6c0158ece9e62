/** The attack suite in short form: the first cases of every generator. `npm run attack` runs more. */
import { describe, expect, test } from "vitest";
import { loadGenerators, runCase } from "./run/generators.ts";
import type { CaseResult } from "./run/pool.ts";
import { attackReport, reportText } from "./run/report.ts";

/** Number of cases of a generator that names none. */
const SHORT_CASES = 20;

describe.each(await loadGenerators())("$name", (generator) => {
  test("no case is silently wrong, and valid input is not refused", async () => {
    const results: CaseResult[] = [];
    for (let seed = 1; seed <= (generator.shortCases ?? SHORT_CASES); seed++)
      results.push({ generator: generator.name, seed, ...(await runCase(() => generator.default(seed))), seconds: 0 });
    const report = attackReport([generator], results);
    expect(report.passed, reportText(report)).toBe(true);
  });
});

test("the report counts outcomes, fails for a wrong case and for refusals of valid input, and says how to repeat a case", () => {
  const result = (generator: string, seed: number, outcome: CaseResult["outcome"]): CaseResult => ({
    generator,
    seed,
    outcome,
    description: "a case",
    seconds: 1,
  });
  const generators = [{ name: "valid" }, { name: "broken", expectsRefusals: true }];
  const right = Array.from({ length: 99 }, (_, seed) => result("valid", seed, "right"));
  const one = result("valid", 99, { refused: "no" });
  expect(attackReport(generators, [...right, one, result("broken", 1, { refused: "no" })]).passed).toBe(true);
  expect(attackReport(generators, [...right.slice(1), one, one]).passed).toBe(false);
  const report = attackReport(generators, [...right, result("broken", 7, { wrong: "NaN" })]);
  expect(report.passed).toBe(false);
  expect(report.generators[1]).toMatchObject({ tries: 1, right: 0, refused: 0, wrong: 1 });
  expect(reportText(report)).toContain("npm run attack -- --only broken --seed 7 --cases 1");
});
