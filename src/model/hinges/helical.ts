import type { NoteRule } from "../../declare/parameters.ts";
import { axisVector } from "../../spatial/axis.ts";
import { AXIS, hingeKind, screwElement } from "../hinge.ts";

/** A smaller pitch of a loop is indistinguishable from a plain turn. */
const SMALLEST_PITCH = 1e-9;

export const helical = hingeKind({
  name: "helical",
  about: "One screw about `axis` of F: q is the turn in rad, and the body advances `pitch` metres per radian.",
  parameters: {
    axis: AXIS,
    pitch: { type: "number", unit: "m/rad", default: 0, about: "Advance of the screw per angle; not zero for a loop." },
  },
  asLoop: {
    rule: (values: { readonly pitch?: number }, note: NoteRule) => {
      const isUnreadable = Object.hasOwn(values, "pitch") && values.pitch === undefined;
      if (isUnreadable || Math.abs(values.pitch ?? 0) >= SMALLEST_PITCH) return;
      const message = `a helical loop needs a pitch of at least ${SMALLEST_PITCH} m/rad in size`;
      note("pitch", message, "Without a pitch, use revolute");
    },
  },
  elements: ({ axis, pitch }) => [screwElement(axisVector(axis), 1, pitch)],
});
