/** Dependence of outputs on inputs of a program. */
import { type NamedSizes, offsetsOf, type Program, reachableNodes } from "./program.ts";

/** True if any number of the output depends on any number of the input. */
export function dependsOnInput<I extends NamedSizes, O extends NamedSizes>(
  program: Program<I, O>,
  output: keyof O & string,
  input: keyof I & string,
): boolean {
  const { graph, inputs, outputs, results } = program;
  const firstResult = offsetsOf(outputs)[output];
  const firstInput = offsetsOf(inputs)[input];
  const needed = reachableNodes({ ...program, results: results.slice(firstResult, firstResult + outputs[output]!) });
  return needed.some((id) => {
    if (graph.opOf(id) !== "input") return false;
    const index = graph.valueOf(id);
    return index >= firstInput && index < firstInput + inputs[input]!;
  });
}
