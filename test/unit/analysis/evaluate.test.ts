/** evaluate(model, state): the terms of the equations of motion fit together, results belong to the caller, wrong calls are errors. */
import { buildModel, createModel, evaluate, homeOf } from "castor";
import { describe, expect, it } from "vitest";

/** Sums of a few products of numbers near 1. */
const ROUNDING = 1e-12;

const arm = buildModel("arm on a satellite")
  .gravity([0, 0, -1.6])
  .body({ name: "satellite", mass: 200, inertia: [40, 50, 60], hinge: { kind: "free" } })
  .body({
    name: "upper",
    parent: "satellite",
    mass: 6,
    com: [0.5, 0, 0],
    inertia: [0.1, 0.6, 0.6],
    hinge: { kind: "revolute", axis: "y", at: [1, 0, 0] },
  })
  .body({
    name: "lower",
    parent: "upper",
    mass: 4,
    com: [0.4, 0, 0],
    inertia: [0.1, 0.3, 0.3],
    hinge: { kind: "revolute", axis: "z", at: [1, 0, 0] },
  })
  .frame("hand", "lower", { at: [0.8, 0, 0] })
  .build();

const q = Float64Array.of(0.5, 0.5, -0.5, 0.5, 0.1, -0.2, 0.3, 0.4, -0.7);
const u = Float64Array.of(0.01, -0.02, 0.03, 0.2, 0.1, -0.1, 0.5, -0.6);
const tau = Float64Array.of(0, 0, 0, 0, 0, 0, 3, -2);
const wrenches = [{ frame: "hand", torque: [0.1, 0.2, 0.3], force: [4, -5, 6] }] as const;
const near = (a: ArrayLike<number>, b: ArrayLike<number>, tolerance = ROUNDING): void => {
  expect(a.length).toBe(b.length);
  for (let i = 0; i < a.length; i++) expect(Math.abs(a[i]! - b[i]!), `entry ${i}: ${a[i]} and ${b[i]}`).toBeLessThan(tolerance);
};
const times = (M: readonly (readonly number[])[], v: ArrayLike<number>): number[] =>
  M.map((row) => row.reduce((sum, m, j) => sum + m * v[j]!, 0));

describe("evaluate", () => {
  const evaluation = evaluate(arm, { q, u, tau });

  it("computes all five formulations, and they agree", () => {
    expect(Object.keys(evaluation.formulations)).toEqual(["articulated", "kane", "matrix", "partition", "minimal"]);
    expect(evaluation.agreement.agree).toBe(true);
  });

  it("M u̇ + C u + g = tau", () => {
    const inertial = times(evaluation.massMatrix, evaluation.formulations.kane!.accelerations);
    const { velocityForce, gravityForce, biasForce } = evaluation;
    near(
      inertial.map((f, i) => f + velocityForce[i]! + gravityForce[i]!),
      tau,
    );
    near(
      velocityForce.map((c, i) => c + gravityForce[i]!),
      biasForce,
    );
  });

  it("inverse dynamics invert forward dynamics, also under wrenches, and for given accelerations", () => {
    near(evaluate(arm, { q, u, tau, wrenches }).inverseDynamics.tau, tau);
    const udot = u.map((_, i) => 0.1 * i);
    const { inverseDynamics, massMatrix, biasForce } = evaluate(arm, { q, u, udot });
    near(
      inverseDynamics.tau,
      times(massMatrix, udot).map((f, i) => f + biasForce[i]!),
    );
  });

  it("the generalised Jacobian and H* describe motion without momentum", () => {
    const { freeFlying, formulations } = evaluate(arm, { q, tau }, { frames: ["hand"] });
    const phi = Float64Array.of(0.5, -0.6);
    const base = times(freeFlying!.baseJacobian, phi);
    const moving = evaluate(arm, { q, u: [...base, ...phi] }, { frames: ["hand"], formulations: ["kane"] });
    near([...moving.momentum.angular, ...moving.momentum.linear], [0, 0, 0, 0, 0, 0], 1e-11);
    near(moving.frames[0]!.velocity, times(freeFlying!.generalisedJacobians.hand!, phi));
    const hinges = formulations.articulated!.accelerations.subarray(6);
    near(
      times(freeFlying!.Hstar, hinges).map((f, i) => f + freeFlying!.Cstar[i]!),
      tau.subarray(6),
    );
  });

  it("gives the power of the motors", () => {
    expect(evaluation.motorPower.hinges.upper).toBeCloseTo(3 * 0.5, 14);
    expect(evaluation.motorPower.total).toBeCloseTo(3 * 0.5 + 2 * 0.6, 14);
  });

  it("includes the springs of elastic bodies", () => {
    const elastic = { length: 1, massPerLength: 1, bendingStiffness: 1 };
    const beam = createModel({ name: "beam", bodies: [{ name: "rod", elastic, hinge: { kind: "fixed" } }] });
    const bent = homeOf(beam).map((v, i) => v + 0.01 * (i + 1));
    const { springForce, energy, formulations, massMatrix } = evaluate(beam, { q: bent });
    expect(energy.elastic).toBeGreaterThan(0);
    const step = 1e-6;
    const slopes = Array.from(bent, (_, i) => {
      const at = (h: number): number => evaluate(beam, { q: bent.map((v, j) => (j === i ? v + h : v)) }).energy.elastic;
      return (at(step) - at(-step)) / (2 * step);
    });
    const size = Math.max(...springForce.map(Math.abs));
    near(
      springForce,
      slopes.map((slope) => -slope),
      1e-6 * size,
    );
    near(times(massMatrix, formulations.matrix!.accelerations), springForce, 1e-9 * size);
  });

  it("returns results that later calls do not change", () => {
    const before = JSON.stringify(evaluation.formulations);
    evaluate(arm, { q, u: u.map((v) => 2 * v), tau });
    expect(JSON.stringify(evaluation.formulations)).toBe(before);
    expect(evaluation.state.q).not.toBe(q);
  });

  it.each([
    ["a short q", { q: [1, 0, 0] }, /^state\.q: must have 9 numbers .*, got 3/],
    [
      "a quaternion of another norm",
      { q: q.map((v) => 1.01 * v) },
      /^state\.q\[0\.\.3\]: the quaternion of satellite must have norm 1/,
    ],
    ["an unknown key", { Q: q }, /^state\.Q: there is no such option/],
    ["a speed that is not a number", { u: [...u.subarray(1), Number.NaN] }, /^state\.u\[7\]: must be a finite number, got NaN/],
    ["a wrench at an unknown frame", { wrenches: [{ ...wrenches[0], frame: "hnd" }] }, /hnd/],
    [
      "a wrench without force",
      { wrenches: [{ frame: "hand", torque: [0, 0, 0] }] },
      /^state\.wrenches\[0\]\.force: must be a list/,
    ],
  ])("refuses %s", (_, state, message) => {
    expect(() => evaluate(arm, state as never)).toThrow(message);
  });

  it("refuses unknown options and formulations", () => {
    // @ts-expect-error the option is called formulations
    expect(() => evaluate(arm, {}, { formulation: "kane" })).toThrow(/^options\.formulation: there is no such option/);
    // @ts-expect-error it is called kane
    expect(() => evaluate(arm, {}, { formulations: ["kanes"] })).toThrow(/no formulation named "kanes"\. Did you mean "kane"/);
  });
});
