/**
 * Contract suite: every kind of force element, with each of its examples, traced or numeric. Its loads do not depend on the choice of the
 * world's axes, are mirror images for mirror images, do not jump along any motion, and its own channels give the power of its loads.
 */
import { describe, expect, it } from "vitest";
import { EARTH_EQUATOR_FIELD, EARTH_ROTATION_RATE } from "../../src/parts/force/environment/earth.ts";
import { FORCES } from "../../src/parts/force/forces.ts";
import type { ForceKind } from "../../src/parts/force/kind.ts";
import type { ForceElement } from "../../src/sim/system/force-element.ts";
import { actingStates, type ElementLoads, inGround, loadsOf } from "../fixtures/element-loads.ts";
import { ARM, type ElementState, MIRRORED_ARM } from "../fixtures/force-bench.ts";
import { uniform } from "../fixtures/models/random-model.ts";

type Vector = readonly [number, number, number];
type Matrix = readonly [Vector, Vector, Vector];
type Example = Readonly<Record<string, unknown>>;

const STATES = 12;
/** Rounding, relative to the largest load; contact along a rim iterates to 1e-13 of the radius. */
const ROUNDING = 1e-8;
/** Truncation of difference quotients, relative to the flow of power. */
const DIFFERENCE = 1e-5;
const DIFFERENCE_STEP = 1e-6;

const kinds = Object.entries(FORCES) as unknown as readonly [string, ForceKind][];
/** The capsules of the example share the point of the wrist, so their normal is arbitrary. These do not. */
const CAPSULES: Example = {
  shapes: [
    { kind: "capsule", on: "upper", at: [0.1, 0, 0], to: [0.4, 0, 0], radius: 0.15 },
    { kind: "capsule", on: "hand", at: [0.1, 0.1, 0], to: [0.3, 0, 0], radius: 0.2 },
  ],
  law: "hertz",
  stiffness: 1e6,
  damping: 1,
  friction: 0.3,
  bristleBend: 1e-5,
  bristleTime: 0.01,
};
/** Shapes that are fixed in the world do not turn with the machine, so a body carries them here. */
const carried = (example: Example): Example => ({
  ...example,
  shapes: (example.shapes as Example[]).map((shape) => (shape.kind === "plane" ? { on: "hull", ...shape } : shape)),
});
const cases = kinds.flatMap(([name, kind]) =>
  (kind.examples as readonly Example[])
    .map((example) => (name === "contact" && JSON.stringify(example).includes("capsule") ? CAPSULES : example))
    .map((example) => (name === "contact" ? carried(example) : example))
    .map((example) => [`${name} ${JSON.stringify(example)}`, kind, example] as const),
);
const created = (kind: ForceKind, example: Example, model = ARM): ForceElement => kind.create("e", example as never, model);

const apply = (R: Matrix, v: ArrayLike<number>, from = 0): number[] =>
  R.map((row) => row[0] * v[from]! + row[1] * v[from + 1]! + row[2] * v[from + 2]!);
const quaternionOf = (axis: Vector, angle: number): readonly number[] => [
  Math.cos(angle / 2),
  ...axis.map((x) => x * Math.sin(angle / 2)),
];
const quaternionProduct = ([a, b, c, d]: readonly number[], [e, f, g, h]: ArrayLike<number> & Iterable<number>): number[] => [
  a! * e! - b! * f! - c! * g! - d! * h!,
  a! * f! + b! * e! + c! * h! - d! * g!,
  a! * g! - b! * h! + c! * e! + d! * f!,
  a! * h! + b! * g! - c! * f! + d! * e!,
];
const matrixOf = ([w, x, y, z]: readonly number[]): Matrix => [
  [1 - 2 * (y! * y! + z! * z!), 2 * (x! * y! - w! * z!), 2 * (x! * z! + w! * y!)],
  [2 * (x! * y! + w! * z!), 1 - 2 * (x! * x! + z! * z!), 2 * (y! * z! - w! * x!)],
  [2 * (x! * z! - w! * y!), 2 * (y! * z! + w! * x!), 1 - 2 * (x! * x! + y! * y!)],
];

