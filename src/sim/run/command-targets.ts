/** Finds the held inputs and loops that controllers command, and checks how they may be commanded. */
import { ModelError, type Problem } from "../../errors.ts";
import { heldInputNames, type Layout } from "../system/layout.ts";
import type { Controller } from "./controller.ts";

/**
 * Target of each command of each controller: an index of the held inputs, or, from their number on, an index of the loops.
 * @throws ModelError with every command or period that is not possible
 */
export function commandTargets(
  layout: Layout,
  loops: readonly string[],
  controllers: readonly Controller[],
): readonly (readonly number[])[] {
  const problems: Problem[] = [];
  const names = [...heldInputNames(layout), ...loops.map((name) => `${name}.engaged`)];
  const targets = controllers.map((controller) => {
    const { name: controllerName, period, between } = controller;
    const path = `controllers.${controllerName}`;
    if (!(period >= 0 && Number.isFinite(period)))
      problems.push({
        path: `${path}.period`,
        message: "must be positive, or 0 for a continuous law",
        value: String(period),
      });
    if (between === "ramp" && period === 0)
      problems.push({
        path: `${path}.between`,
        message: "a continuous law has no updates, so its commands cannot ramp between them",
        advice: "Sample it: give a period above 0",
      });
    if (period === 0 && controller.measures?.length)
      problems.push({
        path: `${path}.period`,
        message: `a continuous law cannot measure channels ("${controller.measures[0]}"), which may depend on its commands`,
        advice: "Sample it: give a period above 0",
      });
    return controller.commands.map((name) => {
      const target = names.indexOf(name);
      if (target >= layout.nheld && period === 0)
        problems.push({
          path: `${path}.period`,
          message: `a continuous law cannot engage a loop ("${name}")`,
          advice: "Sample it: give a period above 0",
        });
      if (target < 0)
        problems.push({
          path,
          message: `no held input or loop is named "${name}"`,
          advice: `There are: ${names.slice(0, 12).join(", ") || "no inputs: add an actuator"}`,
        });
      return target;
    });
  });
  if (problems.length > 0) throw new ModelError(layout.model.name, problems);
  return targets;
}
