/** Capture latches: they wait for a striker, close on it, and hold it by a pull along one axis until they are released. */
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
    "A capture latch. e is the striker's position in the axes of the latch, x along `axis`. While armed it engages where " +
    "-depth < e_x ≤ reach and the striker is no farther than `lateral` from the axis, and stays engaged until it is released " +
    "(`armed` set to 0; set to 1 it waits again). Engaged it pulls latch and striker together with " +
    "stiffness (e_x - reach) (1 + damping ė_x) beyond `reach`, and never pushes. Its events are NAME.engage and NAME.release.",
  acts: "between bodies",
  parameters: {
    latch: { type: "frame", about: "Frame of the latch." },
    striker: { type: "frame", about: "Frame that it catches." },
    axis: { type: "direction", default: "x", about: "From the latch to where the striker comes from, in the latch's axes." },
    reach: { type: "number", unit: "m", about: "Farthest along the axis at which it engages, and its length when closed." },
    depth: { type: "number", unit: "m", about: "Farthest the other way." },
    lateral: { type: "number", unit: "m", above: 0, about: "Farthest from the axis." },
    stiffness: { type: "number", unit: "N/m", above: 0, about: "Stiffness of the closed latch." },
    damping: {
      type: "number",
      unit: "s/m",
      least: 0,
      default: 0,
      about: "Part by which the pull grows with each unit of speed apart.",
    },
    armed: { type: "boolean", default: true, about: "Whether it waits at the start; else an event sets `armed` to 1." },
    engaged: { type: "boolean", default: false, about: "Whether it has caught its striker before the start." },
  },
  examples: [
    { latch: "dock", striker: "hand-tip", reach: 0.01, depth: 0.03, lateral: 0.015, stiffness: 2e5, damping: 3 },
    { latch: "hull", striker: "fore", axis: [0, 1, 1], reach: 0.1, depth: 0, lateral: 3, stiffness: 40, engaged: true },
  ],
  element(_name, { latch: at, striker, axis, reach, depth, lateral, stiffness, damping, armed, engaged }, note, model) {
    const empty = -depth >= reach;
    if (empty) note("depth", `the latch can never engage: it would have to be above ${-depth} m and not above ${reach} m`);
    /** What a frame is fixed to, over hinges that do not move. */
    const carrier = (frame: string): number => {
      let { body } = frameOf(model, frame);
      while (body >= 0 && model.bodies[body]!.hinge.nu === 0) body = model.bodies[body]!.parent;
      return body;
    };
    if (carrier(at) === carrier(striker))
      note("striker", "the latch can never engage: its striker does not move against it", "Name a frame of another body");
    /** The striker along the axis, how far it is from it squared, and what the loads need. */
    const seen = (s: TracedMotion) => {
      const [L, S] = [s.frame(at), s.frame(striker)];
      const n = apply(L.R, axis);
      const d = minus(S.p, L.p);
      const x = dot(n, d);
      const away = minus(d, scale(x, n));
      return { n, d, x, lateral2: dot(away, away), L, S };
    };
    const closed = (s: TracedMotion): Scalar => mul(clamp(0, s.held[0]!, 1), clamp(0, s.held[1]!, 1));
    return {
      frames: [at, striker],
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
            const { x, lateral2 } = seen(s);
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
        const { n, d, x, lateral2, L, S } = seen(s);
        // Speed apart at the striker's point, as the latch sees it: ė_x exactly, for the axis turns with the latch.
        const speed = dot(n, minus(minus(S.v, L.v), cross(L.w, d)));
        const stretch = max(0, sub(x, reach));
        const hold = closed(s);
        const elastic = mul(mul(hold, stiffness), stretch);
        const pull = mul(elastic, max(0, add(1, mul(damping, speed))));
        const onLatch: Vec3 = scale(pull, n);
        out.wrench(at, cross(d, onLatch), onLatch);
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
