/** `castor eval`: evaluates a model in one state with every formulation. */
import { defineCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { FORMULATION_NAMES, MODEL_ARGUMENT, ROBOT_OPTIONS } from "../options.ts";

export const evalCommand = defineCommand({
  name: "eval",
  about: "accelerations, momentum, energy, Jacobians and reactions of a model in one state",
  args: {
    model: MODEL_ARGUMENT,
    state: {
      type: "string",
      valueHint: "FILE",
      description: "state file (default: state.yaml of a folder or built-in model, else home at rest)",
    },
    formulation: { type: "enum", options: ["all", ...FORMULATION_NAMES], default: "all", description: "formulation to evaluate" },
    frame: {
      type: "string",
      valueHint: "NAME",
      list: true,
      description: "frames or bodies to show (default: all named frames)",
    },
    ...ROBOT_OPTIONS,
    json: { type: "boolean", description: "print all results as JSON at full precision" },
  },
  details: [
    `Exit code: 0 if the formulations agree, ${EXIT.failure} if they do not or the input has`,
    `problems, ${EXIT.usage} for a wrong command line.`,
  ].join("\n"),
  examples: [
    { command: "castor eval satellite-manipulator", about: "the built-in satellite with an arm, with all formulations" },
    { command: "castor eval arm.yaml --state start.yaml --frame hand --json", about: "your own model, output as JSON" },
  ],
});
