/** Closed loops in time: example 2 of TR-942 through its singular configurations, assembly, prescribed motion, redundancy. */
import { describe, expect, test } from "vitest";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { ModelDescription } from "../../../src/model/description.ts";
import { FORCES } from "../../../src/parts/force/forces.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../../src/sim/integrators/index.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import { describeRedundantRows } from "../../../src/sim/singular/singular-loops.ts";
import { assemble } from "../../../src/sim/system/assembly.ts";
import { workspaceOf } from "../../fixtures/workspace.ts";

const DEGREE = Math.PI / 180;

const bar = (name: string, parent: string, length: number, mass: number, inertia: [number, number, number], hinge: object) => ({
  name,
  parent,
  mass,
  com: [length / 2, 0, 0] as const,
  inertia,
  hinge: hinge as { kind: "revolute" },
});

/** Example 2 of TR-942; the pins of the loops hold x and y only. */
const pantograph: ModelDescription = {
  name: "satellite with a pantograph",
  bodies: [
    { name: "satellite", mass: 200, inertia: [20, 20, 20], hinge: { kind: "free" } },
    bar("bar2", "satellite", 2, 20, [1, 5, 5], { kind: "general", freedoms: ["y", "rz"], at: [1, 0, 0] }),
    bar("bar3", "satellite", 2, 20, [1, 5, 5], { kind: "general", freedoms: ["y", "rz"], at: [1, 0, 0] }),
    bar("bar5", "bar2", 1, 10, [0.2, 1, 1], { kind: "revolute", at: [2, 0, 0] }),
    bar("bar4", "bar3", 1, 10, [0.2, 1, 1], { kind: "revolute", at: [2, 0, 0] }),
  ],
  loops: [
    {
      name: "h6",
      kind: "general",
      freedoms: ["z", "rx", "ry", "rz"],
      from: { body: "bar2", at: [1, 0, 0] },
      to: { body: "bar3", at: [1, 0, 0] },
    },
    {
      name: "h7",
      kind: "general",
      freedoms: ["z", "rx", "ry", "rz"],
      from: { body: "bar5", at: [1, 0, 0] },
      to: { body: "bar4", at: [1, 0, 0] },
    },
  ],
};

function pantographSystem(formulation: "articulated" | "kane" | "matrix" = "articulated") {
  const model = createModel(pantograph);
  const system = createSystem(
    model,
    [
      FORCES["hinge-spring"].create("slider", { hinge: "bar2.y", stiffness: 1, damping: 10 }, model),
      FORCES["hinge-spring"].create("hinge", { hinge: "bar2.rz", stiffness: 4, damping: 10 }, model),
    ],
    { formulation },
  );
  const c = Math.cos(2 * DEGREE);
  const angles = [c, -88 * DEGREE, -c, 88 * DEGREE, 176 * DEGREE, -176 * DEGREE];
  return { system, y0: system.start({ q: Float64Array.of(1, 0, 0, 0, 0, 0, 0, ...angles) }) };
}

/** theta2, theta3, theta5, theta3dot, theta5dot as the report prints them. */
const PRINTED: Readonly<Record<number, readonly number[]>> = {
  2: [-1.4562229, 1.4562229, 2.9124458, -7.6936491e-2, -1.5387298e-1],
  4: [-1.235726, 1.235726, 2.471452, -1.4320718e-1, -2.8641436e-1],
  6: [-8.7714958e-1, 8.7714958e-1, 1.7542992, -2.1925056e-1, -4.3850112e-1],
  8: [-3.303746e-1, 3.303746e-1, 6.607492e-1, -3.3128321e-1, -6.6256642e-1],
};
const TRUTH = { 10: -0.2019830067502, 20: 0.0362254404567 } as const;
const CHANNELS = ["q.bar2.rz", "q.bar3.rz", "q.bar5", "u.bar3.rz", "u.bar5"];

