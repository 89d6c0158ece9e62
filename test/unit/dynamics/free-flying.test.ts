/** Equations of free-flying robots, on random robots, against independent computations. */
import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { robotOf } from "../../../src/dynamics/free-flying/robot.ts";
import { kane } from "../../../src/dynamics/kane/kane.ts";
import { freeFlying, freeFlyingAtSpin, massMatrix } from "../../../src/dynamics/programs.ts";
import { ModelError } from "../../../src/errors.ts";
import { parseModel } from "../../../src/formats/model-file.ts";
import { compile } from "../../../src/kernel/run/kernel.ts";
import { costOf, offsetsOf } from "../../../src/kernel/trace/program.ts";
import { denseLU } from "../../../src/math/linear/dense-lu.ts";
import { buildModel } from "../../../src/model/build/model-builder.ts";
import { frameOf, type Model } from "../../../src/model/model.ts";
import { setParameters } from "../../../src/model/parameters.ts";
import { cross, minus, type Vec3 } from "../../../src/spatial/vec3.ts";
import { evaluateDual } from "../../fixtures/dual.ts";
import { coordinateRates, difference, frameMovement, hingeMovement } from "../../fixtures/geometry.ts";
import { randomState } from "../../fixtures/models/random-model.ts";
import { randomRobot } from "../../fixtures/models/random-robot.ts";

/** Rounding of solutions with inertias whose condition is some hundreds, relative to the largest entry. */
const EXACT = 1e-12;

interface Seen {
  readonly [name: string]: Float64Array;
}

function evaluate(model: Model, base: string, frames: readonly string[], q: Float64Array, u: Float64Array): Seen {
  const kernel = compile(freeFlying(model, { base, frames }), { target: "interpret" });
  kernel.x.set(q);
  kernel.x.set(u, model.nq);
  kernel.evaluate();
  const at = offsetsOf(kernel.outputs);
  return Object.fromEntries(
    Object.entries(kernel.outputs).map(([key, size]) => [key, kernel.y.slice(at[key as "Hs"], at[key as "Hs"] + size)]),
  );
}

/** A (rows × columns, by rows) times x. */
const times = (A: Float64Array, x: ArrayLike<number>): Float64Array => {
  const n = x.length;
  return Float64Array.from({ length: A.length / n }, (_, i) => {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += A[i * n + j]! * x[j]!;
    return sum;
  });
};
const sum = (a: Float64Array, b: Float64Array): Float64Array => a.map((v, i) => v + b[i]!);

