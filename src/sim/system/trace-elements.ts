/** Traces the force elements over a state of expressions or numbers. */

import { childPath } from "../../declare/plain-data.ts";
import { frameOnLink, framePose, type PlacedLink, placementsOfLinks } from "../../dynamics/tree/kinematics.ts";
import { type LinkTree, linkTreeOf } from "../../dynamics/tree/link-tree.ts";
import { linkVelocities } from "../../dynamics/tree/momentum.ts";
import { ArgumentError, ModelError } from "../../errors.ts";
import { add, beginStep, type Scalar } from "../../kernel/trace/scalar.ts";
import { type Frame, frameOf, type Hinge, type Model } from "../../model/model.ts";
import { apply, compose, transpose } from "../../spatial/rotation.ts";
import { cross, plus, type Vec3, ZERO3 } from "../../spatial/vec3.ts";
import type { Motion } from "../../spatial/vectors.ts";
import type { MovingOrigin, TracedBody, TracedFrame, TracedLoads, TracedMotion } from "./force-element.ts";
import type { Layout } from "./layout.ts";
import { ORIGIN_STATES } from "./mass-centre/free-floating.ts";

/** Sum of the traced loads of all elements at one state. */
interface TracedTotals {
  readonly tau: Scalar[];
  readonly w: Scalar[];
  readonly zdot: Scalar[];
  /** Acceleration that fields give to all bodies alike, in mass-centre coordinates. */
  fall: Vec3;
  potential: Scalar;
  dissipated: Scalar;
  supplied: Scalar;
  readonly channels: { readonly name: string; readonly unit: string; readonly value: Scalar }[];
}

const hingesByName = new WeakMap<Model, ReadonlyMap<string, Hinge>>();

function findHinge(model: Model, name: string, element: string): Hinge {
  const hinges = hingesByName.get(model) ?? new Map(model.bodies.map(({ hinge }) => [hinge.name, hinge]));
  hingesByName.set(model, hinges);
  const hinge = hinges.get(name);
  if (hinge) return hinge;
  const known = model.bodies
    .map((b) => b.hinge.name)
    .slice(0, 12)
    .join(", ");
  throw new ModelError(model.name, [{ path: element, message: `no hinge named "${name}"`, advice: `There are: ${known}` }]);
}

export interface TracedState {
  readonly t: Scalar;
  readonly q: readonly Scalar[];
  readonly u: readonly Scalar[];
  readonly z: readonly Scalar[];
  readonly held: readonly Scalar[];
  readonly origin?: MovingOrigin | undefined;
}

/** Loads of all traced elements at a state of expressions or numbers. */
export function traceElements(
  layout: Layout,
  linkTree: LinkTree,
  placements: readonly PlacedLink[],
  x: TracedState,
): TracedTotals {
  const { nu, nz, frames } = layout;
  const zeros = (n: number): Scalar[] => new Array<Scalar>(n).fill(0);
  const totals: TracedTotals = {
    tau: zeros(nu),
    w: zeros(6 * frames.length),
    zdot: zeros(nz - (x.origin ? ORIGIN_STATES : 0)),
    fall: ZERO3,
    potential: 0,
    dissipated: 0,
    supplied: 0,
    channels: [],
  };
  const motionOf = tracedMotionOf(layout, linkTree, placements, x);
  for (const [i, element] of layout.elements.entries()) {
    beginStep(x.q);
    element.trace?.(motionOf(i), loadCollector(layout, i, totals));
  }
  return totals;
}

/** The motion as element i sees it. */
export function tracedMotionOf(
  layout: Layout,
  linkTree: LinkTree,
  placements: readonly PlacedLink[],
  x: TracedState,
): (i: number) => TracedMotion {
  const { model } = layout;
  const frameOfName = (name: string): TracedFrame => movingFrame(linkTree, placements, velocities(), frameOf(model, name));
  const bodies = (): TracedBody[] =>
    model.bodies.map((b) => {
      const { R, p } = framePose(linkTree, placements, frameOf(model, b.name));
      const toCentre = apply(R, b.com);
      return {
        name: b.name,
        mass: b.mass,
        centre: plus(p, toCentre),
        toCentre,
        inertia: compose(compose(R, b.inertia), transpose(R)),
      };
    });
  let V: Motion[] | undefined;
  const velocities = (): Motion[] => {
    V ??= linkVelocities(linkTree, x.q, x.u);
    return V;
  };
  return (i) => {
    const element = layout.elements[i]!;
    return {
      t: x.t,
      z: x.z.slice(layout.z[i], layout.z[i]! + (element.z0?.length ?? 0)),
      held: x.held.slice(layout.held[i], layout.held[i]! + (element.held?.length ?? 0)),
      hinge: (name) => {
        const h = findHinge(model, name, element.name);
        const motion = { q: x.q.slice(h.q, h.q + h.nq), u: x.u.slice(h.u, h.u + h.nu) };
        return isRelativeRoot(layout, h) ? withoutTranslation(motion, layout, h, element.name) : motion;
      },
      frame: frameOfName,
      bodies,
      origin: x.origin,
    };
  };
}