describe("satellite with a pantograph, TR-942 example 2", () => {
  test("rkg at 0.025 s: the 20 printed values, then through both singular configurations", () => {
    const { system, y0 } = pantographSystem();
    const run = simulate(system, y0, { duration: 20, integrator: INTEGRATORS.rkg, settings: { step: 0.025 }, sample: 2 });
    const at = (channel: string, t: number): number => run.log.column(channel)[t / 2]!;
    for (const [t, values] of Object.entries(PRINTED))
      for (const [k, value] of values.entries())
        expect(Math.abs(at(CHANNELS[k]!, Number(t)) - value), `${CHANNELS[k]} at ${t} s`).toBeLessThan(2e-7);
    for (const t of [10, 20] as const) {
      expect(Math.abs(at("q.bar3.rz", t) - TRUTH[t])).toBeLessThan(1e-6);
      expect(Math.abs(at("q.bar3.rz", t) + at("q.bar2.rz", t))).toBeLessThan(1e-5);
    }
    expect(Math.abs(at("energy.balance", 8) - 5.217305610221)).toBeLessThan(1e-8);
  });

  test("θ3 is within 1e-6 of the truth and on the right branch after both, for at least 39 of 40 step sizes", () => {
    const { system, y0 } = pantographSystem();
    let right = 0;
    for (let n = 61; n <= 100; n++) {
      const run = simulate(system, y0, {
        duration: 20,
        integrator: INTEGRATORS.rkg,
        settings: { step: 2 / n },
        sample: 2,
        tolerances: { energy: 0.1 },
      });
      const [a, b] = [run.log.column("q.bar2.rz"), run.log.column("q.bar3.rz")];
      const errors = [b[5]! - TRUTH[10], b[10]! - TRUTH[20], 0.1 * (a[5]! + b[5]!), 0.1 * (a[10]! + b[10]!)];
      if (errors.every((e) => Math.abs(e) < 1e-6)) right++;
    }
    expect(right).toBeGreaterThanOrEqual(39);
  });

  test("converged: energy stays 5.217305610221 J and loops stay closed until the first singular configuration", () => {
    const { system, y0 } = pantographSystem();
    const run = simulate(system, y0, { duration: 8, integrator: INTEGRATORS.dop853 });
    expect(Math.abs(run.log.column("energy.balance").at(-1)! - 5.217305610221)).toBeLessThan(1e-9);
    expect(Math.abs(run.y[10]! - 0.3303746632686)).toBeLessThan(1e-9);
    const worst = Object.fromEntries(run.audit.map((r) => [r.channel, r.worst]));
    expect(worst["loop closure"]).toBeLessThan(1e-10);
    expect(worst["linear momentum"]).toBeLessThan(1e-10);
  });
});

const fourBar = (closing: object): ModelDescription => ({
  name: "four-bar",
  gravity: [0, -9.81, 0],
  bodies: [
    { name: "crank", mass: 1, com: [0.5, 0, 0], inertia: [0.01, 1 / 12, 1 / 12], hinge: { kind: "revolute" } },
    {
      name: "coupler",
      parent: "crank",
      mass: 2,
      com: [1, 0, 0],
      inertia: [0.01, 2 / 3, 2 / 3],
      hinge: { kind: "revolute", at: [1, 0, 0] },
    },
    { name: "rocker", mass: 1.5, com: [0.75, 0, 0], inertia: [0.01, 0.28, 0.28], hinge: { kind: "revolute", at: [2, 0, 0] } },
  ],
  loops: [
    { name: "pin", from: { body: "coupler", at: [2, 0, 0] }, to: { body: "rocker", at: [1.5, 0, 0] }, ...closing } as never,
  ],
});
const POINT = { kind: "general", freedoms: ["z", "rx", "ry", "rz"] };

