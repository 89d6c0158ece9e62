/** Small machines with closed forms or conserved quantities. */
import { runScenario } from "../../scenario/run.ts";
import { valueFurthestFrom, valuesAt } from "../samples.ts";
import { change, type Validation } from "../validation.ts";

const GRAVITY = 9.80665;
const MASS = 10;
const FRICTION = 0.5;

export const blockOnIncline: Validation = {
  name: "block-on-incline",
  title: "A block on an inclined plane near the friction angle",
  source: "closed form: rest below the friction angle, g (sin α - μ cos α) t²/2 above it",
  scenario: "block-on-incline",
  async tables(load) {
    const resting = await runScenario(load("block-on-incline"));
    const slope = 1.01 * Math.atan(FRICTION);
    const sliding = await runScenario(
      load("block-on-incline", [
        change("model.bodies.block.hinge.rotation.rpy", [0, slope, 0]),
        change("forces.plane.coulomb", FRICTION * MASS * GRAVITY * Math.cos(slope)),
        change("duration", 10),
      ]),
    );
    const acceleration = GRAVITY * (Math.sin(slope) - FRICTION * Math.cos(slope));
    return [
      {
        title: "At 0.99 of the friction angle",
        origin: "closed form",
        rows: [
          {
            quantity: "position, furthest within 100 s",
            unit: "m",
            expected: [0],
            ours: [valueFurthestFrom(resting.run.log, "q.block", 0)],
            tolerance: 1e-9,
          },
        ],
      },
      {
        title: "At 1.01 of the friction angle",
        origin: "closed form",
        rows: [
          {
            quantity: "position at 10 s",
            unit: "m",
            expected: [(acceleration * 10 ** 2) / 2],
            ours: valuesAt(sliding.run.log, 10, ["q.block"]),
            tolerance: 1e-9,
          },
        ],
      },
    ];
  },
};

export const freeFloatingArm: Validation = {
  name: "free-floating-arm",
  title: "A free-floating arm of three hinges, tumbling for 60 s with all settings at their defaults",
  source: "conservation laws",
  scenario: "free-floating-arm",
  async tables(load) {
    const { run } = await runScenario(load("free-floating-arm"));
    const limits: Readonly<Record<string, number>> = { energy: 1e-9, "angular momentum": 1e-10, "linear momentum": 1e-10 };
    return [
      {
        title: "Relative drift, largest of all samples",
        origin: "conservation law",
        rows: run.audit.flatMap(({ channel, worst }) =>
          limits[channel] === undefined
            ? []
            : [{ quantity: channel, unit: "", expected: [0], ours: [worst], tolerance: limits[channel] }],
        ),
      },
    ];
  },
};
