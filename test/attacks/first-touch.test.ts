/** Contacts are never passed over by a step, whatever the speed, the distance and the integrator. */
import { describe, expect, it } from "vitest";
import { createModel } from "../../src/model/build/create-model.ts";
import { readForce } from "../../src/parts/force/forces.ts";
import { createSystem } from "../../src/sim/create-system.ts";
import { INTEGRATORS, type IntegratorName } from "../../src/sim/integrators/index.ts";
import { Simulation, type SimulationRun } from "../../src/sim/run/simulation.ts";
import { uniform } from "../fixtures/models/random-model.ts";

const ball = (name: string) => ({ name, mass: 1, inertia: [0.004, 0.004, 0.004], hinge: { kind: "free" } }) as const;
const RADIUS = 0.1;

/** Ball a at a distance along x and y from ball b, which is at rest. */
function approach(
  from: readonly [number, number],
  speed: number,
  duration: number,
  until: "touch" | "end" = "end",
  integrator: IntegratorName = "dop853",
): SimulationRun {
  const model = createModel({ name: "balls", gravity: [0, 0, 0], bodies: [ball("a"), ball("b")] });
  const contact = readForce(
    "contact",
    "balls",
    { shapes: ["a", "b"].map((on) => ({ kind: "sphere", on, radius: RADIUS })), stiffness: 1e5 },
    model,
  );
  const system = createSystem(model, [contact]);
  const q = [1, 0, 0, 0, ...from, 0, 1, 0, 0, 0, 0, 0, 0];
  const u = [0, 0, 0, -speed, 0, 0, 0, 0, 0, 0, 0, 0];
  const settings = INTEGRATORS[integrator].adaptive ? {} : { step: duration / 100 };
  const simulation = new Simulation(system, system.start({ q, u }), { duration, integrator, settings });
  const isOver = (): boolean => simulation.end !== undefined || (until === "touch" && simulation.result().events.length > 0);
  while (!isOver()) simulation.advance();
  return simulation.result();
}

describe("a ball that starts 100 m away", () => {
  it.each(["dop853", "dopri5", "radau5", "dopri5-radau5", "rk4", "rkg", "gauss6"] as const)(
    "hits another one centrally at the time of the closed form, with %s",
    (integrator) => {
      const run = approach([100, 0], 10, 12, "touch", integrator);
      expect(run.events[0]!.name).toBe("balls touch");
      expect(run.events[0]!.t).toBeCloseTo((100 - 2 * RADIUS) / 10, 9);
    },
  );

  it("passes its momentum on to the other one, at default settings", () => {
    const run = approach([100, 0], 10, 12);
    expect(run.u[3]).toBeCloseTo(0, 6);
    expect(run.u[9]).toBeCloseTo(-10, 6);
    expect(run.events).toHaveLength(2);
  });

  it("touches one that it grazes by a thousandth of its radius, and does not touch one that it misses by as much", () => {
    const [inside, outside] = [0.1999, 0.2001].map((aside) => approach([100, aside], 10, 12).events);
    expect(inside).toHaveLength(2);
    expect(inside![0]!.t).toBeCloseTo((100 - Math.sqrt(0.04 - 0.1999 * 0.1999)) / 10, 9);
    expect(outside).toEqual([]);
  });
});

it("150 random approaches of two balls touch where the closed form says so, and when", () => {
  const next = uniform(19);
  let touched = 0;
  for (let k = 0; k < 150; k++) {
    const speed = 0.01 * 1e4 ** next();
    const distance = 1 + 1e3 ** next();
    const aside = 0.3 * next();
    const exact = aside < 2 * RADIUS ? (distance - Math.sqrt(4 * RADIUS * RADIUS - aside * aside)) / speed : undefined;
    const run = approach([distance, aside], speed, (1.5 * distance) / speed, "touch");
    if (exact === undefined) expect(run.events).toEqual([]);
    else {
      touched++;
      expect(Math.abs(run.events[0]!.t - exact)).toBeLessThan(1e-9 + 1e-12 * exact);
    }
  }
  expect(touched).toBeGreaterThan(75);
});
