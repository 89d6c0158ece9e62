/** The report on the partition: inadmissible numbering, blocks, deferred and redundant equations. */
import { expect, test } from "vitest";
import { articulated } from "../../../src/dynamics/articulated.ts";
import { closedLoops } from "../../../src/dynamics/loops/multipliers/closed-loops.ts";
import { dependentCoordinates } from "../../../src/dynamics/partition/dependent-coordinates.ts";
import { partitionReport } from "../../../src/dynamics/partition/partition-report.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { LoopDescription } from "../../../src/model/description.ts";
import { homeOf, type Model } from "../../../src/model/model.ts";
import { CASES, inOurOrder, modelOf } from "../../../src/validation/docking/cases.ts";
import { numbers, STATES } from "../../../src/validation/docking/data.ts";
import { describeMechanism, type Mechanism } from "../../../src/validation/docking/mechanism.ts";
import { ringOnLegs } from "../../../src/validation/docking/models.ts";
import { ringWithInnerLoops } from "../../../src/validation/docking/nested-loop-models.ts";

const stateOf = (model: Model, name: keyof typeof STATES) => {
  const { q, speeds } = inOurOrder(model, numbers(STATES[name].q));
  return { q, u: speeds(numbers(STATES[name].u)), tau: new Float64Array(model.nu) };
};

const given = (mechanism: Mechanism, order: (loops: readonly LoopDescription[]) => readonly LoopDescription[]): Model =>
  createModel(describeMechanism({ ...mechanism, loops: order(mechanism.loops) }, "elementary"));

test("inner loops given first are solved after the legs that drive them, and this is reported; the motion is the same", () => {
  const asPaper = modelOf(CASES.d1);
  const innerFirst = given(ringWithInnerLoops({ base: "floating" }), (loops) => [...loops].reverse());
  const state = stateOf(asPaper, "d1");
  const report = partitionReport(innerFirst, state);
  expect(report.notes).toEqual([
    "inner4 is given as number 1 but contains dependents of leg4, number 5: it is solved after it",
    "inner1 is given as number 2 but contains dependents of leg1, number 8: it is solved after it",
  ]);
  const order = report.blocks.map((b) => b.loops[0]!);
  expect(order.indexOf("leg4")).toBeLessThan(order.indexOf("inner4"));
  expect(order.indexOf("leg1")).toBeLessThan(order.indexOf("inner1"));
  const admissible = partitionReport(asPaper, state);
  expect(admissible.notes).toEqual([]);
  expect(admissible.blocks.map((b) => b.loops[0])).toEqual(asPaper.loops.map((l) => l.name));
  expect(report.independent).toEqual(admissible.independent);
  // closes every loop; the inner-first order of the paper has an error of 32 mm
  const q = state.q.slice();
  const coordinates = dependentCoordinates(innerFirst, 0, q);
  for (let i = 14; i < q.length; i++) q[i]! += 0.005 * Math.sin(i);
  coordinates.solve(0, q);
  expect(Math.max(...q.map((v, i) => Math.abs(v - state.q[i]!)))).toBeLessThan(1e-12);
});

test("loops that depend on each other are one block, and this is reported", () => {
  const model = modelOf(CASES.d3);
  const { blocks, notes, freedoms } = partitionReport(model, stateOf(model, "d3"));
  expect(blocks.at(-1)).toEqual({
    loops: ["outer1", "inner1"],
    dependent: ["crank1", "coupler1", "rod1'1", "rod1", "rocker1"],
    method: "Newton",
  });
  expect(notes).toEqual(["outer1 and inner1 contain dependents of each other: they are one block with 5 dependents"]);
  expect(freedoms).toBe(6);
});

test("a loop on the path to the closing body comes first, in any given order", () => {
  const model = modelOf(CASES.d2);
  const last = given(CASES.d2.mechanism, (loops) => [...loops.slice(1), loops[0]!]);
  for (const machine of [model, last]) {
    const { blocks } = partitionReport(machine, stateOf(machine, "d2"));
    const order = blocks.map((b) => b.loops[0]!);
    expect(order.indexOf("four-bar")).toBeLessThan(order.indexOf("leg1"));
  }
});

test("redundant equations are listed", () => {
  const model = createModel(describeMechanism(ringWithInnerLoops({ base: "floating", closing: "revolute" }), "elementary"));
  const { rank, equations, freedoms, redundant, notes } = partitionReport(model, stateOf(model, "d1"));
  expect([equations, rank, freedoms]).toEqual([28, 22, 12]);
  expect(new Set(redundant.map((r) => r.loop))).toEqual(new Set(["inner1", "inner4"]));
  expect(redundant.map((r) => r.label)).toEqual(["force z", "torque y", "torque x", "force z", "torque y", "torque x"]);
  expect(notes).toContain("inner1: 3 of 5 equations are redundant and are dropped");
});

test("a ring on three RPS legs: equations are deferred, three freedoms remain, and this is reported", () => {
  const ring = ringOnLegs({ legs: [0, 2, 4] });
  const legs: Mechanism = {
    ...ring,
    parts: ring.parts.map((part) => (part.name.startsWith("cyl") ? { ...part, motions: ["Rz"] } : part)),
  };
  const model = createModel(describeMechanism(legs, "elementary"));
  const [q, u] = [homeOf(model), Float64Array.from({ length: model.nu }, (_, i) => 0.1 * Math.cos(i))];
  closedLoops(model).project(0, q, u);
  const tau = Float64Array.from({ length: model.nu }, (_, i) => Math.sin(i));
  const report = partitionReport(model, { q, u, tau });
  expect([report.equations, report.rank, report.freedoms]).toEqual([9, 9, 3]);
  expect(report.notes.filter((n) => n.includes("deferred"))).toHaveLength(3);
  expect(report.notes.at(-1)).toMatch(/would be independent but must be dependent$/);
  // A_0 p̈_0 = b_0 gives the accelerations of the multiplier method
  const udot = new Float64Array(model.nu);
  articulated.derive(model).accelerations(q, u, tau, new Float64Array(0), udot);
  const names = model.bodies.map((b) => b.name);
  const own = report.independent.map((name) => udot[names.indexOf(name)]!);
  for (const [i, row] of report.reduced.mass.entries())
    expect(row.reduce((sum, m, j) => sum + m * own[j]!, 0)).toBeCloseTo(report.reduced.force[i]!, 9);
});
