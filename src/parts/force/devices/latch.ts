/** Capture latches: they engage a striker and hold it by a pull along one axis until they are released. */
import { add, max, mul, type Scalar, sqrt, sub } from "../../../kernel/trace/scalar.ts";
import { frameOf } from "../../../model/model.ts";
import type { TracedMotion } from "../../../sim/system/force-element.ts";
import { apply } from "../../../spatial/rotation.ts";
import { cross, dot, minus, negate, scale, type Vec3, ZERO3 } from "../../../spatial/vec3.ts";
import { clamp } from "../clamp.ts";
import { forceKind } from "../kind.ts";

export const latch = forceKind({
  name: "latch",
  about:
    "A capture latch. e is the striker's position in the axes of the latch, with x along `axis`. While armed, the latch engages when " +
    "-depth < e_x ≤ reach and the striker is at most `lateral` away from the axis. It stays engaged until it is released " +
    "(`armed` set to 0; set to 1 it can engage again). While engaged, it pulls latch and striker together with " +
    "stiffness (e_x - reach) (1 + damping ė_x) beyond `reach`, and never pushes. Its events are NAME.engage and NAME.release. For a latch " +
    "that is engaged at the start, NAME.engage counts as happened then.",
  acts: "between bodies",
  parameters: {
    latch: { type: "frame", about: "Frame of the latch." },
    striker: { type: "frame", about: "Frame of the striker." },
    axis: {
      type: "direction",
      default: "x",
      about: "Direction from the latch toward the approaching striker, in axes of the latch.",
    },
    reach: { type: "number", unit: "m", about: "Largest e_x at which the latch engages; also its length when closed." },
    depth: { type: "number", unit: "m", about: "Largest depth, -e_x, at which the latch engages." },
    lateral: { type: "number", unit: "m", above: 0, about: "Largest distance from the axis at which the latch engages." },
    stiffness: { type: "number", unit: "N/m", above: 0, about: "Stiffness of the closed latch." },
    damping: {
      type: "number",
      unit: "s/m",
      least: 0,
      default: 0,
      about: "Relative increase of the pull per unit of separation speed.",
    },
    armed: {
      type: "boolean",
      default: true,
      about: "Whether the latch is armed at the start; otherwise an event sets `armed` to 1.",
    },
    engaged: { type: "boolean", default: false, about: "Whether the latch holds its striker at the start." },
  },
  examples: [
    { latch: "dock", striker: "hand-tip", reach: 0.01, depth: 0.03, lateral: 0.015, stiffness: 2e5, damping: 3 },
    { latch: "hull", striker: "fore", axis: [0, 1, 1], reach: 0.1, depth: 0, lateral: 3, stiffness: 40, engaged: true },
  ],
  element(_name, { latch, striker, axis, reach, depth, lateral, stiffness, damping, armed, engaged }, note, model) {
    const empty = -depth >= reach;
    if (empty) note("depth", `the latch can never engage: e_x would have to be above ${-depth} m and at most ${reach} m`);
    /** Body to which a frame is rigidly fixed, across hinges without freedoms. */
    const carrier = (frame: string): number => {
      let { body } = frameOf(model, frame);
      while (body >= 0 && model.bodies[body]!.hinge.nu === 0) body = model.bodies[body]!.parent;
      return body;
    };
    if (carrier(latch) === carrier(striker))
      note("striker", "the latch can never engage: its striker does not move relative to it", "Name a frame of another body");
    /** The striker's position along the axis, its squared distance from the axis, and the vectors that the loads need. */
    const strikerState = (s: TracedMotion) => {
      const [L, S] = [s.frame(latch), s.frame(striker)];
      const n = apply(L.R, axis);
      const d = minus(S.p, L.p);
      const x = dot(n, d);
      const away = minus(d, scale(x, n));
      return { n, d, x, lateral2: dot(away, away), L, S };
    };
    const closure = (s: TracedMotion): Scalar => mul(clamp(0, s.held[0]!, 1), clamp(0, s.held[1]!, 1));
    return {
      frames: [latch, striker],
      held: ["armed", "engaged"],
      schedule: [{ t: 0, held: [Number(armed || engaged), Number(engaged)] }],
      z0: [0],
      switches: [
        {
          name: "engage",
          set: { engaged: 1 },
          awaited: true,
          ...(!armed && !engaged && { needs: "armed" }),
          margin(s) {
            const { x, lateral2 } = strikerState(s);
            return [
              { what: "is not armed", value: sub(0.5, s.held[0]!) },
              { what: "is engaged", value: sub(s.held[1]!, 0.5) },
              { what: `its striker is farther along the axis than its reach, ${reach} m`, value: sub(x, reach), unit: "m" },
              { what: `its striker is deeper than ${depth} m`, value: sub(-depth, x), unit: "m" },
              { what: `its striker is farther from the axis than ${lateral} m`, value: sub(sqrt(lateral2), lateral), unit: "m" },
            ];
          },
        },
        {
          name: "release",
          set: { engaged: 0 },
          byInputs: true,
          margin: (s) => [
            { what: "is armed", value: sub(s.held[0]!, 0.5) },
            { what: "is not engaged", value: sub(0.5, s.held[1]!) },
          ],
        },
      ],
      trace(s, out) {
        const { n, d, x, lateral2, L, S } = strikerState(s);
        // Separation speed at the striker's point relative to the latch: exactly ė_x, because the axis turns with the latch.
        const speed = dot(n, minus(minus(S.v, L.v), cross(L.w, d)));
        const stretch = max(0, sub(x, reach));
        const hold = closure(s);
        const elastic = mul(mul(hold, stiffness), stretch);
        const pull = mul(elastic, max(0, add(1, mul(damping, speed))));
        const onLatch: Vec3 = scale(pull, n);
        out.wrench(latch, cross(d, onLatch), onLatch);
        out.wrench(striker, ZERO3, negate(onLatch));
        out.potential(mul(0.5, mul(elastic, stretch)));
        out.dissipated(mul(speed, sub(pull, elastic)));
        out.rate(0, mul(speed, pull));
        out.channel("x", "m", x);
        out.channel("lateral", "m", sqrt(lateral2));
        out.channel("engaged", "", hold);
        out.channel("pull", "N", pull);
        out.channel("absorbed", "J", s.z[0]!);
      },
    };
  },
});
