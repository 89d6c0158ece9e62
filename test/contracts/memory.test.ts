/**
 * Contract suite of memories: controllers and force elements keep nothing in themselves. Runs that use one object in turn do not disturb
 * each other, and a memory that was saved and restored continues bit for bit.
 */
import { describe, expect, it } from "vitest";
import type { ParseContext } from "../../src/declare/parse-parameters.ts";
import { CastorError, FormatError } from "../../src/errors.ts";
import { RutField } from "../../src/ground/ruts.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import { describeModel } from "../../src/model/build/describe-model.ts";
import type { Model } from "../../src/model/model.ts";
import { CONTROLLERS, readController } from "../../src/parts/control/controllers.ts";
import type { ControllerKind } from "../../src/parts/control/kind.ts";
import { TouchMemory } from "../../src/parts/force/contact/touch-memory.ts";
import { FORCES } from "../../src/parts/force/forces.ts";
import type { ForceKind } from "../../src/parts/force/kind.ts";
import { type Controller, decodeMemory, encodeMemory } from "../../src/sim/run/controller.ts";
import type { ElementMemory, ForceElement, NumericLoads, Snapshot } from "../../src/sim/system/force-element.ts";
import { ARM } from "../fixtures/force-bench.ts";
import { ROCKY, statesAlong } from "../fixtures/state-sequence.ts";

const COUNT = 60;
/** Updates after which memories are saved. */
const SAVED_AFTER = [1, 17, 41];

/** The arm, and a body that it may hold. */
const HOLDING = ((): Model => {
  const arm = describeModel(ARM);
  const target = { name: "target", mass: 10, com: [0.1, 0, 0], inertia: [1, 1.2, 0.9], hinge: { kind: "free" } } as const;
  const grasp = { name: "grasp", kind: "fixed", from: { body: "hand" }, to: { body: "target" }, engaged: false } as const;
  return createModel({ ...arm, bodies: [...arm.bodies, target], loops: [grasp] });
})();

const HAND = { frame: "hand", parts: ["x", "z"], kp: 4, kd: 4, moves: [{ by: [0.3, 0, 0.2], duration: 2 }] };
const ALL_HINGES = ["shoulder", "elbow", "slider", "wrist"];
const LIMITED = {
  motors: "motors",
  hinges: ALL_HINGES,
  tasks: [HAND],
  limits: [
    { hinge: ["shoulder", "elbow"], torque: 8, speed: 1 },
    { hinge: "elbow", lower: -1.5, upper: 1.5, braking: 3 },
    { hinge: ["slider", "wrist"], torque: 20 },
  ],
};

/** Parameters besides the examples of the kinds, where memories do more. */
const MORE: readonly (readonly [kind: string, parameters: object])[] = [
  ["limited-tasks", LIMITED],
  ["limited-tasks", { ...LIMITED, period: 0, horizon: 0.01 }],
  ["limited-tasks", { ...LIMITED, unkept: "stop", carrying: "grasp" }],
  ["least-torque", { motors: "motors", hinges: ALL_HINGES, tasks: [HAND], damping: 0.5, still: ["wrist"] }],
  ["least-torque", { motors: "motors", hinges: ALL_HINGES, tasks: [HAND], period: 0.02 }],
  ["resolved-acceleration", { motors: "motors", hinges: ALL_HINGES, tasks: [HAND], carrying: "grasp" }],
  ["least-torque", { motors: "motors", hinges: ALL_HINGES, tasks: [HAND], assumes: [{ body: "fore", mass: 3 }] }],
  [
    "resolved-acceleration",
    { motors: "motors", hinges: ALL_HINGES, tasks: [HAND], carrying: "grasp", assumes: [{ body: "fore", mass: 3 }] },
  ],
  [
    "follow-path",
    { ...CONTROLLERS["follow-path"].examples[0], law: "line-of-sight", kp: 0.3, ki: 0.2, path: [{ x: 0, y: 0 }, { x: 8, y: 7 }] }, // biome-ignore format: one line
  ],
  ["wheel-desaturation", { ...CONTROLLERS["wheel-desaturation"].examples[0], start: 0.01, stop: 0.005 }],
  ["hinge-pd", { ...CONTROLLERS["hinge-pd"].examples[0], link: { commandDelay: 0.004, telemetryDelay: 0.002, loss: 0.3 } }],
  [
    "resolved-acceleration",
    { motors: "motors", hinges: ALL_HINGES, tasks: [HAND], period: 0, link: { period: 0.05, commandDelay: 0.2 } },
  ],
  ["guide", { ...CONTROLLERS.guide.examples[0], link: { loss: 0.3, seed: 4 } }],
  ["operator", { ...CONTROLLERS.operator.examples[0], link: { telemetryDelay: 0.2, loss: 0.2, period: 0.04, timeout: 0.2 } }],
];

