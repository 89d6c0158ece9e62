/** A spring and damper on the line between two frames, or between a frame and a point of the world. */
import { add, div, mul, type Scalar, sqrt, square, sub } from "../../../kernel/trace/scalar.ts";
import { dot, minus, negate, scale, type Vec3, ZERO3 } from "../../../spatial/vec3.ts";
import { forceKind } from "../kind.ts";
import { polyline } from "./polyline.ts";

/**
 * The length is √(d·d + ε²). Its direction d / length is then defined at length zero too. Force, potential and power use the same length,
 * so the energy balance stays exact. Above a tenth of a micrometre the length is exact to the last digit.
 */
const EPSILON = 1e-15;

export const frameSpring = forceKind({
  name: "frame-spring",
  about:
    "Spring and damper between the origins of two frames, or between a frame and a fixed point of the world. Tension along the line = " +
    "stiffness (length - naturalLength) + damping d(length)/dt + preload, or given by a table over the extension.",
  acts: "between bodies",
  parameters: {
    from: { type: "frame", about: "Frame or body at one end." },
    to: { type: "frame", optional: true, about: "Frame or body at the other end." },
    point: { type: "vector", unit: "m", optional: true, about: "Other end fixed in the world, instead of `to`." },
    stiffness: { type: "number", unit: "N/m", least: 0, default: 0, about: "Stiffness." },
    damping: { type: "number", unit: "N s/m", least: 0, default: 0, about: "Damping." },
    naturalLength: { type: "number", unit: "m", least: 0, default: 0, about: "Length of the relaxed spring." },
    preload: { type: "number", unit: "N", default: 0, about: "Tension at natural length." },
    table: {
      type: "table",
      columns: ["extension", "tension"],
      units: { x: "m", y: "N" },
      rows: 2,
      optional: true,
      about: "Tension over the extension, instead of stiffness and preload; extrapolated beyond the ends.",
    },
  },
  examples: [
    { from: "dock", to: "hand-tip", stiffness: 30, damping: 4, naturalLength: 0.6, preload: 2 },
    {
      from: "hull",
      to: "fore",
      damping: 1,
      naturalLength: 0.5,
      table: [
        [-0.1, 0],
        [0, 0],
        [0.5, 100],
        [1, 400],
      ],
    },
    { from: "hand", point: [1, 2, 3], stiffness: 15, damping: 1 },
  ],
  element(_name, { from, to, point, stiffness, damping, naturalLength, preload, table }, note) {
    if ((to === undefined) === (point === undefined)) note("to", "the other end must be given once", "Give either to or point");
    if (from === to) note("to", "both ends are at the same frame");
    if (table && stiffness !== 0) note("stiffness", "is given twice: the table gives the tension", "Leave out one of them");
    if (table && preload !== 0) note("preload", "is given twice: the table gives the tension", "Leave out one of them");
    const law = table && polyline(table, "continues");
    const tension = (extension: Scalar): Scalar => law?.value(extension) ?? add(preload, mul(stiffness, extension));
    const potentialOf = (extension: Scalar): Scalar =>
      law?.integral(extension) ?? add(mul(preload, extension), mul(stiffness / 2, square(extension)));
    return {
      frames: to === undefined ? [from] : [from, to],
      ...(to === undefined && { needsWorldOrigin: "`point` is fixed in the world" }),
      trace(s, out) {
        const A = s.frame(from);
        const B: { readonly p: Vec3; readonly v: Vec3 } = to === undefined ? { p: point!, v: ZERO3 } : s.frame(to);
        const d = minus(B.p, A.p);
        const length = sqrt(add(dot(d, d), EPSILON * EPSILON));
        const direction = scale(div(1, length), d);
        const speed = dot(direction, minus(B.v, A.v));
        const extension = sub(length, naturalLength);
        const total = add(tension(extension), mul(damping, speed));
        const pull = scale(total, direction);
        out.wrench(from, ZERO3, pull);
        if (to !== undefined) out.wrench(to, ZERO3, negate(pull));
        out.potential(potentialOf(extension));
        out.dissipated(mul(damping, square(speed)));
        out.channel("length", "m", length);
        out.channel("tension", "N", total);
      },
    };
  },
});
