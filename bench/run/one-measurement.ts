/** `node one-measurement.js <name> <arguments as JSON>` runs one measurement and prints it as JSON. See separate-process.ts. */

import { measureCOutput } from "../measurements/c-output.ts";
import { measureCampaign } from "../measurements/campaign-cost.ts";
import { measureLargeMachines, measureScaling } from "../measurements/chain-scaling.ts";
import { measureColdRun, measureLoops } from "../measurements/closed-loops.ts";
import { measureDrift } from "../measurements/conservation-drift.ts";
import { measureContact } from "../measurements/contact/contact-cost.ts";
import { measureDocking } from "../measurements/contact/docking-capture.ts";
import { measureHeap } from "../measurements/contact/heap-cost.ts";
import { measureFlexible } from "../measurements/elastic-bodies.ts";
import { measureForwardDynamics } from "../measurements/forward-dynamics.ts";
import { measureLoggedSteps } from "../measurements/logged-steps.ts";
import { measureControl } from "../measurements/qp-control.ts";
import { measureQuantities } from "../measurements/quantities.ts";
import { measureTraverse } from "../measurements/rovers/guided-traverse.ts";
import { measurePlanning } from "../measurements/rovers/path-planning.ts";
import { measureRover } from "../measurements/rovers/rovers-on-soil.ts";
import { measureMotions } from "../measurements/scenario-runs.ts";
import { measureStepping } from "../measurements/step-by-step.ts";
import { measureThroughput } from "../measurements/step-throughput.ts";
import { measureWorkPrecision } from "../measurements/work-precision.ts";

export const MEASUREMENTS = {
  forward: measureForwardDynamics,
  quantities: measureQuantities,
  "c-output": measureCOutput,
  scaling: measureScaling,
  large: measureLargeMachines,
  throughput: measureThroughput,
  logged: measureLoggedSteps,
  drift: measureDrift,
  "work-precision": measureWorkPrecision,
  loops: measureLoops,
  "cold-run": measureColdRun,
  control: measureControl,
  stepping: measureStepping,
  rover: measureRover,
  planning: measurePlanning,
  traverse: measureTraverse,
  contact: measureContact,
  heap: measureHeap,
  docking: measureDocking,
  campaign: measureCampaign,
  flexible: measureFlexible,
  motions: measureMotions,
} as const;

const [name, args] = process.argv.slice(2);
const measure = MEASUREMENTS[name as keyof typeof MEASUREMENTS] as (...args: readonly unknown[]) => unknown;
process.stdout.write(`${JSON.stringify(await measure(...(JSON.parse(args!) as unknown[])))}\n`);
