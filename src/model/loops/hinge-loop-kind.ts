import { defaultsOf } from "../../declare/parse-parameters.ts";
import { childPath } from "../../declare/plain-data.ts";
import { valueText } from "../../errors.ts";
import { elementsOfHinge } from "../build/hinge-draft.ts";
import { LOOP_ENDS, loopEnds } from "../build/loop-frames.ts";
import type { HingeKind } from "../hinge.ts";
import { givenValues } from "./frame-loop-kind.ts";
import { directionsAlignedBy, rowsOfHinge } from "./hinge-constraint-rows.ts";
import type { LoopKind } from "./loop-kind.ts";

/** True if the hinge blocks a direction, so that it can close a loop. */
export const canCloseLoop = (kind: HingeKind): boolean => rowsOfHinge(kind.elements(defaultsOf(kind.parameters))).length > 0;

export function hingeLoopKind(hinge: HingeKind): LoopKind {
  const { name, about, asLoop } = hinge;
  const parameters = Object.fromEntries(Object.entries(hinge.parameters).filter(([key]) => !asLoop?.without?.includes(key)));
  return {
    name,
    about,
    measuredAtEngagement: "pose",
    parameters: { ...parameters, ...LOOP_ENDS },
    ...(asLoop?.rule && { rule: asLoop.rule }),
    create: (values, path, modelNames, problems) => {
      const ends = loopEnds(values, path, modelNames, problems);
      const given = givenValues(parameters, values);
      if (given === undefined) return undefined;
      const elements = elementsOfHinge(name, given);
      const rows = rowsOfHinge(elements);
      if (rows.length === 0)
        problems.push({
          path: childPath(path, "freedoms"),
          message: "with all six freedoms it blocks nothing",
          value: valueText(given.freedoms),
          advice: "Free fewer, or leave the loop out",
        });
      const aligned = directionsAlignedBy(elements);
      return ends && { type: "frames", parameters: given, ...ends, rows, ...(aligned.length > 0 && { aligned }) };
    },
  };
}
