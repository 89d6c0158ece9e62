import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { orderNodes } from "../../../src/kernel/schedule/node-order.ts";
import { planRegisters } from "../../../src/kernel/schedule/register-plan.ts";
import { eachOperand, type ProgramSchedule, scheduleProgram } from "../../../src/kernel/schedule/schedule.ts";
import { type Program, trace } from "../../../src/kernel/trace/program.ts";
import * as S from "../../../src/kernel/trace/scalar.ts";
import { programOf, recipes } from "../../fixtures/random-program.ts";

const definedBy = (plan: ProgramSchedule, id: number): number[] =>
  plan.sincosPartner[id]! >= 0 ? [id, plan.sincosPartner[id]!] : [id];

/** Replays a schedule and checks that every read finds the right value. */
function expectSound(program: Program, plan: ProgramSchedule): void {
  const { graph } = program;
  const slots = new Map<number, number>(); // slot -> node that it holds
  for (const { steps, uses, droppedBefore: dropped, spilled } of plan.chunks) {
    const here = new Set<number>();
    const reads = new Map<number, number>();
    for (const [i, id] of steps.entries()) {
      for (const value of dropped[i]!) here.delete(value);
      eachOperand(graph, plan.isInlined, id, (operand) => {
        reads.set(operand, (reads.get(operand) ?? 0) + 1);
        if (graph.opOf(operand) === "input" || here.has(operand)) return;
        expect(slots.get(plan.scratchSlot[operand]!)).toBe(operand);
      });
      for (const defined of definedBy(plan, id)) {
        here.add(defined);
        if (plan.scratchSlot[defined]! >= 0) slots.set(plan.scratchSlot[defined]!, defined);
      }
    }
    expect(reads).toEqual(new Map(uses));
    expect(new Set(dropped.flat())).toEqual(spilled);
  }
  const computed = new Set(plan.chunks.flatMap(({ steps }) => steps.flatMap((id) => definedBy(plan, id))));
  for (const id of program.results) expect(computed.has(id)).toBe(true);
  expect(Math.max(-1, ...slots.keys())).toBeLessThan(plan.scratchSlotCount);
}

describe("a schedule", () => {
  test("computes operands before users and never overwrites a slot that is read later", () => {
    fc.assert(
      fc.property(recipes(120), fc.constantFrom(1, 2, 5, 30), fc.constantFrom(0, 1, 4, 10), (recipe, chunkSize, registers) => {
        const { program } = programOf(recipe);
        expectSound(program, scheduleProgram(program, { chunkSize }));
        expectSound(program, scheduleProgram(program, { chunkSize, registers }));
      }),
      { numRuns: 150 },
    );
  });

  test("prefers nodes that end the life of their operands, within its window", () => {
    const p = trace("tree", { x: 6 }, ({ x }) => {
      const roots = x.map((v) => S.sqrt(v)); // recorded one after the other
      return { y: [roots.reduce((a, b) => S.mul(a, b))] };
    });
    const ops = (window: number): string =>
      orderNodes(p, window)
        .order.map((id) => p.graph.opOf(id))
        .filter((op) => op !== "input")
        .join(" ");
    expect(ops(10)).toBe(`sqrt${" sqrt mul".repeat(5)}`);
    expect(ops(1)).toBe(`sqrt${" sqrt".repeat(5)}${" mul".repeat(5)}`);
  });

  test("keeps at most the given number of values, and drops the one with the furthest next use", () => {
    const reads = [[], [], [7], [3], [2], [1, 1], [7]];
    const computes = [[1], [2], [3], [4], [5], [6], [8]];
    expect(planRegisters(reads, computes, 2)).toEqual({
      droppedBefore: [[], [], [], [7, 1], [], [], []],
      spilled: new Set([7, 1]),
    });
    expect(planRegisters(reads, computes, 3)).toEqual({ droppedBefore: [[], [], [], [7], [], [], []], spilled: new Set([7]) });
    expect(planRegisters(reads, computes, 4).spilled.size).toBe(0);
  });

  test("computes sines first and together with their cosines, even if the cosine was recorded first", () => {
    const p = trace("f", { q: 3 }, ({ q }) => {
      const product = S.mul(q[0]!, q[1]!);
      const c = q.map((v) => S.cos(v));
      return { y: [S.mul(product, c[0]!), ...q.map((v, i) => S.mul(S.sin(v), c[i]!)), S.sin(S.mul(c[0]!, product))] };
    });
    const plan = scheduleProgram(p);
    const ops = plan.chunks[0]!.steps.map((id) => p.graph.opOf(id));
    expect(ops.slice(0, 3)).toEqual(["sin", "sin", "sin"]);
    expect(ops.filter((op) => op === "cos")).toEqual([]);
    expect(ops.lastIndexOf("sin")).toBeGreaterThan(3); // the one whose angle needs a cosine
  });

  test("divides chunks of about the given size where few values are alive", () => {
    const p = trace("chain", { x: 1 }, ({ x: [v] }) => {
      let last = v!;
      for (let k = 0; k < 100; k++) {
        const parts = [1, 2, 3, 4].map((f) => S.mul(S.add(last, f), S.sub(last, f)));
        last = S.div(S.sum(parts), S.sum(parts.map((part) => S.mul(part, part)))); // one value is alive here, four inside
      }
      return { y: [last] };
    });
    const plan = scheduleProgram(p, { chunkSize: 60 });
    expect(plan.chunks.length).toBeGreaterThan(20);
    expect(plan.scratchSlotCount).toBeLessThanOrEqual(2);
  });

  test("has at least one chunk", () => {
    expect(scheduleProgram(trace("empty", { x: 1 }, () => ({ y: [] }))).chunks.length).toBe(1);
  });
});
