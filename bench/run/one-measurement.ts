/** `node one-measurement.js <name> <arguments as JSON>`: one measurement, printed as JSON. See apart.ts. */
import { measureContact } from "../contact.ts";
import { measureControl } from "../control.ts";
import { measureDocking } from "../docking.ts";
import { measureDrift } from "../drift.ts";
import { measureFlexible } from "../flexible.ts";
import { measureForwardDynamics } from "../forward-dynamics.ts";
import { measureColdRun, measureLoops } from "../loops.ts";
import { measurePlanning, measureRover } from "../rover.ts";
import { measureScaling } from "../scaling.ts";
import { measureThroughput } from "../throughput.ts";
import { measureTraverse } from "../traverse.ts";
import { measureWorkPrecision } from "../work-precision.ts";

export const MEASUREMENTS = {
  forward: measureForwardDynamics,
  scaling: measureScaling,
  throughput: measureThroughput,
  drift: measureDrift,
  "work-precision": measureWorkPrecision,
  loops: measureLoops,
  "cold-run": measureColdRun,
  control: measureControl,
  rover: measureRover,
  planning: measurePlanning,
  traverse: measureTraverse,
  contact: measureContact,
  docking: measureDocking,
  flexible: measureFlexible,
} as const;

const [name, args] = process.argv.slice(2);
const measure = MEASUREMENTS[name as keyof typeof MEASUREMENTS] as (...args: readonly unknown[]) => unknown;
process.stdout.write(`${JSON.stringify(await measure(...(JSON.parse(args!) as unknown[])))}\n`);
