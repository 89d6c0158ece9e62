/**
 * The motion of a model under traced force elements, as one program: t, y, held, tau, w → ẏ. With the articulated formulation
 * the accelerations are in it; for the others it stops at the loads, and `accelerations` of the formulation follow.
 *
 * y = [q, u, z, ledger]. The ledger is integrated with the motion, so that the audit knows what went in and out:
 * dissipated energy, supplied energy, angular impulse about the world origin (3) and linear impulse (3) from outside.
 */
import { accelerations } from "../dynamics/forward-dynamics.ts";
import {
  coordinateRates,
  frameAccelerations,
  frameOnLink,
  framePose,
  type PlacedLink,
  placeLinks,
} from "../dynamics/kinematics.ts";
import { type Elimination, eliminated } from "../dynamics/loop-programs.ts";
import { type Machine, machineOf } from "../dynamics/machine.ts";
import { firstMoment, kineticEnergy, linkVelocities, massCentre, momentum, potentialEnergy } from "../dynamics/momentum.ts";
import { type Program, trace } from "../kernel/program.ts";
import { add, mul, type Scalar, sub } from "../kernel/scalar.ts";
import { ModelError } from "../model/errors.ts";
import { foundSize } from "../model/found.ts";
import { type Frame, frameOf, type Hinge, type Model } from "../model/model.ts";
import { apply, compose, transpose } from "../spatial/rotation.ts";
import { cross, plus, scale, type Vec3, ZERO3 } from "../spatial/vec3.ts";
import type { Motion } from "../spatial/vectors.ts";
import type { ElementSwitch, ForceElement, TracedBody, TracedFrame, TracedLoads, TracedMotion } from "./force-element.ts";
import { springElements } from "./spring-elements.ts";

export const LEDGER = 8;
export const DISSIPATED = 0;
export const SUPPLIED = 1;
export const IMPULSE = 2;

/** Where everything lies: offsets into y, held inputs and wrenches. */
export interface Layout {
  readonly model: Model;
  readonly elements: readonly ForceElement[];
  readonly nq: number;
  readonly nu: number;
  readonly nz: number;
  /** Size of y. */
  readonly ny: number;
  /** First internal state and first held input of each element. */
  readonly z: readonly number[];
  readonly held: readonly number[];
  readonly nheld: number;
  /** Frames that feel wrenches, each once. */
  readonly frames: readonly Frame[];
  /** Index into `frames` of each element's own frames. */
  readonly frameIndex: readonly (readonly number[])[];
  /** Some elements compute in numbers: tau and w are inputs. */
  readonly numeric: boolean;
}

/** The springs of the model itself come first, then the given elements. */
export function layoutOf(model: Model, given: readonly ForceElement[]): Layout {
  const elements = [...springElements(model), ...given];
  const frames: Frame[] = [];
  const frameIndex = elements.map((e) =>
    (e.frames ?? []).map((name) => {
      const at = frames.findIndex((f) => f.name === name);
      return at >= 0 ? at : frames.push(frameOf(model, name)) - 1;
    }),
  );
  const starts = (sizes: readonly number[], first: number): number[] =>
    sizes.map((_, i) => sizes.slice(0, i).reduce((a, b) => a + b, first));
  const nzs = elements.map((e) => e.z0?.length ?? 0);
  const helds = elements.map((e) => e.held?.length ?? 0);
  const nz = nzs.reduce((a, b) => a + b, 0);
  return {
    model,
    elements,
    nq: model.nq,
    nu: model.nu,
    nz,
    ny: model.nq + model.nu + nz + LEDGER,
    z: starts(nzs, 0),
    held: starts(helds, 0),
    nheld: helds.reduce((a, b) => a + b, 0),
    frames,
    frameIndex,
    numeric: elements.some((e) => e.apply !== undefined || (e.friction?.length ?? 0) > 0),
  };
}

/** Everything traced of the elements at one state. */
interface TracedTotals {
  readonly tau: Scalar[];
  readonly w: Scalar[];
  readonly zdot: Scalar[];
  potential: Scalar;
  dissipated: Scalar;
  supplied: Scalar;
  readonly channels: { readonly name: string; readonly unit: string; readonly value: Scalar }[];
}

function hingeOf(model: Model, name: string, element: string): Hinge {
  const body = model.bodies.find((b) => b.hinge.name === name);
  if (body) return body.hinge;
  const known = model.bodies
    .map((b) => b.hinge.name)
    .slice(0, 12)
    .join(", ");
  throw new ModelError(model.name, [{ path: element, message: `no hinge named "${name}"`, advice: `There are: ${known}` }]);
}

