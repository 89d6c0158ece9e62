/** Exact time scaling of the robot's motions: the factors of the reference, and torques that just reach their limits. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { slowingFor } from "../../../src/plan/time-scaling.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { parseOverride } from "../../../src/scenario/override.ts";
import { prepareScenario } from "../../../src/scenario/prepare.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";

const read = (name: string, file: string) => ({ text: readFileSync(`scenarios/${name}/${file}`, "utf8"), source: name });

/** Torques of all hinges along the scenario, k times slower. */
function torques(name: string, k = 1) {
  const none = (): never => {
    throw new Error("names no other model");
  };
  const files = { readBeside: (file: string) => read(name, file), readChosen: none, builtIns: [], readBuiltIn: none };
  const changes = [`duration=${9 * k}`, `sample=${0.05 * k}`, `integrator.step=${0.01 * k}`].map((text) => parseOverride(text));
  const text = read(name, "scenario.yaml").text.replace("duration: 9, rise: 3", `duration: ${9 * k}, rise: ${3 * k}`);
  const scenario = loadScenario(text, name, { files, overrides: changes });
  const { system, start, options } = prepareScenario(scenario);
  const hinges = scenario.model.bodies.slice(1).map((b) => b.hinge.name);
  const { log } = simulate(system, start, { ...options, channels: ["tau.*"] });
  const columns = hinges.map((h) => log.column(`tau.${h}`));
  const loads = Array.from({ length: log.length }, (_, i) => columns.map((c) => c[i]!));
  return { hinges, samples: { times: log.column("t"), loads } };
}

describe("slowing the robot down", () => {
  const WEIGHTS = [30, 30, 30, 5, 5, 5, 10, 10, 10, 1, 1, 1];
  it("1.54 times with the second arm, so that no torque exceeds its weight", () => {
    const { hinges, samples } = torques("multi-arm-stabilized");
    const slowing = slowingFor(samples, WEIGHTS);
    expect(slowing.factor).toBeCloseTo(1.54, 2);
    expect(hinges[slowing.load]).toBe("stabilizer-disc");
  });

  it("4.87 times without it, and 9.73 times for wheels of 0.25 N m, which then reach exactly that", () => {
    const { hinges, samples } = torques("multi-arm-bare");
    const weights = [...WEIGHTS.slice(0, 6), 1, 1, 1];
    expect(slowingFor(samples, weights).factor).toBeCloseTo(4.87, 2);
    const small = slowingFor(samples, [...weights.slice(0, 6), 0.25, 0.25, 0.25]);
    expect(small.factor).toBeCloseTo(9.73, 2);
    expect(hinges[small.load]).toBe("wheel-roll");
    expect(small.time).toBeCloseTo(6, 9);
    const slow = torques("multi-arm-bare", small.factor).samples;
    const peak = Math.max(...slow.loads.map((row) => Math.max(...row.slice(6).map(Math.abs))));
    expect(Math.abs(peak - 0.25)).toBeLessThan(1e-8);
  });
});
