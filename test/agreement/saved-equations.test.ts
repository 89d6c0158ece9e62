/**
 * Equations and loops that are saved at some state of a path and restored into new objects continue with the same bits. The paths make the
 * formulations change their pivot orders, ranks and dependents.
 */
import { describe, expect, test } from "vitest";
import { deriveArticulated } from "../../src/dynamics/articulated.ts";
import type { Equations, FormulationName } from "../../src/dynamics/formulation.ts";
import { FORMULATIONS } from "../../src/dynamics/formulations.ts";
import { type ClosedLoops, closedLoops } from "../../src/dynamics/loops/multipliers/closed-loops.ts";
import { eliminationKey } from "../../src/dynamics/loops/multipliers/loop-programs.ts";
import { CastorError, FormatError } from "../../src/errors.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import type { Model } from "../../src/model/model.ts";
import { OVERCONSTRAINED, PANTOGRAPH } from "../fixtures/models/closed-machines.ts";
import { loopRows } from "../fixtures/models/loop-states.ts";
import { builtIn } from "../fixtures/models/pendulum.ts";
import { randomClosedModel, uniform } from "../fixtures/models/random-model.ts";

const LENGTH = 200;
/** States before which everything is saved; the first one is before any evaluation. */
const SAVE_AT = [0, 1, 40, 101, 150];

interface PathState {
  readonly t: number;
  readonly q: Float64Array;
  readonly u: Float64Array;
  readonly tau: Float64Array;
  readonly w: Float64Array;
}
interface Machine {
  readonly name: string;
  readonly model: Model;
  readonly wrenches: readonly string[];
  readonly path: readonly PathState[];
}

/** A path along speeds that keep the loops closed. Every seventh state is a little off the loops, as stages of a step are. */
function machine(name: string, model: Model, q0: Float64Array, seed: number, distance = 0.02): Machine {
  const next = uniform(seed);
  const numbers = (n: number, size: number): Float64Array => Float64Array.from({ length: n }, () => size * (2 * next() - 1));
  const wrenches = seed % 2 === 0 ? [model.bodies.at(-1)!.name] : [];
  const loops = closedLoops(model);
  const q = q0.slice();
  let direction = numbers(model.nu, 1);
  const path = Array.from({ length: LENGTH }, (_, k): PathState => {
    const t = 0.01 * k;
    if (k % 50 === 49) direction = numbers(model.nu, 1);
    const u = direction.slice();
    loops.project(t, q, u);
    const state = { t, q: q.slice(), u, tau: numbers(model.nu, 5), w: numbers(6 * wrenches.length, 5) };
    if (k % 7 === 6) for (let i = 0; i < model.nq; i++) state.q[i]! += 10 ** -(2 + 8 * next()) * (next() - 0.5);
    const size = Math.max(1, ...u.map(Math.abs));
    loops.advanceCoordinates(q, u, distance / size);
    return state;
  });
  return { name, model, wrenches, path };
}

function scenarioMachine(name: string, seed: number, distance?: number): Machine {
  const { model, q, u } = builtIn(name);
  const start = q.slice();
  closedLoops(model).assemble(0, start, u.slice());
  return machine(name, model, start, seed, distance);
}

/** The pantograph near the position in which all bars lie on one line: two equations are lost there. */
function pantograph(name: string, angle: (k: number) => number): Machine {
  const model = createModel(PANTOGRAPH);
  const path = Array.from({ length: LENGTH }, (_, k): PathState => {
    const th = angle(k);
    const [s, c] = [Math.sin(th), Math.cos(th)];
    return {
      t: 0.01 * k,
      q: Float64Array.of(1, 0, 0, 0, 0, 0, 0, s, -th, -s, th, 2 * th, -2 * th),
      u: Float64Array.of(0, 0, 0, 0, 0, 0, c, -1, -c, 1, 2, -2),
      tau: Float64Array.from({ length: model.nu }, (_, i) => Math.sin(i + k)),
      w: new Float64Array(0),
    };
  });
  return { name: `pantograph, ${name}`, model, wrenches: [], path };
}

function randomMachine(seed: number, ...closings: ("prescribed" | "revolute" | "distance" | "coupling")[]): Machine {
  const { description, q } = randomClosedModel(seed, { closings });
  return machine(`random ${closings.join(", ")}`, createModel(description), q, seed, 0.05);
}

const MACHINES: readonly Machine[] = [
  scenarioMachine("four-bar", 1, 0.1),
  scenarioMachine("stewart-platform", 2, 0.03),
  scenarioMachine("bricard", 3, 0.05),
  scenarioMachine("andrews-squeezer", 4, 0.1),
  scenarioMachine("docking-retract", 5, 0.05),
  pantograph("through its singular position", (k) => 0.002 * (100 - k)),
  pantograph("staying near its singular position", (k) => (k < 2 ? 1 : 2e-5 * (1 + 0.01 * k))),
  ...OVERCONSTRAINED.map(({ name, description, q }, i) =>
    machine(name, createModel({ name, ...description }), Float64Array.from(q), 6 + i, 0.05),
  ),
  randomMachine(20, "prescribed", "revolute"),
  randomMachine(21, "distance", "coupling", "revolute"),
];

