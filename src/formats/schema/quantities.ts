/** Schemas of quantities with units, names and lists. */
import { z } from "zod";
import { quantityPattern, type SiUnit, unitsOf } from "../../declare/units.ts";

export function quantity(id: string, ...units: readonly SiUnit[]) {
  const texts = units.map((unit) => z.string().regex(new RegExp(quantityPattern(unit))));
  const description = `A number in ${units.join(" or ")}, or text with a unit: ${units.flatMap(unitsOf).join(", ")}.`;
  return z.union([z.number(), ...texts]).meta({ id, description });
}

export const mass = quantity("mass", "kg");
export const length = quantity("length", "m");
export const angle = quantity("angle", "rad");
export const acceleration = quantity("acceleration", "m/s^2");
export const moment = quantity("inertia-entry", "kg m^2");
export const pitch = quantity("pitch", "m/rad");
export const armature = z.number().min(0);
export const pressure = quantity("pressure", "Pa");
export const turningSpeed = quantity("turning-speed", "rad/s");
export const coordinate = quantity("coordinate", "rad", "m");
export const coordinateRate = quantity("coordinate-rate", "rad/s", "m/s");

export const listOf = <T extends z.ZodType>(count: number, item: T) => z.array(item).length(count);

export const name = z
  .string()
  .min(1)
  .max(100)
  .regex(/^[^./[\]]*$/);

/** One item, or a list of them. */
export const oneOrSeveral = <T extends z.ZodType>(item: T) => z.union([item, z.array(item)]);