/** Two loads are equal: largest difference over the largest of both. */
function expectEqual(got: readonly number[], expected: readonly number[], what: string, tolerance = ROUNDING): void {
  const size = Math.max(1e-12, ...expected.map(Math.abs), ...got.map(Math.abs));
  for (const [i, x] of expected.entries()) expect(Math.abs(got[i]! - x) / size, `${what} ${i}`).toBeLessThan(tolerance);
}

/** Vectors of the channels that are in world axes. */
const drawnVectors = (element: ForceElement, loads: ElementLoads): number[][] =>
  (element.drawn ?? []).flatMap(({ point, force }) => {
    const values = (names: readonly string[]): number[] => names.map((name) => loads.channels[name] ?? 0);
    return values(force).some((f) => f !== 0) ? [values(point), values(force)] : [];
  });
const isVectorPart = (channel: string): boolean => /(^|[.-])[ftpnab][xyz]$/.test(channel);

describe("rotation: turned about the vertical and moved, a machine has the same loads in its own axes", () => {
  /** Parameters of the environment of the Earth, whose axis is z. */
  const turnedEarth = (name: string, example: Example, R: Matrix, angle: number, shift: Vector): Example => {
    const {
      centre,
      orbit,
      sun = [1, 0, 0],
      longitude = 0,
      ...rest
    } = example as {
      centre?: number[];
      orbit?: { ascendingNode?: number };
      sun?: number[];
      longitude?: number;
    };
    return {
      ...rest,
      ...(centre && { centre: apply(R, centre).map((x, i) => x + shift[i]!) }),
      ...(orbit && { orbit: { ...orbit, ascendingNode: (orbit.ascendingNode ?? 0) + angle } }),
      ...(name === "solar-pressure" && { sun: apply(R, sun) }),
      ...(name === "magnetic-torque" && { longitude: longitude + angle }),
    };
  };
  /** Kinds that refer to the world: their parameters in the turned world. */
  const turnedParameters: Readonly<Record<string, (example: Example, R: Matrix, angle: number, shift: Vector) => Example>> = {
    "constant-wrench": (example, R) =>
      example.axes === "body"
        ? example
        : { ...example, force: apply(R, example.force as number[]), torque: apply(R, example.torque as number[]) },
    "frame-spring": ({ point, ...example }, R, _angle, shift) =>
      point === undefined ? example : { ...example, point: apply(R, point as number[]).map((x, i) => x + shift[i]!) },
    ...Object.fromEntries(
      ["point-gravity", "drag", "solar-pressure", "magnetic-torque"].map((name) => [
        name,
        (example: Example, R: Matrix, angle: number, shift: Vector) => turnedEarth(name, example, R, angle, shift),
      ]),
    ),
    "gravity-gradient": (example, _R, angle) => ({ ...example, ascendingNode: ((example.ascendingNode as number) ?? 0) + angle }),
  };
  /** The tide is centred at the origin of the world, and an orbit is that of the origin. */
  const isCentred = (kind: ForceKind, example: Example): boolean => kind.name === "gravity-gradient" || "orbit" in example;
  /** Coordinates of the base are components in the world. */
  const actsOnBase = (example: Example): boolean => /"base\./.test(JSON.stringify(example));

  it.each(cases.filter(([, , example]) => !actsOnBase(example)))("%s", (_, kind, example) => {
    const element = created(kind, example);
    const loadsAt = loadsOf(ARM, element);
    const isOnGround = kind.name.startsWith("wheel-on");
    const next = uniform(3);
    for (const state of actingStates(ARM, element, STATES)) {
      const angle = 6 * next();
      // Kinds without reference to the world may be turned about any axis.
      const axis: Vector = isOnGround || turnedParameters[kind.name] ? [0, 0, 1] : [2 / 3, -1 / 3, 2 / 3];
      const shift: Vector = isCentred(kind, example) ? [0, 0, 0] : [next(), next(), isOnGround ? 0 : next()];
      const turn = quaternionOf(axis, angle);
      const R = matrixOf(turn);
      const moved: ElementState = {
        ...state,
        q: Float64Array.from([
          ...quaternionProduct(turn, state.q.subarray(0, 4)),
          ...apply(R, state.q, 4).map((x, i) => x + shift[i]!),
          ...state.q.subarray(7),
        ]),
        u: Float64Array.from([...apply(R, state.u), ...apply(R, state.u, 3), ...state.u.subarray(6)]),
      };
      const turned = created(kind, turnedParameters[kind.name]?.(example, R, angle, shift) ?? example);
      const [before, after] = [loadsAt(state), loadsOf(ARM, turned)(moved)];
      const vectors = (v: Float64Array): number[] => Array.from({ length: v.length / 3 }, (_, k) => apply(R, v, 3 * k)).flat();
      expectEqual([...after.wrenches], vectors(before.wrenches), "wrench");
      expectEqual([...after.tau], [...apply(R, before.tau), ...apply(R, before.tau, 3), ...before.tau.subarray(6)], "tau");
      expectEqual([...after.zdot], [...before.zdot], "rate");
      for (const [name, value] of Object.entries(before.channels))
        if (!isVectorPart(name)) expectEqual([after.channels[name]!, 1], [value, 1], name);
      const [drawn, drawnBefore] = [drawnVectors(element, after), drawnVectors(element, before)];
      for (const [k, vector] of drawnBefore.entries())
        expectEqual(drawn[k]!, k % 2 === 1 ? apply(R, vector) : apply(R, vector).map((x, i) => x + shift[i]!), `drawn ${k}`);
    }
  });
});