/** The bits of numbers; the name and text of a failure. */
function bitsOf(evaluate: () => readonly (Float64Array | number | string | undefined)[]): string {
  try {
    return evaluate()
      .map((part) => {
        if (part === undefined || typeof part === "string") return String(part);
        const numbers = typeof part === "number" ? Float64Array.of(part) : part.slice();
        return [...new BigUint64Array(numbers.buffer)].map((bits) => bits.toString(36)).join(" ");
      })
      .join("; ");
  } catch (error) {
    if (!(error instanceof CastorError)) throw error;
    return `${error.name}: ${error.message}`;
  }
}

/** What an object computes at one state of the path. */
type Evaluate<T> = (object: T, state: PathState, k: number) => string;

const evaluateEquations: Evaluate<Equations> = (equations, { t, q, u, tau, w }, k) => {
  const { model } = equations;
  const out = {
    udot: new Float64Array(model.nu),
    reactions: new Float64Array(6 * model.bodies.length),
    lambda: new Float64Array(loopRows(model)),
  };
  return [
    bitsOf(() => {
      equations.accelerations(q, u, tau, w, out.udot, t);
      return [out.udot];
    }),
    bitsOf(() => {
      equations.loopForces(q, u, tau, w, out.lambda, t);
      if (k % 3 === 0) equations.reactions(q, u, tau, w, out.reactions, t);
      return [out.lambda, out.reactions];
    }),
    bitsOf(() => (k % 20 === 0 ? [equations.loopRank?.(q, t).rank] : [])),
    bitsOf(() => {
      if (!equations.dependents) return [];
      const [position, speeds] = [q.slice(), u.slice()];
      if (k % 4 === 0) equations.dependents.rechoose(position, t);
      equations.dependents.complete(position, speeds, t);
      return [position, speeds];
    }),
  ].join(" | ");
};

const evaluateLoops: Evaluate<ClosedLoops> = (loops, { t, q, u, tau, w }, k) => {
  const udot = new Float64Array(u.length);
  const lambda = new Float64Array(loops.rows);
  const pull = new Float64Array(u.length + loops.rows);
  const weak = Float64Array.from({ length: loops.rows }, (_, i) => Math.cos(i));
  return [
    bitsOf(() => {
      if (k % 5 === 4) loops.orderRejected();
      loops.accelerations(t, q, u, tau, w, udot, lambda);
      return [udot, lambda, loops.power(t, q, u, tau, w)];
    }),
    bitsOf(() => {
      const [position, speeds] = [q.slice(), u.slice()];
      for (let i = 0; i < position.length; i++) position[i]! += 1e-5 * Math.sin(i + k);
      if (k % 2 === 0) loops.prepareWeakness(weak);
      const left = loops.project(t, position, speeds);
      // Saved between a projection and the weakness at nearly the same place: the outputs of the projection are used again.
      return [position, speeds, left];
    }),
    bitsOf(() => [loops.weakness(k > 0 && k % 2 === 0 ? t - 0.01 : t, q, weak, pull), pull]),
    bitsOf(() => [k % 25 === 0 ? loops.impact(t, q, u.slice()).impulses : undefined]),
    loops.elimination ? eliminationKey(loops.elimination) : "no order",
    `${loops.redundant} redundant`,
  ].join(" | ");
};

interface Savable {
  save(): unknown;
  restore(saved: unknown): void;
}

/** Runs the whole path, and again from each save in a new object and in the old one. Returns all saves. */
function checkContinuations<T extends Savable>(create: () => T, path: readonly PathState[], evaluate: Evaluate<T>): unknown[] {
  const original = create();
  const saves: unknown[] = [];
  const results = path.map((state, k) => {
    if (SAVE_AT.includes(k)) saves.push(structuredClone(original.save()));
    return evaluate(original, state, k);
  });
  const end = original.save();
  for (const [i, first] of SAVE_AT.entries())
    for (const object of i === 2 ? [create(), original] : [create()]) {
      object.restore(structuredClone(saves[i]));
      expect(object.save(), `saved again at state ${first}`).toStrictEqual(saves[i]);
      for (let k = first; k < path.length; k++)
        if (evaluate(object, path[k]!, k) !== results[k]) expect.fail(`restored at state ${first}: other bits at state ${k}`);
      expect(object.save(), `restored at state ${first}: saved at the end`).toStrictEqual(end);
    }
  return [...saves, end];
}

