/** Links are recovered from simulated decays with noise, through a measurement file, as a user would do it. */
import { describe, expect, it } from "vitest";
import { identifyDamping } from "../../src/analysis/identification/damping.ts";
import { identify } from "../../src/analysis/identification/identify.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import { parseMeasurementFile } from "../../src/scenario/measurement-file.ts";
import { createSystem } from "../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../src/sim/integrators/index.ts";
import { simulate } from "../../src/sim/run/simulate.ts";
import { uniform } from "../fixtures/models/random-model.ts";

const CUTS = [0.2, 0.7];
const STEP = 0.004;

interface Truth {
  readonly stiffness: readonly number[];
  readonly damping: readonly number[];
}

/** Tip of a clamped link after its release, every 4 ms for 2.4 s. */
function decayOf({ stiffness, damping }: Truth): readonly number[] {
  const model = createModel({
    name: "link",
    bodies: [
      {
        name: "rod",
        elastic: { length: 1, mass: 2, joints: CUTS.map((at, j) => ({ at, stiffness: stiffness[j]!, damping: damping[j]! })) },
        hinge: { kind: "fixed" },
        frames: { tip: { at: [1, 0, 0] } },
      },
    ],
  });
  const system = createSystem(model, []);
  const { log } = simulate(system, system.start({ q: Float64Array.of(4e-4, -9e-4) }), {
    duration: 600 * STEP,
    sample: STEP,
    channels: ["frame.tip.y"],
    integrator: INTEGRATORS.dop853,
    settings: { relativeTolerance: 1e-9, absoluteTolerance: 1e-12 },
  });
  return Array.from(log.column("frame.tip.y"));
}

describe("a decaying link, measured with noise of 1 % of its amplitude, 20 seeds", () => {
  it("stiffnesses within 1 %, dampers within 5 %, and correct standard errors", () => {
    const squares = new Map<string, number>();
    let [within1, within2] = [0, 0];
    for (let seed = 1; seed <= 20; seed++) {
      const next = uniform(seed);
      const normal = (): number => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
      const truth: Truth = {
        stiffness: [300, 200].map((k) => k * (0.7 + 0.6 * next())),
        damping: [0.08, 0.03].map((d) => d * (0.7 + 0.6 * next())),
      };
      const curve = decayOf(truth);
      const noise = 0.01 * Math.max(...curve.map(Math.abs));
      const values = curve.map((v) => (v + noise * normal()).toPrecision(6)).join(", ");
      const file = parseMeasurementFile(`
length: 1 m
mass: 2 kg
cuts: [${CUTS}]
measurements:
  - { kind: decay, modes: [1, 2], step: ${STEP} s, values: [${values}] }
`);
      const found = identify(file.rod, file.measurements, file.options);
      const { dampers } = identifyDamping(file.rod, CUTS, found.stiffnesses, file.ratios, {
        stiffnessErrors: found.uncertainty.stiffnesses,
      });
      const judge = (name: string, j: number, value: number, sigma: number, exact: number, part: number): void => {
        expect(Math.abs(value / exact - 1), `${name} ${j}, seed ${seed}`).toBeLessThan(part);
        const z = (value - exact) / sigma;
        squares.set(`${name} ${j}`, (squares.get(`${name} ${j}`) ?? 0) + z * z);
        if (Math.abs(z) < 1) within1++;
        if (Math.abs(z) < 2) within2++;
      };
      for (const j of [0, 1]) {
        judge("stiffness", j, found.stiffnesses[j]!, found.uncertainty.stiffnesses[j]!, truth.stiffness[j]!, 0.01);
        judge("damper", j, dampers.values[j]!, dampers.errors[j]!, truth.damping[j]!, 0.05);
      }
    }
    // Σ (error / standard error)² over 20 seeds is χ² with 20 degrees of freedom: in [5.9, 45.3] except twice in a thousand times.
    for (const [name, sum] of squares) {
      expect(sum, name).toBeGreaterThan(5.9);
      expect(sum, name).toBeLessThan(45.3);
    }
    // Of 80 results 68 % lie within one standard error and 95 % within two. The bounds are three standard deviations of the counts.
    expect(within1).toBeGreaterThanOrEqual(42);
    expect(within1).toBeLessThanOrEqual(67);
    expect(within2).toBeGreaterThanOrEqual(70);
  });
});
