/** Contract suite: every kind of force element, with each of its examples. */
import { describe, expect, it } from "vitest";
import { ModelError } from "../../src/errors.ts";
import { interpret } from "../../src/kernel/emit/interpret.ts";
import { compile } from "../../src/kernel/run/kernel.ts";
import { type Program, sizeOf } from "../../src/kernel/trace/program.ts";
import { FORCES } from "../../src/parts/force/forces.ts";
import type { ForceKind } from "../../src/parts/force/kind.ts";
import { layoutOf } from "../../src/sim/system/layout.ts";
import { motionProgram, observationProgram } from "../../src/sim/system/motion-program.ts";
import { ARM, accountOf, impulseOf, stateAt } from "../fixtures/force-bench.ts";

const SEEDS = Array.from({ length: 40 }, (_, i) => i);
/** The energy balance is exact up to rounding, relative to the power. */
const BALANCE = 1e-11;
/** Rounding of sums of forces that cancel, relative to the forces. */
const CANCELS = 1e-11;

const kinds: readonly [string, ForceKind][] = Object.entries(FORCES) as unknown as [string, ForceKind][];

/** Examples that join the machine to the world: their loads come from outside although the kind acts between bodies. */
const joinsWorld = (example: object): boolean => /"base\.|"point"/.test(JSON.stringify(example));

describe.each(kinds)("%s", (name, kind) => {
  it("is registered under its name, with descriptions", () => {
    expect(kind.name).toBe(name);
    expect(kind.about.length).toBeGreaterThan(20);
    expect(kind.examples.length).toBeGreaterThan(0);
    for (const p of Object.values(kind.parameters)) expect(p.about).toMatch(/^[A-Z].*\.$/);
  });

  it("refuses unknown, missing and wrong parameters by name", () => {
    const good = kind.examples[0]! as Record<string, unknown>;
    const problemsOf = (parameters: object): string[] => {
      try {
        kind.create("e", parameters as never, ARM, { path: "forces[0]" });
      } catch (error) {
        if (error instanceof ModelError) return error.problems.map((p) => p.path);
        throw error;
      }
      return [];
    };
    expect(problemsOf(good)).toEqual([]);
    expect(problemsOf({ ...good, stifness: 1 })).toEqual(["forces[0].stifness"]);
    for (const [key, parameter] of Object.entries(kind.parameters)) {
      const needed = parameter.default === undefined && !parameter.optional;
      const { [key]: _, ...rest } = good;
      if (needed) expect(problemsOf(rest)).toContain(`forces[0].${key}`);
      for (const wrong of [Number.NaN, {}, "no-such-thing", null, [[]]]) {
        const paths = problemsOf({ ...good, [key]: wrong });
        expect(
          paths.some((p) => p.startsWith(`forces[0].${key}`)),
          `${key}: ${String(wrong)}`,
        ).toBe(true);
      }
    }
    for (const wrong of [undefined, null, 3, [], "x"]) expect(() => kind.create("e", wrong as never, ARM)).toThrow(ModelError);
    expect(() => kind.create("a.b", good as never, ARM)).toThrow(ModelError);
  });

  describe.each(kind.examples.map((example) => [JSON.stringify(example), example] as const))("%s", (_, example) => {
    const element = kind.create("e", example as never, ARM);
    const account = accountOf(ARM, element);

    it("balances: power of the loads = supplied - dissipated - dV/dt", () => {
      for (const seed of SEEDS) {
        const a = account(stateAt(ARM, element, seed));
        const size = a.flow + Math.abs(a.stored) + Math.abs(a.supplied) + a.dissipated;
        expect(Math.abs(a.power - (a.supplied - a.dissipated - a.stored))).toBeLessThanOrEqual(BALANCE * size);
      }
    });

    it("never adds energy by dissipation, and stays finite", () => {
      for (const seed of SEEDS) {
        const a = account(stateAt(ARM, element, seed));
        expect(a.dissipated).toBeGreaterThanOrEqual(-1e-14);
        for (const v of [a.power, a.potential, a.supplied, ...a.tau, ...a.net, ...a.zdot, ...Object.values(a.channels)])
          expect(v).toSatisfy(Number.isFinite);
      }
    });

    it("is finite when nothing moves and everything is at home", () => {
      const s = stateAt(ARM, element, 1);
      const rest = { ...s, q: s.q.map((_, i) => (i === 0 || i === 10 ? 1 : 0)), u: s.u.fill(0) };
      const a = account(rest);
      for (const v of [a.power, a.potential, ...a.tau, ...a.net]) expect(v).toSatisfy(Number.isFinite);
      expect(a.power).toBeCloseTo(0, 300);
    });

    if (kind.acts === "between bodies" && !joinsWorld(example))
      it("conserves the momentum of a floating machine", () => {
        for (const seed of SEEDS.slice(0, 5)) {
          const s = stateAt(ARM, element, seed);
          const { net, largest } = account(s);
          const rate = impulseOf(ARM, element, s);
          for (const v of [...net, ...rate]) expect(Math.abs(v)).toBeLessThanOrEqual(CANCELS * largest);
        }
      });

    it("compiles into the kernel of the motion, and the kernel equals the interpreter", () => {
      const layout = layoutOf(ARM, [element]);
      const programs: readonly Program[] = [motionProgram(layout), observationProgram(layout).program];
      for (const program of programs) {
        const kernel = compile(program);
        const s = stateAt(ARM, element, 7);
        const x = new Float64Array(sizeOf(program.inputs));
        x.set([s.t, ...s.q, ...s.u, ...s.z]);
        x.set(s.held, 1 + layout.ny);
        const [got, expected] = [new Float64Array(sizeOf(program.outputs)), new Float64Array(sizeOf(program.outputs))];
        kernel.run(x, got);
        interpret(program, x, expected);
        for (const [i, v] of got.entries()) expect(Math.abs(v - expected[i]!)).toBeLessThan(1e-9 * (1 + Math.abs(v)));
      }
    });
  });
});