describe("assembly", () => {
  test("closes the loop nearest to the guess and reports the changed coordinates", () => {
    const system = createSystem(createModel(fourBar(POINT)), []);
    const guess = system.start({ q: Float64Array.of(1.2, -0.7, 1.6), u: [1, 0, 0] });
    const { state, moved } = assemble(system, guess);
    const { y } = state;
    const f = [new Float64Array(2), new Float64Array(2)] as const;
    workspaceOf(system).closed!.residual(0, y.subarray(0, 3), y.subarray(3, 6), ...f);
    for (const v of [...f[0], ...f[1]]) expect(Math.abs(v)).toBeLessThan(1e-12);
    expect(moved.length).toBe(6);
    expect(moved.map((m) => m.name)).toContain("u.rocker");
    for (let i = 0; i < 3; i++) expect(Math.abs(y[i]! - guess.y[i]!)).toBeLessThan(1);
  });

  test("an impossible loop is an error with its name and residual", () => {
    const model = createModel({
      ...fourBar(POINT),
      loops: [{ name: "pin", kind: "spherical", from: { body: "coupler", at: [2, 0, 0] }, to: { body: "world", at: [9, 0, 0] } }],
    });
    const system = createSystem(model, []);
    expect(() => assemble(system, system.start())).toThrow(
      /loops\.pin: cannot be closed: the nearest assembly still has a residual of 6/,
    );
  });

  test.each([
    ["revolute", [0, 0, 1, 0], 180],
    ["fixed", [0, 1, 0, 0], 180],
    ["fixed", [0.5, 0.5, 0.5, 0.5], 90], // axes that have changed places
  ] as const)("a %s loop that would close in a flipped position is an error", (kind, quaternion, angle) => {
    const ball = { name: "ball", mass: 1, inertia: [1, 1, 1] as const, hinge: { kind: "free" as const } };
    const model = createModel({
      name: "m",
      bodies: [ball],
      loops: [{ name: "seat", kind, from: { body: "world" }, to: { body: "ball" } }],
    });
    const system = createSystem(model, []);
    const at = (q: readonly number[]) => assemble(system, system.start({ q: Float64Array.of(...q, 0.1, 0, 0) }));
    expect(() => at(quaternion)).toThrow(new RegExp(`loops\\.seat: closes in a flipped position, ${angle} deg`));
    expect(at([0.9, 0.3, 0.2, Math.sqrt(0.06)]).moved.length).toBeGreaterThan(0);
  });
});

test("a planar four-bar closed by a revolute moves like one closed by a point, and its redundant rows are counted", () => {
  const runs = [POINT, { kind: "revolute" }].map((closing) => {
    const system = createSystem(createModel(fourBar(closing)), []);
    const { state } = assemble(system, system.start({ q: [1.2, -0.7, 1.6] }));
    const run = simulate(system, state, { duration: 3, integrator: INTEGRATORS.dop853 });
    const workspace = workspaceOf(system, state);
    workspace.compileLoopsAt(0, state.y);
    return { run, redundant: workspace.closed!.redundant, named: describeRedundantRows(workspace, state.y) };
  });
  expect(runs.map((r) => r.redundant)).toEqual([0, 3]);
  expect(runs[0]!.named).toEqual([]);
  expect(runs[1]!.named.join()).toMatch(/^loop pin: .*force z.*\(5 in all, 2 independent\)/);
  for (let i = 0; i < 6; i++) expect(Math.abs(runs[0]!.run.y[i]! - runs[1]!.run.y[i]!)).toBeLessThan(1e-8);
  for (const { run } of runs) expect(run.audit.find((r) => r.channel === "energy")!.worst).toBeLessThan(1e-9);
});

test("a prescribed crank follows its motion, and its work is in the energy balance", () => {
  const model = createModel({
    ...fourBar(POINT),
    loops: [
      ...fourBar(POINT).loops!,
      { name: "drive", kind: "prescribed", hinge: "crank", motion: { offset: 1.2, rate: 0.5, amplitude: 0.1, frequency: 3 } },
    ],
  });
  const system = createSystem(model, []);
  const { state } = assemble(system, system.start({ q: [1.2, -0.7, 1.6] }));
  const run = simulate(system, state, { duration: 4, integrator: INTEGRATORS.dop853 });
  expect(Math.abs(run.y[0]! - (1.2 + 2 + 0.1 * Math.sin(12)))).toBeLessThan(1e-9);
  expect(Math.abs(run.y[3]! - (0.5 + 0.3 * Math.cos(12)))).toBeLessThan(1e-9);
  const worst = Object.fromEntries(run.audit.map((r) => [r.channel, r.worst]));
  expect(worst.energy).toBeLessThan(1e-9);
  expect(worst["loop closure"]).toBeLessThan(1e-10);
});

