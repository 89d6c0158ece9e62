import { snappedAxis } from "../build/hinge-draft.ts";
import { AXIS } from "../hinge.ts";
import { fixedAlongRow } from "../loop.ts";
import { frameLoopKind } from "./frame-loop-kind.ts";
import { directionName, orthogonalComplement } from "./hinge-constraint-rows.ts";

export const pointOnLine = frameLoopKind({
  name: "point-on-line",
  about: "The origin of M stays on the line through the origin of F along `axis`; M may turn freely.",
  measuredAtEngagement: "origin",
  parameters: { axis: AXIS },
  rows: ({ axis }) => orthogonalComplement([snappedAxis(axis)]).map((c) => fixedAlongRow(`force ${directionName(c)}`, c)),
});
