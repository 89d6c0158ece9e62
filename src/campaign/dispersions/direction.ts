/** Unit axes: any direction, or directions near the axis of the scenario. */

import { hypotenuse } from "../../math/elementary/hypotenuse.ts";
import { logarithm } from "../../math/elementary/logarithm.ts";
import { cosine, sine } from "../../math/elementary/sincos.ts";
import { type Axis, axisVector } from "../../spatial/axis.ts";
import { onSphere } from "./ball.ts";
import { type DispersionContext, dispersionKind } from "./kind.ts";

type DirectionVector = readonly [number, number, number];

export const direction = dispersionKind({
  name: "direction",
  about: "A unit axis: any direction, or the axis of the scenario tilted by a random angle in a random direction.",
  parameters: {
    tilt: {
      type: "number",
      unit: "rad",
      above: 0,
      most: Math.PI,
      optional: true,
      about:
        "Largest angle from the axis of the scenario; directions within the cone are equally probable. Any direction if not given.",
    },
    deviation: {
      type: "number",
      unit: "rad",
      above: 0,
      optional: true,
      excludes: ["tilt"],
      about: "Instead of tilt: standard deviation of the tilt about each of the two axes across.",
    },
  },
  examples: [{ path: "axis" }, { path: "axis", tilt: 0.1 }, { path: "axis", deviation: 0.02 }],
  create({ tilt, deviation }, context) {
    const axes = context.paths.map((path) =>
      (tilt ?? deviation) === undefined ? ([0, 0, 1] as const) : nominalAxis(path, context),
    );
    if (axes.some((axis) => axis === undefined)) return undefined;
    return {
      dimensions: 2,
      columns: ["x", "y", "z"].map((part) => ({ suffix: `.${part}`, type: "number", unit: "" })),
      draw(u) {
        const values = axes.map((axis) => {
          if (deviation !== undefined) return tilted(axis!, deviation * Math.sqrt(-2 * logarithm(u[0]!)), u[1]!);
          if (tilt === undefined) return onSphere(u[0]!, u[1]!);
          // Uniform on the cap: 1 - cos is uniform. Written with sin of half the angle, which keeps digits of small tilts.
          const halfSine = sine(0.5 * tilt) * Math.sqrt(u[0]!);
          return inCap(axis!, halfSine, u[1]!);
        });
        return { values, cells: values[0]! };
      },
    };
  },
});

function nominalAxis(path: string, context: DispersionContext): DirectionVector | undefined {
  const value = context.nominal(path) as Axis | undefined;
  const isVector =
    Array.isArray(value) && value.length === 3 && value.every((v) => typeof v === "number") && value.some((v) => v !== 0);
  if (isVector || value === "x" || value === "y" || value === "z") return axisVector(value) as DirectionVector;
  context.problem(
    "path",
    `${path} has no axis in the scenario that could be tilted`,
    "Write the axis in the scenario, or leave out tilt",
  );
  return undefined;
}

const tilted = (axis: DirectionVector, angle: number, v: number): DirectionVector =>
  combined(axis, cosine(angle), sine(angle), v);

const inCap = (axis: DirectionVector, halfSine: number, v: number): DirectionVector =>
  combined(axis, 1 - 2 * halfSine * halfSine, 2 * halfSine * Math.sqrt(Math.max(0, 1 - halfSine * halfSine)), v);

/** cos · axis + sin · (a direction across the axis at the turn v). */
function combined(axis: DirectionVector, cos: number, sin: number, v: number): DirectionVector {
  const [e, f] = across(axis);
  const [c, s] = [cosine(2 * Math.PI * v), sine(2 * Math.PI * v)];
  return axis.map((a, i) => cos * a + sin * (c * e[i]! + s * f[i]!)) as unknown as DirectionVector;
}

/** Two unit vectors that form a right-handed frame with the axis. */
export function across(axis: DirectionVector): readonly [DirectionVector, DirectionVector] {
  const smallest = axis.map(Math.abs).reduce((best, size, i, sizes) => (size < sizes[best]! ? i : best), 0);
  const help = [0, 1, 2].map((i) => (i === smallest ? 1 : 0)) as unknown as DirectionVector;
  const cross = (a: DirectionVector, b: DirectionVector): DirectionVector => [
    a[1] * b[2] - a[2] * b[1],
    a[2] * b[0] - a[0] * b[2],
    a[0] * b[1] - a[1] * b[0],
  ];
  const raw = cross(axis, help);
  const length = hypotenuse(...raw);
  const e = raw.map((x) => x / length) as unknown as DirectionVector;
  return [e, cross(axis, e)];
}
