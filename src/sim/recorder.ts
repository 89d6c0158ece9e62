/** What of a run is recorded: channels chosen by name, evaluated at samples. */
import { compile } from "../kernel/kernel.ts";
import { type Channel, type Log, Recording } from "../log/log.ts";
import { ModelError } from "../model/errors.ts";
import { coordinateNames, type Frame, frameOf } from "../model/model.ts";
import { toQuaternion } from "../spatial/rotation.ts";
import { loadChannels } from "./body-loads.ts";
import { heldInputs } from "./controller-runner.ts";
import { type LoopChannel, loopChannels } from "./loop-channels.ts";
import { DISSIPATED, frameAccelerationsProgram, framesProgram, type Layout, LEDGER, SUPPLIED } from "./motion-program.ts";
import { PER_FRAME } from "./numeric-elements.ts";
import type { Observation, System } from "./system.ts";

/** A channel and how to read it once a sample has been seen. */
interface Reading extends Channel {
  readonly needs?: LoopChannel["needs"];
  read(): number;
}

const XYZ = ["x", "y", "z"] as const;

const NOT_UNIQUE = "not unique: equations of this loop depend on others; the smallest loads that make the motion";

/** Recorded if nothing is chosen. */
export const DEFAULT_CHANNELS: readonly string[] = ["q.*", "u.*", "energy.*", "momentum.*"];

export class Recorder {
  readonly #recording: Recording;
  readonly #readings: readonly Reading[];
  readonly #sample: Float64Array;
  readonly #see: (t: number, y: Float64Array, seen: Observation, balance: number) => void;

  /** @param y0 where the run starts: there it is decided which loads of loops are unique. */
  constructor(
    system: System,
    chosen: readonly string[] = DEFAULT_CHANNELS,
    controllers: OfControllers = NO_CONTROLLERS,
    y0?: Float64Array,
  ) {
    const { readings, see } = readingsOf(system.layout, system.channels, controllers);
    const wanted = markNotUnique(select(readings, chosen, system.model.name), system, y0);
    this.#readings = wanted;
    const needs = needsOf(wanted);
    this.#see = (t, y, seen, balance) => see(system, t, y, seen, balance, needs);
    this.#recording = new Recording(
      wanted.map(({ name, unit, about }) => (about === undefined ? { name, unit } : { name, unit, about })),
    );
    this.#sample = new Float64Array(wanted.length);
  }

  get log(): Log {
    return this.#recording;
  }

  record(t: number, y: Float64Array, seen: Observation, balance: number): void {
    this.#see(t, y, seen, balance);
    for (let i = 0; i < this.#readings.length; i++) this.#sample[i] = this.#readings[i]!.read();
    this.#recording.add(this.#sample);
  }
}

/** Channels of controllers, and where their values are. */
interface OfControllers {
  readonly channels: readonly Channel[];
  readonly values: Float64Array;
}
const NO_CONTROLLERS: OfControllers = { channels: [], values: new Float64Array(0) };

/** All channels that a system of this layout has, those of its elements and controllers given. */
export const channelsOf = (layout: Layout, ofElements: readonly Channel[], ofControllers: readonly Channel[] = []): Channel[] =>
  readingsOf(layout, ofElements, { ...NO_CONTROLLERS, channels: ofControllers }).readings.map(({ name, unit, about }) =>
    about === undefined ? { name, unit } : { name, unit, about },
  );

/** Reads some channels at any state, outside of the samples: for events that users define. Valid until the next call. */
export function channelReader(system: System, names: readonly string[]): (t: number, y: Float64Array) => Float64Array {
  const { readings, see } = readingsOf(system.layout, system.channels);
  const wanted = names.map((name) => select(readings, [name], system.model.name).find((r) => r.name === name)!);
  const values = new Float64Array(wanted.length);
  const needs = needsOf(wanted);
  const ledger = system.layout.ny - LEDGER;
  return (t, y) => {
    const seen = system.observe(t, y);
    see(system, t, y, seen, seen.kinetic + seen.potential + y[ledger + DISSIPATED]! - y[ledger + SUPPLIED]!, needs);
    for (let i = 0; i < wanted.length; i++) values[i] = wanted[i]!.read();
    return values;
  };
}

/** Loads of loops whose equations depend on others say so. */
function markNotUnique(wanted: readonly Reading[], system: System, y0: Float64Array | undefined): readonly Reading[] {
  if (!y0 || !system.closed || !wanted.some((r) => r.needs === "loads")) return wanted;
  const { closed, layout } = system;
  const loops = closed.report(0, y0.slice(0, layout.nq)).redundant.map((row) => `loop.${closed.labels[row]!.loop}.`);
  return wanted.map((reading) =>
    reading.needs === "loads" && loops.some((loop) => reading.name.startsWith(loop))
      ? { ...reading, about: NOT_UNIQUE }
      : reading,
  );
}

/** t first, then the channels that the patterns choose, in the order of the system. */
function select(readings: readonly Reading[], patterns: readonly string[], source: string): Reading[] {
  const known = new Set(readings.map((r) => r.name));
  const plain = new Set(patterns.filter((p) => known.has(p)));
  const others = patterns.filter((p) => !plain.has(p));
  const unknown = others.filter((pattern) => !readings.some((r) => matches(pattern, r.name)));
  if (unknown.length > 0)
    throw new ModelError(
      source,
      unknown.map((pattern) => ({
        path: `channels[${patterns.indexOf(pattern)}]`,
        message: `no channel matches "${pattern}"`,
        advice: `There are: ${summary(readings)}`,
      })),
    );
  return readings.filter((r) => r.name === "t" || plain.has(r.name) || others.some((p) => matches(p, r.name)));
}