describe.each(Array.from({ length: 100 }, (_, seed) => ({ seed, ...randomRobot(seed) })))("robot $seed", (robot) => {
  const { model, base, frames, seed } = robot;
  const { q, u, tau } = randomState(model, seed);
  const { speeds } = robotOf(model, base);
  const first = model.bodies.find((b) => b.name === base)!.hinge.u;
  const six = Array.from({ length: 6 }, (_, i) => first + i);
  const seen = evaluate(model, base, frames, q, u);
  const phidot = speeds.map((i) => u[i]!);
  const velocities = Float64Array.from(
    frames.flatMap((name) => {
      const { angularVelocity, velocity } = frameMovement(model, q, u, name);
      return [...angularVelocity, ...velocity];
    }),
  );

  test("angular momentum about the mass centre determines the speeds of the base, except those of the mass centre", () => {
    const kernel = compile(freeFlyingAtSpin(model, { base }), { target: "interpret" });
    kernel.x.set(q);
    kernel.x.set(phidot, model.nq);
    kernel.x.set(seen.spin!, model.nq + speeds.length);
    kernel.evaluate();
    const at = offsetsOf(kernel.outputs);
    const n = speeds.length;
    expect(difference(kernel.y.slice(at.Hstar, at.Hstar + n * n), seen.Hstar!)).toBeLessThan(EXACT);
    expect(difference(kernel.y.slice(at.Cstar, at.Cstar + n), seen.Cstar!)).toBeLessThan(100 * EXACT); // products of speeds
    expect(difference(kernel.y.slice(at.turn, at.turn + 3), u.slice(first, first + 3))).toBeLessThan(EXACT);
  });

  test("H* is the Schur complement of the mass matrix", () => {
    const kernel = compile(massMatrix(model), { target: "interpret" });
    kernel.x.set(q);
    kernel.evaluate();
    const M = (rows: readonly number[], columns: readonly number[]): Float64Array =>
      Float64Array.from(rows.flatMap((i) => columns.map((j) => kernel.y[i * model.nu + j]!)));
    expect(difference(seen.Hs!, M(six, six))).toBeLessThan(EXACT);
    expect(difference(seen.Hm!, M(six, speeds))).toBeLessThan(EXACT);
    expect(difference(seen.Hphi!, M(speeds, speeds))).toBeLessThan(EXACT);
    const lu = denseLU(6);
    lu.factor(M(six, six));
    const n = speeds.length;
    const columns = speeds.map((j) => {
      const x = M(six, [j]);
      lu.solve(x);
      return x;
    });
    const Hm = M(six, speeds);
    const schur = M(speeds, speeds).map((value, k) => {
      const [i, j] = [Math.floor(k / n), k % n];
      return value - columns[j]!.reduce((s, x, r) => s + Hm[r * n + i]! * x, 0);
    });
    expect(difference(seen.Hstar!, schur)).toBeLessThan(EXACT);
    expect(seen.Hstar!.every((v, k) => v === seen.Hstar![(k % n) * n + Math.floor(k / n)])).toBe(true);
  });

  test("velocities of frames are J* φ̇ plus the drift by momentum", () => {
    expect(difference(seen.velocity!, velocities)).toBeLessThan(EXACT);
    expect(difference(sum(times(seen.Jstar!, phidot), seen.drift!), velocities)).toBeLessThan(EXACT);
    expect(
      difference(
        sum(times(seen.Jb!, phidot), seen.baseDrift!),
        six.map((i) => u[i]!),
      ),
    ).toBeLessThan(EXACT);
  });

  test("the drift is J_s H_s⁻¹ [L - r × P; P]", () => {
    const whole = new Float64Array(6);
    const alone = u.map((v, i) => (speeds.includes(i) || six.includes(i) ? v : 0)); // another body's momentum is not part of the robot's
    kane.derive(model, { target: "interpret" }).momentum(q, alone, whole);
    expect(difference(seen.momentum!, whole)).toBeLessThan(EXACT);
    const [L, P] = [whole.slice(0, 3), whole.slice(3)] as unknown as [Vec3<number>, Vec3<number>];
    const body = frameOf(model, base).body;
    const r = hingeMovement(model, q, u, body).position;
    const aboutOrigin = minus(L, cross(r, P)) as Vec3<number>;
    const F = model.bodies[body]!.hinge.onParent.R;
    const inF = (v: Vec3<number>): number[] => [0, 1, 2].map((j) => F[0]![j]! * v[0] + F[1]![j]! * v[1] + F[2]![j]! * v[2]);
    const rhs = Float64Array.from([...inF(aboutOrigin), ...inF([...P] as unknown as Vec3<number>)]);
    const lu = denseLU(6);
    lu.factor(seen.Hs!);
    lu.solve(rhs);
    expect(difference(seen.drift!, times(seen.Js!, rhs))).toBeLessThan(10 * EXACT);
  });

  test("τ = H* φ̈ + C* and ν̇ = J* φ̈ + bias along the motion of another formulation", () => {
    const forces = tau.map((v, i) => (speeds.includes(i) ? v : 0));
    const udot = new Float64Array(model.nu);
    kane.derive(model, { target: "interpret" }).accelerations(q, u, forces, new Float64Array(0), udot);
    const phidd = speeds.map((i) => udot[i]!);
    const wanted = Float64Array.from(speeds.map((i) => forces[i]!));
    const terms = [times(seen.Hstar!, phidd), seen.Cstar!, wanted].flatMap((a) => [...a].map(Math.abs));
    const scale = Math.max(...terms);
    const got = sum(times(seen.Hstar!, phidd), seen.Cstar!);
    for (const [i, value] of got.entries()) expect(Math.abs(value - wanted[i]!)).toBeLessThan(1e-10 * scale);

    const program = freeFlying(model, { base, frames, outputs: ["velocity"] });
    const { dy } = evaluateDual(program, [...q, ...u], [...coordinateRates(model, q, u), ...udot]);
    expect(difference(sum(times(seen.Jstar!, phidd), seen.bias!), dy)).toBeLessThan(1e-10);
    expect(
      difference(
        sum(times(seen.Jb!, phidd), seen.ab!),
        six.map((i) => udot[i]!),
      ),
    ).toBeLessThan(1e-10);
  });
});

