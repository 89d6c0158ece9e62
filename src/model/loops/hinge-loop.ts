import { childPath } from "../../declare/plain-data.ts";
import { type Problem, shown } from "../../errors.ts";
import { elementsOf, readHingeParameters } from "../build/parse-hinge.ts";
import { ENDS, readEnds } from "../build/parse-loop-frames.ts";
import type { HingeKind } from "../hinge.ts";
import type { HingeKindName } from "../hinges/index.ts";
import { alignedBy, rowsOfHinge } from "./hinge-constraint-rows.ts";
import type { LoopKind } from "./loop-kind.ts";

/** A screw that advances less per radian cannot be told from a plain turn. */
const SMALLEST_PITCH = 1e-9;

/** Any hinge that blocks something can close a loop. */
export const canClose = (kind: HingeKind): boolean => rowsOfHinge(kind.elements(kind.defaults)).length > 0;

export function closedBy(hinge: HingeKind): LoopKind {
  const keys = Object.keys(hinge.defaults).filter((key) => key !== "rotations"); // what closes a loop is exact
  const isPitch = (key: string): boolean => key === "pitch"; // zero by default, which cannot close
  return {
    name: hinge.name,
    about: hinge.about,
    takes: "pose",
    required: [...keys.filter(isPitch), ...ENDS],
    optional: keys.filter((key) => !isPitch(key)),
    read: (fields, path, places, problems) => {
      const kind = hinge.name as HingeKindName;
      const ends = readEnds(fields, path, places, problems);
      const parameters = readHingeParameters(fields, kind, path, problems);
      if (parameters === undefined) return undefined;
      if (keys.some(isPitch)) checkPitch(parameters.pitch, childPath(path, "pitch"), kind, problems);
      const elements = elementsOf(kind, parameters);
      const rows = rowsOfHinge(elements);
      if (rows.length === 0) {
        const message = "with all six freedoms it blocks nothing";
        problems.push({ path: childPath(path, "freedoms"), message, advice: "Free fewer, or leave the loop out" });
      }
      const aligned = alignedBy(elements);
      return ends && { type: "frames", parameters, ...ends, rows, ...(aligned.length > 0 && { aligned }) };
    },
  };
}

function checkPitch(pitch: unknown, path: string, kind: string, problems: Problem[]): void {
  if (Math.abs(pitch as number) >= SMALLEST_PITCH) return;
  const message = `a ${kind} loop needs a pitch of at least ${SMALLEST_PITCH} m/rad in size`;
  problems.push({ path, message, ...(pitch !== undefined && { value: shown(pitch) }), advice: "Without a pitch, take revolute" });
}