/** A regular polygon of links, closed at the world. */
const ring = (n: number): ModelDescription => ({
  name: `ring of ${n}`,
  gravity: [0, -1, 0],
  bodies: Array.from({ length: n }, (_, i) => ({
    name: `l${i}`,
    ...(i > 0 && { parent: `l${i - 1}` }),
    mass: 1,
    com: [0.5, 0, 0] as const,
    inertia: [0.01, 1 / 12, 1 / 12] as const,
    hinge: { kind: "revolute" as const, ...(i > 0 && { at: [1, 0, 0] as const }) },
  })),
  loops: [{ name: "ring", from: { body: `l${n - 1}`, at: [1, 0, 0] }, to: { body: "world" }, ...POINT } as never],
});

/** Tolerance between formulations; the mass matrix of a long chain has a condition number of 1e8 and more. */
test.each([
  { n: 40, formulations: ["articulated", "kane", "matrix", "partition"], same: 1e-9 },
  { n: 100, formulations: ["articulated", "partition"], same: 1e-7 },
] as const)(
  "a ring of $n links is no singular machine: all treatments agree on its accelerations",
  ({ n, formulations, same }) => {
    const model = createModel(ring(n));
    const q = Float64Array.from({ length: n }, (_, i) => (i === 0 ? 0 : (2 * Math.PI) / n));
    const results = formulations.map((formulation) => {
      const system = createSystem(model, [], { formulation });
      return system.accelerations(system.start({ q }));
    });
    for (const other of results.slice(1))
      for (let i = 0; i < n; i++) expect(Math.abs(other[i]! - results[0]![i]!)).toBeLessThan(same);
  },
);

describe("loads of loops are channels", () => {
  test("forces in the pins of the pantograph at the start, inertial axes", () => {
    const { system, y0 } = pantographSystem();
    const run = simulate(system, y0, {
      duration: 0.025,
      integrator: INTEGRATORS.rkg,
      settings: { step: 0.025 },
      channels: ["loop.*.f*", "loop.*.t*"],
    });
    const first = (name: string): number => run.log.column(name)[0]!;
    const PINS = { h6: [2.76119378, -14.78890849], h7: [-0.04527642, 14.28181292] } as const;
    for (const [pin, [x, y]] of Object.entries(PINS)) {
      expect(Math.abs(first(`loop.${pin}.fx`) - x)).toBeLessThan(1e-7);
      expect(Math.abs(first(`loop.${pin}.fy`) - y)).toBeLessThan(1e-7);
      expect(first(`loop.${pin}.tz`)).toBe(0);
    }
    expect(run.log.channels.some((c) => c.about !== undefined)).toBe(false);
  });

  test("loads that are not unique have a remark", () => {
    const abouts = [POINT, { kind: "revolute" }].map((closing) => {
      const system = createSystem(createModel(fourBar(closing)), []);
      const { state } = assemble(system, system.start({ q: [1.2, -0.7, 1.6] }));
      const run = simulate(system, state, { duration: 0.01, integrator: INTEGRATORS.dop853, channels: ["q.*", "loop.pin.f*"] });
      return run.log.channels.filter((c) => c.name.startsWith("loop.pin.f")).map((c) => c.about);
    });
    expect(abouts[0]).toEqual([undefined, undefined, undefined]);
    for (const about of abouts[1]!) expect(about).toMatch(/^not unique: .* the smallest loads/);
  });

  test("the load of a drive times its rate is its power", () => {
    const model = createModel({
      ...fourBar(POINT),
      loops: [
        ...fourBar(POINT).loops!,
        { name: "drive", kind: "prescribed", hinge: "crank", motion: { offset: 1.2, rate: 0.5 } },
      ],
    });
    const system = createSystem(model, []);
    const { state } = assemble(system, system.start({ q: [1.2, -0.7, 1.6] }));
    const run = simulate(system, state, { duration: 0.01, integrator: INTEGRATORS.dop853, channels: ["loop.drive.load"] });
    const ydot = new Float64Array(system.layout.ny);
    workspaceOf(system, state).problem.derivative(0, state.y, ydot);
    const supplied = ydot.subarray(-8).find((v) => v !== 0)!;
    expect(supplied).not.toBe(0);
    expect(Math.abs(0.5 * run.log.column("loop.drive.load")[0]! - supplied)).toBeLessThan(1e-12);
  });
});
