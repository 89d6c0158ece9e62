/** Channels of the contact element. contact-law.ts writes them in this order. */

/** Channels of the whole element. */
export const TOTAL_CHANNELS = [
  { name: "count", unit: "" },
  { name: "depth", unit: "m" },
  { name: "load", unit: "N" },
  { name: "fx", unit: "N" },
  { name: "fy", unit: "N" },
  { name: "fz", unit: "N" },
  { name: "tx", unit: "N m" },
  { name: "ty", unit: "N m" },
  { name: "tz", unit: "N m" },
  { name: "absorbed", unit: "J" },
] as const;

/** Channels of a pair of shapes: name and unit. */
export const PAIR_CHANNELS = [
  ["depth", "m"],
  ["load", "N"],
  ["fx", "N"],
  ["fy", "N"],
  ["fz", "N"],
  ["px", "m"],
  ["py", "m"],
  ["pz", "m"],
] as const;

/** Further channels of a pair of solids: torque about the point, normal, area of the patch, slip speed at the point, power dissipated. */
export const PATCH_CHANNELS = [
  ...PAIR_CHANNELS,
  ["tx", "N m"],
  ["ty", "N m"],
  ["tz", "N m"],
  ["nx", ""],
  ["ny", ""],
  ["nz", ""],
  ["area", "m^2"],
  ["slip", "m/s"],
  ["power", "W"],
] as const;
