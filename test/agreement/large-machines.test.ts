/**
 * Machines with more than a hundred hinges, whose programs are rolled: equal steps share code. Every program has the bits of straight-line
 * code and of the interpreter, and the accelerations agree with formulations that share no recursion.
 */
import { describe, expect, test } from "vitest";
import type { Equations, FormulationName } from "../../src/dynamics/formulation.ts";
import { FORMULATIONS } from "../../src/dynamics/formulations.ts";
import * as programs from "../../src/dynamics/programs.ts";
import { interpret } from "../../src/kernel/emit/interpret.ts";
import { allowRolling, compile } from "../../src/kernel/run/compile.ts";
import { rolledIfFaster, rollProgram } from "../../src/kernel/schedule/rolled-program.ts";
import { costOf, type Program } from "../../src/kernel/trace/program.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import type { ModelDescription } from "../../src/model/description.ts";
import type { Model } from "../../src/model/model.ts";
import { createForce } from "../../src/parts/force/forces.ts";
import { createSystem } from "../../src/sim/create-system.ts";
import { simulate } from "../../src/sim/run/simulate.ts";
import { largeChain, largeTree } from "../fixtures/models/large-machines.ts";
import { randomModel, randomState } from "../fixtures/models/random-model.ts";
import { workspaceOf } from "../fixtures/workspace.ts";

/** Relative to the largest acceleration, as for the smaller trees of formulations.test.ts. */
const AGREEMENT = 1e-10;

const MACHINES: Readonly<Record<string, ModelDescription>> = {
  "a chain with aligned axes": largeChain(190),
  "a chain of general geometry": largeTree(150, { seed: 1, reach: 1 }),
  "a tree of general geometry": largeTree(260, { seed: 2, reach: 6 }),
  "a random tree with hinges of all kinds": randomModel(11, { freedoms: 150, base: "free", shape: "tree" }),
  "a random chain with hinges of all kinds": randomModel(13, {
    freedoms: 140,
    base: "several",
    shape: "chain",
    massless: "none",
  }),
};

allowRolling(); // equations are compiled without the public function `compile`, which does this

function accelerationsBy(name: FormulationName, model: Model, seed: number): Float64Array {
  const equations: Equations = FORMULATIONS[name].derive(model);
  const { q, u, tau } = randomState(model, seed);
  const udot = new Float64Array(model.nu);
  equations.accelerations(q, u, tau, new Float64Array(0), udot);
  return udot;
}

function difference(a: Float64Array, b: Float64Array): number {
  const scale = Math.max(...a.map(Math.abs), ...b.map(Math.abs));
  return Math.max(...a.map((v, i) => Math.abs(v - b[i]!))) / scale;
}

/** Values of a program by the interpreter, rolled and as straight-line code must have the same bits. */
function expectSameBits(program: Program, x: Float64Array): void {
  const expected = new Float64Array(program.results.length);
  interpret(program, x, expected);
  const [ofRolled, ofStraight] = [true, false].map((rolled) => {
    const y = new Float64Array(expected.length);
    compile(program, { rolled }).run(x, y);
    return y;
  });
  expect(ofRolled).toEqual(expected);
  expect(ofStraight).toEqual(expected);
  const pair = compile(program, { rolled: true, lanes: 2 });
  for (const [i, v] of x.entries()) pair.x[2 * i] = pair.x[2 * i + 1] = v;
  pair.evaluate();
  expect(pair.y.filter((_, i) => i % 2 === 0)).toEqual(expected);
  expect(pair.y.filter((_, i) => i % 2 === 1)).toEqual(expected);
}

