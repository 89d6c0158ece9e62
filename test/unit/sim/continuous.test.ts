/** Continuous control laws: evaluated at every stage, with jumps at announced times, for every integrator. */
import { describe, expect, it } from "vitest";
import { ModelError } from "../../../src/errors.ts";
import { buildModel } from "../../../src/model/build/model-builder.ts";
import { actuator } from "../../../src/parts/force/drives/actuator.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../../src/sim/integrators/index.ts";
import type { Controller } from "../../../src/sim/run/controller.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";

const model = buildModel("slide")
  .body({ name: "slider", mass: 2, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } })
  .build();

/** force = -8 x + push(t) with push = 4 from 1 s to 2 s: x'' = -4 x + 2 there. */
const law: Controller = {
  name: "law",
  period: 0,
  commands: ["motor.force"],
  breaks: [1, 2],
  start: () => undefined,
  update(s, memory, command) {
    command[0] = -8 * s.q[0]! + (s.t >= 1 && s.t < 2 ? 4 : 0);
    return memory;
  },
};

/** x = mean + a cos + b sin at 2 rad/s, piece by piece. */
function closedForm(t: number): number {
  let [x, v, from] = [0.3, 0, 0];
  for (const [until, mean] of [
    [1, 0],
    [2, 0.5],
    [3, 0],
  ] as const) {
    const dt = Math.min(t, until) - from;
    const [c, s] = [Math.cos(2 * dt), Math.sin(2 * dt)];
    [x, v] = [mean + (x - mean) * c + (v / 2) * s, -2 * (x - mean) * s + v * c];
    if (t <= until) break;
    from = until;
  }
  return x;
}

const run = (name: keyof typeof INTEGRATORS, controllers: readonly Controller[] = [law]) => {
  const system = createSystem(model, [actuator.create("motor", { hinge: "slider" }, model)]);
  const integrator = INTEGRATORS[name];
  return simulate(system, system.start({ q: Float64Array.of(0.3) }), {
    duration: 3,
    integrator,
    settings: integrator.adaptive ? { relativeTolerance: 1e-10, absoluteTolerance: 1e-12 } : { step: 0.01 },
    sample: 0.3,
    channels: ["q.*", "tau.*"],
    controllers,
  });
};

describe.each(Object.keys(INTEGRATORS) as (keyof typeof INTEGRATORS)[])("%s", (name) => {
  it("follows the law through its jumps, and records both sides of each", () => {
    const { log } = run(name);
    const [t, x, force] = [log.column("t"), log.column("q.slider"), log.column("tau.slider")];
    for (let i = 0; i < log.length; i++) {
      expect(x[i]).toBeCloseTo(closedForm(t[i]!), 7);
      if (t[i] !== 1 && t[i] !== 2) continue;
      const before = t[i + 1] === t[i];
      const push = (t[i] === 1) === before ? 0 : 4;
      expect(force[i]).toBeCloseTo(-8 * x[i]! + push, 12);
    }
    expect([...t].filter((at) => at === 1 || at === 2)).toEqual([1, 1, 2, 2]);
    expect(t.length).toBe(11 + 4);
  });
});

it("ends with its run", () => {
  const system = createSystem(model, [actuator.create("motor", { hinge: "slider" }, model)]);
  const options = { duration: 1, integrator: INTEGRATORS.rk4, settings: { step: 0.01 }, sample: 0.5 };
  simulate(system, system.start(), { ...options, controllers: [law] });
  const { y } = simulate(system, system.start({ q: Float64Array.of(0.3) }), options);
  expect(y[0]).toBe(0.3);
});

it("rejects negative and infinite periods", () => {
  for (const period of [-1, Number.NaN, Number.POSITIVE_INFINITY])
    expect(() => run("rk4", [{ ...law, period }])).toThrow(ModelError);
});
