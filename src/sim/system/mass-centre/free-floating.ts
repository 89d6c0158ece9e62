/** Free-floating machines, and the coordinates that a system of one may have. */
import { childPath } from "../../../declare/plain-data.ts";
import { ModelError, type Problem, valueText } from "../../../errors.ts";
import type { Scalar } from "../../../kernel/trace/scalar.ts";
import type { Hinge, Model } from "../../../model/model.ts";
import type { Vec3 } from "../../../spatial/vec3.ts";
import type { ForceElement } from "../force-element.ts";

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
  rootHinges(model).every(hasOrthonormalFreedoms) && loopsWithWorld(model).length === 0;

/**
 * True for a hinge with six freedoms whose partial velocities are orthonormal in every position: `free`, or three slides at right angles and
 * then a ball (`general`). Otherwise forces in the hinge would not be components of a wrench.
 */
function hasOrthonormalFreedoms({ elements, nu }: Hinge<Scalar>): boolean {
  const slides = elements.slice(0, -1).map(({ screw }) => screw);
  const isRightAngled = slides.every((a, i) =>
    slides.every((b, k) => Math.abs(dotOf(a?.axis, b?.axis) - (i === k ? 1 : 0)) < 1e-12),
  );
  return nu === 6 && isRightAngled && slides.every((s) => s?.turn === 0 && Math.abs(s.slide) === 1) && elements.at(-1)!.nu >= 3;
}

const dotOf = (a: Vec3<number> = [0, 0, 0], b: Vec3<number> = [0, 0, 0]): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

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