test.each([1, 2, 3, 5, 8])("known wrenches and parameters are inputs, robot %i", (seed) => {
  const { model, base, frames } = randomRobot(seed);
  const wrenches = [frames[1]!, base];
  const parameters = [`${base}.mass`];
  const kernel = compile(freeFlying(model, { base, outputs: ["Hstar", "Cstar"], wrenches, parameters }), { target: "interpret" });
  const { q, u, tau, w } = randomState(model, seed, 12);
  const { speeds } = robotOf(model, base);
  const heavier = setParameters(model, { [`${base}.mass`]: 41 });
  kernel.run(Float64Array.from([...q, ...u, ...w, 41]), kernel.y.slice());
  const n = speeds.length;
  const forces = tau.map((v, i) => (speeds.includes(i) ? v : 0));
  const udot = new Float64Array(model.nu);
  kane.derive(heavier, { wrenches, target: "interpret" }).accelerations(q, u, forces, w, udot);
  const got = sum(
    times(
      kernel.y.slice(0, n * n),
      speeds.map((i) => udot[i]!),
    ),
    kernel.y.slice(n * n),
  );
  expect(
    difference(
      got,
      speeds.map((i) => forces[i]!),
    ),
  ).toBeLessThan(1e-9);
});

test("outputs that are not requested cost nothing", () => {
  const { model, base, frames } = randomRobot(7);
  const all = costOf(freeFlying(model, { base, frames })).ops;
  const few = costOf(freeFlying(model, { base, frames, outputs: ["Jstar", "bias", "Hstar", "Cstar"] })).ops;
  expect(few).toBeLessThan(0.9 * all);
});

test("the outputs that a control law needs, of the robot with two arms and three wheels, take at most 3500 operations", () => {
  const text = readFileSync(new URL("../../../scenarios/multi-arm-stabilized/model.yaml", import.meta.url), "utf8");
  const program = freeFlying(parseModel(text, "robot"), {
    frames: ["hand", "base"],
    outputs: ["Jstar", "drift", "bias", "pose", "velocity", "Hstar", "Cstar"],
  });
  expect(costOf(program).ops).toBeLessThanOrEqual(3500);
});

describe("models without a free-flying robot", () => {
  const arm = { name: "arm", mass: 1, inertia: [1, 1, 1], hinge: { kind: "revolute", axis: "z" } } as const;
  const base = { name: "base", mass: 1, inertia: [1, 1, 1], hinge: { kind: "free" } } as const;
  test("without a floating body", () => {
    expect(() => freeFlying(buildModel("fixed").body(arm).build())).toThrow(/needs a body on a free hinge.*kind: free/s);
  });
  test("with a base that carries no hinge", () => {
    expect(() => freeFlying(buildModel("lonely").body(base).build())).toThrow(/carries no moving hinge/);
  });
  test("with the name of another body, and frames elsewhere", () => {
    const model = buildModel("two")
      .body(base)
      .body({ ...arm, parent: "base" })
      .body({ ...base, name: "target" })
      .build();
    expect(() => freeFlying(model, { base: "arm" })).toThrow(/"arm" is not a body on a free hinge.*base, target/s);
    expect(() => freeFlying(model, { frames: ["target"] })).toThrow(/"target" is not on the robot/);
    expect(() => freeFlying(model, { base: "base", frames: ["nobody"] })).toThrow(ModelError);
  });
});
