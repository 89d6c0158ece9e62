/** Vector quantities that are bounded in size: uniform in a segment, a disc or a ball, or on its border. */

import { cubeRoot } from "../../math/elementary/cube-root.ts";
import { cosine, sine } from "../../math/elementary/sincos.ts";
import { dispersionKind } from "./kind.ts";

export const ball = dispersionKind({
  name: "ball",
  about:
    "Two or three settings that are components of a vector of bounded size: uniform in a disc or ball, or only on its border.",
  parameters: {
    radius: { type: "quantity", about: "Largest size of the vector." },
    border: { type: "boolean", default: false, about: "True if the size is always the largest, in any direction." },
  },
  examples: [
    { path: ["y", "z"], radius: 0.1 },
    { path: ["x", "y", "z"], radius: 2, border: true },
  ],
  create(values, context) {
    const count = context.paths.length;
    const radius = context.quantity("radius", values.radius);
    if (count !== 2 && count !== 3)
      return void context.problem("path", "must list two or three settings, the components of the vector");
    if (!(radius > 0)) return void context.problem("radius", "must be above 0");
    return {
      dimensions: values.border ? count - 1 : count,
      columns: Array.from({ length: count }, (_, i) => ({ suffix: `[${i}]`, type: "number", unit: context.units[i] ?? "" })),
      draw(u) {
        const direction = count === 2 ? onCircle(u[0]!) : onSphere(u[0]!, u[1]!);
        const size = values.border ? 1 : count === 2 ? Math.sqrt(u[1]!) : cubeRoot(u[2]!);
        const vector = direction.map((d) => radius * size * d);
        return { values: vector, cells: vector };
      },
    };
  },
});

const onCircle = (u: number): readonly number[] => [cosine(2 * Math.PI * u), sine(2 * Math.PI * u)];

/** A direction that is uniform on the sphere: its height is uniform. */
export function onSphere(u: number, v: number): readonly [number, number, number] {
  const z = 2 * u - 1;
  const r = Math.sqrt(Math.max(0, (1 - z) * (1 + z)));
  return [r * cosine(2 * Math.PI * v), r * sine(2 * Math.PI * v), z];
}
