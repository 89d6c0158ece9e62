/** Mass properties of a body of MJCF. */
import type { Placement } from "../../model/model.ts";
import type { Mat3 } from "../../spatial/rotation.ts";
import type { XmlAttributes } from "../robot/attributes.ts";
import { fromPrincipal, inFrame, principal, together } from "../robot/mass-properties.ts";
import { composed } from "../robot/placements.ts";
import { type LinkMass, NO_MASS } from "../robot/robot-draft.ts";
import type { Geom, GeomContext } from "./geoms.ts";
import type { Compiler } from "./mjcf-file.ts";
import { ORIENTATIONS, readPlacement } from "./orientation.ts";

/** An <inertial>, with the placement of the <frame> elements around it. */
export interface PlacedInertial {
  readonly attributes: XmlAttributes;
  readonly frame: Placement;
}

interface MassSources {
  readonly inertial: PlacedInertial | undefined;
  readonly geoms: readonly Geom[];
}

/** Mass properties from <inertial>, or from the geoms. */
export function bodyMass({ inertial, geoms }: MassSources, { compiler, notes }: GeomContext): LinkMass {
  const fromGeoms = compiler.inertiafromgeom === "true" || (compiler.inertiafromgeom === "auto" && inertial === undefined);
  const ofGeoms = (geom: Geom): LinkMass => {
    const own = geom.massProperties();
    if (own === undefined)
      notes.unsupported(geom.attributes.element, "mass of a mesh geom", "the mass and inertia of this geom are missing");
    return own ?? NO_MASS;
  };
  const own = fromGeoms
    ? geoms.map(ofGeoms).reduce(together, NO_MASS)
    : inertial === undefined
      ? NO_MASS
      : readInertial(inertial, compiler);
  if (fromGeoms && inertial !== undefined)
    notes.unsupported(inertial.attributes.element, "inertial that inertiafromgeom replaces", "the mass is that of the geoms");
  return bounded(own, compiler);
}

function readInertial({ attributes, frame }: PlacedInertial, compiler: Compiler): LinkMass {
  attributes.neededText("mass");
  const mass = attributes.number("mass") ?? 0;
  if (mass < 0) attributes.problem("mass", "a mass must not be negative");
  const X = composed(frame, readPlacement(attributes, compiler));
  const full = attributes.numbers("fullinertia", 6, 6);
  if (full !== undefined && ORIENTATIONS.some((name) => attributes.has(name)))
    attributes.problem(
      "fullinertia",
      "is given together with an orientation",
      "It is in axes of the body: leave out the orientation",
    );
  const [xx, yy, zz, xy, xz, yz] = full ?? [...(attributes.vector("diaginertia") ?? [0, 0, 0]), 0, 0, 0];
  const inertia = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ] as Mat3<number>;
  return inFrame({ mass, com: [0, 0, 0], inertia }, X);
}

/** Lower bounds and balance of the compiler. */
function bounded(own: LinkMass, { boundmass, boundinertia, balanceinertia }: Compiler): LinkMass {
  if (boundmass === 0 && boundinertia === 0 && !balanceinertia) return own;
  const { values, axes } = principal(own.inertia);
  const bound = values.map((value) => Math.max(value, boundinertia));
  const [a, b, c] = bound as [number, number, number];
  const balanced = balanceinertia && a + b < c ? [(a + b + c) / 3, (a + b + c) / 3, (a + b + c) / 3] : bound;
  return { mass: Math.max(own.mass, boundmass), com: own.com, inertia: fromPrincipal(balanced, axes) };
}
