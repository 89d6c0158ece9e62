/** Registers what comparisons with the papers need and the library does not carry. The command line imports this file once. */

import { registerTorqueOptimum } from "../parts/control/tasks/torque-optimum.ts";
import { literalOptimum } from "./multi-arm/printed-torque-optimum.ts";

registerTorqueOptimum("literal", literalOptimum);
