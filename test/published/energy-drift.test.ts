/** Energy over a million steps: a symplectic integrator keeps it, an explicit one drifts. */
import { expect, test } from "vitest";
import { createSystem } from "../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../src/sim/integrators/index.ts";
import { freeFloatingArm, tumblingState } from "../fixtures/models/tumbling-arm.ts";
import { workspaceOf } from "../fixtures/workspace.ts";

const { rk4, gauss6 } = INTEGRATORS;

test("gauss6 keeps the energy of the free-floating arm within 1e-6 over 10^6 steps, where rk4 drifts", {
  timeout: 240_000,
}, () => {
  const system = createSystem(freeFloatingArm(3), []);
  const step = 0.05;
  const { y: y0 } = tumblingState(system);
  const workspace = workspaceOf(system);
  const energyAt = (y: Float64Array): number => workspace.observe(0, y).kinetic;
  const start = energyAt(y0);
  const coast = (integrator: typeof gauss6, steps: number): { worst: number; last: number } => {
    const stepper = integrator.start(workspace.problem, { step });
    stepper.restart(0, y0);
    let worst = 0;
    for (let k = 1; k <= steps; k++) {
      stepper.step(k * step);
      if (k % 100 === 0) worst = Math.max(worst, Math.abs(energyAt(stepper.y) / start - 1));
    }
    return { worst, last: Math.abs(energyAt(stepper.y) / start - 1) };
  };
  expect(coast(gauss6, 1_000_000).worst).toBeLessThan(1e-6);
  const early = coast(rk4, 10_000).last;
  const late = coast(rk4, 100_000).last;
  expect(late).toBeGreaterThan(5 * early); // it grows with time
  expect(late).toBeGreaterThan(1e-4);
});
