/** Rotations: any attitude, or small random rotations of the one in the scenario. */

import { isFields } from "../../declare/plain-data.ts";
import { quaternionFromRotationVector } from "../../math/elementary/rotation-vector.ts";
import { cosine, sine } from "../../math/elementary/sincos.ts";
import { placementOf } from "../../model/build/placement.ts";
import { type Quaternion, quaternionProduct, toQuaternion } from "../../spatial/rotation.ts";
import { normalQuantile } from "../random/normal.ts";
import { type DispersionContext, dispersionKind } from "./kind.ts";

type Numbers = Quaternion<number>;

export const rotation = dispersionKind({
  name: "rotation",
  about:
    "A rotation: any attitude with equal probability, or the rotation of the scenario followed by a small one about random axes.",
  parameters: {
    deviation: {
      type: "number",
      unit: "rad",
      above: 0,
      optional: true,
      about: "Standard deviation of the rotation vector about each axis of the carrier. Any attitude if not given.",
    },
  },
  examples: [{ path: "rotation" }, { path: "rotation", deviation: 0.01 }],
  create({ deviation }, context) {
    const nominals = context.paths.map((path) => (deviation === undefined ? undefined : nominalQuaternion(path, context)));
    if (deviation !== undefined && nominals.some((q) => q === undefined)) return undefined;
    const small = new Float64Array(4);
    return {
      dimensions: 3,
      columns: ["w", "x", "y", "z"].map((part) => ({ suffix: `.${part}`, type: "number", unit: "" })),
      draw(u) {
        if (deviation !== undefined)
          quaternionFromRotationVector(
            [...u].map((v) => deviation * normalQuantile(v)),
            small,
          );
        const quaternions = nominals.map((nominal) =>
          nominal ? (quaternionProduct([...small] as unknown as Numbers, nominal) as Numbers) : uniformQuaternion(u),
        );
        const written = (q: Numbers, path: string): unknown => (path.endsWith("quaternion") ? q : { quaternion: q });
        return { values: quaternions.map((q, i) => written(q, context.paths[i]!)), cells: quaternions[0]! };
      },
    };
  },
});

/** Uniform on the group of rotations [Shoemake 1992]: two circles whose squared radii add to one. */
function uniformQuaternion(u: Float64Array): Numbers {
  const [a, b] = [Math.sqrt(1 - u[0]!), Math.sqrt(u[0]!)];
  const [alpha, beta] = [2 * Math.PI * u[1]!, 2 * Math.PI * u[2]!];
  return [b * cosine(beta), a * sine(alpha), a * cosine(alpha), b * sine(beta)];
}

/** The rotation of the scenario; none means the identity. */
function nominalQuaternion(path: string, context: DispersionContext): Numbers | undefined {
  const value = context.nominal(path);
  if (value === undefined) return [1, 0, 0, 0];
  if (Array.isArray(value) && value.length === 4 && value.every((v) => typeof v === "number")) return value as unknown as Numbers;
  if (isFields(value)) return toQuaternion(placementOf({ rotation: value as never }).R);
  context.problem("path", `${path} has no rotation in the scenario`, "Name a rotation, e.g. model.bodies.arm.hinge.rotation");
  return undefined;
}
