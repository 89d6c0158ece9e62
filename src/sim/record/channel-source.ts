/** What can be read at a sample, by name: states, forces, energies, places, loads. */
import { compile } from "../../kernel/run/kernel.ts";
import type { Channel } from "../../log/log.ts";
import { coordinateNames, type Frame, frameOf } from "../../model/model.ts";
import { toQuaternion } from "../../spatial/rotation.ts";
import { heldInputNames } from "../run/controller-runner.ts";
import { DISSIPATED, type Layout, SUPPLIED } from "../system/layout.ts";
import { frameAccelerationsProgram, framesProgram } from "../system/motion-program.ts";
import { PER_FRAME } from "../system/numeric-elements.ts";
import type { Observation } from "../system/observer.ts";
import type { System } from "../system/system.ts";
import { loadChannels } from "./load-channels.ts";
import { type LoopChannel, loopChannels } from "./loop-channels.ts";

/** A channel and how to read it once a sample has been seen. */
export interface ChannelSource extends Channel {
  /**
   * What it is a function of: time, state and held inputs themselves ("state"), the motion that they say ("motion"), what elements exert
   * there too ("loads"), or what has happened before ("run").
   */
  readonly of: "state" | "motion" | "loads" | "run";
  readonly needs?: LoopChannel["needs"];
  /** Frames of which it is, by their places among all. */
  readonly frames?: readonly number[];
  /** Where its value stands, if nothing has to be computed for it. */
  readonly place?: ValueLocation;
  read(): number;
}

/** A number among others that a sample fills; the array may be another at every sample. */
export interface ValueLocation {
  readonly in: { values: Float64Array };
  readonly at: number;
}

/** Channels of controllers, and where their values are. */
export interface ControllerChannels {
  readonly channels: readonly Channel[];
  readonly values: Float64Array;
}
export const NO_CONTROLLERS: ControllerChannels = { channels: [], values: new Float64Array(0) };

const XYZ = ["x", "y", "z"] as const;

/**
 * Whether a channel has to be kept for a replay: others are functions of those that are. What elements exert that remember (tracks in the
 * ground) is not, nor is what is made of it.
 */
export const isKeptForReplay = ({ of }: ChannelSource, { elements }: Layout): boolean =>
  of === "state" || of === "run" || (of === "loads" && elements.some((e) => e.memory !== undefined));

/** Names of the channels that are the state, in its order, and of the held inputs. */
export function stateChannels(layout: Layout) {
  const { model, elements } = layout;
  const names = coordinateNames(model);
  return {
    q: names.q.map((name) => `q.${name}`),
    u: names.u.map((name) => `u.${name}`),
    z: elements.flatMap((e) => (e.z0 ?? []).map((_, k) => `z.${e.name}.${k + 1}`)),
    held: heldInputNames(layout).map((name) => `held.${name}`),
  };
}

/** Places of the numbers of a sample that stand alone. */
const [TIME, KINETIC, POTENTIAL, BALANCE] = [0, 1, 2, 3];

export interface SampleNeeds {
  /** Places of frames among all. */
  readonly frames: readonly number[];
  readonly bodyLoads: boolean;
  readonly accelerations: boolean;
  readonly reactions: boolean;
  readonly loops: { readonly motion: boolean; readonly loads: boolean };
}

export const sampleNeeds = (wanted: readonly ChannelSource[]): SampleNeeds => ({
  frames: [...new Set(wanted.flatMap((r) => r.frames ?? []))].sort((a, b) => a - b),
  bodyLoads: wanted.some((r) => r.name.startsWith("load.")),
  accelerations: wanted.some((r) => r.name.startsWith("acceleration.")),
  reactions: wanted.some((r) => r.name.startsWith("reaction.")),
  loops: { motion: wanted.some((r) => r.needs === "motion"), loads: wanted.some((r) => r.needs === "loads") },
});

