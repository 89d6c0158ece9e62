/** The N four-bar for any N: its model, its initial state, and the motion of the equivalent pendulum. */
import { dop853 } from "../../sim/integrators/dop853.ts";

const GRAVITY = 9.81;

/** N windows: vertical rods v0..vN, horizontal rods h1..hN, each slender, 1 m and 1 kg. A model description. */
export function nFourBar(n: number): object {
  const rod = (name: string, hinge: object, rest: object = {}): object => ({
    name,
    mass: 1,
    com: [0.5, 0, 0],
    inertia: [1e-6, 1 / 12, 1 / 12],
    hinge: { kind: "revolute", ...hinge },
    ...rest,
  });
  const top = { frames: { top: { at: [1, 0, 0] } } };
  const windows = Array.from({ length: n }, (_, i) => i + 1);
  return {
    name: `N four-bar, N = ${n}`,
    gravity: [0, -GRAVITY, 0],
    bodies: [
      ...[0, ...windows].map((i) => rod(`v${i}`, { at: [i, 0, 0] }, i === 0 ? top : {})),
      ...windows.map((i) => rod(`h${i}`, { at: [1, 0, 0] }, { parent: `v${i - 1}` })),
    ],
    loops: windows.map((i) => ({
      name: `pin${i}`,
      kind: "general",
      freedoms: ["z", "rx", "ry", "rz"],
      from: { body: `h${i}`, at: [1, 0, 0] },
      to: { body: `v${i}`, at: [1, 0, 0] },
    })),
  };
}

/** All verticals upright, falling at 1 rad/s; the horizontals stay horizontal. */
export function nFourBarStart(n: number): { readonly q: Record<string, number>; readonly u: Record<string, number> } {
  const q: Record<string, number> = {};
  const u: Record<string, number> = {};
  for (let i = 0; i <= n; i++) [q[`v${i}`], u[`v${i}`]] = [Math.PI / 2, -1];
  for (let i = 1; i <= n; i++) [q[`h${i}`], u[`h${i}`]] = [-Math.PI / 2, 1];
  return { q, u };
}

/** Top of the first rod at t: (cos θ, sin θ) of I θ'' = -G cos θ, θ(0) = π/2, θ'(0) = -1. */
export function topOfNFourBar(n: number, t: number): readonly [number, number] {
  const inertia = (n + 1) / 3 + n;
  const weight = ((n + 1) / 2 + n) * GRAVITY;
  const stepper = dop853.start(
    {
      size: 2,
      derivative: (_, y, ydot) => {
        ydot[0] = y[1]!;
        ydot[1] = (-weight / inertia) * Math.cos(y[0]!);
      },
    },
    { relativeTolerance: 1e-13, absoluteTolerance: 1e-14 },
  );
  stepper.restart(0, Float64Array.of(Math.PI / 2, -1));
  while (stepper.t < t) stepper.step(t);
  return [Math.cos(stepper.y[0]!), Math.sin(stepper.y[0]!)];
}
