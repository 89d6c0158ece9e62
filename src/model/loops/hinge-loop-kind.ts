import type { NoteRule } from "../../declare/parameters.ts";
import { defaultsOf } from "../../declare/parse-parameters.ts";
import type { Fields } from "../../declare/plain-data.ts";
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
    rule: (values: Fields, note: NoteRule) => {
      asLoop?.rule?.(values as never, note);
      const given = givenValues(parameters, values);
      if (given && rowsOfHinge(elementsOfHinge(name, given)).length === 0)
        note("freedoms", "with all six freedoms it blocks nothing", "Free fewer, or leave the loop out");
    },
    create: (values, path, modelNames, problems) => {
      const ends = loopEnds(values, path, modelNames, problems);
      const given = givenValues(parameters, values);
      if (ends === undefined || given === undefined) return undefined;
      const elements = elementsOfHinge(name, given);
      const aligned = directionsAlignedBy(elements);
      return { type: "frames", parameters: given, ...ends, rows: rowsOfHinge(elements), ...(aligned.length > 0 && { aligned }) };
    },
  };
}
