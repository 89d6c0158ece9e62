/** `castor convert`: writes a model in another file format. */
import { defineCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { ROBOT_OPTIONS } from "../options.ts";

export const convertCommand = defineCommand({
  name: "convert",
  about: "write a model as a Castor, URDF or MJCF file, and list what that file does not have",
  args: {
    file: {
      type: "positional",
      required: true,
      description:
        "a model, scenario or robot file (YAML, JSON, URDF, MJCF), the name of a built-in scenario, or - for standard input",
    },
    output: {
      type: "positional",
      required: true,
      valueHint: "OUTPUT",
      description: "the file to write; its ending chooses the format: .yaml, .json, .urdf, .xml (MJCF)",
    },
    scenario: { type: "boolean", description: "write a Castor scenario with the model, its forces and its start (.yaml, .json)" },
    ...ROBOT_OPTIONS,
    json: { type: "boolean", description: "print what was written and what is missing as JSON" },
  },
  details: [
    "Loops and states of a URDF file are written beside it, into a file .srdf.",
    "Files are written whole or not at all.",
    "",
    `Exit code: 0, ${EXIT.failure} if the file has problems or the format has no such joints,`,
    `${EXIT.usage} for a wrong command line.`,
  ].join("\n"),
  examples: [
    { command: "castor convert robot.urdf robot.xml", about: "a URDF robot for MuJoCo" },
    { command: "castor convert satellite-manipulator satellite.urdf --json", about: "a built-in model, with the list as JSON" },
  ],
});
