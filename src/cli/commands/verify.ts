/** `castor verify`: runs a scenario with every formulation and compares the results. */
import { defineCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { SCENARIO_ARGUMENT, SCENARIO_CHANGES } from "../options.ts";

export const verifyCommand = defineCommand({
  name: "verify",
  about: "run a scenario with every formulation and compare the results",
  args: {
    scenario: SCENARIO_ARGUMENT,
    ...SCENARIO_CHANGES,
    tolerance: {
      type: "string",
      valueHint: "X",
      default: "1e-8",
      description: "largest allowed difference, relative for values above 1",
    },
    json: { type: "boolean", description: "print the differences of all channels as JSON" },
  },
  details: [
    "articulated, kane and matrix share no recursion, so an error in one of them",
    "shows as a difference. All runs take the same steps, and adaptive integrators",
    "use a tolerance of 1e-13, so the differences do not come from the integrator.",
    "",
    `Exit code: 0 if they agree, ${EXIT.failure} if they do not or the input has problems, ${EXIT.usage} for a`,
    `wrong command line, ${EXIT.interrupted} after Ctrl-C.`,
  ].join("\n"),
  examples: [
    { command: "castor verify satellite-manipulator", about: "example 1 of TR-942 with three formulations" },
    { command: "castor verify arm.yaml --duration 5 --tolerance 1e-6", about: "the first seconds of your own scenario" },
  ],
});
