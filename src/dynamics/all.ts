/** Every formulation, by name. */
import { articulated } from "./articulated.ts";
import type { Formulation, FormulationName } from "./formulation.ts";
import { kane } from "./kane.ts";
import { matrix } from "./matrix-method.ts";

export const FORMULATIONS: Readonly<Record<FormulationName, Formulation>> = { articulated, kane, matrix };
