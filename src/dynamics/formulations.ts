/** Every formulation, by name. */
import { checkMembers } from "../arguments.ts";
import { ModelError } from "../errors.ts";
import { checkModel, type Model } from "../model/model.ts";
import { articulated } from "./articulated.ts";
import type { Formulation, FormulationName } from "./formulation.ts";
import { kane } from "./kane/kane.ts";
import { matrix } from "./matrix/matrix-method.ts";
import { minimal } from "./partition/minimal.ts";
import { partition } from "./partition/partition.ts";

/** Hinges with small turns (R = 1 + φ̃) are not rigid motions. They are defined only for the recursion in link frames. */
const hasSmallTurns = ({ bodies }: Pick<Model, "bodies">): boolean =>
  bodies.some(({ hinge }) => hinge.elements.some((e) => e.small));

/** A formulation that refuses models with small turns. */
const refuseSmallTurns = (formulation: Formulation): Formulation => ({
  ...formulation,
  derive(model, options) {
    checkModel(model);
    if (!hasSmallTurns(model)) return formulation.derive(model, options);
    const message = `${formulation.name} does not support rotations: small`;
    throw new ModelError(model.name, [{ path: "bodies", message, advice: "Use articulated, or leave rotations out" }]);
  },
});

export const FORMULATIONS: Readonly<Record<FormulationName, Formulation>> = {
  articulated,
  kane: refuseSmallTurns(kane),
  matrix: refuseSmallTurns(matrix),
  partition: refuseSmallTurns(partition),
  minimal: refuseSmallTurns(minimal),
};

export type LoopedModel = Pick<Model, "bodies" | "loops" | "openLoops">;
const hasLoops = (model: LoopedModel): boolean => model.loops.length + model.openLoops.length > 0;

/** Formulations that are defined for a model. */
export const allFormulationsFor = (model: Pick<Model, "bodies">): FormulationName[] =>
  (Object.keys(FORMULATIONS) as FormulationName[]).filter((name) => name === "articulated" || !hasSmallTurns(model));

/** Formulations whose agreement at a state is evidence for a model. Without loops `partition` has nothing to partition. */
export function formulationsFor(model: LoopedModel): FormulationName[] {
  checkMembers("model", model, ["bodies", "openLoops"], "a model, as createModel returns it");
  return (Object.keys(FORMULATIONS) as FormulationName[]).filter(
    (name) =>
      name === "articulated" || (!hasSmallTurns(model) && name !== "minimal" && (name !== "partition" || hasLoops(model))),
  );
}

/** Formulations that produce a motion in their own way. `minimal` has the accelerations of `partition`, but integrates other coordinates. */
export const formulationsForMotion = (model: LoopedModel): FormulationName[] => [
  ...formulationsFor(model),
  ...(hasLoops(model) && !hasSmallTurns(model) ? (["minimal"] as const) : []),
];

/** Formulations that do not support the hinges of a model, of those that would otherwise produce a motion in their own way. */
export const formulationsWithoutSupport = (model: LoopedModel): FormulationName[] =>
  hasSmallTurns(model) ? ["kane", "matrix", ...(hasLoops(model) ? (["partition", "minimal"] as const) : [])] : [];
