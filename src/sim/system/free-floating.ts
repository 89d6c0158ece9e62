/** Free-floating machines, and the coordinates that a system of one may have. */
import { childPath } from "../../declare/plain-data.ts";
import { ModelError, type Problem, valueText } from "../../errors.ts";
import type { Scalar } from "../../kernel/trace/scalar.ts";
import type { Hinge, Model } from "../../model/model.ts";
import type { ForceElement } from "./force-element.ts";

/**
 * Origin of positions and velocities. "world": that of the world. "mass-centre": the common mass centre of all bodies, with inertial axes. Then
 * the velocity of the mass centre is among the speeds of the state, its equation of motion is separate from the others [TR-942 2.3.2], and
 * no digits are lost at a large distance from the origin of the world.
 */
export type Coordinates = "world" | "mass-centre";
export const COORDINATES: readonly Coordinates[] = ["world", "mass-centre"];

/** Position (3) and velocity (3) of the mass centre. */
export const ORIGIN_STATES = 6;

const rootHinges = (model: Model<Scalar>): Hinge<Scalar>[] => model.bodies.filter((b) => b.parent < 0).map((b) => b.hinge);

/** Loops that connect the machine to the world, now or later, by a frame of the world or by coordinates of a root. */
function loopsWithWorld(model: Model<Scalar>) {
  const roots = rootHinges(model);
  const ofRoot = (u: number): boolean => roots.some((hinge) => u >= hinge.u && u < hinge.u + hinge.nu);
  return [...model.loops, ...model.openLoops].filter((l) =>
    l.type === "frames" ? l.from.body < 0 || l.to.body < 0 : l.terms.some((term) => ofRoot(term.u)),
  );
}

/** True if only external wrenches change the total momentum: every root of the model floats, and no loop connects it to the world. */
export const isFreeFloating = (model: Model<Scalar>): boolean =>
  rootHinges(model).every((hinge) => hinge.nu === 6) && loopsWithWorld(model).length === 0;

/** @throws ModelError if the model does not float freely, or if an element needs the origin of the world */
export function checkMassCentreCoordinates(model: Model, elements: readonly ForceElement[]): void {
  const isFree = ({ elements: chain }: Hinge): boolean => chain.length === 1 && chain[0]!.nu === 6;
  const advice = "Use coordinates: world, or let the machine float freely";
  const problems: Problem[] = [
    ...model.bodies
      .filter((body) => body.parent < 0 && !isFree(body.hinge))
      .map(({ name, hinge }) => ({
        path: "coordinates",
        message: `mass-centre coordinates are for free-flying machines, but ${name} is on the world by a ${hinge.kind} hinge`,
        value: valueText("mass-centre"),
        advice: "Use coordinates: world, or a free hinge",
      })),
    ...loopsWithWorld(model).map(({ name }) => ({
      path: "coordinates",
      message: `mass-centre coordinates are for free-flying machines, but the loop ${name} connects this one to the world`,
      value: valueText("mass-centre"),
      advice,
    })),
    ...elements
      .filter((element) => element.needsWorldOrigin !== undefined)
      .map(({ name, needsWorldOrigin }) => ({
        path: childPath("forces", name),
        message: `cannot be used in mass-centre coordinates: ${needsWorldOrigin!}`,
      })),
  ];
  if (problems.length > 0) throw new ModelError(model.name, problems);
}