interface TracedState {
  readonly t: Scalar;
  readonly q: readonly Scalar[];
  readonly u: readonly Scalar[];
  readonly z: readonly Scalar[];
  readonly held: readonly Scalar[];
}

/** Runs the traced elements over a state of expressions (or numbers). */
export function traceElements(layout: Layout, machine: Machine, placed: readonly PlacedLink[], x: TracedState): TracedTotals {
  const { nu, nz, frames } = layout;
  const zeros = (n: number): Scalar[] => new Array<Scalar>(n).fill(0);
  const totals: TracedTotals = {
    tau: zeros(nu),
    w: zeros(6 * frames.length),
    zdot: zeros(nz),
    potential: 0,
    dissipated: 0,
    supplied: 0,
    channels: [],
  };
  const seen = tracedMotions(layout, machine, placed, x);
  for (const [i, element] of layout.elements.entries()) element.trace?.(seen(i), collectorOf(layout, i, totals));
  return totals;
}

/** What an element sees, by its number. */
function tracedMotions(
  layout: Layout,
  machine: Machine,
  placed: readonly PlacedLink[],
  x: TracedState,
): (i: number) => TracedMotion {
  const { model } = layout;
  const frameOfName = (name: string): TracedFrame => movingFrame(machine, placed, velocities(), frameOf(model, name));
  const bodies = (): TracedBody[] =>
    model.bodies.map((b) => {
      const { R, p } = framePose(machine, placed, frameOf(model, b.name));
      return {
        name: b.name,
        mass: b.mass,
        centre: plus(p, apply(R, b.com)),
        inertia: compose(compose(R, b.inertia), transpose(R)),
      };
    });
  let V: Motion[] | undefined;
  const velocities = (): Motion[] => {
    V ??= linkVelocities(machine, x.q, x.u);
    return V;
  };
  return (i) => {
    const element = layout.elements[i]!;
    return {
      t: x.t,
      z: x.z.slice(layout.z[i], layout.z[i]! + (element.z0?.length ?? 0)),
      held: x.held.slice(layout.held[i], layout.held[i]! + (element.held?.length ?? 0)),
      hinge: (name) => {
        const h = hingeOf(model, name, element.name);
        return { q: x.q.slice(h.q, h.q + h.nq), u: x.u.slice(h.u, h.u + h.nu) };
      },
      frame: frameOfName,
      bodies,
    };
  };
}

/** Frames in the world at a state, of numbers or expressions. */
export function movingFrames(
  model: Model,
  q: readonly Scalar[],
  u: readonly Scalar[],
  frames: readonly Frame[],
): readonly TracedFrame[] {
  const machine = machineOf(model);
  const placed = placeLinks(machine, q);
  const V = linkVelocities(machine, q, u);
  return frames.map((frame) => movingFrame(machine, placed, V, frame));
}

/** A frame in the world, with the velocity of its link carried to it. */
function movingFrame(machine: Machine, placed: readonly PlacedLink[], V: readonly Motion[], frame: Frame): TracedFrame {
  const { R, p } = framePose(machine, placed, frame);
  const { link, placement } = frameOnLink(machine, frame);
  if (link < 0) return { R, p, w: ZERO3, v: ZERO3 };
  const { angular, linear } = V[link]!;
  const R_WL = placed[link]!.R;
  return { R, p, w: apply(R_WL, angular), v: apply(R_WL, plus(linear, cross(angular, placement.p))) };
}

function collectorOf(layout: Layout, i: number, totals: TracedTotals): TracedLoads {
  const element = layout.elements[i]!;
  return {
    hinge: (name, part, force) => {
      const at = hingeOf(layout.model, name, element.name).u + part;
      totals.tau[at] = add(totals.tau[at]!, force);
    },
    wrench: (frame, torque, force) => {
      const own = (element.frames ?? []).indexOf(frame);
      if (own < 0) throw new Error(`${element.name} exerts a wrench at "${frame}", which is not among its frames`);
      const at = 6 * layout.frameIndex[i]![own]!;
      for (const [k, value] of [...torque, ...force].entries()) totals.w[at + k] = add(totals.w[at + k]!, value);
    },
    rate: (k, value) => {
      totals.zdot[layout.z[i]! + k] = value;
    },
    potential: (energy) => {
      totals.potential = add(totals.potential, energy);
    },
    dissipated: (power) => {
      totals.dissipated = add(totals.dissipated, power);
    },
    supplied: (power) => {
      totals.supplied = add(totals.supplied, power);
    },
    channel: (name, unit, value) => {
      totals.channels.push({ name: `${element.name}.${name}`, unit, value });
    },
  };
}

