/** The robot of multi-arm-stabilized with its motors, for tests of controllers. */
import { readFileSync } from "node:fs";
import { parseModel } from "../../src/formats/model-file.ts";
import type { Log } from "../../src/log/log.ts";
import { homeOf, type Model } from "../../src/model/model.ts";
import { createController } from "../../src/parts/control/index.ts";
import { motors } from "../../src/parts/force/drives/motors.ts";
import { INTEGRATORS } from "../../src/sim/integrators/index.ts";
import { simulate } from "../../src/sim/run/simulate.ts";
import { createSystem } from "../../src/sim/system/system.ts";

export const DEG = Math.PI / 180;
const modelOf = (scenario: string): Model =>
  parseModel(readFileSync(new URL(`../../scenarios/${scenario}/model.yaml`, import.meta.url), "utf8"), scenario);
export const ROBOT = modelOf("multi-arm-stabilized");
/** The same without the second arm: nine hinges. */
export const BARE = modelOf("multi-arm-bare");
export const HINGES = ROBOT.bodies.slice(1).map((b) => b.hinge.name);
/** Torques that count as one. */
export const WEIGHTS = [30, 30, 30, 5, 5, 5, 10, 10, 10, 1, 1, 1];

export function start(): Float64Array {
  const q = homeOf(ROBOT);
  q.set([45 * DEG, 105 * DEG, -135 * DEG], 7);
  return q;
}

export interface RunOptions {
  readonly model?: Model;
  readonly hinges?: readonly string[];
  readonly q?: Float64Array;
  readonly u?: Float64Array;
  readonly duration: number;
  readonly step: number;
}

/** Runs one controller of that kind, named "c", with motors in all hinges. */
export function run(kind: string, parameters: object, options: RunOptions): Log & { largest(channel: string): number } {
  const { model = ROBOT, hinges = HINGES, q = start(), u = new Float64Array(model.nu), duration, step } = options;
  const controller = createController(kind, "c", { motors: "motors", hinges, ...parameters }, model);
  const system = createSystem(model, [motors.create("motors", { hinge: hinges }, model)]);
  const settings = { integrator: INTEGRATORS.rk4, settings: { step }, sample: step, tolerances: { energy: 1 } }; // relative to next to nothing at the start
  const channels = ["q.*", "u.*", "tau.*", ...(controller.channels ? ["c.*"] : [])];
  const { log } = simulate(system, system.initial(q, u), { duration, ...settings, controllers: [controller], channels });
  const largest = (name: string): number => log.column(name).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return { channels: log.channels, length: log.length, column: (name) => log.column(name), largest };
}
