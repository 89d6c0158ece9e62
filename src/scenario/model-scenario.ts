/** A scenario for a model that has none. */
import { checkText } from "../arguments.ts";

/** Time that a model without a scenario runs, in s. */
const DURATION = 10;

/**
 * Text of a scenario for a model without one: it starts at home and at rest, only gravity acts, and it lasts 10 s.
 * @param modelFile path of the model relative to the scenario: a .yaml, .yml or .json file
 */
export function modelScenario(modelFile: string): string {
  checkText("modelFile", modelFile, "the path of a model file");
  return ["castor: 1", `model: ${JSON.stringify(modelFile)}`, `duration: ${DURATION} # s`, ""].join("\n");
}
