import { type AdvanceStep, fixedExplicit } from "./explicit/fixed-explicit.ts";
import type { Derivative, Integrator } from "./integrator.ts";

/** Gill's variant of the classical method, as used in [TR-942]: the printed angles there are its discrete solution. */
export const rkg: Integrator = {
  name: "rkg",
  about: "Runge-Kutta-Gill, order 4, fixed step, cubic dense output",
  order: 4,
  adaptive: false,
  start: (problem, options) => fixedExplicit("rkg", problem, options, gill),
};

function gill(f: Derivative, n: number): AdvanceStep {
  const stage = new Float64Array(n);
  const f2 = new Float64Array(n);
  const f3 = new Float64Array(n);
  const f4 = new Float64Array(n);
  return (t0, t1, h, y0, f1, y1) => {
    const half = h / 2;
    const a31 = ((Math.SQRT2 - 1) / 2) * h;
    const a32 = (1 - Math.SQRT1_2) * h;
    const a42 = -Math.SQRT1_2 * h;
    const a43 = (1 + Math.SQRT1_2) * h;
    const b1 = h / 6;
    const b2 = ((2 - Math.SQRT2) * h) / 6;
    const b3 = ((2 + Math.SQRT2) * h) / 6;
    for (let i = 0; i < n; i++) stage[i] = y0[i]! + half * f1[i]!;
    f(t0 + half, stage, f2);
    for (let i = 0; i < n; i++) stage[i] = y0[i]! + a31 * f1[i]! + a32 * f2[i]!;
    f(t0 + half, stage, f3);
    for (let i = 0; i < n; i++) stage[i] = y0[i]! + a42 * f2[i]! + a43 * f3[i]!;
    f(t1, stage, f4);
    for (let i = 0; i < n; i++) y1[i] = y0[i]! + (b1 * f1[i]! + b2 * f2[i]! + b3 * f3[i]! + b1 * f4[i]!);
  };
}