const summary = (readings: readonly Reading[]): string => {
  const names = readings.map((r) => r.name);
  return names.length > 30 ? `${names.slice(0, 30).join(", ")}, ... (${names.length} in all)` : names.join(", ");
};

/** Whether a name fits a pattern in which * stands for anything. */
export function matches(pattern: string, name: string): boolean {
  const parts = pattern.split("*");
  if (parts.length === 1) return pattern === name;
  let at = parts[0]!.length;
  if (!name.startsWith(parts[0]!)) return false;
  for (const part of parts.slice(1, -1)) {
    const found = name.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return name.length - at >= parts.at(-1)!.length && name.endsWith(parts.at(-1)!);
}

interface Sample {
  readonly t: number;
  readonly y: Float64Array;
  readonly balance: number;
  readonly held: Float64Array;
}

interface Needs {
  readonly frames: boolean;
  readonly bodyLoads: boolean;
  readonly accelerations: boolean;
  readonly reactions: boolean;
  readonly loops: { readonly motion: boolean; readonly loads: boolean };
}

const needsOf = (wanted: readonly Reading[]): Needs => ({
  frames: wanted.some((r) => r.name.startsWith("frame.") || r.name.startsWith("load.")),
  bodyLoads: wanted.some((r) => r.name.startsWith("load.")),
  accelerations: wanted.some((r) => r.name.startsWith("acceleration.")),
  reactions: wanted.some((r) => r.name.startsWith("reaction.")),
  loops: { motion: wanted.some((r) => r.needs === "motion"), loads: wanted.some((r) => r.needs === "loads") },
});

function readingsOf(layout: Layout, ofElements: readonly Channel[], controllers: OfControllers = NO_CONTROLLERS) {
  const { model, nq, nu, ny } = layout;
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

  const readings: Reading[] = [{ name: "t", unit: "s", read: () => now.t }];
  const add = (name: string, unit: string, read: () => number): void => {
    readings.push({ name, unit, read });
  };
  for (const [i, name] of names.q.entries()) add(`q.${name}`, qUnits[i]!, () => now.y[i]!);
  for (const [i, name] of names.u.entries()) add(`u.${name}`, uUnits[i]!, () => now.y[nq + i]!);
  for (const [i, name] of names.u.entries()) add(`tau.${name}`, uUnits[i]!.startsWith("rad") ? "N m" : "N", () => seen!.tau[i]!);
  add("energy.kinetic", "J", () => seen!.kinetic);
  add("energy.potential", "J", () => seen!.potential);
  add("energy.dissipated", "J", () => now.y[ny - 8 + DISSIPATED]!);
  add("energy.supplied", "J", () => now.y[ny - 8 + SUPPLIED]!);
  add("energy.balance", "J", () => now.balance);
  for (const [k, axis] of XYZ.entries()) add(`momentum.angular.${axis}`, "N m s", () => seen!.momentum[k]!);
  for (const [k, axis] of XYZ.entries()) add(`momentum.linear.${axis}`, "N s", () => seen!.momentum[3 + k]!);
  for (const [k, axis] of XYZ.entries()) add(`centre.${axis}`, "m", () => seen!.centre[k]!);
  for (const [i, { name, unit }] of ofElements.entries()) add(name, unit, () => seen!.channels[i]!);
  for (const [i, channel] of controllers.channels.entries()) readings.push({ ...channel, read: () => controllers.values[i]! });
  for (const [i, name] of heldInputs(layout).entries()) add(`held.${name}`, "", () => now.held[i]!);
  let z = 0;
  for (const e of layout.elements) {
    for (const [k] of (e.z0 ?? []).entries()) {
      const at = nq + nu + z++;
      add(`z.${e.name}.${k + 1}`, "", () => now.y[at]!);
    }
  }
  for (const [f, frame] of frames.entries()) {
    const at = PER_FRAME * f;
    for (const [k, axis] of XYZ.entries()) add(`frame.${frame.name}.${axis}`, "m", () => placed[at + 9 + k]!);
    for (const [k, part] of ["qw", "qx", "qy", "qz"].entries()) add(`frame.${frame.name}.${part}`, "", () => attitude(f)[k]!);
    for (const [k, axis] of XYZ.entries()) add(`frame.${frame.name}.w${axis}`, "rad/s", () => placed[at + 12 + k]!);
    for (const [k, axis] of XYZ.entries()) add(`frame.${frame.name}.v${axis}`, "m/s", () => placed[at + 15 + k]!);
  }
  for (const [f, frame] of frames.entries())
    for (const [k, axis] of XYZ.entries()) add(`acceleration.${frame.name}.${axis}`, "m/s^2", () => accelerations[3 * f + k]!);
  for (const b of model.bodies) {
    for (const [k, axis] of XYZ.entries()) add(`reaction.${b.hinge.name}.t${axis}`, "N m", () => reactions[6 * b.index + k]!);
    for (const [k, axis] of XYZ.entries()) add(`reaction.${b.hinge.name}.f${axis}`, "N", () => reactions[6 * b.index + 3 + k]!);
  }

  const loads = loadChannels(layout, frames);
  readings.push(...loads.channels);
  const loops = loopChannels(layout);
  readings.push(...loops.channels);

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