export function channelSources(layout: Layout, ofElements: readonly Channel[], controllers: ControllerChannels = NO_CONTROLLERS) {
  const { model, nq, nu, ny } = layout;
  const own = stateChannels(layout);
  const names = coordinateNames(model);
  const units = (which: "q" | "u"): string[] => model.bodies.flatMap((b) => b.hinge.elements.flatMap((e) => e.units[which]));
  const [qUnits, uUnits] = [units("q"), units("u")];
  const place = (values: Float64Array = new Float64Array(0)): ValueLocation["in"] => ({ values });
  const alone = place(new Float64Array(4));
  const [state, held] = [place(), place()];
  const observed = { tau: place(), momentum: place(), centre: place(), channels: place() };
  const noted = place(controllers.values);
  const accelerations = place();
  const reactions = place(new Float64Array(6 * model.bodies.length));
  const frames: Frame[] = [...model.bodies.map((b) => frameOf(model, b.name)), ...model.frames];
  /** The frames that are needed, and where each stands among them. */
  let kernel: ReturnType<typeof compile> | undefined;
  let accelerating: ReturnType<typeof compile> | undefined;
  let placed: Float64Array = new Float64Array(0);
  const start = new Int32Array(frames.length);
  const attitudes = frames.map(() => ({ of: -1, q: [1, 0, 0, 0] as readonly number[] }));
  let count = 0;
  /** The attitude of a frame, computed once in each sample. */
  const attitude = (f: number): readonly number[] => {
    const last = attitudes[f]!;
    if (last.of !== count) {
      last.of = count;
      last.q = quaternionAt(placed, start[f]!);
    }
    return last.q;
  };
  const ydot = new Float64Array(ny);

  const readings: ChannelSource[] = [];
  const add = (name: string, unit: string, of: ChannelSource["of"], from: ValueLocation["in"], at: number): void => {
    readings.push({ name, unit, of, place: { in: from, at }, read: () => from.values[at]! });
  };
  add("t", "s", "state", alone, TIME);
  for (const [i, name] of own.q.entries()) add(name, qUnits[i]!, "state", state, i);
  for (const [i, name] of own.u.entries()) add(name, uUnits[i]!, "state", state, nq + i);
  for (const [i, name] of names.u.entries())
    add(`tau.${name}`, uUnits[i]!.startsWith("rad") ? "N m" : "N", "loads", observed.tau, i);
  add("energy.kinetic", "J", "motion", alone, KINETIC);
  add("energy.potential", "J", "loads", alone, POTENTIAL);
  add("energy.dissipated", "J", "state", state, ny - 8 + DISSIPATED);
  add("energy.supplied", "J", "state", state, ny - 8 + SUPPLIED);
  add("energy.balance", "J", "loads", alone, BALANCE);
  for (const [k, axis] of XYZ.entries()) add(`momentum.angular.${axis}`, "N m s", "motion", observed.momentum, k);
  for (const [k, axis] of XYZ.entries()) add(`momentum.linear.${axis}`, "N s", "motion", observed.momentum, 3 + k);
  for (const [k, axis] of XYZ.entries()) add(`centre.${axis}`, "m", "motion", observed.centre, k);
  for (const [i, { name, unit }] of ofElements.entries()) add(name, unit, "loads", observed.channels, i);
  for (const [i, channel] of controllers.channels.entries())
    readings.push({ ...channel, of: "run", place: { in: noted, at: i }, read: () => noted.values[i]! });
  for (const [i, name] of own.held.entries()) add(name, "", "state", held, i);
  for (const [i, name] of own.z.entries()) add(name, "", "state", state, nq + nu + i);
  for (const [f, frame] of frames.entries()) {
    const ofFrame = (part: string, unit: string, read: () => number): void => {
      readings.push({ name: `frame.${frame.name}.${part}`, unit, of: "motion", frames: [f], read });
    };
    for (const [k, axis] of XYZ.entries()) ofFrame(axis, "m", () => placed[start[f]! + 9 + k]!);
    for (const [k, part] of ["qw", "qx", "qy", "qz"].entries()) ofFrame(part, "", () => attitude(f)[k]!);
    for (const [k, axis] of XYZ.entries()) ofFrame(`w${axis}`, "rad/s", () => placed[start[f]! + 12 + k]!);
    for (const [k, axis] of XYZ.entries()) ofFrame(`v${axis}`, "m/s", () => placed[start[f]! + 15 + k]!);
  }
  for (const [f, frame] of frames.entries())
    for (const [k, axis] of XYZ.entries()) add(`acceleration.${frame.name}.${axis}`, "m/s^2", "loads", accelerations, 3 * f + k);
  for (const b of model.bodies) {
    for (const [k, axis] of XYZ.entries()) add(`reaction.${b.hinge.name}.t${axis}`, "N m", "loads", reactions, 6 * b.index + k);
    for (const [k, axis] of XYZ.entries()) add(`reaction.${b.hinge.name}.f${axis}`, "N", "loads", reactions, 6 * b.index + 3 + k);
  }

  const loads = loadChannels(layout, frames);
  readings.push(...loads.channels.map((channel) => ({ ...channel, of: "loads" as const })));
  const loops = loopChannels(layout);
  readings.push(...loops.channels.map((c) => ({ ...c, of: c.needs === "loads" ? ("loads" as const) : ("motion" as const) })));

  const take = (seen: Observation): void => {
    alone.values[KINETIC] = seen.kinetic;
    alone.values[POTENTIAL] = seen.potential;
    observed.tau.values = seen.tau;
    observed.momentum.values = seen.momentum;
    observed.centre.values = seen.centre;
    observed.channels.values = seen.channels;
  };

  /** The same needs at every sample. */
  const see = (
    system: System,
    t: number,
    y: Float64Array,
    observation: Observation,
    balance: number,
    needs: SampleNeeds,
  ): void => {
    let seen = observation;
    alone.values[TIME] = t;
    alone.values[BALANCE] = balance;
    state.values = y;
    held.values = system.held;
    loops.see(system, t, y, needs.loops);
    if (needs.loops.loads) seen = system.observe(t, y);
    if (needs.frames.length > 0) {
      if (!kernel) {
        kernel = compile(
          framesProgram(
            layout,
            needs.frames.map((f) => frames[f]!),
          ),
        );
        for (const [i, f] of needs.frames.entries()) start[f] = PER_FRAME * i;
        placed = kernel.y;
      }
      const { x } = kernel;
      for (let i = 0; i < nq + nu; i++) x[i] = y[i]!;
      kernel.evaluate();
      count++;
    }
    if (needs.bodyLoads) loads.see(placed, start, seen.wrenches);
    if (needs.accelerations) {
      accelerating ??= compile(frameAccelerationsProgram(layout, frames));
      system.problem.derivative(t, y, ydot);
      const { x } = accelerating;
      for (let i = 0; i < nq + nu; i++) x[i] = y[i]!;
      for (let i = 0; i < nu; i++) x[nq + nu + i] = ydot[nq + i]!;
      accelerating.evaluate();
      accelerations.values = accelerating.y;
    }
    if (needs.reactions) {
      system.reactions(t, y, reactions.values);
      seen = system.observe(t, y);
    }
    take(seen);
  };
  return { readings, see };
}

function quaternionAt(values: Float64Array, at: number): readonly number[] {
  const v = (k: number): number => values[at + k]!;
  return toQuaternion([
    [v(0), v(1), v(2)],
    [v(3), v(4), v(5)],
    [v(6), v(7), v(8)],
  ]);
}
