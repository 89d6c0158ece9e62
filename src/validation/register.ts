/** Registers the printed forms of the papers, which the library does not contain. The command line calls this before it reads a scenario. */

import { registerTorqueOptimum } from "../parts/control/tasks/torque-optimum.ts";
import { literalOptimum } from "./multi-arm/printed-torque-optimum.ts";

export const registerPrintedForms = (): void => registerTorqueOptimum("literal", literalOptimum);
