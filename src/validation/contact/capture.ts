/** Impacts in closed form, and conservation of momentum during a capture. */
import type { Log } from "../../log/log.ts";
import { createModel } from "../../model/build/create-model.ts";
import { runScenario } from "../../scenario/run.ts";
import { createSystem } from "../../sim/create-system.ts";
import { changeLoops } from "../../sim/events/engagement.ts";
import { valueFurthestFrom, valuesAt } from "../samples.ts";
import { change, type Validation, type ValidationRow, type ValidationTable } from "../validation.ts";

const [m1, m2, v1, v2] = [3, 5, 2, -0.7];
const restitution = 0.3;

/** Two carts on one line: v⁺ after an impact, the impulse on the second, and the energy lost. */
function collideCarts(e: number, way: "engage" | "bump"): readonly number[] {
  const cart = (name: string, mass: number) =>
    ({ name, mass, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } }) as const;
  const ends = { from: { body: "first" }, to: { body: "second" } };
  const model = createModel({
    name: "two carts",
    bodies: [cart("first", m1), cart("second", m2)],
    loops: [{ name: "buffer", kind: "point-on-plane", axis: "x", ...ends, engaged: false }],
  });
  const system = createSystem(model, []);
  const start = system.start({ q: [0, 0.4], u: [v1, v2] });
  const struck = way === "engage" ? { engage: ["buffer"] } : { bump: [{ loop: "buffer", restitution: e }] };
  const { state, impulse } = changeLoops(system, start, struck);
  const { loops, dissipated } = impulse;
  return [state.y[2]!, state.y[3]!, loops[0]!.rows[0]!, dissipated];
}

function cartsTable(title: string, e: number, way: "engage" | "bump"): ValidationTable {
  const reduced = (m1 * m2) / (m1 + m2);
  const impulse = (1 + e) * reduced * (v1 - v2);
  const lost = 0.5 * (1 - e * e) * reduced * (v1 - v2) ** 2;
  const [first, second, given, dissipated] = collideCarts(e, way);
  const row = (quantity: string, unit: string, expected: number[], ours: number[]): ValidationRow => ({
    quantity,
    unit,
    expected,
    ours,
    tolerance: 1e-13,
  });
  return {
    title,
    origin: "closed form",
    rows: [
      row("speeds after it", "m/s", [v1 - impulse / m1, v2 + impulse / m2], [first!, second!]),
      row("impulse", "N s", [impulse], [given!]),
      row("energy lost", "J", [lost], [dissipated!]),
    ],
  };
}

const largestChange = (log: Log, quantity: string): number[] =>
  ["x", "y", "z"].map((axis) => {
    const start = log.column(`${quantity}.${axis}`)[0]!;
    return valueFurthestFrom(log, `${quantity}.${axis}`, start) - start;
  });

export const capture: Validation = {
  name: "capture",
  title: "Capture of a tumbling target: approach, impact, stabilisation, release",
  source: "closed forms of the collinear impact of two bodies; conservation laws",
  scenario: "capture-tumbling-target",
  async tables(load) {
    const release = { at: 28, release: "grasp", disable: "stabilize", enable: "hold" };
    const { run } = await runScenario(
      load("capture-tumbling-target", [change("duration", 30), change("events.release", release)]),
    );
    const grasp = run.timeline.find(({ name }) => name === "grasp");
    const kinetic = (["before", "after"] as const).map((side) => valuesAt(run.log, grasp?.t ?? 0, ["energy.kinetic"], side)[0]!);
    const zeros = [0, 0, 0];
    return [
      cartsTable("Two carts of 3 and 5 kg that stay together", 0, "engage"),
      cartsTable(`Two carts that spring apart, restitution ${restitution}`, restitution, "bump"),
      {
        title: "The robot and its target, largest of all samples through approach, impact, stabilisation and release",
        origin: "conservation law",
        rows: [
          { quantity: "events", unit: "", origin: "closed form", expected: [3], ours: [run.timeline.length], tolerance: 0.5 },
          {
            quantity: "change of linear momentum",
            unit: "N s",
            expected: zeros,
            ours: largestChange(run.log, "momentum.linear"),
            tolerance: 1e-9,
          },
          {
            quantity: "change of angular momentum",
            unit: "N m s",
            expected: zeros,
            ours: largestChange(run.log, "momentum.angular"),
            tolerance: 1e-9,
          },
          {
            quantity: "energy lost in the impact, and work of the impulses",
            unit: "J",
            expected: [kinetic[0]! - kinetic[1]!],
            ours: [grasp?.impulse?.dissipated ?? Number.NaN],
            tolerance: 1e-12,
          },
          {
            quantity: "speed of the fixture in the hand after the impact",
            unit: "m/s",
            origin: "closed form",
            expected: [0],
            ours: valuesAt(run.log, grasp?.t ?? 0, ["loop.grasp.speed"], "after"),
            tolerance: 1e-14,
          },
        ],
      },
    ];
  },
};
