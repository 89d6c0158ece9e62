/** Contacts in closed form: bouncing balls, and a sliding ball that begins to roll. */
import { runScenario } from "../../scenario/run.ts";
import { valuesAt } from "../samples.ts";
import { change, type Validation } from "../validation.ts";

const [G, HEIGHT, RADIUS, DAMPING] = [9.80665, 0.5, 0.1, 0.15];

/** Rebound speed v' of the Hunt-Crossley contact law, by bisection: c v - ln(1 + c v) has the same value for v and -v'. */
function reboundSpeed(c: number, v: number): number {
  const level = (x: number): number => c * x - Math.log1p(c * x);
  let [low, high] = [0, v];
  for (let i = 0; i < 100; i++) {
    const middle = 0.5 * (low + high);
    if (level(-middle) < level(v)) low = middle;
    else high = middle;
  }
  return low;
}

export const contactBouncing: Validation = {
  name: "contact-bouncing",
  title: "Balls that bounce on the ground",
  source: "closed forms: free fall, the energy integral of Hunt and Crossley's law, angular momentum about the ground",
  scenario: "contact-bouncing",
  async tables(load) {
    const falling = await runScenario(load("contact-bouncing"));
    const touches = falling.run.events.filter(({ name }) => name === "lively-ball touch").map(({ t }) => t);
    const speed = 2;
    const weightless = await runScenario(
      load("contact-bouncing", [
        change("model.gravity", [0, 0, 0]),
        change("state.u.lively", [0, 0, 0, 0, 0, -speed]),
        change("state.u.dull", [0, 0, 0, 0, 0, -speed]),
        change("state.u.spun", [0, 0, 0, 0, 0, 0]),
        change("duration", 0.4),
      ]),
    );
    return [
      {
        title: "Falling",
        origin: "closed form",
        rows: [
          {
            quantity: "first touch of the lively ball",
            unit: "s",
            expected: [Math.sqrt((2 * HEIGHT) / G)],
            ours: touches.slice(0, 1),
            tolerance: 1e-12,
          },
          {
            quantity: "time of its second flight, the same as of a fall and a rise",
            unit: "s",
            expected: [2 * Math.sqrt((2 * HEIGHT) / G)],
            ours: [touches[2]! - touches[1]!],
            tolerance: 1e-9,
          },
          {
            quantity: "speed with which the spun ball rolls in the end, (v + 2/5 ω r) / (7/5)",
            unit: "m/s",
            expected: [(1 - 0.4 * 40 * RADIUS) / 1.4],
            ours: valuesAt(falling.run.log, 4, ["u.spun.vx"]),
            tolerance: 1e-6,
          },
        ],
      },
      {
        title: `Without gravity, at ${speed} m/s against the ground`,
        origin: "closed form",
        rows: [
          {
            quantity: "speed back, without and with damping",
            unit: "m/s",
            expected: [speed, reboundSpeed(DAMPING, speed)],
            ours: valuesAt(weightless.run.log, 0.4, ["u.lively.vz", "u.dull.vz"]),
            tolerance: 1e-8,
          },
        ],
      },
    ];
  },
};
