/** `castor inspect`: shows what a model file contains, and what of it was not understood. */
import { defineCommand } from "../command.ts";
import { EXIT } from "../exit-codes.ts";
import { ROBOT_OPTIONS } from "../options.ts";

export const inspectCommand = defineCommand({
  name: "inspect",
  about: "tree, masses, limits and loops of a model, and what of its file was not understood",
  args: {
    file: {
      type: "positional",
      required: true,
      description:
        "a model, scenario or robot file (YAML, JSON, URDF, MJCF), the name of a built-in scenario, or - for standard input",
    },
    ...ROBOT_OPTIONS,
    picture: { type: "string", valueHint: "FILE", description: "draw the machine at its start; the name ends with .svg or .png" },
    json: { type: "boolean", description: "print everything as JSON at full precision" },
  },
  details: [
    "Limits are those of stops and drives. Speeds that a robot file allows do not act",
    "in a run unless its scenario names them.",
    "",
    `Exit code: 0, ${EXIT.failure} if the file has problems, ${EXIT.usage} for a wrong command line.`,
  ].join("\n"),
  examples: [
    { command: "castor inspect robot.urdf --packages meshes", about: "a robot file, with the folder of its meshes" },
    { command: "castor inspect satellite-manipulator --picture satellite.png", about: "a built-in scenario, with a picture" },
  ],
});
