import { type AdvanceStep, fixedExplicit } from "./explicit/fixed-explicit.ts";
import type { Derivative, Integrator } from "./integrator.ts";

/** Classical method of Kutta [HNW I, II.1, table 1.2 left]. */
export const rk4: Integrator = {
  name: "rk4",
  about: "classical Runge-Kutta, order 4, fixed step, cubic dense output",
  order: 4,
  adaptive: false,
  start: (problem, options) => fixedExplicit("rk4", problem, options, classical),
};

function classical(f: Derivative, n: number): AdvanceStep {
  const stage = new Float64Array(n);
  const f2 = new Float64Array(n);
  const f3 = new Float64Array(n);
  const f4 = new Float64Array(n);
  return (t0, t1, h, y0, f1, y1) => {
    const half = h / 2;
    const sixth = h / 6;
    for (let i = 0; i < n; i++) stage[i] = y0[i]! + half * f1[i]!;
    f(t0 + half, stage, f2);
    for (let i = 0; i < n; i++) stage[i] = y0[i]! + half * f2[i]!;
    f(t0 + half, stage, f3);
    for (let i = 0; i < n; i++) stage[i] = y0[i]! + h * f3[i]!;
    f(t1, stage, f4);
    for (let i = 0; i < n; i++) y1[i] = y0[i]! + sixth * (f1[i]! + 2 * (f2[i]! + f3[i]!) + f4[i]!);
  };
}
