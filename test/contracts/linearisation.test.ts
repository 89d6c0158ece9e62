/** Contract suite: the linearisation of every traced force element, with its internal states, is the derivative of the simulated motion. */
import { describe, expect, it } from "vitest";
import { linearise } from "../../src/analysis/linearise.ts";
import { coordinateRates } from "../../src/dynamics/programs.ts";
import { compile } from "../../src/kernel/run/kernel.ts";
import { matrixProduct } from "../../src/math/linear/dense-matrix.ts";
import { FORCES } from "../../src/parts/force/forces.ts";
import type { ForceKind } from "../../src/parts/force/kind.ts";
import { createSystem } from "../../src/sim/create-system.ts";
import { scheduledInputs } from "../../src/sim/system/layout.ts";
import { ARM, stateAt } from "../fixtures/force-bench.ts";
import { workspaceOf } from "../fixtures/workspace.ts";

const SEEDS = [1, 2, 3, 4, 5, 6];
const STEP = 1e-6;
/** Error of central differences, relative to the largest derivative. */
const DIFFERENCES = 2e-5;

const examples = (Object.values(FORCES) as unknown as ForceKind[]).flatMap((kind) =>
  kind.examples.flatMap((example) => {
    const element = kind.create("e", example as never, ARM);
    return element.trace && !element.friction?.length ? [[`${kind.name} ${JSON.stringify(example)}`, element] as const] : [];
  }),
);
const rates = compile(coordinateRates(ARM));

describe.each(examples)("%s", (_, element) => {
  it("has the derivatives of the motion", () => {
    const system = createSystem(ARM, [element]);
    const workspace = workspaceOf(system);
    const { nq, nu, nz, ny } = system.layout;
    let compared = 0;
    for (const seed of SEEDS) {
      const state = stateAt(ARM, element, seed);
      const { t, q } = state;
      // Small internal states: of clamped values the derivative is zero, and not of interest.
      const z = state.z.map((v) => 0.01 * v);
      // Ball hinges do not turn: their axes, in which changes are given, stand still.
      const u = state.u.map((v, i) => (i < 3 || i >= nu - 3 ? 0 : v));
      const linear = linearise(ARM, [element], { q, u, z, t });
      expect(linear.m).toBe(nu);
      workspace.held.set(scheduledInputs(system.layout, t));
      const y = new Float64Array(ny);
      y.set(q);
      y.set(u, nq);
      y.set(z, nq + nu);
      /** u̇ and ż at a state moved along unit change j of positions, speeds and internal states. */
      const motionAt = (j: number, step: number): Float64Array => {
        const moved = y.slice();
        if (j < nu) {
          rates.x.set(q);
          for (let i = 0; i < nu; i++) rates.x[nq + i] = i === j ? step : 0;
          rates.evaluate();
          for (let i = 0; i < nq; i++) moved[i]! += rates.y[i]!;
        } else moved[nq + j - nu]! += step;
        const ydot = new Float64Array(ny);
        workspace.problem.derivative(t, moved, ydot);
        return ydot.slice(nq, nq + nu + nz);
      };
      const present = motionAt(0, 0);
      for (let j = 0; j < 2 * nu + nz; j++) {
        const [ahead, behind] = [motionAt(j, STEP), motionAt(j, -STEP)];
        const found = present.map((_, i) => (ahead[i]! - behind[i]!) / (2 * STEP));
        const size = Math.max(1, ...found.map(Math.abs));
        // A kink of the law within the difference: there is no derivative.
        if (present.some((v, i) => Math.abs(ahead[i]! - 2 * v + behind[i]!) / STEP > 1e-2 * size)) continue;
        const expected = changeOf(linear, j, found, nu, nz);
        for (let i = 0; i < nu + nz; i++)
          expect(Math.abs(expected[i]!) / size, `state ${seed}, change ${j}`).toBeLessThan(DIFFERENCES);
        compared++;
      }
    }
    expect(compared).toBeGreaterThan(SEEDS.length * nu);
  });
});

/** What is left of M δu̇ + D δu + K δs + B δz and of δż - E δs - F δu - A δz for a unit change, in units of accelerations. */
function changeOf(linear: ReturnType<typeof linearise>, j: number, found: Float64Array, nu: number, nz: number): Float64Array {
  const { mass, damping, stiffness, internal } = linear;
  const residual = matrixProduct(mass, found.subarray(0, nu), nu, nu, 1);
  const out = new Float64Array(nu + nz);
  const lightest = Math.min(...Array.from({ length: nu }, (_, i) => mass[i * nu + i]!));
  for (let i = 0; i < nu; i++) {
    const force =
      j < nu ? stiffness[i * nu + j]! : j < 2 * nu ? damping[i * nu + j - nu]! : internal.onForces[i * nz + j - 2 * nu]!;
    out[i] = (residual[i]! + force) / Math.max(1, lightest, mass[i * nu + i]!);
  }
  for (let i = 0; i < nz; i++) {
    const { byPosition, bySpeed, byState } = internal;
    const rate = j < nu ? byPosition[i * nu + j]! : j < 2 * nu ? bySpeed[i * nu + j - nu]! : byState[i * nz + j - 2 * nu]!;
    out[nu + i] = found[nu + i]! - rate;
  }
  return out;
}
