/** Parses the two frames of a loop. */

import { nameAdvice } from "../../declare/names.ts";
import { childPath, type Fields, readFields } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { Attachment } from "../loop.ts";
import type { ModelNames } from "../loops/loop-kind.ts";
import { WORLD } from "./body-order.ts";
import { PLACEMENT_KEYS, readPlacement } from "./parse-placement.ts";

/** Keys of the two frames in a description. */
export const LOOP_END_KEYS = ["from", "to"] as const;

/** F and M, on two different bodies. */
export function readLoopEnds(
  fields: Fields,
  path: string,
  modelNames: ModelNames,
  problems: Problem[],
): { readonly from: Attachment; readonly to: Attachment } | undefined {
  const from = readAttachment(fields.from, childPath(path, "from"), modelNames, problems);
  const to = readAttachment(fields.to, childPath(path, "to"), modelNames, problems);
  if (from === undefined || to === undefined) return undefined;
  if (from.body !== to.body) return { from, to };
  const { frame, body } = fields.to as Fields;
  const message = to.body === WORLD ? "both ends are on the world" : "both ends are on the same body";
  problems.push({
    path: childPath(childPath(path, "to"), frame === undefined ? "body" : "frame"),
    message,
    value: valueText(frame ?? body),
    advice: "Attach one of them to another body",
  });
  return undefined;
}

function readAttachment(value: unknown, path: string, modelNames: ModelNames, problems: Problem[]): Attachment | undefined {
  const fields = readFields(value, path, ["body", "frame", ...PLACEMENT_KEYS], problems);
  if (fields === undefined) return undefined;
  if (fields.frame !== undefined) return readNamedFrame(fields, path, modelNames, problems);
  const placement = readPlacement(fields, path, problems);
  if (fields.body === undefined) {
    problems.push({ path, message: "names neither a body nor a frame", advice: "Give body, with at and rotation, or frame" });
    return undefined;
  }
  const body = fields.body === "world" ? WORLD : modelNames.bodies.get(fields.body as string);
  if (body !== undefined) return { body, placement };
  const message = typeof fields.body === "string" ? "no body has this name" : "must be the name of a body";
  const advice = modelNames.frames.has(fields.body as string)
    ? { advice: `It is a frame: write frame: ${fields.body}` }
    : nameAdvice(fields.body, modelNames.bodies.keys(), problems);
  problems.push({ path: childPath(path, "body"), message, value: valueText(fields.body), ...advice });
  return undefined;
}

function readNamedFrame(fields: Fields, path: string, modelNames: ModelNames, problems: Problem[]): Attachment | undefined {
  for (const key of ["body", ...PLACEMENT_KEYS])
    if (fields[key] !== undefined)
      problems.push({
        path: childPath(path, key),
        message: "a named frame has its own placement",
        value: valueText(fields[key]),
        advice: "Leave this out, or the frame",
      });
  const frame = modelNames.frames.get(fields.frame as string);
  if (frame !== undefined) return { body: frame.body, placement: frame.placement, frame: frame.name };
  const message = typeof fields.frame === "string" ? "no frame has this name" : "must be the name of a frame";
  const advice = modelNames.bodies.has(fields.frame as string)
    ? { advice: `It is a body: write body: ${fields.frame}` }
    : nameAdvice(fields.frame, modelNames.frames.keys(), problems);
  problems.push({ path: childPath(path, "frame"), message, value: valueText(fields.frame), ...advice });
  return undefined;
}
