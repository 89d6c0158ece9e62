/**
 * Programs of the motion of a model under traced force elements: t, y, held, tau, w → ẏ. With the articulated formulation the program
 * contains the accelerations. For the other formulations it ends at the loads, and the formulation computes the accelerations.
 */

import { traceOptionsOf } from "../../dynamics/trace-model.ts";
import { accelerations } from "../../dynamics/tree/forward-dynamics.ts";
import type { PlacedLink } from "../../dynamics/tree/kinematics.ts";
import {
  coordinateRates,
  frameAccelerations,
  framePose,
  frameSpecificForces,
  partialVelocities,
  placementsOfLinks,
} from "../../dynamics/tree/kinematics.ts";
import { type LinkTree, linkTreeOf } from "../../dynamics/tree/link-tree.ts";
import { firstMoment, massCentre, momentaOfLinks, momentum, potentialEnergy } from "../../dynamics/tree/momentum.ts";
import { cachedPerOwner } from "../../kernel/run/program-cache.ts";
import { type Program, trace } from "../../kernel/trace/program.ts";
import { add, div, type Scalar, sub } from "../../kernel/trace/scalar.ts";
import type { Frame, Hinge } from "../../model/model.ts";
import { apply, transpose } from "../../spatial/rotation.ts";
import { cross, minus, plus, scale, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import type { ElementSwitch } from "./force-element.ts";
import { type Layout, layoutInputs } from "./layout.ts";
import { isFreeFloating } from "./mass-centre/free-floating.ts";
import { movingFrames, tracedMotionOf, traceElements } from "./trace-elements.ts";

const splitState = ({ nq, nu, nz, origin }: Layout, y: readonly Scalar[]) => ({
  q: y.slice(0, nq),
  u: y.slice(nq, nq + nu),
  z: y.slice(nq + nu, origin ?? nq + nu + nz),
  origin:
    origin === undefined
      ? undefined
      : {
          position: y.slice(origin, origin + 3) as unknown as Vec3,
          velocity: y.slice(origin + 3, origin + 6) as unknown as Vec3,
        },
});

/** Loads from outside on a free-floating machine, about the origin: wrenches, gravity, forces in free root hinges. */
interface OutsideLoads {
  readonly torque: Vec3;
  readonly force: Vec3;
  /** Mass of the machine, and its first moment. */
  readonly mass: Scalar;
  readonly moment: Vec3;
}

function outsideLoads(
  layout: Layout,
  linkTree: LinkTree,
  placements: readonly PlacedLink[],
  tau: readonly Scalar[],
  w: readonly Scalar[],
): OutsideLoads {
  const { mass, moment } = firstMoment(linkTree, placements);
  let torque = cross(moment, linkTree.gravity);
  let force = scale(mass, linkTree.gravity);
  const addWrench = (p: Vec3, t: Vec3, f: Vec3): void => {
    torque = plus(torque, plus(t, cross(p, f)));
    force = plus(force, f);
  };
  for (const [k, frame] of layout.frames.entries()) {
    const wrench = w.slice(6 * k, 6 * k + 6);
    addWrench(
      framePose(linkTree, placements, frame).p,
      wrench.slice(0, 3) as unknown as Vec3,
      wrench.slice(3) as unknown as Vec3,
    );
  }
  for (const { parent, hinge } of layout.model.bodies) {
    if (parent >= 0) continue;
    const { p, torque: t, force: f } = rootWrench(linkTree, placements, hinge, tau);
    addWrench(p, t, f);
  }
  return { torque, force, mass, moment };
}

/**
 * Wrench that the world exerts by generalised forces in a root hinge, at M's origin. The partial velocities of a floating root are orthonormal
 * (see isFreeFloating), so it is their sum with the forces as factors.
 */
function rootWrench(linkTree: LinkTree, placements: readonly PlacedLink[], hinge: Hinge, tau: readonly Scalar[]) {
  let [p, torque, force]: [Vec3, Vec3, Vec3] = [ZERO3, ZERO3, ZERO3];
  for (const [i, { u, element }] of linkTree.links.entries()) {
    if (u < hinge.u || u >= hinge.u + hinge.nu) continue;
    const { R, R_WF, offset } = placements[i]!;
    p = plus(p, offset);
    for (const [d, { w, v }] of partialVelocities(element, R, R_WF).entries()) {
      torque = plus(torque, scale(tau[u + d]!, w));
      force = plus(force, scale(tau[u + d]!, v));
    }
  }
  return { p, torque, force };
}

/** Rates of angular (about the origin) and linear impulse from outside. In mass-centre coordinates the origin takes the linear impulse. */
function impulseRates({ origin }: Layout, outside: OutsideLoads | undefined): Scalar[] {
  if (outside === undefined) return [0, 0, 0, 0, 0, 0];
  const { torque, force, mass, moment } = outside;
  if (origin === undefined) return [...torque, ...force];
  return [...minus(torque, cross(moment, scale(div(1, mass), force))), 0, 0, 0];
}

/** u̇ relative to an origin that accelerates: the linear accelerations of free root hinges are less by that acceleration. */
function relativeAccelerations(
  linkTree: LinkTree,
  placements: readonly PlacedLink[],
  udot: readonly Scalar[],
  acceleration: Vec3,
): Scalar[] {
  const relative = [...udot];
  for (const [i, link] of linkTree.links.entries()) {
    if (link.parent >= 0) continue;
    const inHinge = apply(transpose(placements[i]!.R_WF), acceleration);
    for (const k of [0, 1, 2] as const) relative[link.u + 3 + k] = sub(relative[link.u + 3 + k]!, inHinge[k]);
  }
  return relative;
}

export type MotionProgram = Program<ReturnType<typeof layoutInputs>, { readonly ydot: number }>;

type TracedInputs = Readonly<Record<"t" | "y" | "held" | "tau" | "w", readonly Scalar[]>>;

/** The loads at a state, and ẏ as a function of the accelerations and of the power of prescribed motions. */
export function traceLoads(layout: Layout, { t, y, held, tau: addedTau, w: addedW }: TracedInputs) {
  const { q, u, z, origin } = splitState(layout, y);
  const linkTree = linkTreeOf(layout.model);
  const placements = placementsOfLinks(linkTree, q);
  const totals = traceElements(layout, linkTree, placements, { t: t[0]!, q, u, z, held, origin });
  const tau = totals.tau.map((v, i) => add(v, addedTau[i] ?? 0));
  const w = totals.w.map((v, i) => add(v, addedW[i] ?? 0));
  const outside = isFreeFloating(layout.model) ? outsideLoads(layout, linkTree, placements, tau, w) : undefined;
  // Acceleration of the mass centre by loads. A field accelerates bodies and origin alike, so it does not appear in u̇.
  const pushed: Vec3 = origin && outside ? scale(div(1, outside.mass), outside.force) : ZERO3;
  const ydot = (udot: readonly Scalar[], driven: Scalar = 0): Scalar[] => [
    ...coordinateRates(layout.model, q, u),
    ...(origin ? relativeAccelerations(linkTree, placements, udot, pushed) : udot),
    ...totals.zdot,
    ...(origin ? [...origin.velocity, ...plus(totals.fall, pushed)] : []),
    totals.dissipated,
    add(totals.supplied, driven),
    ...impulseRates(layout, outside),
  ];
  return { q, u, tau, w, ydot };
}

/** A program of a layout, traced once for all layouts with the same key. */
export const cachedProgram = <T extends object>({ model, key }: Layout, what: string, make: () => T): T =>
  cachedPerOwner(model, key === undefined ? undefined : `${what}\n${key}`, make);

/** ẏ with the accelerations of the articulated formulation. The caller adds the energy rates of numeric elements. */
export const motionProgram = (layout: Layout): MotionProgram =>
  cachedProgram(layout, "motion", () =>
    trace(
      `${layout.model.name} motion`,
      layoutInputs(layout),
      (given) => {
        const { q, u, tau, w, ydot } = traceLoads(layout, given);
        return { ydot: ydot(accelerations(layout.model, layout.frames, q, u, tau, w)) };
      },
      traceOptionsOf(layout),
    ),
  );

/** ẏ without accelerations of a formulation, which are added to u̇. tau and w are outputs for it. */
export const loadsProgram = (layout: Layout) =>
  cachedProgram(layout, "loads", () =>
    trace(
      `${layout.model.name} loads`,
      layoutInputs(layout),
      (given) => {
        const { tau, w, ydot } = traceLoads(layout, given);
        return { ydot: ydot(new Array<Scalar>(layout.nu).fill(0)), tau, w };
      },
      traceOptionsOf(layout),
    ),
  );

/**
 * Observed quantities: energies, momentum, mass centre, traced loads, and the channels of elements. The channels of numeric elements are
 * listed after the traced ones. They are not outputs of the program.
 */
export const observationProgram = (layout: Layout) => cachedProgram(layout, "observation", () => tracedObservation(layout));

function tracedObservation(layout: Layout) {
  const channels: { name: string; unit: string }[] = [];
  const program = trace(
    `${layout.model.name} observation`,
    layoutInputs(layout),
    ({ t, y, held }) => {
      const { q, u, z, origin } = splitState(layout, y);
      const linkTree = linkTreeOf(layout.model);
      const placements = placementsOfLinks(linkTree, q);
      const totals = traceElements(layout, linkTree, placements, { t: t[0]!, q, u, z, held, origin });
      for (const { name, unit } of totals.channels) channels.push({ name, unit });
      const momenta = momentaOfLinks(linkTree, q, u);
      return {
        energy: [momenta.kineticEnergy, add(potentialEnergy(linkTree, placements), totals.potential)],
        momentum: momentum(linkTree, placements, momenta, q),
        centre: [...massCentre(linkTree, placements)],
        fall: origin ? [...totals.fall] : [],
        tau: totals.tau,
        w: totals.w,
        channels: totals.channels.map((c) => c.value),
      };
    },
    traceOptionsOf(layout),
  );
  const numericChannels = layout.elements.flatMap((e) =>
    ((e.apply && e.channels) || []).map(({ name, unit }) => ({ name: `${e.name}.${name}`, unit })),
  );
  return { program, channels: [...channels, ...numericChannels] as readonly { readonly name: string; readonly unit: string }[] };
}

/** The margins of a switch of an element, and their texts. */
export const switchProgram = (layout: Layout, element: number, elementSwitch: ElementSwitch) =>
  cachedProgram(layout, `switch ${element} ${elementSwitch.name}`, () => tracedSwitch(layout, element, elementSwitch));

function tracedSwitch(layout: Layout, element: number, { name, margin }: ElementSwitch) {
  let texts: readonly { readonly what: string; readonly unit?: string }[] = [];
  const inputs = { t: 1, y: layout.ny, held: layout.nheld };
  const program = trace(`${layout.elements[element]!.name}.${name}`, inputs, ({ t, y, held }) => {
    const { q, u, z, origin } = splitState(layout, y);
    const linkTree = linkTreeOf(layout.model);
    const motionOf = tracedMotionOf(layout, linkTree, placementsOfLinks(linkTree, q), { t: t[0]!, q, u, z, held, origin });
    const margins = margin(motionOf(element));
    texts = margins;
    return { margins: margins.map((m) => m.value) };
  });
  return { program, texts };
}

/** Pose (12), angular and linear velocity (6) of frames in world axes, for numeric elements and for the recorder. */
export const framesProgram = ({ model, nq, nu }: Layout, frames: readonly Frame[]) =>
  cachedPerOwner(model, `frames ${frames.map((f) => f.name).join(" ")}`, () =>
    trace(
      `${model.name} frames`,
      { q: nq, u: nu },
      ({ q, u }) => ({
        frames: movingFrames(model, q, u, frames).flatMap(({ R, p, w, v }) => [...R.flat(), ...p, ...w, ...v]),
      }),
      traceOptionsOf(model),
    ),
  );

/** Acceleration of the origins of frames in their own axes. */
export const frameAccelerationsProgram = ({ nq, nu, model }: Layout, frames: readonly Frame[]) =>
  cachedPerOwner(model, `accelerations of frames ${frames.map((f) => f.name).join(" ")}`, () =>
    trace(`${model.name} accelerations of frames`, { q: nq, u: nu, udot: nu }, ({ q, u, udot }) => {
      const linkTree = linkTreeOf(model);
      return { accelerations: frameAccelerations(linkTree, q, u, udot, frames).flat() };
    }),
  );

/** Specific force at the origins of frames in their own axes, acceleration less gravity, as an accelerometer shows it. */
export const frameSpecificForcesProgram = ({ nq, nu, model }: Layout, frames: readonly Frame[]) =>
  cachedPerOwner(model, `specific forces of frames ${frames.map((f) => f.name).join(" ")}`, () =>
    trace(`${model.name} specific forces of frames`, { q: nq, u: nu, udot: nu }, ({ q, u, udot }) => {
      const linkTree = linkTreeOf(model);
      return { specificForces: frameSpecificForces(linkTree, q, u, udot, frames).flat() };
    }),
  );
