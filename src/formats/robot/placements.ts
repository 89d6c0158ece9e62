/** Products of placements. */
import type { PlacementDescription } from "../../model/description.ts";
import type { Placement } from "../../model/model.ts";
import { apply, compose, IDENTITY, type Mat3, toQuaternion, transpose } from "../../spatial/rotation.ts";
import { negate, plus, type Vec3, ZERO3 } from "../../spatial/vec3.ts";

export const AT_ORIGIN: Placement = { R: IDENTITY, p: ZERO3 };

/** X_AC = X_AB X_BC */
export const composed = (AB: Placement, BC: Placement): Placement => ({
  R: compose(AB.R, BC.R) as Mat3<number>,
  p: plus(AB.p, apply(AB.R, BC.p)) as Vec3<number>,
});

export const inverse = ({ R, p }: Placement): Placement => {
  const Rt = transpose(R);
  return { R: Rt, p: negate(apply(Rt, p)) as Vec3<number> };
};

export const translation = (p: Vec3<number>): Placement => ({ R: IDENTITY, p });

/** The description of a placement; defaults are left out. */
export function describe({ R, p }: Placement): PlacementDescription {
  const isParallel = R.flat().every((value, i) => value === (i % 4 === 0 ? 1 : 0));
  return {
    ...(p.some((c) => c !== 0) && { at: p }),
    ...(!isParallel && { rotation: { quaternion: toQuaternion(R) } }),
  };
}
