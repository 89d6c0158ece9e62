/** The rocker rover in steady motion, without integrating in time: at rest, or driving up a slope. */
import { steadyMotion } from "../../analysis/steady-motion.ts";
import type { Override } from "../../scenario/override.ts";
import { createSystem } from "../../sim/create-system.ts";
import { change, type LoadBuiltIn } from "../validation.ts";

const WHEELS = ["fl", "fr", "rl", "rr"] as const;
/** Rim speed, m/s, and wheel radius, m, of the reference. */
const RIM_SPEED = 0.05;
const RADIUS = 0.09;

export interface SteadyRoverOptions {
  readonly gravity: number;
  /** Slope, rad. Modelled as level ground with tilted gravity, so that nothing changes along the path. */
  readonly slope?: number;
  readonly speed?: "rest" | "driving";
  /** Initial guess of the height of the body, m. */
  readonly height: number;
  readonly changes?: readonly Override[];
}

/** Reads channels of the steady motion by name. */
export function steadyRover(
  load: LoadBuiltIn,
  { gravity, slope = 0, speed = "driving", height, changes = [] }: SteadyRoverOptions,
): (channel: string) => number {
  const tilted = [-gravity * Math.sin(slope), 0, -gravity * Math.cos(slope)];
  const { model, forces } = load("rover-flat", [change("model.gravity", tilted), ...changes]);
  const system = createSystem(model, forces);
  const rate = speed === "driving" ? RIM_SPEED / RADIUS : 0;
  const start = system.start({ inputs: Object.fromEntries(WHEELS.map((w) => [`motor-${w}.speed`, rate])) });
  const y0 = start.y;
  const { nq } = system.layout;
  const base = model.bodies.find((b) => b.parent < 0)!.hinge;
  y0[base.q + 6] = height;
  y0[nq + base.u + 3] = 0.9 * RADIUS * rate;
  for (const { name, hinge } of model.bodies) if (name.startsWith("wheel-")) y0[nq + hinge.u] = rate;
  const cyclic = speed === "driving" ? ["base.vx", "base.vy", ...WHEELS.map((w) => `wheel-${w}`)] : [];
  const { state } = steadyMotion(system, start, { cyclic });
  const seen = system.observe(state).channels;
  return (name) => seen[system.channels.findIndex((c) => c.name === name)]!;
}
