/** Parts of the Modelica Standard Library: bodies of steel, and its gravity. */
import type { BodyDescription } from "../../model/description.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";

/** kg/m³ */
const STEEL = 7700;
const G = 9.80665;

/** The default gravity of the library, m/s². */
export const MODELICA_GRAVITY = [0, -G, 0] as const;

type UniformBody = Pick<BodyDescription & { mass: number; com: NumericVec3; inertia: number[] }, "mass" | "com" | "inertia">;

/** A solid along r with a moment `along` about r and `across` about the other axes. */
function solidAlong(r: NumericVec3, mass: number, along: number, across: number): UniformBody {
  const length = Math.hypot(...r);
  const [x, y, z] = r.map((component) => component / length) as [number, number, number];
  const entry = (a: number, b: number, isDiagonal: boolean): number => (along - across) * a * b + (isDiagonal ? across : 0);
  return {
    mass,
    com: [r[0] / 2, r[1] / 2, r[2] / 2],
    inertia: [
      entry(x, x, true),
      entry(y, y, true),
      entry(z, z, true),
      entry(x, y, false),
      entry(x, z, false),
      entry(y, z, false),
    ],
  };
}

/** `BodyBox` from the origin to r, with a square section. */
export function bodyBox(r: NumericVec3, width: number): UniformBody {
  const length = Math.hypot(...r);
  const mass = STEEL * length * width * width;
  return solidAlong(r, mass, (mass * width * width) / 6, (mass * (length * length + width * width)) / 12);
}

/** `BodyCylinder` from the origin to r. */
export function bodyCylinder(r: NumericVec3, diameter: number): UniformBody {
  const length = Math.hypot(...r);
  const radius = diameter / 2;
  const mass = STEEL * Math.PI * radius * radius * length;
  return solidAlong(r, mass, (mass * radius * radius) / 2, (mass * (length * length + 3 * radius * radius)) / 12);
}
