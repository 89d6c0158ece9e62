/** Assembly with coordinates that are held or given. */
import { describe, expect, test } from "vitest";
import type { FormulationName } from "../../../src/dynamics/formulation.ts";
import { ArgumentError, ModelError } from "../../../src/errors.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { ModelDescription } from "../../../src/model/description.ts";
import { loadScenario } from "../../../src/scenario/load.ts";
import { prepareScenario } from "../../../src/scenario/prepare.ts";
import { createSystem } from "../../../src/sim/create-system.ts";
import { simulate } from "../../../src/sim/run/simulate.ts";
import { assemble } from "../../../src/sim/system/assembly.ts";

const FORMULATIONS: readonly FormulationName[] = ["articulated", "kane", "matrix", "partition", "minimal"];

const bar = (name: string, length: number, at: readonly [number, number, number], parent?: string) => ({
  name,
  ...(parent !== undefined && { parent }),
  mass: 1,
  com: [length / 2, 0, 0] as const,
  inertia: [0.01, length ** 2 / 12, length ** 2 / 12] as const,
  hinge: { kind: "revolute" as const, at },
});

/** Two motors at (0, 0) and (2, 0) with cranks of 1 m, joined by rods of 1.5 m. */
const fiveBar: ModelDescription = {
  name: "five-bar",
  bodies: [
    bar("left", 1, [0, 0, 0]),
    bar("left-rod", 1.5, [1, 0, 0], "left"),
    bar("right", 1, [2, 0, 0]),
    bar("right-rod", 1.5, [1, 0, 0], "right"),
  ],
  loops: [
    {
      name: "pin",
      kind: "general",
      freedoms: ["z", "rx", "ry", "rz"],
      from: { body: "left-rod", at: [1.5, 0, 0] },
      to: { body: "right-rod", at: [1.5, 0, 0] },
    },
  ],
};

/** Distance between the two tips that the pin joins. */
function gap([a, b, c, d]: ArrayLike<number> & Iterable<number>): number {
  const tip = (x: number, first: number, second: number): [number, number] => [
    x + Math.cos(first) + 1.5 * Math.cos(first + second),
    Math.sin(first) + 1.5 * Math.sin(first + second),
  ];
  const [p, q] = [tip(0, a!, b!), tip(2, c!, d!)];
  return Math.hypot(p[0] - q[0], p[1] - q[1]);
}

const scenarioOf = (state: object, model: ModelDescription = fiveBar) =>
  loadScenario(JSON.stringify({ castor: 1, model, state, duration: 1 }), "five-bar.json");

