/** `node one-model.js <model> <milliseconds>`: one row as JSON. A process per model, so that no model inherits another's heap and type feedback. */
import { measureForwardDynamics } from "./forward-dynamics.ts";
import type { ModelName } from "./models.ts";

const [model, milliseconds] = process.argv.slice(2);
const row = await measureForwardDynamics(model as ModelName, Number(milliseconds));
process.stdout.write(`${JSON.stringify(row)}\n`);