/**
 * Every root of the model floats, and no loop holds it to the world or may come to, by a frame there or by the coordinates of a root: total
 * momentum changes only by wrenches from outside.
 */
export const floats = (model: Model<Scalar>): boolean => {
  const roots = model.bodies.filter((b) => b.parent < 0).map((b) => b.hinge);
  const ofRoot = (u: number): boolean => roots.some((hinge) => u >= hinge.u && u < hinge.u + hinge.nu);
  return (
    roots.every((hinge) => hinge.nu === 6) &&
    [...model.loops, ...model.openLoops].every((l) =>
      l.type === "frames" ? l.from.body >= 0 && l.to.body >= 0 : !l.terms.some((term) => ofRoot(term.u)),
    )
  );
};

/** Rates of angular (about the world origin) and linear impulse from outside: wrenches, gravity, forces in free root hinges. */
function impulseRates(
  layout: Layout,
  machine: Machine,
  placed: readonly PlacedLink[],
  tau: readonly Scalar[],
  w: readonly Scalar[],
): Scalar[] {
  if (!floats(layout.model)) return [0, 0, 0, 0, 0, 0];
  const { mass, moment } = firstMoment(machine, placed);
  let torque = cross(moment, machine.gravity);
  let force = scale(mass, machine.gravity);
  const give = (p: Vec3, t: Vec3, f: Vec3): void => {
    torque = plus(torque, plus(t, cross(p, f)));
    force = plus(force, f);
  };
  for (const [k, frame] of layout.frames.entries()) {
    const at = w.slice(6 * k, 6 * k + 6);
    give(framePose(machine, placed, frame).p, at.slice(0, 3) as unknown as Vec3, at.slice(3) as unknown as Vec3);
  }
  for (const [i, link] of machine.links.entries()) {
    if (link.parent >= 0) continue;
    const own = tau.slice(link.u, link.u + 6);
    const { R_WF, offset } = placed[i]!;
    give(offset, apply(R_WF, own.slice(0, 3) as unknown as Vec3), apply(R_WF, own.slice(3) as unknown as Vec3));
  }
  return [...torque, ...force];
}

const split = (layout: Layout, y: readonly Scalar[]) => {
  const { nq, nu, nz } = layout;
  return { q: y.slice(0, nq), u: y.slice(nq, nq + nu), z: y.slice(nq + nu, nq + nu + nz) };
};

/** Inputs of the programs of a system. */
export const layoutInputs = (layout: Layout) => ({
  t: 1,
  y: layout.ny,
  held: layout.nheld,
  tau: layout.numeric ? layout.nu : 0,
  w: layout.numeric ? 6 * layout.frames.length : 0,
});

export type MotionProgram = Program<ReturnType<typeof layoutInputs>, { readonly ydot: number }>;

type TracedInputs = Readonly<Record<"t" | "y" | "held" | "tau" | "w", readonly Scalar[]>>;

/** A state, what acts at it, and ẏ for given accelerations and given power of prescribed motions. */
function traceLoads(layout: Layout, { t, y, held, tau: given, w: givenW }: TracedInputs) {
  const { q, u, z } = split(layout, y);
  const machine = machineOf(layout.model);
  const placed = placeLinks(machine, q);
  const totals = traceElements(layout, machine, placed, { t: t[0]!, q, u, z, held });
  const tau = totals.tau.map((v, i) => add(v, given[i] ?? 0));
  const w = totals.w.map((v, i) => add(v, givenW[i] ?? 0));
  const ydot = (udot: readonly Scalar[], driven: Scalar = 0): Scalar[] => [
    ...coordinateRates(layout.model, q, u),
    ...udot,
    ...totals.zdot,
    totals.dissipated,
    add(totals.supplied, driven),
    ...impulseRates(layout, machine, placed, tau, w),
  ];
  return { q, u, tau, w, ydot };
}

/** ẏ with the accelerations of the articulated formulation inside. Energy rates of numeric elements are added by the caller. */
export function motionProgram(layout: Layout): MotionProgram {
  return trace(`${layout.model.name} motion`, layoutInputs(layout), (given) => {
    const { q, u, tau, w, ydot } = traceLoads(layout, given);
    return { ydot: ydot(accelerations(layout.model, layout.frames, q, u, tau, w)) };
  });
}