describe("a scenario with a five-bar", () => {
  test.each([
    [1.9, 1.2],
    [2, 1],
    [1.0, 2.2],
    [Math.PI / 2, Math.PI / 2],
    [0.1, 3],
    [-1.9, -1.2],
  ])("keeps both motor angles %d and %d, and reports the rods", (left, right) => {
    const { start, moved } = prepareScenario(scenarioOf({ q: { left, right } }));
    expect([start.y[0], start.y[2]]).toEqual([left, right]);
    expect(gap(start.y.slice(0, 4))).toBeLessThan(1e-12);
    expect(moved.map(({ name }) => name).sort()).toEqual(["q.left-rod", "q.right-rod"]);
    for (const { name, from, to } of moved) expect([from, to]).toEqual([0, start.y[name === "q.left-rod" ? 1 : 3]]);
  });

  test("keeps the speeds of both motors", () => {
    const { start } = prepareScenario(scenarioOf({ q: { left: 1.9, right: 1.2 }, u: { left: 0.3, right: -0.2 } }));
    const [q, u] = [start.y.slice(0, 4), start.y.slice(4, 8)];
    expect([u[0], u[2]]).toEqual([0.3, -0.2]);
    const later = q.map((v, i) => v + 1e-6 * u[i]!);
    expect(gap(later)).toBeLessThan(1e-11);
  });

  test("moves all angles by as little as possible if all are given and do not fit, except those that are held", () => {
    const q = { left: 1.9, "left-rod": -1.3, right: 1.2, "right-rod": 1.1 };
    const all = prepareScenario(scenarioOf({ q }));
    expect(all.moved.length).toBe(4);
    const held = prepareScenario(scenarioOf({ q, hold: ["left", "right"] }));
    expect([held.start.y[0], held.start.y[2]]).toEqual([1.9, 1.2]);
    expect(gap(held.start.y.slice(0, 4))).toBeLessThan(1e-12);
    const one = prepareScenario(scenarioOf({ q, hold: "left" }));
    expect(one.start.y[0]).toBe(1.9);
    expect(one.moved.map(({ name }) => name).sort()).toEqual(["q.left-rod", "q.right", "q.right-rod"]);
  });

  test("refuses motors out of reach with the held hinges, and unknown hinges", () => {
    expect(() => prepareScenario(scenarioOf({ q: { left: Math.PI, right: 0 }, hold: ["left", "right"] }))).toThrow(
      /loops\.pin: cannot be closed while left, right are held: the nearest assembly still has a residual of .* Hold fewer hinges, or start them elsewhere/,
    );
    expect(() => scenarioOf({ hold: ["left", "rihgt"] })).toThrow(
      /state\.hold\[1\].*: no hinge has this name, got "rihgt"\. Did you mean "right"\?/,
    );
    expect(() => scenarioOf({ hold: 3 })).toThrow(ModelError);
  });

  test("refuses given motor angles out of reach, rather than fold the machine over", () => {
    expect(() => prepareScenario(scenarioOf({ q: { left: 2.4, right: 0.7 } }))).toThrow(
      /^five-bar: 2 problems\n {2}state\.q\.left: does not fit the other given coordinates: to close the loops it would turn from 2\.400 to 0\.3872 rad\. Give fewer coordinates, or others; hinges that are not named adjust themselves\n {2}state\.q\.right: /,
    );
  });
});

describe("assemble", () => {
  const system = createSystem(createModel(fiveBar), []);

  test("holds the named hinges and keeps their speeds", () => {
    const start = system.start({ q: [1.9, 0, 1.2, 0], u: [0.3, 0, -0.2, 0] });
    const { state } = assemble(system, start, { hold: ["left", "right"] });
    expect([0, 2, 4, 6].map((i) => state.y[i])).toEqual([1.9, 1.2, 0.3, -0.2]);
    expect(gap(state.y.slice(0, 4))).toBeLessThan(1e-12);
  });

  test("starts from a singular position: all bars on one line", () => {
    const { state } = assemble(system, system.start({ q: [0, 0, 0, 0] }), { hold: ["left"] });
    expect(state.y[0]).toBe(0);
    expect(gap(state.y.slice(0, 4))).toBeLessThan(1e-9);
  });

  test.each([
    [{ hold: ["lift"] }, /^options\.hold\[0\]: .*"lift"/],
    [{ hold: "left" }, /^options\.hold: must be a list of names of hinges/],
    [{ keep: ["left"] }, /^options\.keep: must be an object/],
    [{ held: [] }, /^options\.held: there is no such option/],
  ])("refuses %j", (options, message) => {
    const call = (): unknown => assemble(system, system.start(), options as never);
    expect(call).toThrow(ArgumentError);
    expect(call).toThrow(message);
  });

  test("holds a free body of a platform on legs, by its quaternion", () => {
    const anchors = [0, 1, 2].map((k) => [Math.cos((k * 2 * Math.PI) / 3), Math.sin((k * 2 * Math.PI) / 3)] as const);
    const tripod = createModel({
      name: "tripod",
      bodies: [
        { name: "plate", mass: 2, inertia: [1, 1, 2], hinge: { kind: "free" } },
        ...anchors.flatMap(([x, y], k) => [
          {
            name: `yoke-${k}`,
            mass: 0.1,
            inertia: [0.01, 0.01, 0.01] as const,
            hinge: { kind: "universal" as const, at: [x, y, 0] as const },
          },
          {
            name: `piston-${k}`,
            parent: `yoke-${k}`,
            mass: 0.1,
            inertia: [0.01, 0.01, 0.01] as const,
            hinge: { kind: "prismatic" as const, axis: "z" as const },
          },
        ]),
      ],
      loops: anchors.map(([x, y], k) => ({
        name: `ball-${k}`,
        kind: "spherical" as const,
        from: { body: `piston-${k}` },
        to: { body: "plate", at: [0.5 * x, 0.5 * y, 0] as const },
      })),
    });
    const legs = createSystem(tripod, []);
    const tilt = [Math.cos(0.15), Math.sin(0.15) * 0.6, Math.sin(0.15) * 0.8, 0];
    const q = Float64Array.of(...tilt, 0.1, -0.05, 1.2, ...new Array<number>(9).fill(0));
    const { state, moved } = assemble(legs, legs.start({ q }), { hold: ["plate"] });
    expect(Array.from(state.y.subarray(0, 7))).toEqual([...tilt, 0.1, -0.05, 1.2]);
    expect(moved.length).toBe(9);
  });
});

