/** The two frames of a loop: their declaration, and the attachments that they mean. */

import { nameAdvice } from "../../declare/names.ts";
import type { NoteRule, Parameter, Parameters } from "../../declare/parameters.ts";
import { childPath, type Fields } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { PlacementDescription } from "../description.ts";
import type { Attachment } from "../loop.ts";
import type { ModelNames } from "../loops/loop-kind.ts";
import { CHAIN } from "../loops/loop-solution.ts";
import { WORLD } from "./body-order.ts";
import { PLACEMENT, placementOf } from "./placement.ts";

const ATTACHMENT = {
  type: "object",
  id: "attachment",
  about: "A frame that a loop joins: placed on a body, or a named frame of the model.",
  of: {
    body: {
      type: "reference",
      to: "body",
      optional: true,
      setting: "never",
      about: 'Name of the body that carries the frame, or "world".',
    },
    frame: {
      type: "reference",
      to: "frame",
      optional: true,
      excludes: ["body", ...Object.keys(PLACEMENT)],
      exclusion: { message: "a named frame has its own placement", advice: "Leave this out, or the frame" },
      setting: "never",
      about: "Name of a frame of the model, instead of body, at and rotation.",
    },
    ...PLACEMENT,
  },
  rule: attachmentRule,
} as const satisfies Parameter;

/** Parameters of all loops between frames. */
export const LOOP_ENDS = {
  from: { ...ATTACHMENT, about: "Frame F on one body." },
  to: { ...ATTACHMENT, about: "Frame M on another body." },
  chain: CHAIN,
} as const satisfies Parameters;

type WrittenAttachment = PlacementDescription & { readonly body?: string; readonly frame?: string };

function attachmentRule(_values: WrittenAttachment, note: NoteRule, written: Fields): void {
  if (written.body === undefined && written.frame === undefined)
    note("", "names neither a body nor a frame", "Give body, with at and rotation, or frame");
}

/** F and M, on two different bodies. Returns undefined after a problem. */
export function loopEnds(
  values: Fields,
  path: string,
  modelNames: ModelNames,
  problems: Problem[],
): { readonly from: Attachment; readonly to: Attachment } | undefined {
  const end = (key: "from" | "to"): Attachment | undefined =>
    values[key] === undefined
      ? undefined
      : attachmentOf(values[key] as WrittenAttachment, childPath(path, key), modelNames, problems);
  const [from, to] = [end("from"), end("to")];
  if (from === undefined || to === undefined) return undefined;
  if (from.body !== to.body) return { from, to };
  const { frame, body } = values.to as WrittenAttachment;
  problems.push({
    path: childPath(childPath(path, "to"), frame === undefined ? "body" : "frame"),
    message: to.body === WORLD ? "both ends are on the world" : "both ends are on the same body",
    value: valueText(frame ?? body),
    advice: "Attach one of them to another body",
  });
  return undefined;
}

function attachmentOf(
  { body, frame, ...placement }: WrittenAttachment,
  path: string,
  modelNames: ModelNames,
  problems: Problem[],
): Attachment | undefined {
  if (frame !== undefined) return namedFrame(frame, path, modelNames, problems);
  if (body === undefined) return undefined; // reported when it was read
  if (body === "world") return { body: WORLD, placement: placementOf(placement) };
  const onElastic = modelNames.onLink(body, placement as Fields, path);
  const name = onElastic?.body ?? body;
  const index = modelNames.bodies.get(name);
  if (index !== undefined)
    return { body: index, placement: placementOf((onElastic?.placement ?? placement) as PlacementDescription) };
  if (modelNames.isBroken(name)) return undefined;
  const advice = modelNames.frames.has(body)
    ? { advice: `It is a frame: write frame: ${body}` }
    : nameAdvice(body, modelNames.bodies.keys(), problems);
  problems.push({ path: childPath(path, "body"), message: "no body has this name", value: valueText(body), ...advice });
  return undefined;
}

function namedFrame(name: string, path: string, modelNames: ModelNames, problems: Problem[]): Attachment | undefined {
  const frame = modelNames.frames.get(name);
  if (frame !== undefined) return { body: frame.body, placement: frame.placement, frame: frame.name };
  if (modelNames.isBroken(name) && !modelNames.bodies.has(name)) return undefined;
  const advice = modelNames.bodies.has(name)
    ? { advice: `It is a body: write body: ${name}` }
    : nameAdvice(name, modelNames.frames.keys(), problems);
  problems.push({ path: childPath(path, "frame"), message: "no frame has this name", value: valueText(name), ...advice });
  return undefined;
}