/**
 * The same for a model whose loops hold, eliminated in one order of pivots. Whether that suits the numbers is the second output
 * (see compiled-order.ts).
 */
export function loopMotionProgram(layout: Layout, model: Model, elimination: Elimination) {
  const inputs = { ...layoutInputs(layout), found: foundSize(model) };
  return trace(`${model.name} motion with loops`, inputs, (given) => {
    const { q, u, tau, w, ydot } = traceLoads(layout, given);
    const { x, driven, order } = eliminated(model, layout.frames, elimination, { ...given, q, u, tau, w });
    const power = driven.reduce<Scalar>((sum, rate, i) => sub(sum, mul(x[model.nu + i]!, rate)), 0);
    return { ydot: ydot(x.slice(0, model.nu), power), order };
  });
}

/** The same without accelerations: u̇ is left zero, and tau and w are outputs for another formulation. */
export function loadsProgram(layout: Layout) {
  return trace(`${layout.model.name} loads`, layoutInputs(layout), (given) => {
    const { tau, w, ydot } = traceLoads(layout, given);
    return { ydot: ydot(new Array<Scalar>(layout.nu).fill(0)), tau, w };
  });
}

/**
 * What is watched and recorded: energies, momentum, mass centre, traced loads, and the elements' own channels. Those of numeric elements
 * are listed after the traced ones, and are not in the program.
 */
export function observationProgram(layout: Layout) {
  const channels: { name: string; unit: string }[] = [];
  const program = trace(`${layout.model.name} observation`, layoutInputs(layout), ({ t, y, held }) => {
    const { q, u, z } = split(layout, y);
    const machine = machineOf(layout.model);
    const placed = placeLinks(machine, q);
    const totals = traceElements(layout, machine, placed, { t: t[0]!, q, u, z, held });
    for (const { name, unit } of totals.channels) channels.push({ name, unit });
    return {
      energy: [kineticEnergy(machine, q, u), add(potentialEnergy(machine, placed), totals.potential)],
      momentum: momentum(machine, placed, q, u),
      centre: [...massCentre(machine, placed)],
      tau: totals.tau,
      w: totals.w,
      channels: totals.channels.map((c) => c.value),
    };
  });
  const ofNumeric = layout.elements.flatMap((e) =>
    ((e.apply && e.channels) || []).map(({ name, unit }) => ({ name: `${e.name}.${name}`, unit })),
  );
  return { program, channels: [...channels, ...ofNumeric] as readonly { readonly name: string; readonly unit: string }[] };
}

/** The margins of a switch of an element, and what each says while it stands in the way. */
export function switchProgram(layout: Layout, element: number, { name, margin }: ElementSwitch) {
  let words: readonly { readonly what: string; readonly unit?: string }[] = [];
  const inputs = { t: 1, y: layout.ny, held: layout.nheld };
  const program = trace(`${layout.elements[element]!.name}.${name}`, inputs, ({ t, y, held }) => {
    const { q, u, z } = split(layout, y);
    const machine = machineOf(layout.model);
    const seen = tracedMotions(layout, machine, placeLinks(machine, q), { t: t[0]!, q, u, z, held });
    const margins = margin(seen(element));
    words = margins;
    return { margins: margins.map((m) => m.value) };
  });
  return { program, words };
}

/** Pose (12), angular and linear velocity (6) of frames, world axes, for numeric elements and for the recorder. */
export function framesProgram(layout: Layout, frames: readonly Frame[]) {
  return trace(`${layout.model.name} frames`, { q: layout.nq, u: layout.nu }, ({ q, u }) => ({
    frames: movingFrames(layout.model, q, u, frames).flatMap(({ R, p, w, v }) => [...R.flat(), ...p, ...w, ...v]),
  }));
}

/** Acceleration of the origin of frames in their own axes, as accelerometers there show it, gravity apart. */
export function frameAccelerationsProgram(layout: Layout, frames: readonly Frame[]) {
  const { nq, nu, model } = layout;
  return trace(`${model.name} accelerations of frames`, { q: nq, u: nu, udot: nu }, ({ q, u, udot }) => {
    const machine = machineOf(model);
    return { accelerations: frameAccelerations(machine, q, u, udot, frames).flat() };
  });
}
