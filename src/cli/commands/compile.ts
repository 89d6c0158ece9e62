/** `castor compile`: compiles a quantity of a model to a file of code. */
import { defineCommand } from "../command.ts";
import { QUANTITY_ABOUT } from "../compile/quantity-names.ts";
import { definitionList } from "../help.ts";
import { MODEL_ARGUMENT } from "../options.ts";

export const compileCommand = defineCommand({
  name: "compile",
  about: "compile a quantity of a model to straight-line code: WebAssembly, JavaScript or C",
  args: {
    model: MODEL_ARGUMENT,
    target: {
      type: "enum",
      options: ["wasm", "js", "c"],
      description: "language of the code (default: from the extension of the output: .wasm, .js, .mjs, .c)",
    },
    quantity: { type: "string", valueHint: "NAME", default: "forward-dynamics", description: "quantity to compute, see below" },
    output: { type: "string", alias: "o", valueHint: "FILE", required: true, description: "output file" },
    lanes: { type: "enum", options: ["1", "2"], default: "1", description: "states per call; 2 only for wasm" },
    parameters: {
      type: "string",
      valueHint: "PATH,...",
      list: true,
      description: "parameters of the model that become inputs, e.g. arm.mass, arm.com.x",
    },
    wrenches: {
      type: "string",
      valueHint: "FRAME,...",
      list: true,
      description: "frames or bodies on which external wrenches act",
    },
    frames: {
      type: "string",
      valueHint: "FRAME,...",
      list: true,
      description: "frames of frame-kinematics and free-flying (default: all named frames)",
    },
    actuated: {
      type: "string",
      valueHint: "HINGE,...",
      list: true,
      description: "hinges whose forces are inputs (default: all)",
    },
    state: {
      type: "string",
      valueHint: "FILE",
      description:
        "state at which partitioned-dynamics chooses the dependent coordinates (default: state.yaml of a folder or built-in model, else home)",
    },
    json: { type: "boolean", description: "print array layout and cost as JSON" },
  },
  details: ["Quantities:", definitionList(Object.entries(QUANTITY_ABOUT))].join("\n"),
  examples: [
    { command: "castor compile satellite-manipulator -o dynamics.c", about: "forward dynamics as a C99 file" },
    {
      command: "castor compile arm.yaml --quantity frame-kinematics --frames hand --lanes 2 -o hand.wasm",
      about: "pose and Jacobian of the hand, two states per call",
    },
  ],
});
