/**
 * Independent solution methods for loops agree on 100 seeded random models, and the loops stay closed.
 *
 * Where each program is evaluated once, every fifth model runs compiled and the others by the interpreter, as in formulations.test.ts.
 */
import { describe, expect, test, vi } from "vitest";
import type { FormulationName } from "../../src/dynamics/formulation.ts";
import { FORMULATIONS } from "../../src/dynamics/formulations.ts";
import { closedLoops } from "../../src/dynamics/loops/multipliers/closed-loops.ts";
import { SingularError } from "../../src/errors.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import { createSystem } from "../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../src/sim/integrators/index.ts";
import { simulate } from "../../src/sim/run/simulate.ts";
import { randomClosedModel, randomState } from "../fixtures/models/random-model.ts";
import { workspaceOf } from "../fixtures/workspace.ts";

/** True while kernels run by the interpreter. */
const interpreter = vi.hoisted(() => ({ isOn: false }));
vi.mock("../../src/kernel/run/kernel.ts", async (importActual) => {
  const kernels = await importActual<typeof import("../../src/kernel/run/kernel.ts")>();
  const compileOrInterpret: typeof kernels.compile = (program, options = {}) =>
    kernels.compile(program, interpreter.isOn ? { ...options, target: "interpret" } : options);
  return { ...kernels, compile: compileOrInterpret };
});

/** Condition of M and of the loops times rounding, relative to the largest component. */
const MOTION = 1e-9;
const REACTIONS = 1e-8;

const NAMES = Object.keys(FORMULATIONS) as FormulationName[];

/** A random model in a state in which its loops are closed and stay closed. */
function closedState(seed: number) {
  const { description, q } = randomClosedModel(seed);
  const model = createModel(description);
  const { u, tau } = randomState(model, seed);
  const loops = closedLoops(model);
  const position = Float64Array.from(q);
  loops.project(0, position, u);
  return { model, q: position, u, tau };
}

function difference(a: Float64Array, b: Float64Array): number {
  const scale = Math.max(1e-300, ...a.map(Math.abs), ...b.map(Math.abs));
  return Math.max(0, ...a.map((v, i) => Math.abs(v - b[i]!))) / scale;
}

describe("100 random models with loops", () => {
  for (let first = 0; first < 100; first += 20) {
    test(`seeds ${first} to ${first + 19}`, () => {
      for (let seed = first; seed < first + 20; seed++) {
        interpreter.isOn = seed % 5 !== 0;
        const { model, q, u, tau } = closedState(seed);
        const rows = closedLoops(model).rows;
        const none = new Float64Array(0);
        const results = NAMES.map((name) => {
          const equations = FORMULATIONS[name].derive(model);
          const udot = new Float64Array(model.nu);
          const reactions = new Float64Array(6 * model.bodies.length);
          const multipliers = new Float64Array(rows);
          equations.accelerations(q, u, tau, none, udot, 0);
          equations.reactions(q, u, tau, none, reactions, 0);
          equations.loopForces(q, u, tau, none, multipliers, 0);
          return { udot, reactions, multipliers };
        });
        for (const [k, name] of NAMES.entries()) {
          const apart = (what: "udot" | "reactions" | "multipliers"): number => difference(results[0]![what], results[k]![what]);
          const pair = `seed ${seed} (${model.loops.map((l) => l.kind).join(", ")}): ${NAMES[0]} against ${name}`;
          expect(apart("udot"), `accelerations, ${pair}`).toBeLessThan(MOTION);
          expect(apart("reactions"), `reactions, ${pair}`).toBeLessThan(REACTIONS);
          expect(apart("multipliers"), `multipliers, ${pair}`).toBeLessThan(REACTIONS);
        }
      }
      interpreter.isOn = false;
    });
  }
});

test("speeds that keep loops closed to rounding are not changed; all others are corrected", () => {
  for (let seed = 0; seed < 10; seed++) {
    const { model, q, u } = closedState(seed);
    const loops = closedLoops(model);
    const [f, rates] = [new Float64Array(loops.rows), new Float64Array(loops.rows)];
    const worst = (speeds: Float64Array): number => {
      loops.residual(0, q, speeds, f, rates);
      return Math.max(...rates.map(Math.abs));
    };
    const kept = u.map((v) => 1e-3 * v); // rounding is smaller by this factor
    loops.project(0, q, kept);
    const again = kept.slice();
    loops.project(0, q, again);
    expect(again, `seed ${seed}`).toEqual(kept);
    const off = kept.map((v, i) => v + 1e-9 * Math.sin(i + 1));
    const before = worst(off);
    expect(before, `seed ${seed}`).toBeGreaterThan(1e-11);
    loops.project(0, q, off);
    expect(worst(off), `seed ${seed}`).toBeLessThan(1e-12);
    expect(difference(off, kept)).toBeLessThan(1e-5);
  }
});

test("loops stay closed to 1e-10 over 10 s in all 100 models, or the run reports where they become singular", {
  timeout: 300_000,
}, () => {
  const stopped: number[] = [];
  for (let seed = 0; seed < 100; seed++) {
    const { model, q, u } = closedState(seed);
    const system = createSystem({ ...model, gravity: [0, 0, 0] }, []);
    const slow = u.map((v) => 0.2 * v);
    workspaceOf(system).closed!.project(0, q, slow);
    const settings = { relativeTolerance: 1e-7, absoluteTolerance: 1e-9 };
    try {
      const run = simulate(system, system.start({ q, u: slow }), {
        duration: 10,
        integrator: INTEGRATORS.dop853,
        settings,
        sample: 0.1,
      });
      const worst = Object.fromEntries(run.audit.map((r) => [r.channel, r.worst]));
      expect(worst["loop closure"], `seed ${seed}`).toBeLessThan(1e-10);
      expect(worst.energy, `seed ${seed}`).toBeLessThan(1e-3);
    } catch (error) {
      if (!(error instanceof SingularError)) throw error;
      expect(
        model.loops.some((l) => l.kind === "prescribed"),
        `seed ${seed}: only a drive can ask for the impossible`,
      ).toBe(true);
      expect(error.message).toMatch(/become singular at t = .* singular values/);
      stopped.push(seed);
    }
  }
  expect(stopped.length).toBeLessThan(5);
});
