import type { Axis } from "../../spatial/axis.ts";
import { readAxis, snappedAxis } from "../build/parse-hinge.ts";
import { fixedAlongRow } from "../loop.ts";
import { frameLoopKind } from "./frame-loop-kind.ts";
import { directionName, orthogonalComplement } from "./hinge-constraint-rows.ts";

export const pointOnLine = frameLoopKind<{ axis: Axis }>({
  name: "point-on-line",
  about: "The origin of M stays on the line through the origin of F along `axis`; M may turn freely.",
  measuredAtEngagement: "origin",
  parameters: { axis: readAxis },
  defaults: { axis: "z" },
  rows: ({ axis }) => orthogonalComplement([snappedAxis(axis)]).map((c) => fixedAlongRow(`force ${directionName(c)}`, c)),
});