type Entries = Readonly<Record<string, unknown>>;

/** The entry of saved data at a path of keys; undefined if there is none. */
const entryAt = (saved: unknown, path: string): unknown =>
  path.split(".").reduce<unknown>((data, key) => (data as Entries | null | undefined)?.[key], saved);

/** Number of different values of an entry among the saves. */
const differentEntries = (saves: readonly unknown[], path: string): number =>
  new Set(saves.map((saved) => JSON.stringify(entryAt(saved, path) ?? null))).size;

/** Entries that every formulation must have changed on some path, and the least number of their values. */
const CHANGING: Readonly<Record<FormulationName, readonly (readonly [path: string, values: number])[]>> = {
  articulated: [
    ["loops.accelerations.byOrder.order", 3],
    ["loops.system.lu", 3],
    ["loops.system.isDense", 2],
  ],
  kane: [["settledRank", 2]],
  matrix: [
    ["lu", 4],
    ["settled", 2],
  ],
  partition: [["choice", 3]],
  minimal: [
    ["coordinates.loops.choice", 3],
    ["partition.choice", 3],
  ],
};

describe.each(Object.keys(FORMULATIONS) as FormulationName[])("%s", (name) => {
  const saves: unknown[][] = [];

  test.each(MACHINES)("$name: restored equations continue with the same bits", ({ model, wrenches, path }) => {
    saves.push(checkContinuations(() => FORMULATIONS[name].derive(model, { wrenches }), path, evaluateEquations));
  });

  test("a tree without loops", () => {
    const { model, q, u } = builtIn("satellite-manipulator");
    const state = { t: 0, q, u, tau: new Float64Array(model.nu).fill(0.1), w: new Float64Array(0) };
    const path = Array.from({ length: LENGTH }, () => state);
    checkContinuations(() => FORMULATIONS[name].derive(model), path, evaluateEquations);
  });

  test.each(CHANGING[name])("the paths change %s", (path, values) => {
    expect(Math.max(...saves.map((list) => differentEntries(list, path)))).toBeGreaterThanOrEqual(values);
  });
});

describe("closed loops", () => {
  const saves: unknown[][] = [];

  test.each(MACHINES)("$name: restored loops continue with the same bits", ({ model, wrenches, path }) => {
    saves.push(checkContinuations(() => closedLoops(model, wrenches), path, evaluateLoops));
  });

  test.each(["accelerations.byOrder.order", "closure.corrections.byOrder.order", "closure.corrections.inputs", "system.lu"])(
    "the paths change %s",
    (path) => {
      expect(Math.max(...saves.map((list) => differentEntries(list, path)))).toBeGreaterThanOrEqual(3);
    },
  );
});

test("equations with shared loops save only what is their own", () => {
  const { model, wrenches, path } = MACHINES[0]!;
  const shared = closedLoops(model, wrenches);
  const equations = deriveArticulated(model, { wrenches, closedLoops: shared });
  evaluateEquations(equations, path[0]!, 0);
  expect(equations.save()).toEqual({ loops: null });
  equations.restore({ loops: null });
  expect(() => equations.restore({ loops: shared.save() })).toThrow(FormatError);
});

/** A change of saved data. `wrong`: it must be refused. The others may be accepted, but must not cause an error of the engine later. */
interface Mutation {
  readonly what: string;
  readonly data: unknown;
  readonly wrong: boolean;
}

/** Entries that may be null: there is no choice yet. */
const NULLABLE = /\.(order|lu|coordinates|isDense|weights|inputs|residuals)$/;
const WRONG_SHAPES = [undefined, "text", [], [1], {}, new Float32Array(2), new Map(), () => 0];
const HUGE = { Int32Array: new Int32Array(2 ** 20), Float64Array: new Float64Array(2 ** 20) };

