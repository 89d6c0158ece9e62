/** Names of materials, and their colours if a shape has none. */
export const MATERIALS = {
  paint: undefined,
  metal: "#c9ced4",
  foil: "#d8a03c",
  "solar-cells": "#16305f",
  regolith: "#a3907a",
  rubber: "#2b2c2f",
  composite: "#26292e",
  blanket: "#cfcdc6",
  glass: "#101c2c",
  lamp: "#fff2d0",
} as const satisfies Readonly<Record<string, string | undefined>>;

export type MaterialName = keyof typeof MATERIALS;
export const MATERIAL_NAMES = Object.keys(MATERIALS) as readonly MaterialName[];
