/** Every kind of force element, by name. Adding a kind is adding its file and its line here. */
import { actuator } from "./actuator.ts";
import { friction } from "./friction.ts";
import { hingeSpring } from "./hinge-spring.ts";
import { stop } from "./stop.ts";

export const FORCES = {
  "hinge-spring": hingeSpring,
  friction,
  stop,
  actuator,
} as const;

export type ForceKindName = keyof typeof FORCES;
