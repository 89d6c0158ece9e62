/** Forward dynamics of a model: the articulated-body recursion on its link tree, in a length unit chosen for the model. */
import type { Scalar } from "../../kernel/trace/scalar.ts";
import { type Frame, frameOf, type Model } from "../../model/model.ts";
import { articulatedAccelerations } from "./articulated-body.ts";
import { sumByIndex, wrenchesOnLinks } from "./external-wrenches.ts";
import { lengthUnit, lengthUnitConverter, modelInLengthUnit } from "./length-unit.ts";
import { isNumeric, linkTreeOf } from "./link-tree.ts";

/** u̇ under generalised forces tau and wrenches w at frames (torque, force; world axes). */
export function accelerations(
  model: Model<Scalar>,
  frames: readonly Frame<Scalar>[],
  q: readonly Scalar[],
  u: readonly Scalar[],
  tau: readonly Scalar[],
  w: readonly Scalar[],
): Scalar[] {
  const unit = isNumeric(model) ? lengthUnit(linkTreeOf(model, { regroup: false })) : 1;
  if (unit === 1 || !isNumeric(model)) return accelerationsInModelUnits(model, frames, q, u, tau, w);
  const scaledModel = modelInLengthUnit(model, unit);
  const converter = lengthUnitConverter(model, unit);
  const scaledFrames = frames.map((f) => frameOf(scaledModel, f.name));
  return converter.udot(
    accelerationsInModelUnits(
      scaledModel,
      scaledFrames,
      converter.q(q),
      converter.u(u),
      converter.tau(tau),
      converter.wrenches(w),
    ),
  );
}

function accelerationsInModelUnits(
  model: Model<Scalar>,
  frames: readonly Frame<Scalar>[],
  q: readonly Scalar[],
  u: readonly Scalar[],
  tau: readonly Scalar[],
  w: readonly Scalar[],
): Scalar[] {
  const tree = linkTreeOf(model);
  const onLinks = wrenchesOnLinks(tree, frames, q, w).map(({ link, force }) => [link, force] as const);
  return articulatedAccelerations(tree, q, u, tau, sumByIndex(tree.links.length, onLinks));
}
