/** Report of the attack suite: counts for each generator, and every wrong case with the command that repeats it. */
import type { CaseModule } from "../cases/case.ts";
import type { CaseResult } from "./pool.ts";

/** Largest fraction of cases with valid input that may be refused. */
const MOST_REFUSED = 0.01;
/** Number of refusals of valid input that are printed. */
const SHOWN_REFUSALS = 10;

interface NamedCase {
  readonly description: string;
  readonly reason: string;
  readonly command: string;
}

export interface AttackReport {
  readonly passed: boolean;
  readonly generators: readonly {
    readonly name: string;
    /** True if refusals are expected, because the input is mostly invalid. */
    readonly expectsRefusals: boolean;
    readonly tries: number;
    readonly right: number;
    readonly refused: number;
    readonly wrong: number;
    /** Processor time of its cases, s. */
    readonly seconds: number;
  }[];
  /** Fraction of the cases with valid input that were refused. */
  readonly refusedOfValid: number;
  readonly wrong: readonly NamedCase[];
  /** Refusals of valid input. */
  readonly refusals: readonly NamedCase[];
}

export function attackReport(
  generators: readonly (Pick<CaseModule, "expectsRefusals"> & { readonly name: string })[],
  results: readonly CaseResult[],
): AttackReport {
  const counts = generators.map(({ name, expectsRefusals = false }) => {
    const own = results.filter(({ generator }) => generator === name);
    return {
      name,
      expectsRefusals,
      tries: own.length,
      right: own.filter(({ outcome }) => outcome === "right").length,
      refused: own.filter(({ outcome }) => outcome !== "right" && "refused" in outcome).length,
      wrong: own.filter(({ outcome }) => outcome !== "right" && "wrong" in outcome).length,
      seconds: own.reduce((sum, { seconds }) => sum + seconds, 0),
    };
  });
  const valid = counts.filter(({ expectsRefusals }) => !expectsRefusals);
  const validNames = new Set(valid.map(({ name }) => name));
  const total = (key: "tries" | "refused"): number => valid.reduce((sum, count) => sum + count[key], 0);
  const refusedOfValid = total("tries") === 0 ? 0 : total("refused") / total("tries");
  const named = (result: CaseResult, reason: string): NamedCase => ({
    description: `${result.generator} ${result.seed}: ${result.description}`,
    reason,
    command: `npm run attack -- --only ${result.generator} --seed ${result.seed} --cases 1`,
  });
  const wrong = results.flatMap((result) =>
    result.outcome !== "right" && "wrong" in result.outcome ? [named(result, result.outcome.wrong)] : [],
  );
  const refusals = results.flatMap((result) =>
    validNames.has(result.generator) && result.outcome !== "right" && "refused" in result.outcome
      ? [named(result, result.outcome.refused)]
      : [],
  );
  return {
    passed: wrong.length === 0 && refusedOfValid <= MOST_REFUSED,
    generators: counts,
    refusedOfValid,
    wrong,
    refusals,
  };
}

export function reportText({ generators, wrong, refusals, refusedOfValid, passed }: AttackReport): string {
  const heads = ["generator", "tries", "right", "refused", "silently wrong", "time"];
  const rows = generators.map(({ name, expectsRefusals, tries, right, refused, wrong: bad, seconds }) => [
    name,
    String(tries),
    String(right),
    `${refused}${expectsRefusals ? " (expected)" : ""}`,
    String(bad),
    `${seconds.toFixed(1)} s`,
  ]);
  const widths = heads.map((head, i) => Math.max(head.length, ...rows.map((row) => row[i]!.length)));
  const line = (cells: readonly string[]): string =>
    cells.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join("  ");
  const cases = (title: string, list: readonly NamedCase[]): readonly string[] =>
    list.length === 0
      ? []
      : [
          "",
          title,
          ...list.flatMap(({ description, reason, command }) => [`  ${description}`, `    ${reason}`, `    ${command}`]),
        ];
  const more = refusals.length - SHOWN_REFUSALS;
  return [
    line(heads),
    ...rows.map(line),
    ...cases("Silently wrong:", wrong),
    ...cases("Refused although the input is valid:", refusals.slice(0, SHOWN_REFUSALS)),
    ...(more > 0 ? [`  and ${more} more`] : []),
    "",
    `${wrong.length} silently wrong; ${(100 * refusedOfValid).toFixed(2)} % of the cases with valid input refused (at most ${100 * MOST_REFUSED} %). ${passed ? "Passed." : "Failed."}`,
  ].join("\n");
}