describe("mirror: the mirror image of a machine has the mirror images of the loads", () => {
  const polar = (v: ArrayLike<number>, from = 0): number[] => [v[from]!, -v[from + 1]!, v[from + 2]!];
  const axial = (v: ArrayLike<number>, from = 0): number[] => [-v[from]!, v[from + 1]!, -v[from + 2]!];
  const AXES: Readonly<Record<string, Vector>> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };
  const direction = (value: unknown): Vector => AXES[value as string] ?? (value as Vector);
  const mirroredShapes = (shapes: unknown): Example[] =>
    (shapes as Example[]).map((shape) => ({
      ...shape,
      ...Object.fromEntries(["at", "to"].filter((key) => key in shape).map((key) => [key, polar(shape[key] as number[])])),
      ...(shape.axis !== undefined && { axis: polar(direction(shape.axis)) }),
      ...(shape.rpy !== undefined && { rpy: axial(shape.rpy as number[]) }),
      ...(shape.points !== undefined && { points: (shape.points as number[][]).map((point) => polar(point)) }),
      ...(shape.around !== undefined && { around: polar(direction(shape.around)) }),
    }));
  const mirroredPairs = ({ shapes, against, ...rest }: Example): Example => ({
    ...rest,
    shapes: mirroredShapes(shapes),
    ...(against !== undefined && { against: mirroredShapes(against) }),
  });
  const mirroredOrbit = (orbit: Example): Example => ({
    ...orbit,
    inclination: Math.PI - ((orbit.inclination as number) ?? 0),
    ascendingNode: -((orbit.ascendingNode as number) ?? 0),
  });
  const mirroredSurfaces = (surfaces: unknown): Example[] =>
    (surfaces as Example[]).map((surface) => ({
      ...surface,
      at: polar((surface.at as number[]) ?? [0, 0, 0]),
      ...("normal" in surface && { normal: polar(direction(surface.normal)) }),
    }));
  const mirroredEarth = (example: Example): Example => ({
    ...example,
    ...("centre" in example && { centre: polar(example.centre as number[]) }),
    ...("orbit" in example && { orbit: mirroredOrbit(example.orbit as Example) }),
    ...Object.fromEntries(
      ["plates", "areas"].filter((key) => key in example).map((key) => [key, mirroredSurfaces(example[key])]),
    ),
  });
  /** Parameters of the mirror image, for kinds that have vectors. */
  const mirroredParameters: Readonly<Record<string, (example: Example) => Example>> = {
    "frame-spring": ({ point, ...rest }) => (point === undefined ? rest : { ...rest, point: polar(point as number[]) }),
    latch: (example) => (example.axis === undefined ? example : { ...example, axis: polar(direction(example.axis)) }),
    thruster: (example) => ({ ...example, direction: polar(direction(example.direction ?? "x")) }),
    "constant-wrench": ({ force, torque, ...rest }) => ({
      ...rest,
      ...(force !== undefined && { force: polar(force as number[]) }),
      ...(torque !== undefined && { torque: axial(torque as number[]) }),
    }),
    "gravity-gradient": (example) => mirroredOrbit(example),
    "point-gravity": (example) => mirroredEarth(example),
    drag: (example) => ({ ...mirroredEarth(example), rotationRate: -((example.rotationRate as number) ?? EARTH_ROTATION_RATE) }),
    "solar-pressure": (example) => ({
      ...mirroredEarth(example),
      ...("sun" in example && { sun: polar(direction(example.sun)) }),
    }),
    // The field is an axial vector.
    "magnetic-torque": (example) => ({
      ...mirroredEarth(example),
      moment: axial(example.moment as number[]),
      equatorField: -EARTH_EQUATOR_FIELD,
      longitude: -((example.longitude as number) ?? 0),
      rotationRate: -EARTH_ROTATION_RATE,
    }),
    contact: mirroredPairs,
    clearance: mirroredPairs,
    "wheel-on-ground": (example) => ({ ...example, axle: axial(direction(example.axle ?? "z")) }),
    "wheel-on-soil": (example) => ({ ...example, axle: axial(direction(example.axle ?? "z")) }),
  };
  /** Internal states of the mirror image: bristles of wheels are ahead and to the left, those of contacts are vectors. */
  const mirroredStates = (kind: ForceKind, z: Float64Array): Float64Array => {
    if (kind.name === "wheel-on-ground") return Float64Array.from([...z.subarray(0, 1), ...[...z.subarray(1)].map((x) => -x)]);
    if (kind.name !== "contact") return z;
    return z.map((x, i) => (i > 0 && (i - 1) % 3 === 1 ? -x : x));
  };
  /** Held inputs of the mirror image: those of a table of wrenches are coefficients of its components. */
  const mirroredHeld = (element: ForceElement, held: Float64Array): Float64Array =>
    held.map((x, i) => (element.kind === "wrench-table" && /^(fy|tx|tz)-/.test(element.held![i]!) ? -x : x));
  const ODD_CHANNELS = new Set(["side", "slipAngle"]);

  // Elements without frames act in coordinates of hinges, which are equal in the mirror image.
  it.each(cases.filter(([, kind, example]) => created(kind, example).frames))("%s", (_, kind, example) => {
    const element = created(kind, example);
    const mirrored = created(kind, mirroredParameters[kind.name]?.(example) ?? example, MIRRORED_ARM);
    const [loadsAt, mirroredAt] = [loadsOf(ARM, element), loadsOf(MIRRORED_ARM, mirrored)];
    for (const state of actingStates(ARM, element, STATES)) {
      const { q, u, z } = state;
      const image: ElementState = {
        ...state,
        q: Float64Array.from([q[0]!, ...axial(q, 1), ...polar(q, 4), ...q.subarray(7, 10), q[10]!, ...axial(q, 11)]),
        u: Float64Array.from([...axial(u), ...polar(u, 3), ...u.subarray(6, 9), ...axial(u, 9)]),
        z: mirroredStates(kind, z),
        held: mirroredHeld(element, state.held),
      };
      const [before, after] = [loadsAt(state), mirroredAt(image)];
      const images = Array.from({ length: before.wrenches.length / 6 }, (_, k) => [
        ...axial(before.wrenches, 6 * k),
        ...polar(before.wrenches, 6 * k + 3),
      ]);
      expectEqual([...after.wrenches], images.flat(), "wrench");
      expectEqual([...after.zdot], [...mirroredStates(kind, before.zdot)], "rate");
      for (const [name, value] of Object.entries(before.channels))
        if (!isVectorPart(name) && !/-\d-/.test(name))
          expectEqual([after.channels[name]!, 1], [ODD_CHANNELS.has(name) ? -value : value, 1], name);
    }
  });
});

