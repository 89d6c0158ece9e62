/** User-defined force elements in TypeScript. Files never contain code, so this is not a kind of FORCES. */

import { checkMembers } from "../../../arguments.ts";
import { readName } from "../../../declare/names.ts";
import { ModelError, type Problem } from "../../../errors.ts";
import { checkModel, frameOf, type Model } from "../../../model/model.ts";
import type { ForceElement } from "../../../sim/system/force-element.ts";

export type CustomElement = Omit<ForceElement, "kind">;

/**
 * Checks that the element can be used with the model. It computes numerically (`apply`) or is traced into the kernel (`trace`), and
 * accounts for its energy.
 */
export function customForce(element: CustomElement, model: Model): ForceElement {
  checkMembers("element", element, [], "an object with name, and apply or trace");
  checkModel(model);
  const problems: Problem[] = [];
  const path = readName(element.name, "name", problems);
  if (!element.apply && !element.trace && !element.friction?.length)
    problems.push({ path, message: "does nothing", advice: "Give apply(s, out) in numbers, or trace(s, out)" });
  for (const name of element.frames ?? []) {
    try {
      frameOf(model, name);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      problems.push(...error.problems.map((p) => ({ ...p, path: `${path}.frames` })));
    }
  }
  for (const [i, { t, held }] of (element.schedule ?? []).entries()) {
    const entryPath = `${path}.schedule[${i}]`;
    if (held.length !== (element.held?.length ?? 0))
      problems.push({ path: entryPath, message: "must have a number for each held input" });
    if (i > 0 && !(t > element.schedule![i - 1]!.t)) problems.push({ path: entryPath, message: "times must increase" });
  }
  if (problems.length > 0) throw new ModelError(model.name, problems);
  return { ...element, kind: "custom" };
}
