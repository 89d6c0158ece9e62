/** Registers the printed forms of the papers, which the library does not contain. The command line imports this file once. */

import { registerTorqueOptimum } from "../parts/control/tasks/torque-optimum.ts";
import { literalOptimum } from "./multi-arm/printed-torque-optimum.ts";

registerTorqueOptimum("literal", literalOptimum);
