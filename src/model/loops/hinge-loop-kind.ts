import { childPath } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import { elementsOfHinge, readHingeParameters } from "../build/parse-hinge.ts";
import { LOOP_END_KEYS, readLoopEnds } from "../build/parse-loop-frames.ts";
import type { HingeKind } from "../hinge.ts";
import type { HingeKindName } from "../hinges/index.ts";
import { directionsAlignedBy, rowsOfHinge } from "./hinge-constraint-rows.ts";
import type { LoopKind } from "./loop-kind.ts";

/** A smaller pitch is indistinguishable from a plain turn. */
const SMALLEST_PITCH = 1e-9;

/** True if the hinge blocks a direction, so that it can close a loop. */
export const canCloseLoop = (kind: HingeKind): boolean => rowsOfHinge(kind.elements(kind.defaults)).length > 0;

export function hingeLoopKind(hinge: HingeKind): LoopKind {
  const keys = Object.keys(hinge.defaults).filter((key) => key !== "rotations"); // loops are always exact
  const isPitch = (key: string): boolean => key === "pitch"; // the default pitch of zero cannot close a loop
  return {
    name: hinge.name,
    about: hinge.about,
    measuredAtEngagement: "pose",
    required: [...keys.filter(isPitch), ...LOOP_END_KEYS],
    optional: keys.filter((key) => !isPitch(key)),
    read: (fields, path, modelNames, problems) => {
      const kind = hinge.name as HingeKindName;
      const ends = readLoopEnds(fields, path, modelNames, problems);
      const parameters = readHingeParameters(fields, kind, path, problems);
      if (parameters === undefined) return undefined;
      if (keys.some(isPitch)) checkPitch(parameters.pitch, childPath(path, "pitch"), kind, problems);
      const elements = elementsOfHinge(kind, parameters);
      const rows = rowsOfHinge(elements);
      if (rows.length === 0) {
        const message = "with all six freedoms it blocks nothing";
        problems.push({ path: childPath(path, "freedoms"), message, advice: "Free fewer, or leave the loop out" });
      }
      const alignedDirections = directionsAlignedBy(elements);
      return (
        ends && { type: "frames", parameters, ...ends, rows, ...(alignedDirections.length > 0 && { aligned: alignedDirections }) }
      );
    },
  };
}

function checkPitch(pitch: unknown, path: string, kind: string, problems: Problem[]): void {
  if (Math.abs(pitch as number) >= SMALLEST_PITCH) return;
  const message = `a ${kind} loop needs a pitch of at least ${SMALLEST_PITCH} m/rad in size`;
  problems.push({
    path,
    message,
    ...(pitch !== undefined && { value: valueText(pitch) }),
    advice: "Without a pitch, use revolute",
  });
}
