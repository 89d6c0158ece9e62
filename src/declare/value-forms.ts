/** Which of several alternatives a value means, by its form. */

import type { Parameter } from "./declarations.ts";
import { isFields, itemsOf } from "./plain-data.ts";
import { looksLikeQuantity } from "./units.ts";

/** The first alternative whose form the value has. */
export const alternativeFor = (of: readonly Parameter[], value: unknown): Parameter | undefined =>
  of.find((parameter) => hasForm(parameter, value));

function hasForm(parameter: Parameter, value: unknown): boolean {
  const items = itemsOf(value);
  switch (parameter.type) {
    case "number":
      return typeof value === "number" || (typeof value === "string" && looksLikeQuantity(value));
    case "boolean":
      return typeof value === "boolean";
    case "array":
      return items?.length === parameter.parts.length && !items.some((item) => itemsOf(item) !== undefined);
    case "matrix":
      return items !== undefined && (parameter.free || items.length === 3) && items.some((item) => itemsOf(item) !== undefined);
    case "vector":
    case "series":
    case "items":
    case "list":
      return items !== undefined;
    case "object":
      return isFields(value) && (parameter.marker === undefined || value[parameter.marker] !== undefined);
    case "kinds":
    case "record":
      return isFields(value);
    case "either":
      return alternativeFor(parameter.of, value) !== undefined;
    default:
      return typeof value === "string";
  }
}
