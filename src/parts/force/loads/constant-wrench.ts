/** A constant force and torque at a frame. */
import { add } from "../../../kernel/trace/scalar.ts";
import { apply } from "../../../spatial/rotation.ts";
import { dot } from "../../../spatial/vec3.ts";
import { forceKind } from "../kind.ts";

export const constantWrench = forceKind({
  name: "constant-wrench",
  about: "Constant force at the origin of a frame and constant torque, with components in world axes or in axes of the frame.",
  acts: "from outside",
  parameters: {
    frame: { type: "frame", about: "Frame or body on which the wrench acts." },
    force: { type: "vector", unit: "N", default: [0, 0, 0], about: "Force at the frame's origin." },
    torque: { type: "vector", unit: "N m", default: [0, 0, 0], about: "Torque." },
    axes: {
      type: "choice",
      of: ["world", "body"],
      default: "world",
      about: "Axes of the components: the world's or the frame's own.",
    },
  },
  examples: [
    { frame: "hand-tip", force: [1, -2, 3], torque: [0.1, 0.2, -0.3] },
    { frame: "hull", torque: [0, 0, 1], axes: "body" },
  ],
  element: (_name, { frame, force, torque, axes }) => ({
    frames: [frame],
    trace(s, out) {
      const { R, v, w } = s.frame(frame);
      const F = axes === "world" ? force : apply(R, force);
      const T = axes === "world" ? torque : apply(R, torque);
      out.wrench(frame, T, F);
      out.supplied(add(dot(F, v), dot(T, w)));
    },
  }),
});
