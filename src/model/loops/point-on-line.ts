import type { Axis } from "../../spatial/axis.ts";
import { exactAxis, readAxis } from "../build/parse-hinge.ts";
import { heldAlong } from "../loop.ts";
import { betweenFrames } from "./between-frames.ts";
import { complement, named } from "./hinge-constraint-rows.ts";

export const pointOnLine = betweenFrames<{ axis: Axis }>({
  name: "point-on-line",
  about: "The origin of M stays on the line through the origin of F along `axis`; M turns as it likes.",
  takes: "origin",
  parameters: { axis: readAxis },
  defaults: { axis: "z" },
  rows: ({ axis }) => complement([exactAxis(axis)]).map((c) => heldAlong(`force ${named(c)}`, c)),
});