/** True for a root hinge whose positions are relative to the mass centre. */
const isRelativeRoot = ({ model, origin }: Layout, hinge: Hinge): boolean =>
  origin !== undefined && model.bodies.some((body) => body.parent < 0 && body.hinge === hinge);

/**
 * Coordinates and speeds of a root in mass-centre coordinates. Reading its translation throws, because a spring or damper between the body and
 * the world needs the translation in the world.
 */
function withoutTranslation(
  motion: { readonly q: Scalar[]; readonly u: Scalar[] },
  { model }: Layout,
  hinge: Hinge,
  element: string,
): { readonly q: readonly Scalar[]; readonly u: readonly Scalar[] } {
  const refuse = (): never => {
    throw new ModelError(model.name, [
      {
        path: childPath("forces", element),
        message: `cannot act on the translation of ${hinge.name} in mass-centre coordinates, because it is relative to the mass centre`,
        advice: "Use a thruster or a wrench on the body, or coordinates: world",
      },
    ]);
  };
  for (const [values, first] of [
    [motion.q, 4],
    [motion.u, 3],
  ] as const)
    for (let i = first; i < values.length; i++) Object.defineProperty(values, i, { get: refuse });
  return motion;
}

/** Poses and velocities of frames in the world, of numbers or expressions. */
export function movingFrames(
  model: Model,
  q: readonly Scalar[],
  u: readonly Scalar[],
  frames: readonly Frame[],
): readonly TracedFrame[] {
  const linkTree = linkTreeOf(model);
  const placements = placementsOfLinks(linkTree, q);
  const V = linkVelocities(linkTree, q, u);
  return frames.map((frame) => {
    beginStep(q);
    return movingFrame(linkTree, placements, V, frame);
  });
}

/** Pose of a frame in the world, with the velocity of its link transferred to it. */
function movingFrame(linkTree: LinkTree, placements: readonly PlacedLink[], V: readonly Motion[], frame: Frame): TracedFrame {
  const { R, p } = framePose(linkTree, placements, frame);
  const { link, placement } = frameOnLink(linkTree, frame);
  if (link < 0) return { R, p, w: ZERO3, v: ZERO3 };
  const { angular, linear } = V[link]!;
  const R_WL = placements[link]!.R;
  return { R, p, w: apply(R_WL, angular), v: apply(R_WL, plus(linear, cross(angular, placement.p))) };
}

function loadCollector(layout: Layout, i: number, totals: TracedTotals): TracedLoads {
  const element = layout.elements[i]!;
  return {
    hinge: (name, part, force) => {
      const index = findHinge(layout.model, name, element.name).u + part;
      totals.tau[index] = add(totals.tau[index]!, force);
    },
    wrench: (frame, torque, force) => {
      const frameNumber = (element.frames ?? []).indexOf(frame);
      if (frameNumber < 0)
        throw new ArgumentError(
          `${element.name}.wrench`,
          `exerts a wrench at "${frame}", which is not among its frames: ${(element.frames ?? []).join(", ") || "none"}. Add it to its frames`,
        );
      const index = 6 * layout.frameIndex[i]![frameNumber]!;
      for (const [k, value] of [...torque, ...force].entries()) totals.w[index + k] = add(totals.w[index + k]!, value);
    },
    fall: (acceleration) => {
      if (layout.origin === undefined)
        throw new ArgumentError(
          `${element.name}.fall`,
          "is for mass-centre coordinates only. Exert wrenches on the bodies instead",
        );
      totals.fall = plus(totals.fall, acceleration);
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