describe.each(Object.entries(MACHINES))("%s", (_, description) => {
  const model = createModel(description);
  const { q, u, tau } = randomState(model, 5);

  test("accelerations agree with kane and matrix", () => {
    const articulated = accelerationsBy("articulated", model, 3);
    for (const name of ["kane", "matrix"] as const)
      expect(difference(articulated, accelerationsBy(name, model, 3))).toBeLessThan(AGREEMENT);
  });

  test("rolled programs have the bits of straight-line code and of the interpreter", () => {
    expectSameBits(programs.forwardDynamics(model), Float64Array.of(...q, ...u, ...tau));
    expectSameBits(programs.inverseDynamics(model), Float64Array.of(...q, ...u, ...tau));
    expectSameBits(programs.momentumAndEnergy(model), Float64Array.of(...q, ...u));
    expectSameBits(programs.hingeWrenches(model), Float64Array.of(...q, ...u, ...tau));
  });
});

describe("rolled forward dynamics", () => {
  const rolledSizes = (description: ModelDescription) => {
    const program = programs.forwardDynamics(createModel(description));
    const { routines, calls, routineNodes, frameValues } = rollProgram(program);
    return { ...costOf(program), routines: routines.length, calls: calls.length, routineNodes, frameValues };
  };

  test("of a chain has the same routines for any number of hinges", () => {
    expect(rolledSizes(largeChain(200))).toMatchInlineSnapshot(`
      {
        "calls": 703,
        "frameValues": 10623,
        "ops": 42337,
        "routineNodes": 3197,
        "routines": 37,
        "trig": 400,
      }
    `);
    expect(rolledSizes(largeChain(400))).toMatchInlineSnapshot(`
      {
        "calls": 1403,
        "frameValues": 21273,
        "ops": 84587,
        "routineNodes": 3197,
        "routines": 37,
        "trig": 800,
      }
    `);
  });

  test("of general geometry has routines that do not depend on the signs of numbers", () => {
    expect(rolledSizes(largeTree(200, { seed: 1, reach: 1 }))).toMatchInlineSnapshot(`
      {
        "calls": 703,
        "frameValues": 12387,
        "ops": 81613,
        "routineNodes": 3657,
        "routines": 22,
        "trig": 400,
      }
    `);
    expect(rolledSizes(largeTree(260, { seed: 2, reach: 6 }))).toMatchInlineSnapshot(`
      {
        "calls": 913,
        "frameValues": 13726,
        "ops": 105420,
        "routineNodes": 21343,
        "routines": 110,
        "trig": 520,
      }
    `);
  });

  test("is the default for large machines only", () => {
    const isRolled = (description: ModelDescription): boolean => {
      const program = programs.forwardDynamics(createModel(description));
      return rolledIfFaster(program, costOf(program)) !== undefined;
    };
    expect(isRolled(largeChain(100))).toBe(false);
    expect(isRolled(largeChain(300))).toBe(true);
    expect(isRolled(largeTree(150, { seed: 1, reach: 1 }))).toBe(true);
  });
});

describe("runs of a large machine", () => {
  const model = createModel(largeTree(150, { seed: 1, reach: 1 }));
  const hinge = model.bodies.slice(1).map((body) => body.hinge.name);
  const springs = createForce(model, { kind: "hinge-spring", name: "springs", hinge, stiffness: 10, damping: 0.5 });
  const { q, u } = randomState(model, 7);

  // Its kernel stores its table in the memory of the step loop (rk4) and of the compiled stages (dop853).
  test.each([
    ["rk4", { step: 0.001 }, 0.001],
    ["dop853", {}, undefined],
  ] as const)("%s has the bits of JavaScript, which is straight-line code", (integrator, settings, sample) => {
    const runs = (["wasm", "js"] as const).map((target) => {
      const system = createSystem(model, [springs], { target });
      const program = workspaceOf(system).fullProgram!;
      expect(rolledIfFaster(program, costOf(program))).toBeDefined();
      return simulate(system, system.start({ q, u }), { duration: 0.004, integrator, settings, ...(sample && { sample }) });
    });
    expect(runs[0]!.q).toEqual(runs[1]!.q);
    expect(runs[0]!.u).toEqual(runs[1]!.u);
    expect(runs[0]!.u).not.toEqual(u);
  });
});