describe("continuity: along random motions no load jumps", () => {
  const SAMPLES = 200;
  const HALVINGS = 36;
  const JUMP = 1e-5;
  /** Between two states; quaternions are normalised. */
  const between = (a: ElementState, b: ElementState, x: number): ElementState => {
    const mix = (from: Float64Array, to: Float64Array): Float64Array => from.map((v, i) => v + x * (to[i]! - v));
    const q = mix(a.q, b.q);
    for (const first of [0, 10]) {
      const size = Math.sqrt([0, 1, 2, 3].reduce((sum, i) => sum + q[first + i]! ** 2, 0));
      for (let i = 0; i < 4; i++) q[first + i]! /= size;
    }
    return { t: a.t, q, u: mix(a.u, b.u), z: mix(a.z, b.z), held: a.held };
  };

  /** Kinds whose loads jump where the documentation says so. */
  const continuous: Readonly<Record<string, (example: Example) => Example | undefined>> = {
    // Damping of end stops acts from the first contact on, as the reference of the docking mechanism has it.
    "leg-actuator": (example) => ({ ...example, stopDamping: 0 }),
    differential: (example) => ({ ...example, stopDamping: 0 }),
    // An edge that is farther from the axis than the ring is outside of it.
    contact: (example) => (JSON.stringify(example).includes("edge") ? undefined : example),
  };

  it.each(
    cases.flatMap(([title, kind, example]) => {
      const parameters = kind.name in continuous ? continuous[kind.name]!(example) : example;
      return parameters ? [[title, kind, parameters] as const] : [];
    }),
  )("%s", (_, kind, example) => {
    const element = created(kind, example);
    const loadsAt = loadsOf(ARM, element);
    const states = actingStates(ARM, element, 6);
    const isOnGround = kind.name.startsWith("wheel-on");
    const next = uniform(8);
    expect(states.length).toBeGreaterThan(3);
    for (const [k, other] of states.slice(1).entries()) {
      const from = states[k]!;
      // Far motions of shapes would pass through each other, where the normal changes its sign.
      const near = (v: Float64Array): Float64Array => v.map((x) => x + 0.005 * (next() - 0.5));
      const to = kind.name === "contact" ? { ...other, q: near(from.q), z: from.z.map((z) => z * next()) } : other;
      const depths = [-0.01, 0.03 * next()] as const;
      const at = (x: number): ElementState =>
        isOnGround ? inGround(loadsAt, between(from, to, x), depths[0] + x * (depths[1] - depths[0])) : between(from, to, x);
      const along = (x: number): number[] => {
        const { wrenches, tau } = loadsAt(at(x));
        return [...wrenches, ...tau];
      };
      const samples = Array.from({ length: SAMPLES + 1 }, (_, i) => along(i / SAMPLES));
      const size = Math.max(1e-9, ...samples.flat().map(Math.abs));
      const change = (a: readonly number[], b: readonly number[]): number => Math.max(...a.map((v, i) => Math.abs(v - b[i]!)));
      const changes = samples.slice(1).map((loads, i) => ({ i, by: change(loads, samples[i]!) }));
      // The largest changes are halved towards a jump: a steep slope vanishes, a jump stays.
      for (const { i } of changes.sort((a, b) => b.by - a.by).slice(0, 4)) {
        let [low, high, atLow, atHigh] = [i / SAMPLES, (i + 1) / SAMPLES, samples[i]!, samples[i + 1]!];
        for (let n = 0; n < HALVINGS; n++) {
          const middle = (low + high) / 2;
          const loads = along(middle);
          if (change(loads, atLow) > change(atHigh, loads)) [high, atHigh] = [middle, loads];
          else [low, atLow] = [middle, loads];
        }
        expect(change(atHigh, atLow) / size, `motion ${k} at ${low}`).toBeLessThan(JUMP);
      }
    }
  });
});

