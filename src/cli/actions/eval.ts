/** `castor eval`: evaluates a model in one state with every formulation. */

import type { FormulationName } from "../../dynamics/formulation.ts";
import { formulationsFor } from "../../dynamics/formulations.ts";
import { frameOf } from "../../model/model.ts";
import { listedItems } from "../arguments.ts";
import type { Action, Example } from "../command.ts";
import type { evalCommand } from "../commands/eval.ts";
import { compareFormulations } from "../evaluation/agreement.ts";
import { evaluateModel } from "../evaluation/evaluation.ts";
import { evaluationJson } from "../evaluation/evaluation-json.ts";
import { EXIT } from "../exit-codes.ts";
import { loadModelArgument, loadState } from "../files/model-argument.ts";
import { exampleLines } from "../help.ts";
import { evaluationText } from "../text/evaluation-text.ts";
import { toJson } from "../text/json.ts";

export const run: Action<typeof evalCommand> = (args, terminal) => {
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
    if (isBuiltIn) terminal.print(`\n${terminal.style.bold("Try next")}\n${exampleLines(nextSteps(args.model), terminal.style)}`);
  }
  return agreement.agree ? 0 : EXIT.failure;
};

const nextSteps = (name: string): readonly Example[] => [
  { command: `npx castor eval ${name} --json`, about: "the same as JSON" },
  { command: `npx castor compile ${name} --target c -o dynamics.c`, about: "its forward dynamics as a C file" },
  { command: "npx castor --help", about: "all commands" },
];
