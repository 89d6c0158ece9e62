/** Beams in closed form: clamped, rotating, in large deflection, with given damping ratios. */
import { linearise } from "../../analysis/linearise.ts";
import { modesOf } from "../../analysis/modes/modes.ts";
import { createModel } from "../../model/build/create-model.ts";
import { runScenario } from "../../scenario/run.ts";
import type { Validation } from "../validation.ts";
import { convergenceTables } from "./convergence.ts";
import { cantilever, EI, errorsOf, row } from "./rods.ts";

/** Flapping of a rotating clamped rod: first frequency over √(EI / (μ L⁴)), exact, and errors of 4 and 6 joints in %. */
const ROTATING = {
  speeds: [1, 2, 3, 6, 12],
  exact: [3.6816, 4.1373, 4.7973, 7.3604, 13.1704],
  errors: { 4: [0.11, 0.33, 0.54, 0.86, 1.36], 6: [0.05, 0.16, 0.25, 0.39, 0.5] },
};

function flapping(joints: number, speed: number): number {
  const model = createModel({
    name: "rotor",
    bodies: [
      { name: "hub", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute" } },
      {
        name: "rod",
        parent: "hub",
        elastic: { length: 1, massPerLength: 1, ...EI, freedoms: ["ry"], joints },
        hinge: { kind: "fixed" },
      },
    ],
    loops: [{ name: "spin", kind: "prescribed", hinge: "hub", motion: { rate: speed } }],
  });
  const u = new Float64Array(model.nu);
  u[0] = speed;
  return 2 * Math.PI * modesOf(linearise(model, [], { u }))[0]!.frequency;
}

export const flexibleBeams: Validation = {
  name: "flexible-beams",
  title: "Beams: clamped, rotating, bent far",
  source: "Euler and Bernoulli's beam in closed form, Euler's elastica, rotating beams of 200 joints",
  scenario: "flexible-elastica",
  async tables(load) {
    const sets: readonly (readonly [number, readonly number[]])[] = [
      [3, [1]],
      [4, [0, 1]],
      [5, [0, 1, 2]],
      [6, [0, 1, 2]],
    ];
    const { run } = await runScenario(load("flexible-elastica"));
    const last = (name: string): number => run.log.column(name).at(-1)!;
    return [
      {
        title: "Calibrated sets: relative errors of the clamped rod",
        origin: "closed form",
        rows: sets.map(([J, modes]) => {
          const { f, statics } = errorsOf(cantilever({ ...EI, joints: J }));
          const chosen = [...modes.map((k) => f[k]!), ...statics].map((e) => e / 100);
          return row(
            `${J} joints: f${modes.map((k) => k + 1).join(", f")}, u_P, φ_P, φ_M`,
            "",
            chosen.map(() => 0),
            chosen,
            1e-9,
          );
        }),
      },
      ...convergenceTables(),
      {
        title: "Rotating: error of the first flapping frequency at Ω √(μ L⁴ / EI) = 1, 2, 3, 6, 12",
        origin: "independent program",
        rows: ([4, 6] as const).map((J) =>
          row(
            `${J} joints`,
            "%",
            ROTATING.errors[J],
            ROTATING.speeds.map((w, i) => 100 * (flapping(J, w) / ROTATING.exact[i]! - 1)),
            0.006,
          ),
        ),
      },
      {
        title: "Elastica, P L² / EI = 1: where the tip comes to rest",
        origin: "closed form",
        rows: [row("x, y over L", "", [0.94357, 0.30172], [last("frame.tip.x"), last("frame.tip.y")], 1e-3)],
      },
      {
        title: "Damping ratios chosen as 1, 1, 2, 5 %",
        origin: "closed form",
        rows: [
          row(
            "realised",
            "",
            [0.01, 0.01, 0.02, 0.05],
            modesOf(linearise(cantilever({ ...EI, damping: { ratios: [0.01, 0.01, 0.02, 0.05] } }))).map((m) => m.dampingRatio),
            1e-6,
          ),
        ],
      },
    ];
  },
};