describe("power: force times velocity from the channels of an element is the power of its loads", () => {
  const dot = (a: readonly number[], b: readonly number[]): number => a.reduce((sum, x, i) => sum + x * b[i]!, 0);
  /** Velocity of frame k of the element at a point. */
  const velocityAt = ({ frames }: ElementLoads, k: number, point: readonly number[]): number[] => {
    const f = (i: number): number => frames[18 * k + i]!;
    const [x, y, z] = point.map((p, i) => p - f(9 + i)) as [number, number, number];
    return [f(15) + f(13) * z - f(14) * y, f(16) + f(14) * x - f(12) * z, f(17) + f(12) * y - f(13) * x];
  };
  interface Moment {
    readonly loads: ElementLoads;
    readonly state: ElementState;
    readonly element: ForceElement;
    /** Rate of a channel, by a difference quotient along the motion. */
    readonly rate: (channel: string) => number;
  }
  const SPEEDS: Readonly<Record<string, number>> = { shoulder: 6, elbow: 7, slider: 8, "wrist.wy": 10, "base.x": 3, "base.z": 5 };
  const hingesOf = (example: Example): string[] => [example.hinge].flat() as string[];
  /** Power of a force of one channel on the only freedom. */
  const byForce = ({ loads, state }: Moment, example: Example): number =>
    (loads.channels.force ?? loads.channels.torque)! * state.u[SPEEDS[hingesOf(example)[0]!]!]!;
  /** Power of forces whose channels have the names of freedoms. */
  const byFreedoms = ({ loads, state }: Moment, example: Example): number =>
    dot(
      hingesOf(example).map((hinge) => loads.channels[hinge]!),
      hingesOf(example).map((hinge) => state.u[SPEEDS[hinge]!]!),
    );
  const byPower = ({ loads }: Moment): number => loads.channels.power!;
  const drawnPower = ({ loads, element }: Moment): number => {
    const [point, force] = drawnVectors(element, loads) as [number[], number[]];
    return point === undefined ? 0 : dot(force, velocityAt(loads, 0, point));
  };
  /** Direction to the left of a wheel on level ground. */
  const leftOf = ({ frames }: ElementLoads, example: Example): number[] => {
    const column = example.axle === "y" ? 1 : 2;
    const [x, y] = [frames[column]!, frames[3 + column]!];
    return [x, y, 0].map((part) => part / Math.sqrt(x * x + y * y));
  };
  /** The state with a velocity of the base for which the wheel does not move sideways. */
  const withoutLateralMotion = (loads: ElementLoads, state: ElementState, example: Example): ElementState => {
    const left = leftOf(loads, example);
    const lateral = dot(left, [...loads.frames.subarray(15, 18)]);
    return { ...state, u: state.u.map((x, i) => (i >= 3 && i < 6 ? x - lateral * left[i - 3]! : x)) };
  };
  /** Kinds without a channel of their force. */
  const WITHOUT_FORCE = [
    "bushing",
    "clearance",
    "friction",
    "motors",
    "constant-wrench",
    "generalised-force",
    "gravity-gradient",
    "point-gravity",
  ];
  const powerOf: Readonly<Record<string, (moment: Moment, example: Example) => number>> = {
    "hinge-spring": byFreedoms,
    "hinge-table": byForce,
    stop: byForce,
    actuator: byForce,
    servo: byForce,
    "leg-actuator": byFreedoms,
    differential: ({ loads, rate }) => loads.channels.force! * rate("combination"),
    "frame-spring": ({ loads, rate }) => -loads.channels.tension! * rate("length"),
    latch: ({ loads, rate }) => -loads.channels.pull! * rate("x"),
    thruster({ loads }, example) {
      const d =
        ({ x: [1, 0, 0] } as Record<string, number[]>)[(example.direction ?? "x") as string] ?? (example.direction as number[]);
      const R = Array.from({ length: 3 }, (_, i) => [...loads.frames.subarray(3 * i, 3 * i + 3)]) as unknown as Matrix;
      return (loads.channels.thrust! * dot(apply(R, d), [...loads.frames.subarray(15, 18)])) / Math.sqrt(dot(d, d));
    },
    "wrench-table": byPower,
    drag: byPower,
    "solar-pressure": byPower,
    "magnetic-torque": byPower,
    // The state of the channel `absorbed`.
    contact: ({ loads }) => -loads.zdot[0]!,
    // The discs of a wide rim rub at different velocities.
    "wheel-on-ground": (moment, example) => (example.width === undefined ? drawnPower(moment) : Number.NaN),
    // Lateral stresses have moments without channels; without lateral motion there are none.
    "wheel-on-soil"({ loads }, example) {
      const left = leftOf(loads, example);
      const { fx, fy, fz, torque } = loads.channels;
      return dot([fx!, fy!, fz!], [...loads.frames.subarray(15, 18)]) - torque! * dot(left, [...loads.frames.subarray(12, 15)]);
    },
  };

  it("every kind is compared or has no channel of its force", () => {
    expect([...Object.keys(powerOf), ...WITHOUT_FORCE].sort()).toEqual(Object.keys(FORCES).sort());
  });

  it.each(cases)("%s", (_, kind, example) => {
    const element = created(kind, example);
    const loadsAt = loadsOf(ARM, element);
    for (const acting of actingStates(ARM, element, STATES)) {
      const state = kind.name === "wheel-on-soil" ? withoutLateralMotion(loadsAt(acting), acting, example) : acting;
      const loads = loadsAt(state);
      const flow = Math.max(1e-9, ...loads.wrenches.map(Math.abs), ...loads.tau.map(Math.abs));
      const moved = (sign: number): ElementLoads =>
        loadsAt({ ...state, q: state.q.map((x, i) => x + sign * DIFFERENCE_STEP * loads.qdot[i]!) });
      const [back, forth] = [moved(-1), moved(1)];
      const quotient = (of: (loads: ElementLoads) => number): number => (of(forth) - of(back)) / (2 * DIFFERENCE_STEP);
      const rate = (channel: string): number => quotient((l) => l.channels[channel]!);
      const own = powerOf[kind.name]?.({ loads, state, element, rate }, example);
      if (own !== undefined && !Number.isNaN(own))
        expect(Math.abs(loads.power - own) / flow, "from channels").toBeLessThan(DIFFERENCE);
      if (loads.channels.power !== undefined) expect(Math.abs(loads.power - loads.channels.power) / flow).toBeLessThan(ROUNDING);
      // Numeric elements; forces.test.ts compares traced ones exactly.
      if (element.apply) {
        const stored = quotient((l) => l.potential);
        expect(Math.abs(loads.power - (loads.supplied - loads.dissipated - stored)) / flow, "balance").toBeLessThan(DIFFERENCE);
      }
    }
  });
});