/** Copies of saved data in which one entry is changed. */
function mutations(saved: unknown, path = "saved"): Mutation[] {
  const replaced = (values: readonly unknown[], wrong: boolean): Mutation[] =>
    values.map((data) => {
      const text = ArrayBuffer.isView(data) ? `${data.constructor.name} ${String(data).slice(0, 60)}` : String(data);
      return { what: `${path} = ${text}`, data, wrong: wrong && !(data === null && NULLABLE.test(path)) };
    });
  if (saved === null) return replaced(WRONG_SHAPES, true);
  if (typeof saved === "boolean") return [...replaced([...WRONG_SHAPES, 1, null], true), ...replaced([!saved], false)];
  if (typeof saved === "number")
    return [...replaced([...WRONG_SHAPES, true, null], true), ...replaced([NaN, Infinity, -1, 0.5, 3, 1e300], false)];
  if (saved instanceof Int32Array || saved instanceof Float64Array) {
    const name = saved.constructor.name as keyof typeof HUGE;
    const long = saved instanceof Int32Array ? new Int32Array(saved.length + 1) : new Float64Array(saved.length + 1);
    const wrong = [...WRONG_SHAPES, null, 1, long, HUGE[name], new Int16Array(saved.length), [...saved]];
    const changed = [0, saved.length >> 1, saved.length - 1].flatMap((i) =>
      [-1, 0, 1, saved.length, 2 ** 31 - 1, Number.NaN].map((value) => {
        const copy = saved.slice();
        copy[i] = value;
        return copy;
      }),
    );
    return [...replaced(wrong, true), ...(saved.length > 0 ? replaced(changed, false) : [])];
  }
  const entries = Object.entries(saved as Entries);
  const without = (key: string): Entries => Object.fromEntries(entries.filter(([other]) => other !== key));
  return [
    ...replaced([...WRONG_SHAPES, 1, null], true),
    ...entries.map(([key]) => ({ what: `${path} without ${key}`, data: without(key), wrong: true })),
    { what: `${path} with another key`, data: { ...(saved as Entries), another: 1 }, wrong: true },
    ...entries.flatMap(([key, value]) =>
      mutations(value, `${path}.${key}`).map((m) => ({ ...m, data: { ...(saved as Entries), [key]: m.data } })),
    ),
  ];
}

/** Arrays in which every index must occur once. */
const PERMUTATION = /\.(pivots|rows|columns)$/;

describe("damaged data", () => {
  const bodies = MACHINES.filter(({ name }) => /stewart|staying|Bennett/.test(name));
  const cases = bodies.flatMap((body) => [
    ...(Object.keys(FORMULATIONS) as FormulationName[]).map((name) => ({
      title: `${name}, ${body.name}`,
      body,
      create: (): Savable => FORMULATIONS[name].derive(body.model, { wrenches: body.wrenches }),
      evaluate: (object: Savable, k: number) => evaluateEquations(object as Equations, body.path[k]!, k),
    })),
    {
      title: `closed loops, ${body.name}`,
      body,
      create: (): Savable => closedLoops(body.model, body.wrenches),
      evaluate: (object: Savable, k: number) => evaluateLoops(object as ClosedLoops, body.path[k]!, k),
    },
  ]);

  test.each(cases)("$title: refused with a FormatError, or harmless", ({ create, evaluate }) => {
    const original = create();
    for (let k = 0; k < 10; k++) evaluate(original, k);
    const saved = original.save();
    const object = create();
    let refused = 0;
    for (const { what, data, wrong } of mutations(saved)) {
      let error: unknown;
      try {
        object.restore(data);
      } catch (thrown) {
        error = thrown;
      }
      if (error !== undefined) {
        expect(error, what).toBeInstanceOf(FormatError);
        refused++;
      } else {
        expect(wrong, `${what} is accepted`).toBe(false);
        evaluate(object, 10);
      }
    }
    expect(refused).toBeGreaterThan(20);
    object.restore(saved);
    expect(evaluate(object, 10), "a refused restore leaves the object usable").toBe(evaluate(original, 10));
  });

  /** Copies of saved data in which one permutation is changed. */
  const permuted = (data: unknown, change: (permutation: Int32Array) => Int32Array, path = ""): unknown[] => {
    if (data instanceof Int32Array) return PERMUTATION.test(path) && data.length > 1 ? [change(data.slice())] : [];
    if (typeof data !== "object" || data === null || ArrayBuffer.isView(data)) return [];
    return Object.entries(data).flatMap(([key, value]) =>
      permuted(value, change, `${path}.${key}`).map((other) => ({ ...data, [key]: other })),
    );
  };

  test.each(cases)("$title: what is no permutation is refused; other permutations are refused or harmless", (body) => {
    const original = body.create();
    for (let k = 0; k < 10; k++) body.evaluate(original, k);
    const saved = original.save();
    const object = body.create();
    const notPermuted = [
      (p: Int32Array) => p.fill(p[0]!, 0, 2),
      (p: Int32Array) => p.map((i) => i + 1),
      (p: Int32Array) => p.map((i) => -i),
    ];
    for (const change of notPermuted)
      for (const data of permuted(saved, change)) expect(() => object.restore(data)).toThrow(FormatError);
    const next = uniform(1);
    for (let i = 0; i < 20; i++)
      for (const data of permuted(saved, (p) => shuffled(p, next))) {
        try {
          object.restore(data);
        } catch (error) {
          expect(error).toBeInstanceOf(FormatError);
          continue;
        }
        body.evaluate(object, 10);
      }
  });
});

function shuffled(values: Int32Array, next: () => number): Int32Array {
  for (let i = values.length - 1; i > 0; i--) {
    const j = Math.floor(next() * (i + 1));
    [values[i], values[j]] = [values[j]!, values[i]!];
  }
  return values;
}
