/** What can be read at a sample, by name: states, forces, energies, places, loads. */
import { compile } from "../kernel/kernel.ts";
import type { Channel } from "../log/log.ts";
import { coordinateNames, type Frame, frameOf } from "../model/model.ts";
import { toQuaternion } from "../spatial/rotation.ts";
import { loadChannels } from "./body-loads.ts";
import { heldInputs } from "./controller-runner.ts";
import { DISSIPATED, type Layout, SUPPLIED } from "./layout.ts";
import { type LoopChannel, loopChannels } from "./loop-channels.ts";
import { frameAccelerationsProgram, framesProgram } from "./motion-program.ts";
import { PER_FRAME } from "./numeric-elements.ts";
import type { Observation, System } from "./system.ts";

/** A channel and how to read it once a sample has been seen. */
export interface Reading extends Channel {
  /**
   * What it is a function of: time, state and held inputs themselves ("state"), the motion that they say ("motion"), what elements exert
   * there too ("loads"), or what has happened before ("run").
   */
  readonly of: "state" | "motion" | "loads" | "run";
  readonly needs?: LoopChannel["needs"];
  read(): number;
}

/** Channels of controllers, and where their values are. */
export interface OfControllers {
  readonly channels: readonly Channel[];
  readonly values: Float64Array;
}
export const NO_CONTROLLERS: OfControllers = { channels: [], values: new Float64Array(0) };

const XYZ = ["x", "y", "z"] as const;

/**
 * Whether a channel has to be kept for a replay: others are functions of those that are. What elements exert that remember (tracks in the
 * ground) is not, nor is what is made of it.
 */
export const isKept = ({ of }: Reading, { elements }: Layout): boolean =>
  of === "state" || of === "run" || (of === "loads" && elements.some((e) => e.memory !== undefined));

/** Names of the channels that are the state, in its order, and of the held inputs. */
export function stateChannels(layout: Layout) {
  const { model, elements } = layout;
  const names = coordinateNames(model);
  return {
    q: names.q.map((name) => `q.${name}`),
    u: names.u.map((name) => `u.${name}`),
    z: elements.flatMap((e) => (e.z0 ?? []).map((_, k) => `z.${e.name}.${k + 1}`)),
    held: heldInputs(layout).map((name) => `held.${name}`),
  };
}

interface Sample {
  readonly t: number;
  readonly y: Float64Array;
  readonly balance: number;
  readonly held: Float64Array;
}

export interface Needs {
  readonly frames: boolean;
  readonly bodyLoads: boolean;
  readonly accelerations: boolean;
  readonly reactions: boolean;
  readonly loops: { readonly motion: boolean; readonly loads: boolean };
}

export const needsOf = (wanted: readonly Reading[]): Needs => ({
  frames: wanted.some((r) => r.name.startsWith("frame.") || r.name.startsWith("load.")),
  bodyLoads: wanted.some((r) => r.name.startsWith("load.")),
  accelerations: wanted.some((r) => r.name.startsWith("acceleration.")),
  reactions: wanted.some((r) => r.name.startsWith("reaction.")),
  loops: { motion: wanted.some((r) => r.needs === "motion"), loads: wanted.some((r) => r.needs === "loads") },
});

