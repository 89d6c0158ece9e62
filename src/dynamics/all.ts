/** Every formulation, by name. */
import type { Model } from "../model/model.ts";
import { articulated } from "./articulated.ts";
import type { Formulation, FormulationName } from "./formulation.ts";
import { kane } from "./kane.ts";
import { matrix } from "./matrix-method.ts";
import { partition } from "./partition.ts";

export const FORMULATIONS: Readonly<Record<FormulationName, Formulation>> = { articulated, kane, matrix, partition };

/** Those whose agreement says something about a model: without loops there is nothing to partition. */
export const formulationsFor = (model: Pick<Model, "loops" | "openLoops">): FormulationName[] =>
  (Object.keys(FORMULATIONS) as FormulationName[]).filter(
    (name) => name !== "partition" || model.loops.length + model.openLoops.length > 0,
  );
