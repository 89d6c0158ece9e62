/** The loops as one program: the same solution as `partition`, and the operations that zeros save. */
import { describe, expect, test } from "vitest";
import { partition } from "../../../src/dynamics/partition/partition.ts";
import { partitionedDynamics, reductionCost } from "../../../src/dynamics/partition/partitioned-dynamics.ts";
import { compile } from "../../../src/kernel/run/kernel.ts";
import { costOf, offsetsOf } from "../../../src/kernel/trace/program.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import { homeOf, type Model } from "../../../src/model/model.ts";
import { describeMechanism } from "../../../src/validation/docking/mechanism.ts";
import { ringOnLegs } from "../../../src/validation/docking/models.ts";
import { dockingModel, LOOP_CASES, loadsOf, OVERCONSTRAINED, toCastor } from "../../data/docking-models.ts";

/** The same numbers by two eliminations of some thousand operations. */
const ROUNDING = 1e-11;

const CASES = [
  ...Object.entries(LOOP_CASES).map(([name, { model, acceleration_case: state }]) => ({ name, data: model, state })),
  ...Object.entries(OVERCONSTRAINED).map(([name, data]) => ({ name, data: data.model, state: data })),
];

const apart = (a: ArrayLike<number>, b: ArrayLike<number>): number => {
  const size = Math.max(1e-300, ...Array.from(a, Math.abs), ...Array.from(b, Math.abs));
  return Math.max(0, ...Array.from(a, (v, i) => Math.abs(v - b[i]!))) / size;
};

describe.each(CASES)("$name", ({ name, data, state }) => {
  const model: Model = dockingModel(data, name);
  const { q, u } = toCastor(data, state);
  const { tau, w, wrenches } = loadsOf(data, state.forces, q, u);

  test("accelerations and multipliers", () => {
    const program = partitionedDynamics(model, { wrenches, q });
    const kernel = compile(program, { target: "js" });
    const at = offsetsOf(program.inputs);
    for (const [key, values] of Object.entries({ q, u, tau, ...(w.length > 0 && { w }) })) kernel.x.set(values, at[key]);
    kernel.evaluate();
    const equations = partition.derive(model, { wrenches });
    const [udot, lambda] = [new Float64Array(model.nu), new Float64Array(program.outputs.lambda!)];
    equations.accelerations(q, u, tau, w, udot);
    equations.loopForces(q, u, tau, w, lambda);
    const { nu } = model;
    expect(apart(kernel.y.subarray(0, nu), udot)).toBeLessThan(ROUNDING);
    const { rank } = equations.loopRank!(q);
    // for redundant equations other multipliers have the same effect
    if (rank === lambda.length) expect(apart(kernel.y.subarray(nu, nu + lambda.length), lambda)).toBeLessThan(ROUNDING);
    expect(kernel.y.at(-1)).toBeCloseTo(1, 12);
  });
});

test("operation counts of the reduction, zeros eliminated and kept, are unchanged", () => {
  const names = [
    "b6_stewart_6legs_fixed",
    "b6f_stewart_6legs_floating12t",
    "c6_apas_fixed",
    "d1_nested_inner_in_dependent_floating",
  ];
  const costs = names.map((name) => {
    const { model: data, acceleration_case: state } = LOOP_CASES[name]!;
    const cost = reductionCost(dockingModel(data, name), toCastor(data, state).q);
    expect(cost.kept / cost.eliminated, name).toBeGreaterThan(2.5);
    return { name, ...cost };
  });
  expect(costs).toMatchSnapshot();
});

test("an initial position with open loops is refused", () => {
  const model = createModel(describeMechanism(ringOnLegs()));
  const q = homeOf(model);
  q[4] = 0.1;
  expect(() => partitionedDynamics(model, { q })).toThrow(/the loops are open by 0\.\d+ where the dependents are to be chosen/);
  expect(costOf(partitionedDynamics(model)).ops).toBeLessThan(10_000);
});
