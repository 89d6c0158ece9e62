import type { Axis } from "../../spatial/axis.ts";
import { exactAxis, readAxis } from "../build/parse-hinge.ts";
import { heldAlong } from "../loop.ts";
import { betweenFrames } from "./between-frames.ts";
import { named } from "./hinge-constraint-rows.ts";

export const pointOnPlane = betweenFrames<{ axis: Axis }>({
  name: "point-on-plane",
  about: "The origin of M stays on the plane through the origin of F with normal `axis`; M turns as it likes.",
  takes: "origin",
  parameters: { axis: readAxis },
  defaults: { axis: "z" },
  rows: ({ axis }) => {
    const normal = exactAxis(axis);
    return [heldAlong(`force ${named(normal)}`, normal)];
  },
});