describe("a start that is not possible", () => {
  const system = createSystem(createModel(fiveBar), []);

  test.each(FORMULATIONS)("open loops are refused with the loop, the gap and what to do, by %s", (formulation) => {
    const open = createSystem(createModel(fiveBar), [], { formulation });
    const start = open.start({ q: [1.9, 0, 1.2, 0] });
    expect(() => simulate(open, start, { duration: 1 })).toThrow(
      /^the loops are open at the start: pin by \d\.\d+ m or rad\. Close them first: assemble\(system, state\) adjusts the state$/,
    );
    const closed = assemble(open, start, { hold: ["left", "right"] }).state;
    expect(simulate(open, closed, { duration: 0.01 }).t).toBe(0.01);
  });

  test("accelerations that do not exist are refused: dependent angles of an open loop", () => {
    const minimal = createSystem(createModel(fiveBar), [], { formulation: "minimal" });
    expect(() => minimal.accelerations(minimal.start({ q: [2.4, 0, 0.7, 0] }))).toThrow(
      "five-bar: the accelerations at this state are not finite. If its loops are open, close them first: assemble(system, state)",
    );
  });

  test("speeds that open the loops are refused", () => {
    const { state } = assemble(system, system.start({ q: [1.9, 0, 1.2, 0] }), { hold: ["left", "right"] });
    const y = state.y.slice();
    y[4] = 1;
    expect(() => simulate(system, { ...state, y }, { duration: 1 })).toThrow(
      /^the speeds at the start open the loops: pin by \d.* m\/s or rad\/s\. Close them first/,
    );
  });

  test("a quaternion of norm 0.9 is refused with the way to correct it, in code and in files", () => {
    const ball: ModelDescription = {
      name: "ball",
      bodies: [{ name: "ball", mass: 1, inertia: [1, 1, 1], hinge: { kind: "free" } }],
    };
    const free = createSystem(createModel(ball), []);
    expect(() => free.start({ q: [0.9, 0, 0, 0, 0, 0, 0] })).toThrow(
      "options.q[0]: the quaternion that begins with ball.qw has the norm 0.9, not 1. Divide its four numbers by the norm",
    );
    expect(() => free.start({ q: [0, 0, 0, 0, 0, 0, 0] })).toThrow(
      "the quaternion that begins with ball.qw has the norm 0, not 1. No rotation is [1, 0, 0, 0]",
    );
    expect(() => scenarioOf({ q: { ball: [0.9, 0, 0, 0, 0, 0, 0] } }, ball)).toThrow(
      "a quaternion must have norm 1, this has 0.9, got [0.9, 0, 0, 0]. Divide it by its norm: [1, 0, 0, 0]",
    );
  });
});
