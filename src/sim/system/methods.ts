/**
 * How the equations of systems are derived. It is a value that whoever creates a system brings, so that a page that simulates a tree does not
 * contain the code of loops (see create-system.ts).
 */
import type { deriveArticulated } from "../../dynamics/articulated.ts";
import type { Formulation, FormulationName } from "../../dynamics/formulation.ts";
import type { closedLoops } from "../../dynamics/loops/multipliers/closed-loops.ts";
import type { loopMotion } from "./loop-motion.ts";

export interface LoopEquationMethods {
  readonly closedLoops: typeof closedLoops;
  readonly deriveArticulated: typeof deriveArticulated;
  readonly motion: typeof loopMotion;
}

export interface EquationMethods {
  readonly formulations: Readonly<Partial<Record<FormulationName, Pick<Formulation, "derive">>>>;
  /** Undefined if the systems have no loops. */
  readonly loops: LoopEquationMethods | undefined;
}
