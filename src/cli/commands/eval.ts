/** `castor eval`: evaluates a model in one state with every formulation. */

import type { FormulationName } from "../../dynamics/formulation.ts";
import { FORMULATIONS, formulationsFor } from "../../dynamics/formulations.ts";
import { frameOf } from "../../model/model.ts";
import { listedItems } from "../arguments.ts";
import { defineCommand, type Example } from "../command.ts";
import { compareFormulations } from "../evaluation/agreement.ts";
import { evaluateModel } from "../evaluation/evaluation.ts";
import { evaluationJson } from "../evaluation/evaluation-json.ts";
import { EXIT } from "../failure.ts";
import { loadModelArgument, loadState, MODEL_ARGUMENT } from "../files/model-argument.ts";
import { exampleLines } from "../help.ts";
import { evaluationText } from "../text/evaluation-text.ts";
import { toJson } from "../text/json.ts";

const FORMULATION_NAMES = Object.keys(FORMULATIONS) as FormulationName[];

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
  run(args, terminal) {
    const { model, source, stateBeside, isBuiltIn } = loadModelArgument(args.model);
    const statePath = args.state ?? stateBeside;
    const state = loadState(model, statePath);
    const frames = args.frame === undefined ? model.frames.map(({ name }) => name) : listedItems(args.frame);
    for (const name of frames) frameOf(model, name);
    const names = args.formulation === "all" ? formulationsFor(model) : [args.formulation as FormulationName];
    const evaluation = evaluateModel(model, state, names, frames);
    const agreement = compareFormulations(evaluation);
    if (args.json) terminal.print(toJson(evaluationJson(evaluation, agreement, { model: source, state: statePath ?? null })));
    else {
      terminal.print(evaluationText(evaluation, agreement, terminal));
      if (isBuiltIn)
        terminal.print(`\n${terminal.style.bold("Try next")}\n${exampleLines(nextSteps(args.model), terminal.style)}`);
    }
    return agreement.agree ? 0 : EXIT.failure;
  },
});

const nextSteps = (name: string): readonly Example[] => [
  { command: `npx castor eval ${name} --json`, about: "the same as JSON" },
  { command: `npx castor compile ${name} --target c -o dynamics.c`, about: "its forward dynamics as a C file" },
  { command: "npx castor --help", about: "all commands" },
];
