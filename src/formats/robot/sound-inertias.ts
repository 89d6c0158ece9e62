/**
 * Makes mass properties of a file acceptable for a model. An inertia that no body has, but that is positive definite, stays as it is (the model
 * warns). An indefinite one is moved to the body that carries the link rigidly, where only the sum matters; if the sum is indefinite as well, or
 * the link moves, it is repaired. Every change is a warning that names it.
 */
import { placementOf } from "../../model/build/placement.ts";
import type { Placement } from "../../model/model.ts";
import { apply, compose, type Mat3, transpose } from "../../spatial/rotation.ts";
import { negate, plus, type Vec3 } from "../../spatial/vec3.ts";
import type { ImportNotes } from "./import-notes.ts";
import { fromPrincipal, inFrame, principal, together } from "./mass-properties.ts";
import { type LinkMass, NO_MASS, type RobotLink } from "./robot-draft.ts";

/** An eigenvalue at or below this, relative to the largest, counts as zero: the model refuses it. */
const LEAST_RATIO = 1e-12;
/** Negative eigenvalues are raised to this share of the largest. */
const REPAIRED_RATIO = 1e-3;
/** Zero eigenvalues, as of a rod without thickness, are raised to this share of the largest. */
const THIN_RATIO = 1e-6;
/** An inertia whose radius of gyration is smaller is rounding error of a point mass, m. */
const POINT_RADIUS = 1e-7;
/** Mass of a link that has inertia but no mass, kg. */
const LEAST_MASS = 1e-9;
/** Radius of gyration of a repaired inertia without any positive eigenvalue, m. */
const LEAST_RADIUS = 1e-3;

export function soundInertias(links: readonly RobotLink[], notes: ImportNotes): readonly RobotLink[] {
  const properties = links.map(({ massProperties }) => massProperties);
  for (let i = links.length - 1; i >= 0; i--) {
    const link = links[i]!;
    const own = properties[i]!;
    if (isSound(own)) continue;
    if (isPointMass(own)) {
      properties[i] = { ...own, inertia: NO_MASS.inertia };
      notes.warn(
        { line: link.massLine },
        `link[${link.name}].inertia`,
        "no body has this inertia: it is rounding error. The link is a point mass",
      );
      continue;
    }
    const parent = link.hinge.kind === "fixed" && link.parent >= 0 ? links[link.parent]! : undefined;
    const path = `link[${link.name}].inertia`;
    const at = { line: link.massLine };
    const eigenvalues = principal(own.inertia).values;
    const what = `its eigenvalues ${listed(eigenvalues)} are not all positive`;
    if (parent !== undefined && own.mass >= 0) {
      properties[link.parent] = together(properties[link.parent]!, inFrame(own, placementOnParent(link)));
      properties[i] = NO_MASS;
      const carrier = JSON.stringify(parent.name);
      notes.warn(
        at,
        path,
        `no body has this inertia: ${what}. Mass and inertia were added to ${carrier}, which carries it rigidly`,
        {
          advice: "The motion is the same; check the source of the numbers",
        },
      );
    } else {
      properties[i] = repaired(own);
      const { mass, inertia } = properties[i]!;
      const isOnWorld = link.hinge.kind === "fixed";
      const change = mass === own.mass ? "" : `the mass was raised from ${own.mass} to ${mass} kg, `;
      const effect = isOnWorld ? "The link is fixed to the world, so this has no effect on the motion" : "Correct the file";
      notes.warn(at, path, `no body has this inertia: ${what}`, {
        advice: `It was repaired: ${change}the eigenvalues are now ${listed(principal(inertia).values)} kg m². ${effect}`,
      });
    }
  }
  return links.map((link, i) => ({ ...link, massProperties: properties[i]! }));
}

const listed = (values: readonly number[]): string => values.map((v) => +v.toPrecision(4)).join(", ");

const isZero = (A: Mat3<number>): boolean => A.every((row) => row.every((value) => value === 0));

/** True for a body that a model accepts: a point mass, or mass with a positive definite inertia. */
function isSound({ mass, inertia }: LinkMass): boolean {
  if (isZero(inertia)) return mass >= 0;
  const [least, , most] = principal(inertia).values;
  return mass > 0 && least > LEAST_RATIO * Math.abs(most);
}

function isPointMass({ mass, inertia }: LinkMass): boolean {
  const [least, , most] = principal(inertia).values;
  return Math.max(most, -least) <= mass * POINT_RADIUS ** 2;
}

function repaired({ mass, com, inertia }: LinkMass): LinkMass {
  const usedMass = mass > 0 ? mass : LEAST_MASS;
  const { values, axes } = principal(inertia);
  const ratio = values[0] < -LEAST_RATIO * values[2] ? REPAIRED_RATIO : THIN_RATIO;
  const floor = values[2] > 0 ? ratio * values[2] : usedMass * LEAST_RADIUS ** 2;
  return {
    mass: usedMass,
    com,
    inertia: fromPrincipal(
      values.map((v) => Math.max(v, floor)),
      axes,
    ),
  };
}

/** X_PB at home: X_PF X_BM⁻¹. */
export function placementOnParent({ hinge }: RobotLink): Placement {
  const F = placementOf(hinge);
  const M = placementOf(hinge.onBody ?? {});
  const R = compose(F.R, transpose(M.R)) as Mat3<number>;
  return { R, p: plus(F.p, negate(apply(R, M.p))) as Vec3<number> };
}
