/** Registers what comparisons with the papers need and the library does not carry. The command line imports this file once. */
import { literalOptimum } from "../control/literal-optimum.ts";
import { registerTorqueOptimum } from "../control/torque-optimum.ts";

registerTorqueOptimum("literal", literalOptimum);
