/** Every formulation, by name. */
import { ModelError } from "../errors.ts";
import type { Model } from "../model/model.ts";
import { articulated } from "./articulated.ts";
import type { Formulation, FormulationName } from "./formulation.ts";
import { kane } from "./kane/kane.ts";
import { matrix } from "./matrix/matrix-method.ts";
import { minimal } from "./partition/minimal.ts";
import { partition } from "./partition/partition.ts";

/** Turns that are taken as small are no motion of rigid bodies: their meaning is that of the recursion in link frames. */
const hasSmallTurns = ({ bodies }: Pick<Model, "bodies">): boolean =>
  bodies.some(({ hinge }) => hinge.elements.some((e) => e.small));

/** A formulation that refuses what only the recursion in link frames has a meaning for. */
const refuseSmallTurns = (formulation: Formulation): Formulation => ({
  ...formulation,
  derive(model, options) {
    if (!hasSmallTurns(model)) return formulation.derive(model, options);
    const message = `rotations: small is for comparison with a paper, and ${formulation.name} does not know it`;
    throw new ModelError(model.name, [{ path: "bodies", message, advice: "Take articulated, or leave rotations out" }]);
  },
});

export const FORMULATIONS: Readonly<Record<FormulationName, Formulation>> = {
  articulated,
  kane: refuseSmallTurns(kane),
  matrix: refuseSmallTurns(matrix),
  partition: refuseSmallTurns(partition),
  minimal: refuseSmallTurns(minimal),
};

type LoopedModel = Pick<Model, "bodies" | "loops" | "openLoops">;
const hasLoops = (model: LoopedModel): boolean => model.loops.length + model.openLoops.length > 0;

/** Those whose agreement at a state says something about a model: without loops there is nothing to partition. */
export const formulationsFor = (model: LoopedModel): FormulationName[] =>
  (Object.keys(FORMULATIONS) as FormulationName[]).filter(
    (name) =>
      name === "articulated" || (!hasSmallTurns(model) && name !== "minimal" && (name !== "partition" || hasLoops(model))),
  );

/** Those that make a motion in their own way: `minimal` has the accelerations of `partition`, at states of its own. */
export const formulationsForMotion = (model: LoopedModel): FormulationName[] => [
  ...formulationsFor(model),
  ...(hasLoops(model) && !hasSmallTurns(model) ? (["minimal"] as const) : []),
];