interface ControllerCase {
  readonly name: string;
  readonly model: Model;
  create(): Controller;
}

const controllerCase = (kind: string, parameters: object): ControllerCase => {
  const model = "carrying" in parameters ? HOLDING : ARM;
  const reading: ParseContext = { terrain: ROCKY };
  return {
    name: `${kind} ${JSON.stringify(parameters).slice(0, 80)}`,
    model,
    create: () => readController(kind, "c", parameters, model, reading),
  };
};

const controllerCases: readonly ControllerCase[] = [
  ...(Object.entries(CONTROLLERS) as unknown as readonly [string, ControllerKind][]).flatMap(([kind, { examples }]) =>
    examples.map((example) => controllerCase(kind, example)),
  ),
  ...MORE.map(([kind, parameters]) => controllerCase(kind, parameters)),
];

/** Everything that a run sees of an update. */
interface Outcome {
  readonly command: Float64Array;
  readonly report: Float64Array;
  readonly finished: string | undefined;
  readonly intent: unknown;
}

class ControllerRun {
  readonly outcomes: Outcome[] = [];
  #memory: unknown;
  readonly #controller: Controller;
  readonly #command: Float64Array;

  constructor(controller: Controller, memory: unknown) {
    this.#controller = controller;
    this.#memory = memory;
    this.#command = new Float64Array(controller.commands.length);
  }

  static start(controller: Controller, s: Snapshot): ControllerRun {
    return new ControllerRun(controller, controller.start(s.model, s));
  }

