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
  const unit = isNumeric(model) ? lengthUnit(linkTreeOf(model)) : 1;
  if (unit === 1 || !isNumeric(model)) return accelerationsInModelUnits(model, frames, q, u, tau, w);
  const scaled = modelInLengthUnit(model, unit);
  const border = lengthUnitConverter(model, unit);
  const there = frames.map((f) => frameOf(scaled, f.name));
  return border.udot(accelerationsInModelUnits(scaled, there, border.q(q), border.u(u), border.tau(tau), border.wrenches(w)));
}

function accelerationsInModelUnits(
  model: Model<Scalar>,
  frames: readonly Frame<Scalar>[],
  q: readonly Scalar[],
  u: readonly Scalar[],
  tau: readonly Scalar[],
  w: readonly Scalar[],
): Scalar[] {
  const machine = linkTreeOf(model);
  const onLinks = wrenchesOnLinks(machine, frames, q, w).map(({ link, force }) => [link, force] as const);
  return articulatedAccelerations(machine, q, u, tau, sumByIndex(machine.links.length, onLinks));
}
