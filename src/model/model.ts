/**
 * The model: rigid bodies joined in a tree by hinges. It is immutable, and bodies are numbered base to tip. Numbers may be replaced by
 * kernel inputs (see parameters.ts), hence the type parameter.
 */

import { checkMembers, didYouMean, refuseArgument } from "../arguments.ts";
import { ModelError, type Problem, valueText } from "../errors.ts";
import type { Scalar } from "../kernel/trace/scalar.ts";
import type { Placement } from "../spatial/placement.ts";
import type { Mat3 } from "../spatial/rotation.ts";
import type { Vec3 } from "../spatial/vec3.ts";
import type { BodyShape } from "./body-shape.ts";
import type { Springs } from "./elastic/springs.ts";
import type { HingeElement } from "./hinge.ts";
import type { Loop } from "./loop.ts";

export type { Placement } from "../spatial/placement.ts";

export interface Hinge<S extends Scalar = number> {
  readonly name: string;
  readonly kind: string;
  /** The kind's parameters as given, for display and saving. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly elements: readonly HingeElement[];
  /** X_PF: the hinge frame on the parent. */
  readonly onParent: Placement<S>;
  /** X_BM: the hinge frame on the body. */
  readonly onBody: Placement<S>;
  /** Indices of its first coordinate in q and first speed in u, and their numbers. */
  readonly q: number;
  readonly u: number;
  readonly nq: number;
  readonly nu: number;
}

/** A named point of interest on a body: a hand, a sensor, a mount. */
export interface Frame<S extends Scalar = number> {
  readonly name: string;
  readonly body: number;
  /** X_BE */
  readonly placement: Placement<S, S | number>;
}

export interface Body<S extends Scalar = number> {
  readonly name: string;
  readonly index: number;
  /** Index of the parent, always smaller than the body's own; -1 is the inertial world. */
  readonly parent: number;
  readonly mass: S;
  /** Vector from the body origin to the mass centre, body axes. */
  readonly com: Vec3<S>;
  /** About the mass centre, body axes. */
  readonly inertia: Mat3<S>;
  /** The hinge to the parent. */
  readonly hinge: Hinge<S>;
  /** Given shapes, for pictures; `equivalentShape` gives one for bodies without shapes. */
  readonly shapes: readonly BodyShape[];
}

export interface Model<S extends Scalar = number> {
  readonly name: string;
  /** Uniform gravity in world axes. */
  readonly gravity: Vec3<S>;
  readonly bodies: readonly Body<S>[];
  readonly frames: readonly Frame<S>[];
  /** Engaged loops: hinges outside of the tree, and other constraints. */
  readonly loops: readonly Loop<S>[];
  /** Open loops, which a run may engage: see `withEngagedLoops`. */
  readonly openLoops: readonly Loop<S>[];
  /** Springs inside elastic bodies. They act in every motion. */
  readonly springs: readonly Springs[];
  /** Shapes fixed to the world, for pictures. */
  readonly shapes: readonly BodyShape[];
  readonly nq: number;
  readonly nu: number;
  /** Unusual values that do not prevent a run, e.g. an inertia that no real body has. */
  readonly warnings: readonly Problem[];
}

/** @throws ArgumentError if `model` is not a model, but e.g. its description */
export const checkModel = (model: unknown): void => checkMembers("model", model, ["bodies", "nu"], MODEL);

const MODEL = "a model, as createModel and parseModel return it";

/** The same for functions that need only the bodies. */
function checkBodies(model: Pick<Model<Scalar>, "bodies">): void {
  const bodies: unknown = (model as Partial<Model> | null | undefined)?.bodies;
  if (!(Array.isArray(bodies) && (bodies.length === 0 || Array.isArray((bodies[0] as Partial<Body>)?.hinge?.elements))))
    refuseArgument("model", MODEL, model);
}

/** The frame of this name. A body's name means its own frame. */
export function frameOf<S extends Scalar>(model: Model<S>, name: string): Frame<S> {
  checkModel(model);
  const frame = model.frames.find((f) => f.name === name);
  if (frame) return frame;
  const body = model.bodies.find((b) => b.name === name);
  if (body)
    return {
      name,
      body: body.index,
      placement: {
        R: [
          [1, 0, 0],
          [0, 1, 0],
          [0, 0, 1],
        ],
        p: [0, 0, 0] as unknown as Vec3<S>,
      },
    };
  const advice = didYouMean(name, [...model.bodies.map((b) => b.name), ...model.frames.map((f) => f.name)]);
  throw new ModelError(model.name, [{ path: "", message: `no frame or body named ${valueText(name)}`, advice }]);
}

/** The coordinates with every hinge at home, where M coincides with F. */
export function homeOf(model: Model<Scalar>): Float64Array {
  checkBodies(model);
  return Float64Array.from(model.bodies.flatMap((b) => b.hinge.elements.flatMap((e) => e.home)));
}

/** Index of the first component of each unit quaternion in q. */
export function quaternionStarts(model: Model<Scalar>): number[] {
  const starts: number[] = [];
  for (const { hinge } of model.bodies) {
    let first = hinge.q;
    for (const e of hinge.elements) {
      if (e.quaternion !== undefined) starts.push(first + e.quaternion);
      first += e.nq;
    }
  }
  return starts;
}

/** Names of all coordinates and speeds: the hinge's name, followed by the part if the hinge has several. */
export function coordinateNames(model: Model<Scalar>): { readonly q: readonly string[]; readonly u: readonly string[] } {
  checkBodies(model);
  return {
    q: model.bodies.flatMap(({ hinge }) => hingeCoordinateNames(hinge, "q")),
    u: model.bodies.flatMap(({ hinge }) => hingeCoordinateNames(hinge, "u")),
  };
}

/** The same for one hinge. */
export function hingeCoordinateNames({ name, elements }: Pick<Hinge<Scalar>, "name" | "elements">, which: "q" | "u"): string[] {
  const partNames = elements.flatMap((e, i) => e.parts[which].map((part) => part || elementPartName(e, i)));
  return partNames.length === 1 ? [name] : partNames.map((part) => `${name}.${part}`);
}

/** Name of a one-freedom element in a hinge with several: x, y, z, rx, ry, rz, or "turn"/"slide" with its position. */
function elementPartName(element: HingeElement, position: number): string {
  const { axis, turn } = element.screw!;
  const name = ["x", "y", "z"][axis.indexOf(1)];
  return name === undefined ? `${turn ? "turn" : "slide"}${position + 1}` : `${turn ? "r" : ""}${name}`;
}