  update(s: Snapshot): void {
    const report = new Float64Array(this.#controller.channels?.length ?? 0).fill(Number.NaN);
    this.#command.fill(Number.NaN); // the law writes every command
    const measured = Float64Array.from(this.#controller.measures ?? [], (_, i) => 30 * Math.sin(7 * s.t + i));
    this.#memory = this.#controller.update({ ...s, measured }, this.#memory, this.#command);
    this.#controller.report?.(this.#memory, report);
    for (const value of [...this.#command, ...report]) expect(value).not.toBeNaN();
    const intent = structuredClone(this.#controller.intent?.(this.#memory));
    this.outcomes.push({ command: this.#command.slice(), report, finished: this.#controller.finished?.(this.#memory), intent });
  }

  save(): unknown {
    return encodeMemory(this.#controller, this.#memory);
  }
}

describe.each(controllerCases)("the memory of $name", ({ model, create }) => {
  const frames = create().frames ?? [];
  const motion = { count: COUNT, step: 0.05, angle: 0.8, speed: 0.1 };
  const [first, second] = [1, 5].map((seed) => statesAlong(model, frames, 0, seed, motion)) as [Snapshot[], Snapshot[]];
  const alone = (states: readonly Snapshot[]): ControllerRun => {
    const run = ControllerRun.start(create(), states[0]!);
    for (const s of states) run.update(s);
    return run;
  };

  it("serves runs that use one controller in turn", () => {
    const controller = create();
    const [a, b] = [ControllerRun.start(controller, first[0]!), ControllerRun.start(controller, second[0]!)];
    for (let k = 0; k < COUNT; k++) {
      a.update(first[k]!);
      b.update(second[k]!);
    }
    expect(a.outcomes).toEqual(alone(first).outcomes);
    expect(b.outcomes).toEqual(alone(second).outcomes);
  });

  it("is plain data, and continues bit for bit in another controller", () => {
    const expected = alone(first).outcomes;
    const run = ControllerRun.start(create(), first[0]!);
    const saved = new Map<number, unknown>();
    for (let k = 0; k < COUNT; k++) {
      if (SAVED_AFTER.includes(k)) saved.set(k, run.save());
      run.update(first[k]!);
    }
    expect(run.outcomes).toEqual(expected);
    for (const [k, data] of saved) {
      expectPlain(data);
      const copy = structuredClone(data);
      const other = create();
      const restored = new ControllerRun(other, decodeMemory(other, data, model));
      for (let i = k; i < COUNT; i++) restored.update(first[i]!);
      expect(restored.outcomes).toEqual(expected.slice(k));
      expect(data).toEqual(copy); // nothing has changed what was saved
    }
  });

  it("refuses data of another shape, entry by entry", () => {
    const run = ControllerRun.start(create(), first[0]!);
    run.update(first[0]!);
    run.update(first[1]!);
    const data = run.save();
    if (data === undefined) return;
    const controller = create();
    for (const wrong of damagedCopies(data)) {
      const restore = (): void => new ControllerRun(controller, decodeMemory(controller, wrong.data, model)).update(first[2]!);
      try {
        restore();
        expect(wrong.isValid, wrong.what).toBe(true);
      } catch (error) {
        if (!(error instanceof CastorError)) throw new Error(`${wrong.what}: ${String(error)}`, { cause: error });
      }
    }
  });
});

/** Prototypes of plain data that `structuredClone` keeps. */
const PLAIN = new Set<unknown>(
  [Object, Array, Map, Set, Float64Array, Float32Array, Int32Array, Int8Array, Uint8Array].map((type) => type.prototype),
);

function expectPlain(data: unknown): void {
  expect(typeof data === "function" || typeof data === "symbol").toBe(false);
  if (typeof data !== "object" || data === null) return;
  expect(PLAIN.has(Object.getPrototypeOf(data)), String(data)).toBe(true);
  if (ArrayBuffer.isView(data)) return;
  if (data instanceof Map) for (const pair of data) pair.forEach(expectPlain);
  else for (const value of Object.values(data)) expectPlain(value);
}

interface DamagedCopy {
  readonly what: string;
  readonly data: unknown;
  /** True if the type is correct, so that the value may be valid. */
  readonly isValid: boolean;
}

/** Copies of saved data in which one entry is missing, of another type or of another length. */
function damagedCopies(data: unknown): DamagedCopy[] {
  const wrong: DamagedCopy[] = [3, "memory", null, []].map((value) => ({ what: String(value), data: value, isValid: false }));
  for (const path of pathsOf(data, []))
    for (const replace of [() => undefined, () => "text", () => Number.NaN, (value: unknown) => otherLength(value)]) {
      const copy = structuredClone(data);
      const parent = path.slice(0, -1).reduce((value, key) => value[key] as Fields, copy as Fields);
      const key = path.at(-1)!;
      const value = replace(parent[key]);
      const isSameType = typeof value !== "object" && typeof value === typeof parent[key];
      parent[key] = value;
      wrong.push({ what: `${path.join(".")} = ${String(value)}`, data: copy, isValid: isSameType });
    }
  return wrong;
}

type Fields = Record<string, unknown>;

function pathsOf(data: unknown, path: readonly string[]): string[][] {
  if (typeof data !== "object" || data === null || ArrayBuffer.isView(data)) return [];
  const entries = Object.entries(data).filter(([, value]) => value !== undefined);
  return entries.flatMap(([key, value]) => [[...path, key], ...pathsOf(value, [...path, key])]);
}

const otherLength = (value: unknown): unknown =>
  ArrayBuffer.isView(value) ? (value as Float64Array).slice(0, -1) : Array.isArray(value) ? [] : {};

describe("memories of controllers at work", () => {
  const outcomesOf = (kind: string, parameters: object): readonly Outcome[] => {
    const { create, model } = controllerCase(kind, parameters);
    const controller = create();
    const motion = { count: COUNT, step: 0.05, angle: 0.8, speed: 0.1 };
    const states = statesAlong(model, controller.frames ?? [], 0, 1, motion);
    const run = ControllerRun.start(controller, states[0]!);
    for (const s of states) run.update(s);
    return run.outcomes;
  };

  it("a rover finds obstacles and plans again", () => {
    const outcomes = outcomesOf("guide", CONTROLLERS.guide.examples[0]!);
    expect(outcomes.at(-1)!.report[6]).toBeGreaterThan(10);
  });

  it("limits are active", () => {
    expect(Math.max(...outcomesOf("limited-tasks", LIMITED).map(({ report }) => report[4]!))).toBeGreaterThan(0);
  });

  it("a law of a robot with payload ends the run where it cannot brake", () => {
    const { create, model } = controllerCase("limited-tasks", { ...LIMITED, unkept: "stop", carrying: "grasp" });
    const controller = create();
    const [s] = statesAlong(model, [], 0, 1, { count: 1, step: 0, angle: 0.5, speed: 0 }) as [Snapshot];
    const run = ControllerRun.start(controller, s);
    run.update(s);
    expect(run.outcomes[0]!.finished).toBe(undefined);
    const pushed = s.u.map((_, i) => (i === 6 ? 30 : 0)); // the shoulder
    run.update({ ...s, t: 0.001, u: pushed });
    expect(run.outcomes[1]!.finished).toMatch(/^to bring all hinges to rest, \S+ needs/);
  });

  it("thrusters fire", () => {
    const parameters = { ...CONTROLLERS["wheel-desaturation"].examples[0]!, start: 0.01, stop: 0.005 };
    expect(outcomesOf("wheel-desaturation", parameters).at(-1)!.report[2]).toBeGreaterThan(0);
  });
});

/** Everything that a numeric element writes at a state. */
interface ElementOutcome {
  readonly loads: NumericLoads;
  readonly events: readonly number[];
}

const zeroLoads = (element: ForceElement): NumericLoads => ({
  tau: new Float64Array(ARM.nu),
  wrenches: new Float64Array(6 * (element.frames?.length ?? 0)),
  zdot: new Float64Array(element.z0?.length ?? 0),
  channels: new Float64Array(element.channels?.length ?? 0),
  potential: 0,
  dissipated: 0,
  supplied: 0,
  failure: undefined,
});

class ElementRun {
  readonly outcomes: ElementOutcome[] = [];
  readonly memory: ElementMemory | undefined;
  readonly #element: ForceElement;

  constructor(element: ForceElement) {
    this.#element = element;
    this.memory = element.memory?.();
  }

  step(state: Snapshot): void {
    const element = this.#element;
    const s: Snapshot = { ...state, ...(this.memory && { memory: this.memory }) };
    const loads = zeroLoads(element);
    const events = (element.events ?? []).map((event) => event.value(s));
    element.apply!(s, loads);
    element.accept?.(s);
    this.outcomes.push({ loads, events });
  }
}

interface ElementCase {
  readonly name: string;
  create(): ForceElement;
}

/** Balls on all bodies, which touch each other. With so many pairs the detector sorts them. */
const BALLS = {
  shapes: ["hull", "upper", "fore", "boom", "hand"].map((on) => ({ kind: "sphere", on, at: [0.1, 0, 0], radius: 0.2 })),
  ...{ stiffness: 1e4, damping: 1, friction: 0.3, bristleBend: 1e-4, bristleTime: 0.01 },
};

/** All numeric elements. Wheels leave ruts. */
const elementCases: readonly ElementCase[] = (Object.entries(FORCES) as unknown as readonly [string, ForceKind][]).flatMap(
  ([name, kind]) =>
    [...kind.examples, ...(name === "contact" ? [BALLS] : [])].flatMap((example): ElementCase[] => {
      const create = (): ForceElement => kind.create("e", example, ARM, { terrain: ROCKY, ruts: () => new RutField(0.02) });
      return create().apply ? [{ name: `${name} ${JSON.stringify(example).slice(0, 80)}`, create }] : [];
    }),
);

describe.each(elementCases)("the numeric element $name", ({ create }) => {
  const { frames = [], z0 = [] } = create();
  const motion = { count: 400, step: 0.05, angle: 2.6, speed: 0.5, height: 0.25 };
  const [first, second] = [1, 5].map((seed) => statesAlong(ARM, frames, z0.length, seed, motion)) as [Snapshot[], Snapshot[]];
  const alone = (states: readonly Snapshot[]): ElementRun => {
    const run = new ElementRun(create());
    for (const s of states) run.step(s);
    return run;
  };

  it("serves runs that use it in turn", () => {
    const element = create();
    const [a, b] = [new ElementRun(element), new ElementRun(element)];
    for (let k = 0; k < motion.count; k++) {
      a.step(first[k]!);
      b.step(second[k]!);
    }
    expect(a.outcomes).toEqual(alone(first).outcomes);
    expect(b.outcomes).toEqual(alone(second).outcomes);
  });

  it("depends on the state and its memory only", () => {
    const expected = alone(first).outcomes;
    if (create().memory === undefined)
      for (let k = 0; k < motion.count; k += 7) {
        const fresh = new ElementRun(create());
        fresh.step(first[k]!);
        expect(fresh.outcomes[0]).toEqual(expected[k]);
      }
    const run = new ElementRun(create());
    const half = motion.count / 2;
    for (let k = 0; k < half; k++) run.step(first[k]!);
    const data = run.memory?.encode();
    const copy = structuredClone(data);
    expectPlain(data);
    for (let k = half; k < motion.count; k++) run.step(first[k]!);
    expect(data).toEqual(copy); // the run has not changed what was saved
    const restored = new ElementRun(create());
    restored.memory?.decode(data);
    for (let k = half; k < motion.count; k++) restored.step(first[k]!);
    expect(restored.outcomes).toEqual(expected.slice(half));
    expect(run.outcomes).toEqual(expected);
    expect(data).toEqual(copy);
  });
});

describe("memories of elements", () => {
  it("a wheel leaves ruts, and enters its own again", () => {
    const element = FORCES["wheel-on-soil"].create("e", { wheel: "hand", axle: "y", radius: 0.2, width: 0.1 }, ARM, {
      ruts: () => new RutField(0.02),
    });
    const states = statesAlong(ARM, element.frames!, 0, 1, { count: 200, step: 0.05, angle: 0.1, speed: 0.1, height: 0.15 });
    const run = new ElementRun(element);
    for (const s of [...states, ...states.toReversed()]) run.step(s);
    const rut = element.channels!.findIndex(({ name }) => name === "rut");
    expect(Math.max(...run.outcomes.map(({ loads }) => loads.channels[rut]!))).toBeGreaterThan(0);
  });

  it("some shapes touch and some do not", () => {
    let touched = 0;
    for (const { create } of elementCases.filter(({ name }) => name.startsWith("contact"))) {
      const { frames, z0 } = create();
      const run = new ElementRun(create());
      const motion = { count: 400, step: 0.05, angle: 2.6, speed: 0.5, height: 0.25 };
      for (const s of statesAlong(ARM, frames!, z0!.length, 1, motion)) run.step(s);
      touched += new Set(run.outcomes.map(({ events }) => events[0])).size - 1;
    }
    expect(touched).toBeGreaterThan(5);
  });

  it("ruts refuse data of another shape", () => {
    const field = new RutField(0.02);
    field.recordPass("w", 0, 0, 0, 1, 0.1, 0.05);
    const good = field.encode() as Record<string, unknown>;
    const wrong: readonly unknown[] = [
      ...[undefined, 3, {}, []],
      ...Object.keys(good).map((key) => ({ ...good, [key]: undefined })),
      { ...good, tiles: Float64Array.of(0.5) },
      { ...good, tiles: new Float64Array(2), depths: new Float32Array(2048) },
      { ...good, depths: new Float32Array(3) },
      { ...good, depths: new Float64Array(1024) },
      { ...good, wheels: [1] },
      { ...good, wheels: ["w", "w"], tracks: new Float64Array(6) },
      { ...good, tracks: new Float64Array(2) },
    ];
    for (const data of wrong) expect(() => field.decode(data)).toThrow(FormatError);
    expect(field.encode()).toEqual(good);
  });

  it("contacts refuse data of another shape", () => {
    const memory = new TouchMemory(2, 18);
    const good = memory.encode() as Record<string, unknown>;
    const wrong: readonly unknown[] = [
      ...[undefined, 3, {}, []],
      ...Object.keys(good).map((key) => ({ ...good, [key]: undefined })),
      { ...good, modes: Int8Array.of(0, 3) },
      { ...good, modes: new Int8Array(3) },
      { ...good, frames: new Float64Array(18).fill(Number.NaN) },
      { ...good, eventTime: Number.NaN },
    ];
    for (const data of wrong) expect(() => memory.decode(data)).toThrow(FormatError);
    expect(memory.encode()).toEqual(good);
  });
});
