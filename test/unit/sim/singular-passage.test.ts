/** Every integrator at configurations in which loops lose equations: it stays on its branch, or stops with a reason. */
import { describe, expect, test } from "vitest";
import { SingularError } from "../../../src/errors.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { ModelDescription } from "../../../src/model/description.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { gaussCollocation } from "../../../src/sim/integrators/implicit/gauss-collocation.ts";
import { INTEGRATORS } from "../../../src/sim/integrators/index.ts";
import type { IntegratorOptions } from "../../../src/sim/integrators/integrator.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import { nFourBar, nFourBarStart, topOfNFourBar } from "../../../src/validation/benchmarks/n-four-bar.ts";

const steps = (...sizes: number[]): IntegratorOptions[] => sizes.map((step) => ({ step }));
const tolerances = (...sizes: number[]): IntegratorOptions[] =>
  sizes.map((relativeTolerance) => ({ relativeTolerance, absoluteTolerance: relativeTolerance / 100 }));
const fixed = ["rk4", "rkg", "gauss6"] as const;
const adaptive = ["dopri5", "dop853", "radau5"] as const;
const LOOSE = { energy: 1 };

function nFourBarRun(n: number, integrator: keyof typeof INTEGRATORS, settings: IntegratorOptions, duration: number) {
  const model = createModel(nFourBar(n) as ModelDescription);
  const system = createSystem(model, []);
  const start = nFourBarStart(n);
  const values = (of: Record<string, number>): Float64Array => Float64Array.from(model.bodies, (b) => of[b.name]!);
  const y0 = system.start({ q: values(start.q), u: values(start.u) });
  return simulate(system, y0, {
    duration,
    integrator: INTEGRATORS[integrator],
    settings,
    sample: 0.1,
    channels: ["q.*", "u.*"],
    tolerances: LOOSE,
  });
}

/** Largest distance of the first rod from the pendulum, and of the others from the first: on the right branch all are parallel. */
function offBranch(n: number, run: ReturnType<typeof nFourBarRun>): number {
  const last = (name: string): number => run.log.column(name).at(-1)!;
  const [x, y] = topOfNFourBar(n, run.t);
  const first = Math.hypot(Math.cos(last("q.v0")) - x, Math.sin(last("q.v0")) - y);
  const others = Array.from({ length: n }, (_, i) => Math.abs(last(`u.v${i + 1}`) - last("u.v0")));
  return Math.max(first, ...others);
}

describe("N four-bar, two flat configurations in 1.5 s", () => {
  const cases = [
    ...fixed.flatMap((name) => steps(0.02, 0.003).map((settings) => ({ name, settings, limit: 1e-4 }))),
    ...adaptive.flatMap((name) => tolerances(1e-5, 1e-8, 1e-12).map((settings) => ({ name, settings, limit: 1e-3 }))),
  ];
  test.each(cases)("N = 2, $name, $settings", ({ name, settings, limit }) => {
    expect(offBranch(2, nFourBarRun(2, name, settings, 1.5))).toBeLessThan(limit);
  });

  test("errors are those of the integrator: tight tolerances give tight results", () => {
    for (const name of adaptive) expect(offBranch(2, nFourBarRun(2, name, tolerances(1e-12)[0]!, 1.5))).toBeLessThan(1e-9);
    expect(offBranch(2, nFourBarRun(2, "gauss6", { step: 0.01 }, 1.5))).toBeLessThan(1e-10);
  });

  test.each([
    { name: "rk4", settings: { step: 0.005 } },
    { name: "dop853", settings: tolerances(1e-10)[0]! },
    { name: "radau5", settings: tolerances(1e-7)[0]! },
  ] as const)("N = 40, $name, $settings", ({ name, settings }) => {
    expect(offBranch(40, nFourBarRun(40, name, settings, 1.5))).toBeLessThan(1e-5);
  });
});

/** Flat at q = 0, where it may continue as a parallelogram or with crossed rods. */
const parallelogram = (closing: object, gravity: number): ModelDescription => ({
  name: "parallelogram",
  gravity: [0, -gravity, 0],
  bodies: [
    { name: "a", mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1], hinge: { kind: "revolute" } },
    { name: "b", parent: "a", mass: 1, com: [1, 0, 0], inertia: [0.01, 0.3, 0.3], hinge: { kind: "revolute", at: [1, 0, 0] } },
    { name: "c", mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1], hinge: { kind: "revolute", at: [2, 0, 0] } },
  ],
  loops: [{ name: "pin", from: { body: "b", at: [2, 0, 0] }, to: { body: "c", at: [1, 0, 0] }, ...closing } as never],
});
const POINT = { kind: "general", freedoms: ["z", "rx", "ry", "rz"] };
const FULL = { kind: "revolute" };

function from(q: readonly number[], u: readonly number[], name: keyof typeof INTEGRATORS, gravity: number, closing: object) {
  const system = createSystem(createModel(parallelogram(closing, gravity)), []);
  const settings = INTEGRATORS[name].adaptive ? {} : { step: 0.01 };
  const y0 = system.start({ q: Float64Array.from(q), u: Float64Array.from(u) });
  return simulate(system, y0, { duration: 1.5, integrator: INTEGRATORS[name], settings });
}

