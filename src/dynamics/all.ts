/** Every formulation, by name. */
import type { Model } from "../model/model.ts";
import { articulated } from "./articulated.ts";
import type { Formulation, FormulationName } from "./formulation.ts";
import { kane } from "./kane.ts";
import { matrix } from "./matrix-method.ts";
import { minimal } from "./minimal.ts";
import { partition } from "./partition.ts";

export const FORMULATIONS: Readonly<Record<FormulationName, Formulation>> = {
  articulated,
  kane,
  matrix,
  partition,
  minimal,
};

type Looped = Pick<Model, "loops" | "openLoops">;
const hasLoops = (model: Looped): boolean => model.loops.length + model.openLoops.length > 0;

/** Those whose agreement at a state says something about a model: without loops there is nothing to partition. */
export const formulationsFor = (model: Looped): FormulationName[] =>
  (Object.keys(FORMULATIONS) as FormulationName[]).filter(
    (name) => name !== "minimal" && (name !== "partition" || hasLoops(model)),
  );

/** Those that make a motion in their own way: `minimal` has the accelerations of `partition`, at states of its own. */
export const formulationsInTime = (model: Looped): FormulationName[] => [
  ...formulationsFor(model),
  ...(hasLoops(model) ? (["minimal"] as const) : []),
];
