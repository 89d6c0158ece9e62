/** The scenario reorient-by-arm: the base reaches its goal attitude in the full dynamics, with zero momentum throughout. */
import { expect, it } from "vitest";
import { loadScenarioFile } from "../../../../src/scenario/node-files.ts";
import { parseOverride } from "../../../../src/scenario/override.ts";
import { prepareScenario } from "../../../../src/scenario/prepare.ts";
import { simulate } from "../../../../src/sim/run/simulate.ts";

const builtIns = { names: ["multi-arm-stabilized"], path: (name: string) => `scenarios/${name}/model.yaml` };

function run(...changes: string[]) {
  const { system, start, options } = prepareScenario(
    loadScenarioFile(
      "scenarios/reorient-by-arm/scenario.yaml",
      builtIns,
      changes.map((text) => parseOverride(text)),
    ),
  );
  const { log } = simulate(system, start, options);
  const largest = (name: string): number => log.column(name).reduce((most, x) => Math.max(most, Math.abs(x)), 0);
  return { log, largest };
}

it("turns the base by [10, -6, 20] degrees within 1e-8 rad, and its arm returns", () => {
  const { log, largest } = run();
  const left = log.column("turn.left");
  expect(left[0]).toBeCloseTo((Math.hypot(10, 6, 20) * Math.PI) / 180, 12);
  expect(left.at(-1)).toBeLessThan(1e-8);
  const half = Math.hypot(10, 6, 20) * (Math.PI / 360);
  for (const [part, degrees] of [["qx", 10], ["qy", -6], ["qz", 20]] as const) // biome-ignore format: rows
    expect(log.column(`q.base.${part}`).at(-1)).toBeCloseTo((Math.sin(half) * degrees) / Math.hypot(10, 6, 20), 9);
  for (const hinge of ["yaw", "pitch", "disc"]) expect(Math.abs(log.column(`q.stabilizer-${hinge}`).at(-1)!)).toBeLessThan(1e-9);
  const reach = 80 * (Math.PI / 180);
  for (const hinge of ["yaw", "pitch"]) expect(largest(`q.stabilizer-${hinge}`)).toBeLessThan(reach);
  for (const wheel of ["roll", "pitch", "yaw"]) expect(largest(`q.wheel-${wheel}`)).toBeLessThan(1e-9);
  for (const axis of ["x", "y", "z"]) {
    expect(largest(`momentum.angular.${axis}`)).toBeLessThan(1e-9);
    expect(largest(`momentum.linear.${axis}`)).toBeLessThan(1e-9);
  }
});

it("the result does not depend on the speed", () => {
  const { log } = run("controllers.turn.duration=100", "duration=100");
  expect(log.column("turn.left").at(-1)).toBeLessThan(1e-8);
});