describe.each([POINT, FULL])("a flat start, closed by $kind", (closing) => {
  test.each(["rk4", "dop853", "radau5"] as const)("%s continues on the branch that the speeds determine", (name) => {
    for (const start of [0, 1e-4]) {
      const free = from([start, -start, start], [-2, 2, -2], name, 0, closing);
      expect(Math.abs(free.y[0]! - start + 3)).toBeLessThan(1e-9);
      expect(Math.abs(free.y[0]! + free.y[1]!)).toBeLessThan(1e-12);
      const falling = from([start, -start, start], [-2, 2, -2], name, 9.81, closing);
      expect(Math.abs(falling.y[0]! + falling.y[1]!)).toBeLessThan(1e-12);
      expect(falling.audit.find((row) => row.channel === "energy")!.worst).toBeLessThan(1e-7);
    }
  });

  test("the crossed branch is followed too: b turns twice as fast as a, and back", () => {
    const { y } = from([0, 0, 0], [0.5, -1.5, -1.5], "dop853", 0, closing); // b -1, c -1.5: tangent to θb = -2 θa
    expect(Math.abs(y[0]! + y[1]!)).toBeGreaterThan(0.1);
  });

  test.each(["rk4", "dop853", "radau5"] as const)(
    "%s: at rest under gravity nothing tells the branch, and the run says so",
    (name) => {
      expect(() => from([0, 0, 0], [0, 0, 0], name, 9.81, closing)).toThrow(
        /the loops pin become singular at t = 0 s, and the motion beyond is not determined: singular values/,
      );
      expect(() => from([0, 0, 0], [0, 0, 0], name, 9.81, closing)).toThrow(SingularError);
    },
  );

  test("speeds that satisfy the equations but belong to no branch are an error", () => {
    expect(() => from([0, 0, 0], [1, -2, -1], "rk4", 0, closing)).toThrow(SingularError);
    expect(() => from([0, 0, 0], [1, -2, -1], "rk4", 0, closing)).toThrow("the present speeds belong to none of them. Give");
  });

  test("a machine at rest without forces stays at rest", () => {
    expect(from([0, 0, 0], [0, 0, 0], "rk4", 0, closing).y[0]).toBe(0);
  });
});

test.each([2, 5, 8])("Gauss collocation of %i stages integrates polynomials of twice the degree", (stages) => {
  const { nodes, weights } = gaussCollocation(stages);
  const w = new Float64Array(stages);
  weights(1, w);
  for (let degree = 0; degree < 2 * stages; degree++)
    expect(Math.abs(nodes.reduce((sum, c, i) => sum + w[i]! * c ** degree, 0) - 1 / (degree + 1))).toBeLessThan(1e-15);
  weights(0.3, w);
  for (let degree = 0; degree < stages; degree++)
    expect(Math.abs(nodes.reduce((sum, c, i) => sum + w[i]! * c ** degree, 0) - 0.3 ** (degree + 1) / (degree + 1))).toBeLessThan(
      1e-14,
    );
});

test("passing a singular position is an event of the run, at its time", () => {
  const bar = { mass: 1, com: [0.5, 0, 0], inertia: [0.01, 0.1, 0.1] } as const;
  const model = createModel({
    name: "parallelogram",
    bodies: [
      { name: "crank", ...bar, hinge: { kind: "revolute", axis: "z" } },
      { name: "coupler", parent: "crank", ...bar, hinge: { kind: "revolute", axis: "z", at: [1, 0, 0] } },
      { name: "rocker", ...bar, hinge: { kind: "revolute", axis: "z", at: [1, 0, 0] } },
    ],
    loops: [
      {
        name: "pin",
        kind: "point-on-line",
        axis: "z",
        from: { body: "rocker", at: [1, 0, 0] },
        to: { body: "coupler", at: [1, 0, 0] },
      },
    ],
  });
  const system = createSystem(model, []);
  // 1.2 revolutions at a rate that stays: flat at half and whole turns, where crank and rocker stay parallel
  const y0 = system.start({ q: Float64Array.of(1, -1, 1), u: Float64Array.of(2, -2, 2) });
  const run = simulate(system, y0, { duration: 3.5, integrator: INTEGRATORS.rk4, settings: { step: 0.01 } });
  expect(run.events.map((e) => e.name)).toEqual(new Array(2).fill("singular position of the loops passed"));
  expect(Math.abs(run.events[0]!.t - (Math.PI - 1) / 2)).toBeLessThan(1e-8);
  expect(Math.abs(run.events[1]!.t - (2 * Math.PI - 1) / 2)).toBeLessThan(1e-8);
  expect(run.y[0]! - run.y[2]!).toBeCloseTo(0, 9);
});

test("two strong equations that exchange their order are not a singular position, and cost few steps", () => {
  const rod = { com: [0.055, 0, 0], inertia: [0.0002, 0.0025, 0.0026] } as const;
  const model = createModel({
    name: "engine",
    bodies: [
      { name: "crank", mass: 8, com: [0.005, 0, 0], inertia: [0.03, 0.03, 0.06], hinge: { kind: "revolute" } },
      { name: "rod", parent: "crank", mass: 0.8, ...rod, hinge: { kind: "revolute", at: [0.05, 0, 0] } },
      { name: "piston", mass: 0.6, inertia: [0.0006, 0.0006, 0.0006], hinge: { kind: "prismatic", axis: "x" } },
    ],
    loops: [
      {
        name: "pin",
        kind: "general",
        freedoms: ["z", "rx", "ry", "rz"],
        from: { body: "rod", at: [0.16, 0, 0] },
        to: { body: "piston" },
      },
    ],
  });
  const system = createSystem(model, []);
  const y0 = system.start({ q: Float64Array.of(0, 0, 0.21), u: Float64Array.of(100, (-100 * 0.21) / 0.16, 0) });
  const settings = { relativeTolerance: 1e-10, absoluteTolerance: 1e-12 };
  const run = simulate(system, y0, { duration: 1, integrator: INTEGRATORS.dop853, settings, tolerances: { energy: 1e-8 } });
  expect(run.events).toEqual([]);
  expect(run.counts.evaluations / run.counts.steps).toBeLessThan(25); // 12 a step and 3 for samples in it
});
