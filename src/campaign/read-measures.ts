/** Reads the measures of a campaign and its criteria of success. Problems are collected with their paths. */
import { didYouMean } from "../declare/names.ts";
import { childPath, type Fields } from "../declare/plain-data.ts";
import { type Problem, valueText } from "../errors.ts";
import { type Condition, type Expression, parseConditions, parseExpression } from "../scenario/read/condition.ts";
import type { Scenario } from "../scenario/scenario.ts";
import type { Column } from "./dispersions/kind.ts";
import { MEASURES } from "./measures/index.ts";
import type { Measure } from "./measures/kind.ts";

/** The measures of a campaign, in the order of the file. A measure may use numeric inputs and the measures before it. */
export function readMeasures(
  written: Readonly<Record<string, Fields | undefined>>,
  inputs: readonly Column[],
  scenario: Scenario,
  problems: Problem[],
): readonly Measure[] {
  const known = inputs.filter(({ type }) => type === "number").map(({ name }) => name);
  return Object.entries(written).flatMap(([name, fields]) => {
    const kind = MEASURES[String(fields?.kind)];
    if (fields === undefined || kind === undefined) return [];
    const path = childPath("measures", name);
    const problem = (key: string, message: string, value?: unknown, advice?: string): void =>
      void problems.push({
        path: childPath(path, key),
        message,
        ...(value !== undefined && { value: valueText(value) }),
        ...(advice !== undefined && { advice }),
      });
    const measure = kind.create(fields as never, {
      name,
      scenario,
      known: [...known],
      problem,
      expression: (key, text) => channelExpression(key, text, scenario, problem),
    });
    known.push(name);
    return measure === undefined ? [] : [{ name, kind: kind.name, ...measure }];
  });
}

/** An expression of channels of the scenario; undefined after a problem. */
export function channelExpression(
  key: string,
  text: string,
  { available }: Scenario,
  problem: (key: string, message: string, value?: unknown, advice?: string) => void,
): Expression | undefined {
  const parsed = parseExpression(text);
  if (!("value" in parsed)) return void problem(key, parsed.message, text, parsed.advice);
  const names = available.map((c) => c.name);
  const unknown = parsed.channels.filter((name) => !names.includes(name));
  for (const name of unknown) problem(key, "uses a channel that does not exist", name, didYouMean(name, names));
  return unknown.length > 0 ? undefined : parsed;
}

/** The criteria of success: conditions on numeric inputs and measures. */
export function readSuccess(
  success: readonly (string | undefined)[],
  written: unknown,
  inputs: readonly Column[],
  measures: readonly Measure[],
  problems: Problem[],
): readonly Condition[] {
  const known = [...inputs.filter(({ type }) => type === "number"), ...measures].map(({ name }) => name);
  const conditions = parseConditions(success, written, "success", problems);
  for (const { channels } of conditions)
    for (const name of channels)
      if (!known.includes(name))
        problems.push({
          path: "success",
          message: "uses a measure that does not exist",
          value: valueText(name),
          advice: didYouMean(name, known),
        });
  return conditions;
}
