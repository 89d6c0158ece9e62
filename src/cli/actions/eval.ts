/** `castor eval`: evaluates a model in one state with every formulation. */

import { evaluate } from "../../analysis/evaluate.ts";
import type { FormulationName } from "../../dynamics/formulation.ts";
import { listedItems } from "../arguments.ts";
import type { Action, Example } from "../command.ts";
import type { evalCommand } from "../commands/eval.ts";
import { EXIT } from "../exit-codes.ts";
import { loadModelArgument, loadState } from "../files/model-argument.ts";
import { exampleLines } from "../help.ts";
import { evaluationJson } from "../text/evaluation-json.ts";
import { evaluationText } from "../text/evaluation-text.ts";
import { toJson } from "../text/json.ts";

export const run: Action<typeof evalCommand> = (args, terminal) => {
  const { model, source, stateBeside, isBuiltIn } = loadModelArgument(args.model, args);
  const statePath = args.state ?? stateBeside;
  const state = loadState(model, statePath);
  const evaluation = evaluate(model, state, {
    ...(args.frame !== undefined && { frames: listedItems(args.frame) }),
    ...(args.formulation !== "all" && { formulations: [args.formulation as FormulationName] }),
  });
  if (args.json) terminal.print(toJson(evaluationJson(evaluation, { model: source, state: statePath ?? null })));
  else {
    terminal.print(evaluationText(evaluation, terminal));
    if (isBuiltIn) terminal.print(`\n${terminal.style.bold("Try next")}\n${exampleLines(nextSteps(args.model), terminal.style)}`);
  }
  return evaluation.agreement.agree ? 0 : EXIT.failure;
};

const nextSteps = (name: string): readonly Example[] => [
  { command: `npx castor eval ${name} --json`, about: "the same as JSON" },
  { command: `npx castor compile ${name} -o dynamics.c`, about: "its forward dynamics as a C file" },
  { command: "npx castor --help", about: "all commands" },
];
