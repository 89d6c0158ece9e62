/** Reads a model file and evaluates it in one state, as `castor eval` does: accelerations, mass matrix and pose of the hand. */
import { readFileSync } from "node:fs";
import { evaluate } from "castor/analysis";
import { parseModel } from "castor/formats";

const model = parseModel(readFileSync("arm.yaml", "utf8"), "arm.yaml");
const evaluation = evaluate(model, { q: [-0.5, 1], u: [0.2, 0], tau: [-10, -3] });

const show = (values: Iterable<number>): string =>
  Array.from(values, (v) => (Math.round(v * 1e4) / 1e4 + 0).toFixed(4).padStart(9)).join("");
for (const [name, results] of Object.entries(evaluation.formulations)) console.log(name.padEnd(12), show(results.accelerations));
for (const row of evaluation.massMatrix) console.log("mass matrix ", show(row));
const [hand] = evaluation.frames;
console.log("hand at     ", show(hand!.position));

/* prints
articulated    13.1986 -13.1097
kane           13.1986 -13.1097
matrix         13.1986 -13.1097
partition      13.1986 -13.1097
minimal        13.1986 -13.1097
mass matrix     1.6042   0.3421
mass matrix     0.3421   0.1800
hand at         0.7898   0.0000   0.0479
*/
