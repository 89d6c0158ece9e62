import { snappedAxis } from "../build/hinge-draft.ts";
import { AXIS } from "../hinge.ts";
import { fixedAlongRow } from "../loop.ts";
import { frameLoopKind } from "./frame-loop-kind.ts";
import { directionName } from "./hinge-constraint-rows.ts";

export const pointOnPlane = frameLoopKind({
  name: "point-on-plane",
  about: "The origin of M stays on the plane through the origin of F with normal `axis`; M may turn freely.",
  measuredAtEngagement: "origin",
  parameters: { axis: AXIS },
  rows: ({ axis }) => {
    const normal = snappedAxis(axis);
    return [fixedAlongRow(`force ${directionName(normal)}`, normal)];
  },
});