export function readingsOf(layout: Layout, ofElements: readonly Channel[], controllers: OfControllers = NO_CONTROLLERS) {
  const { model, nq, nu, ny } = layout;
  const own = stateChannels(layout);
  const names = coordinateNames(model);
  const units = (which: "q" | "u"): string[] => model.bodies.flatMap((b) => b.hinge.elements.flatMap((e) => e.units[which]));
  const [qUnits, uUnits] = [units("q"), units("u")];
  let now: Sample = { t: 0, y: new Float64Array(ny), balance: 0, held: new Float64Array(layout.nheld) };
  let seen: Observation | undefined;
  const frames: Frame[] = [...model.bodies.map((b) => frameOf(model, b.name)), ...model.frames];
  const reactions = new Float64Array(6 * model.bodies.length);
  let kernel: ReturnType<typeof compile> | undefined;
  let accelerating: ReturnType<typeof compile> | undefined;
  let placed = new Float64Array(0) as Float64Array;
  let accelerations = new Float64Array(0) as Float64Array;
  const attitudes = frames.map(() => ({ of: -1, q: [1, 0, 0, 0] as readonly number[] }));
  let count = 0;
  /** The attitude of a frame, computed once in each sample. */
  const attitude = (f: number): readonly number[] => {
    const last = attitudes[f]!;
    if (last.of !== count) {
      last.of = count;
      last.q = attitudeIn(placed, PER_FRAME * f);
    }
    return last.q;
  };
  const ydot = new Float64Array(ny);

  const readings: Reading[] = [{ name: "t", unit: "s", of: "state", read: () => now.t }];
  const add = (name: string, unit: string, of: Reading["of"], read: () => number): void => {
    readings.push({ name, unit, of, read });
  };
  for (const [i, name] of own.q.entries()) add(name, qUnits[i]!, "state", () => now.y[i]!);
  for (const [i, name] of own.u.entries()) add(name, uUnits[i]!, "state", () => now.y[nq + i]!);
  for (const [i, name] of names.u.entries())
    add(`tau.${name}`, uUnits[i]!.startsWith("rad") ? "N m" : "N", "loads", () => seen!.tau[i]!);
  add("energy.kinetic", "J", "motion", () => seen!.kinetic);
  add("energy.potential", "J", "loads", () => seen!.potential);
  add("energy.dissipated", "J", "state", () => now.y[ny - 8 + DISSIPATED]!);
  add("energy.supplied", "J", "state", () => now.y[ny - 8 + SUPPLIED]!);
  add("energy.balance", "J", "loads", () => now.balance);
  for (const [k, axis] of XYZ.entries()) add(`momentum.angular.${axis}`, "N m s", "motion", () => seen!.momentum[k]!);
  for (const [k, axis] of XYZ.entries()) add(`momentum.linear.${axis}`, "N s", "motion", () => seen!.momentum[3 + k]!);
  for (const [k, axis] of XYZ.entries()) add(`centre.${axis}`, "m", "motion", () => seen!.centre[k]!);
  for (const [i, { name, unit }] of ofElements.entries()) add(name, unit, "loads", () => seen!.channels[i]!);
  for (const [i, channel] of controllers.channels.entries())
    readings.push({ ...channel, of: "run", read: () => controllers.values[i]! });
  for (const [i, name] of own.held.entries()) add(name, "", "state", () => now.held[i]!);
  for (const [i, name] of own.z.entries()) add(name, "", "state", () => now.y[nq + nu + i]!);
  for (const [f, frame] of frames.entries()) {
    const at = PER_FRAME * f;
    for (const [k, axis] of XYZ.entries()) add(`frame.${frame.name}.${axis}`, "m", "motion", () => placed[at + 9 + k]!);
    for (const [k, part] of ["qw", "qx", "qy", "qz"].entries())
      add(`frame.${frame.name}.${part}`, "", "motion", () => attitude(f)[k]!);
    for (const [k, axis] of XYZ.entries()) add(`frame.${frame.name}.w${axis}`, "rad/s", "motion", () => placed[at + 12 + k]!);
    for (const [k, axis] of XYZ.entries()) add(`frame.${frame.name}.v${axis}`, "m/s", "motion", () => placed[at + 15 + k]!);
  }
  for (const [f, frame] of frames.entries())
    for (const [k, axis] of XYZ.entries())
      add(`acceleration.${frame.name}.${axis}`, "m/s^2", "loads", () => accelerations[3 * f + k]!);
  for (const b of model.bodies) {
    for (const [k, axis] of XYZ.entries())
      add(`reaction.${b.hinge.name}.t${axis}`, "N m", "loads", () => reactions[6 * b.index + k]!);
    for (const [k, axis] of XYZ.entries())
      add(`reaction.${b.hinge.name}.f${axis}`, "N", "loads", () => reactions[6 * b.index + 3 + k]!);
  }

  const loads = loadChannels(layout, frames);
  readings.push(...loads.channels.map((channel) => ({ ...channel, of: "loads" as const })));
  const loops = loopChannels(layout);
  readings.push(...loops.channels.map((c) => ({ ...c, of: c.needs === "loads" ? ("loads" as const) : ("motion" as const) })));

  const see = (system: System, t: number, y: Float64Array, observation: Observation, balance: number, needs: Needs): void => {
    now = { t, y, balance, held: system.held };
    seen = observation;
    loops.see(system, t, y, needs.loops);
    if (needs.loops.loads) seen = system.observe(t, y);
    if (needs.frames) {
      kernel ??= compile(framesProgram(layout, frames));
      const { x } = kernel;
      for (let i = 0; i < nq + nu; i++) x[i] = y[i]!;
      kernel.evaluate();
      placed = kernel.y;
      count++;
    }
    if (needs.bodyLoads) loads.see(kernel!.y, seen.wrenches);
    if (needs.accelerations) {
      accelerating ??= compile(frameAccelerationsProgram(layout, frames));
      system.problem.derivative(t, y, ydot);
      const { x } = accelerating;
      for (let i = 0; i < nq + nu; i++) x[i] = y[i]!;
      for (let i = 0; i < nu; i++) x[nq + nu + i] = ydot[nq + i]!;
      accelerating.evaluate();
      accelerations = accelerating.y;
    }
    if (needs.reactions) {
      system.reactions(t, y, reactions);
      seen = system.observe(t, y);
    }
  };
  return { readings, see };
}

function attitudeIn(values: Float64Array, at: number): readonly number[] {
  const v = (k: number): number => values[at + k]!;
  return toQuaternion([
    [v(0), v(1), v(2)],
    [v(3), v(4), v(5)],
    [v(6), v(7), v(8)],
  ]);
}
