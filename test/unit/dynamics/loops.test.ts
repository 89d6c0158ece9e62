/** Models with loops whose motion and forces are known in closed form, or were computed by other programs. */

import { describe, expect, test } from "vitest";
import { articulated } from "../../../src/dynamics/articulated.ts";
import { FORMULATIONS } from "../../../src/dynamics/formulations.ts";
import { kane } from "../../../src/dynamics/kane/kane.ts";
import { closedLoops } from "../../../src/dynamics/loops/multipliers/closed-loops.ts";
import { matrix } from "../../../src/dynamics/matrix/matrix-method.ts";
import { SingularError } from "../../../src/errors.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { BodyDescription, LoopDescription, ModelDescription } from "../../../src/model/description.ts";
import type { NumericVec3 } from "../../../src/spatial/vec3.ts";
import { difference } from "../../fixtures/geometry.ts";
import { INSTANTS, OVERCONSTRAINED, PANTOGRAPH } from "../../fixtures/models/closed-machines.ts";
import { answersAt, loopRows } from "../../fixtures/models/loop-states.ts";
import { builtIn } from "../../fixtures/models/pendulum.ts";

/** Rounding of a few hundred operations, and of the solution of a small system. */
const EXACT = 1e-11;
/** Hinge forces of example 2 are printed with eight decimals. */
const TABLE = 1e-6;

const { sin, cos, sqrt } = Math;
const g = 9.81;

type Vec2 = readonly [number, number];
const along = (angle: number): Vec2 => [cos(angle), sin(angle)];
const across = (angle: number): Vec2 => [-sin(angle), cos(angle)];
const sum = (...terms: readonly (readonly [number, Vec2])[]): Vec2 => [
  terms.reduce((s, [k, v]) => s + k * v[0], 0),
  terms.reduce((s, [k, v]) => s + k * v[1], 0),
];
const times = (a: Vec2, b: Vec2): number => a[0] * b[0] + a[1] * b[1];
const moment = (a: Vec2, b: Vec2): number => a[0] * b[1] - a[1] * b[0];

/** x of [a b] x = c */
function solve2(a: Vec2, b: Vec2, c: Vec2): Vec2 {
  const d = moment(a, b);
  return [moment(c, b) / d, moment(a, c) / d];
}

const link = (name: string, mass: number, com: Vec2, inertia: number, rest: Partial<BodyDescription>): BodyDescription => ({
  name,
  mass,
  com: [...com, 0],
  inertia: [0.6 * inertia, 0.7 * inertia, inertia],
  hinge: { kind: "revolute" },
  ...rest,
});

/** A planar four-bar with absolute angles; c is the mass centre along the link and across it. */
const FOUR_BAR = {
  ground: 1.0,
  crank: { length: 0.3, mass: 1, c: [0.14, 0.01] as Vec2, I: 0.01 },
  coupler: { length: 0.8, mass: 2.5, c: [0.38, 0.05] as Vec2, I: 0.15 },
  rocker: { length: 0.6, mass: 2, c: [0.33, -0.02] as Vec2, I: 0.07 },
};

function fourBar(
  pin: Partial<LoopDescription>,
  rotation: BodyDescription["hinge"]["rotation"] = { rpy: [0, 0, 0] },
): ModelDescription {
  const { ground, crank, coupler, rocker } = FOUR_BAR;
  return {
    name: "four-bar",
    gravity: [0, -g, 0],
    bodies: [
      link("crank", crank.mass, crank.c, crank.I, { hinge: { kind: "revolute", rotation } }),
      link("coupler", coupler.mass, coupler.c, coupler.I, {
        parent: "crank",
        hinge: { kind: "revolute", at: [crank.length, 0, 0] },
      }),
      link("rocker", rocker.mass, rocker.c, rocker.I, { hinge: { kind: "revolute", at: [ground, 0, 0], rotation } }),
    ],
    loops: [
      {
        name: "pin",
        from: { body: "coupler", at: [coupler.length, 0, 0] },
        to: { body: "rocker", at: [rocker.length, 0, 0] },
        ...pin,
      } as LoopDescription,
    ],
  };
}

/** All quantities of the four-bar at a crank angle and speed under a torque on the crank, from its one freedom. */
function fourBarAt(angle: number, speed: number, torque: number) {
  const { ground, crank, coupler, rocker } = FOUR_BAR;
  const [a, b, c] = [crank.length, coupler.length, rocker.length];
  const B = sum([a, along(angle)]);
  const toO = sum([1, [ground, 0]], [-1, B]);
  const far = Math.hypot(...toO);
  const opening = Math.acos((b * b + far * far - c * c) / (2 * b * far));
  const t3 = Math.atan2(toO[1], toO[0]) + opening;
  const D = sum([1, B], [b, along(t3)]);
  const t4 = Math.atan2(D[1], D[0] - ground);
  const [e, n] = [
    [along(angle), along(t3), along(t4)],
    [across(angle), across(t3), across(t4)],
  ] as const;
  // a n2 w2 + b n3 w3 - c n4 w4 = 0, and its derivative
  const minusN4: Vec2 = [-c * n[2]![0], -c * n[2]![1]];
  const bN3: Vec2 = [b * n[1]![0], b * n[1]![1]];
  const [h3, h4] = solve2(bN3, minusN4, sum([-a, n[0]!]));
  const w = [speed, h3 * speed, h4 * speed] as const;
  const [k3, k4] = solve2(bN3, minusN4, sum([a * w[0] ** 2, e[0]!], [b * w[1] ** 2, e[1]!], [-c * w[2] ** 2, e[2]!]));
  // Mass centres: lever from a point that moves like the crank's pin (coupler), or is fixed (the others).
  const lever = (i: 0 | 1 | 2, { c: [x, y] }: { c: Vec2 }): Vec2 => sum([x, e[i]!], [y, n[i]!]);
  const turned = ([x, y]: Vec2): Vec2 => [-y, x];
  const levers = [lever(0, crank), lever(1, coupler), lever(2, rocker)] as const;
  const h = [1, h3, h4] as const;
  const k = [0, k3, k4] as const;
  const bodies = [crank, coupler, rocker] as const;
  const perAngle = levers.map((r, i) => sum([h[i]!, turned(r)], [i === 1 ? a : 0, n[0]!]));
  const bend = levers.map((r, i) => sum([k[i]!, turned(r)], [-(w[i]! ** 2), r], [i === 1 ? -a * w[0] ** 2 : 0, e[0]!]));
  let inertia = 0;
  let push = torque;
  for (const [i, { mass, I }] of bodies.entries()) {
    inertia += mass * times(perAngle[i]!, perAngle[i]!) + I * h[i]! ** 2;
    push -= mass * times(perAngle[i]!, bend[i]!) + I * h[i]! * k[i]! + mass * g * perAngle[i]![1];
  }
  const alpha = push / inertia;
  const alphas = h.map((hi, i) => hi * alpha + k[i]!);
  const a_c = perAngle.map((p, i) => sum([alpha, p], [1, bend[i]!]));
  // Force P of the pin on the rocker, from moments: of the rocker about its pivot, of the coupler about its mass centre.
  const inert = bodies.map(({ mass }, i) => sum([mass, a_c[i]!], [mass, [0, g]]));
  const [fromB, fromD] = [sum([-1, levers[1]]), sum([b, e[1]!], [-1, levers[1]])];
  const momentRow = (r: Vec2): Vec2 => [-r[1], r[0]];
  const rows = [momentRow(sum([c, e[2]!])), momentRow(sum([1, fromB], [-1, fromD]))] as const;
  const sides = [
    rocker.I * alphas[2]! + moment(levers[2], inert[2]!),
    coupler.I * alphas[1]! - moment(fromB, inert[1]!),
  ] as const;
  const P = solve2([rows[0][0], rows[1][0]], [rows[0][1], rows[1][1]], sides);
  const onCoupler = sum([1, inert[1]!], [1, P]);
  return {
    q: [angle, t3 - angle, t4],
    u: [w[0], w[1] - w[0], w[2]],
    udot: [alphas[0]!, alphas[1]! - alphas[0]!, alphas[2]!],
    tau: [torque, 0, 0],
    /** On the rocker, in axes of the coupler. */
    pin: [times(P, e[1]!), times(P, n[1]!)],
    forces: [sum([1, inert[0]!], [1, onCoupler]), onCoupler, sum([1, inert[2]!], [-1, P])],
  };
}

const STATES = [
  [0.7, 2, 1.5],
  [2.1, -3, 0],
  [4.4, 0.5, -2],
] as const;

/** A pin that blocks only the directions that the plane needs. */
const IN_PLANE: Partial<LoopDescription> = { kind: "point-on-line", axis: "z" };

/** Angles between neighbouring axes: ground, crank, coupler, rocker. */
const ARCS = [1.2, 0.5, 1.1, 0.9] as const;

/** The z axes of all frames intersect in the origin; hinges sit on them at a distance. */
function sphericalFourBar(away: number, kind: "revolute" | "spherical" = "revolute"): ModelDescription {
  const [ground, crank, coupler, rocker] = ARCS;
  const on = { at: [0, 0, away] as const };
  /** F at the distance on an axis turned by an arc about x, relative to M of the previous hinge. */
  const next = (arc: number) => ({ at: [0, -away * sin(arc), away * cos(arc)] as const, rotation: { rpy: [arc, 0, 0] } });
  const body = (name: string, parent: string | undefined, hinge: BodyDescription["hinge"]): BodyDescription => ({
    name,
    ...(parent !== undefined && { parent }),
    mass: 1.5,
    com: [0.1, -0.1, 0.3],
    inertia: [0.04, 0.05, 0.03],
    hinge: { ...hinge, onBody: on },
  });
  return {
    name: "spherical four-bar",
    gravity: [1, -2, -9],
    bodies: [
      body("crank", undefined, { kind: "revolute", ...next(0) }),
      body("coupler", "crank", { kind: "revolute", ...next(crank) }),
      body("rocker", undefined, { kind: "revolute", ...next(ground) }),
    ],
    loops: [{ name: "closing", kind, from: { body: "coupler", ...next(coupler) }, to: { body: "rocker", ...next(rocker) } }],
  };
}

/** A closed state: the axis of the pin is at its arcs from the tip of the crank and from the rocker's axis. */
function sphericalState(): { readonly q: number[]; readonly u: number[] } {
  const [ground, crank, coupler, rocker] = ARCS;
  const turnZ = (a: number, [x, y, z]: NumericVec3): NumericVec3 => [cos(a) * x - sin(a) * y, sin(a) * x + cos(a) * y, z];
  const turnX = (a: number, [x, y, z]: NumericVec3): NumericVec3 => [x, cos(a) * y - sin(a) * z, sin(a) * y + cos(a) * z];
  const pinOfCoupler = (q1: number, q2: number): NumericVec3 => turnZ(q1, turnX(crank, turnZ(q2, turnX(coupler, [0, 0, 1]))));
  const pinOfRocker = (q3: number): NumericVec3 => turnX(ground, turnZ(q3, turnX(rocker, [0, 0, 1])));
  const apart = (q2: number, q3: number): readonly number[] => {
    const [a, b] = [pinOfCoupler(0.6, q2), pinOfRocker(q3)];
    return [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  };
  const step = 1e-6;
  const slopes = (q2: number, q3: number) =>
    [
      apart(q2 + step, q3).map((v, i) => (v - apart(q2 - step, q3)[i]!) / (2 * step)),
      apart(q2, q3 + step).map((v, i) => (v - apart(q2, q3 - step)[i]!) / (2 * step)),
    ] as const;
  let [q2, q3] = [0.8, 0.9];
  for (let k = 0; k < 50; k++) {
    const f = apart(q2, q3);
    const [a, b] = slopes(q2, q3);
    const inner = (x: readonly number[], y: readonly number[]): number => x.reduce((s, v, i) => s + v * y[i]!, 0);
    const [d2, d3] = solve2([inner(a, a), inner(a, b)], [inner(a, b), inner(b, b)], [-inner(a, f), -inner(b, f)]);
    q2 += d2;
    q3 += d3;
  }
  return { q: [0.6, q2, q3], u: [0, 0, 0] };
}

describe.each([kane, matrix, articulated])("$name", (formulation) => {
  const derive = (description: ModelDescription) => formulation.derive(createModel(description));

  test.each(STATES)("four-bar at %d rad, %d rad/s, %d N m: accelerations, pin and pivots", (angle, speed, torque) => {
    const expected = fourBarAt(angle, speed, torque);
    const { udot, reactions, lambda } = answersAt(derive(fourBar(IN_PLANE)), expected.q, expected.u, expected.tau);
    expect(difference(udot, expected.udot)).toBeLessThan(EXACT);
    expect(difference(lambda, expected.pin)).toBeLessThan(EXACT);
    for (const [i, force] of expected.forces.entries())
      expect(difference(reactions.slice(6 * i + 3, 6 * i + 5), force)).toBeLessThan(EXACT);
    expect(Math.abs(reactions[2]! - torque)).toBeLessThan(EXACT);
    for (const i of [1, 2]) expect(Math.abs(reactions[6 * i + 2]!)).toBeLessThan(EXACT);
  });

  test("slider-crank with a massless rod as a distance: (J + m x'²) φ̈ + m x' x'' φ̇² = τ", () => {
    const [J, m, r, l] = [0.05, 1.3, 0.2, 0.7];
    const equations = derive({
      name: "slider-crank",
      bodies: [
        { name: "crank", mass: 1, inertia: [J, J, J], hinge: { kind: "revolute" } },
        { name: "slider", mass: m, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } },
      ],
      loops: [{ name: "rod", kind: "distance", length: l, from: { body: "crank", at: [r, 0, 0] }, to: { body: "slider" } }],
    });
    for (const [angle, speed, torque] of STATES) {
      const s = sqrt(l * l - (r * sin(angle)) ** 2); // x = r cos φ + s
      const x1 = -r * sin(angle) - (r * r * sin(angle) * cos(angle)) / s;
      const x2 =
        -r * cos(angle) - (r * r * (cos(angle) ** 2 - sin(angle) ** 2)) / s - (r * r * sin(angle) * cos(angle)) ** 2 / s ** 3;
      const alpha = (torque - m * x1 * x2 * speed ** 2) / (J + m * x1 * x1);
      const xddot = x1 * alpha + x2 * speed ** 2;
      const { udot, lambda } = answersAt(equations, [angle, r * cos(angle) + s], [speed, x1 * speed], [torque, 0]);
      expect(difference(udot, [alpha, xddot])).toBeLessThan(EXACT);
      expect(difference(lambda, [(m * xddot * l) / s])).toBeLessThan(EXACT); // the rod pushes along (s, -r sin φ) / l
    }
  });

  test("slider-crank with a rod that has inertia only through its loop", () => {
    const [J, m, mu, r, l] = [0.05, 1.3, 0.4, 0.2, 0.7];
    const equations = derive({
      name: "slider-crank with a bead",
      bodies: [
        { name: "crank", mass: 1, inertia: [J, J, J], hinge: { kind: "revolute" } },
        { name: "rod", parent: "crank", mass: mu, inertia: "none", hinge: { kind: "revolute", at: [r, 0, 0] } },
        { name: "slider", mass: m, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } },
      ],
      loops: [{ name: "pin", ...IN_PLANE, from: { body: "rod", at: [l, 0, 0] }, to: { body: "slider" } } as LoopDescription],
    });
    const [angle, speed, torque] = STATES[0];
    const s = sqrt(l * l - (r * sin(angle)) ** 2);
    const x1 = -r * sin(angle) - (r * r * sin(angle) * cos(angle)) / s;
    const x2 =
      -r * cos(angle) - (r * r * (cos(angle) ** 2 - sin(angle) ** 2)) / s - (r * r * sin(angle) * cos(angle)) ** 2 / s ** 3;
    const alpha = (torque - m * x1 * x2 * speed ** 2) / (J + mu * r * r + m * x1 * x1);
    const beta = Math.atan2(-r * sin(angle), s);
    const betaRate = (-r * cos(angle) * speed) / s;
    const q = [angle, beta - angle, r * cos(angle) + s];
    const { udot, lambda } = answersAt(equations, q, [speed, betaRate - speed, x1 * speed], [torque, 0, 0]);
    const xddot = x1 * alpha + x2 * speed ** 2;
    expect(difference([udot[0]!, udot[2]!], [alpha, xddot])).toBeLessThan(EXACT);
    expect(difference(lambda, [(m * xddot * l) / s, 0])).toBeLessThan(EXACT); // only along the rod, which has no inertia
  });

  test("gears: one turns the other, and the force of the teeth balances the torques", () => {
    const [J1, J2, n] = [0.3, 0.8, 2.5];
    const equations = derive({
      name: "gears",
      bodies: [
        { name: "pinion", mass: 1, inertia: [J1, J1, J1], hinge: { kind: "revolute" } },
        { name: "wheel", mass: 1, inertia: [J2, J2, J2], hinge: { kind: "revolute", at: [1, 0, 0] } },
      ],
      loops: [
        {
          name: "mesh",
          kind: "coupling",
          terms: [
            { hinge: "pinion", factor: 1 },
            { hinge: "wheel", factor: n },
          ],
        },
      ],
    });
    const [t1, t2] = [0.7, -0.4];
    const { udot, lambda, reactions } = answersAt(equations, [n, -1], [-2 * n, 2], [t1, t2]);
    const second = (t2 - n * t1) / (J2 + n * n * J1);
    expect(difference(udot, [-n * second, second])).toBeLessThan(EXACT);
    const tooth = -n * second * J1 - t1;
    expect(difference(lambda, [tooth])).toBeLessThan(EXACT);
    expect(difference([reactions[2]!, reactions[8]!], [t1 + tooth, t2 + n * tooth])).toBeLessThan(EXACT);
  });

  test("a pendulum on a slider with prescribed motion: θ̈ = -(g sin θ + ẍ cos θ) / l, and the drive force is m (x + l sin θ)¨", () => {
    const [M, m, l] = [2, 0.7, 0.9];
    const motion = { offset: 0.1, rate: 0.3, amplitude: 0.4, frequency: 5, phase: 0.2 };
    const equations = derive({
      name: "shaken pendulum",
      gravity: [0, -g, 0],
      bodies: [
        { name: "slider", mass: M, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } },
        { name: "bob", parent: "slider", mass: m, com: [0, -l, 0], inertia: "none", hinge: { kind: "revolute" } },
      ],
      loops: [{ name: "shaker", kind: "prescribed", hinge: "slider", motion }],
    });
    for (const [t, theta, rate] of [
      [0, 0.4, -1],
      [1.7, -2, 3],
    ] as const) {
      // biome-ignore format: two moments
      const angle = motion.frequency * t + motion.phase;
      const x = motion.offset + motion.rate * t + motion.amplitude * sin(angle);
      const v = motion.rate + motion.amplitude * motion.frequency * cos(angle);
      const a = -motion.amplitude * motion.frequency ** 2 * sin(angle);
      const thetaddot = -(g * sin(theta) + a * cos(theta)) / l;
      const { udot, lambda } = answersAt(equations, [x, theta], [v, rate], [0, 0], t);
      expect(difference(udot, [a, thetaddot])).toBeLessThan(EXACT);
      const force = (M + m) * a + m * l * (thetaddot * cos(theta) - rate * rate * sin(theta));
      expect(difference(lambda, [force])).toBeLessThan(EXACT);
      const errors = new Float64Array(2);
      equations.loopErrors(Float64Array.of(x + 0.01, theta), Float64Array.of(v - 0.02, rate), errors, t);
      expect(difference(errors, [0.01, -0.02])).toBeLessThan(EXACT);
    }
  });

  test("satellite with a pantograph, TR-942 example 2: accelerations and the table of hinge forces", () => {
    const model = createModel(PANTOGRAPH);
    const equations = formulation.derive(model);
    for (const { q, u, tau, udot, h, pins } of INSTANTS) {
      const answers = answersAt(equations, q, u, tau);
      expect(difference(answers.udot, udot)).toBeLessThan(TABLE);
      for (const [body, force] of h.entries())
        for (const i of [0, 1]) expect(Math.abs(answers.reactions[6 * (body + 1) + 3 + i]! - force[i]!)).toBeLessThan(TABLE);
      expect(Math.abs(answers.reactions[6 + 2]! - tau[7]!)).toBeLessThan(TABLE);
      for (const [i, force] of pins.flat().entries()) expect(Math.abs(answers.lambda[i]! - force)).toBeLessThan(TABLE);
    }
  });

  test("a satellite far away has the same accuracy", () => {
    const equations = formulation.derive(createModel(PANTOGRAPH));
    const { q, u, tau } = INSTANTS[1]!;
    const far = [...q.slice(0, 4), 6.9e6, -1.2e6, 3.3e6, ...q.slice(7)];
    const fast = [...u.slice(0, 3), u[3]! + 7e3, u[4]! - 3e3, 0, ...u.slice(6)];
    const here = answersAt(equations, q, u, tau);
    const there = answersAt(equations, far, fast, tau);
    for (const key of ["udot", "lambda", "reactions"] as const) expect(difference(here[key], there[key])).toBeLessThan(EXACT);
  });

  test("a planar four-bar closed by a full hinge: the same motion and pin, zero forces across the plane", () => {
    const { q, u, udot, tau, pin } = fourBarAt(...STATES[0]);
    const answers = answersAt(derive(fourBar({ kind: "revolute" })), q, u, tau);
    expect(difference(answers.udot, udot)).toBeLessThan(EXACT);
    expect(difference(answers.lambda, [...pin, 0, 0, 0])).toBeLessThan(EXACT);
  });

  test.each(OVERCONSTRAINED)(
    "$name, overconstrained: the motion of an independent program",
    ({ name, description, q, u, tau, udot }) => {
      const { udot: found } = answersAt(derive({ name, ...description }), q, u, tau);
      expect(difference(found, udot)).toBeLessThan(EXACT);
    },
  );

  test("a loop given twice shares its forces", () => {
    const once = fourBar(IN_PLANE);
    const twice = { ...once, loops: [...once.loops!, { ...once.loops![0]!, name: "again" }] };
    const { q, u, tau, udot, pin } = fourBarAt(...STATES[1]);
    const answers = answersAt(derive(twice), q, u, tau);
    expect(difference(answers.udot, udot)).toBeLessThan(EXACT);
    expect(
      difference(
        answers.lambda,
        [...pin, ...pin].map((v) => v / 2),
      ),
    ).toBeLessThan(EXACT);
    expect(difference(answers.reactions, answersAt(derive(once), q, u, tau).reactions)).toBeLessThan(EXACT);
  });

  test("closed only to six digits, an overconstrained model still moves, with an error of that size", () => {
    const { name, description, q, u, udot } = OVERCONSTRAINED[1]!;
    const rounded = (v: number): number => Number(v.toPrecision(7));
    const { udot: found } = answersAt(derive({ name, ...description }), q.map(rounded), u.map(rounded));
    expect(difference(found, udot)).toBeLessThan(1e-5);
  });
});

describe.each([kane, matrix])("$name reports", (formulation) => {
  test("which rows of a full hinge are redundant in a plane", () => {
    const { q } = fourBarAt(...STATES[0]);
    const model = createModel(fourBar({ kind: "revolute" }));
    const { rank, dependencies, singularValues } = formulation.derive(model).loopRank!(Float64Array.from(q));
    expect(rank).toBe(2);
    expect(dependencies.length).toBe(3);
    const labels = model.loops.flatMap((loop) => (loop.type === "frames" ? loop.rows.map((row) => row.label) : []));
    const idle = labels.filter((_, i) => dependencies.some((c) => Math.abs(c[i]!) > 0.5));
    expect(idle.sort()).toEqual(["force z", "torque x", "torque y"]);
    if (singularValues) expect([...singularValues].map((v) => v > 1e-12)).toEqual([true, true, false, false, false]);
  });

  test.each(OVERCONSTRAINED)("how far $name is overconstrained", ({ name, description, q, rank }) => {
    const model = createModel({ name, ...description });
    const found = formulation.derive(model).loopRank!(Float64Array.from(q));
    expect(found.rank).toBe(rank);
    expect(found.dependencies.length).toBe(loopRows(model) - rank);
  });

  test("that a model with independent rows is not overconstrained", () => {
    const { q } = fourBarAt(...STATES[0]);
    const { rank, dependencies } = formulation.derive(createModel(fourBar(IN_PLANE))).loopRank!(Float64Array.from(q));
    expect([rank, dependencies.length]).toEqual([2, 0]);
  });

  test("that the pantograph loses two rows where it is stretched, and none a millionth before", () => {
    const equations = formulation.derive(createModel(PANTOGRAPH));
    const at = (th: number) =>
      equations.loopRank!(Float64Array.of(1, 0, 0, 0, 0, 0, 0, 0.3 + sin(th), -th, 0.3 - sin(th), th, 2 * th, -2 * th));
    expect(at(0).rank).toBe(2);
    expect(at(1e-6).rank).toBe(4);
    expect(at(1e-3).rank).toBe(4);
  });

  test("that a spherical four-bar needs two rows, with hinges at the intersection of its axes or away from it, and moves the same", () => {
    const { q, u } = sphericalState();
    const machines = [sphericalFourBar(0), sphericalFourBar(0.4), sphericalFourBar(0.4, "spherical")].map(createModel);
    const all = machines.map((model) => {
      const equations = formulation.derive(model);
      expect(equations.loopRank!(Float64Array.from(q)).rank).toBe(2);
      return answersAt(equations, q, u, [0.5, 0, 0]).udot;
    });
    // A row that is only rounding must not count as a constraint in the other methods either.
    for (const other of [FORMULATIONS.articulated, FORMULATIONS.partition])
      for (const model of machines) all.push(answersAt(other.derive(model), q, u, [0.5, 0, 0]).udot);
    for (const udot of all) expect(difference(udot, all[0]!)).toBeLessThan(EXACT);
  });

  test("that two prescribed motions contradict each other", () => {
    const motion = (rate: number) => ({ rate, amplitude: 0.3 * rate, frequency: 2, phase: 1 });
    const drives = (second: number): LoopDescription[] => [
      { name: "motor", kind: "prescribed", hinge: "crank", motion: motion(1) },
      { name: "brake", kind: "prescribed", hinge: "crank", motion: motion(second) },
    ];
    const { loops = [], ...rest } = fourBar(IN_PLANE);
    const { q, u } = fourBarAt(0.3 * sin(1), 1 + 0.6 * cos(1), 0);
    const at = (second: number) =>
      answersAt(formulation.derive(createModel({ ...rest, loops: [...loops, ...drives(second)] })), q, u);
    expect(at(1).udot[0]).toBeCloseTo(-1.2 * sin(1), 10);
    expect(difference(at(1).lambda.slice(2), [at(1).lambda[2]!, at(1).lambda[2]!])).toBeLessThan(EXACT);
    expect(() => at(1.5)).toThrow(SingularError);
    expect(() => at(1.5)).toThrow(/loop "(motor|brake)" contradicts/);
  });

  test("that a freedom without inertia is not made regular by loops elsewhere", () => {
    const { bodies, ...rest } = fourBar(IN_PLANE);
    const bead: BodyDescription = {
      name: "bead",
      mass: 1,
      inertia: "none",
      hinge: { name: "socket", kind: "spherical", at: [0, 5, 0] },
    };
    const equations = formulation.derive(createModel({ ...rest, bodies: [...bodies, bead] }));
    const { q, u } = fourBarAt(...STATES[0]);
    const answers = () => answersAt(equations, [...q, 1, 0, 0, 0], [...u, 0, 0, 0]);
    expect(answers).toThrow(SingularError);
    expect(answers).toThrow(/socket/);
  });
});

test("the weakest equation is computed with the direction that was announced last, not with an earlier evaluation", () => {
  const { model, q, u } = builtIn("stewart-platform");
  const position = Float64Array.from(q);
  const loops = closedLoops(model);
  const direction = (phase: number) => Float64Array.from({ length: loops.rows }, (_, i) => cos(i + phase));
  const pull = new Float64Array(model.nu + loops.rows);
  loops.weakness(0, position, direction(0), pull);
  loops.project(0, position, Float64Array.from(u));
  loops.weakness(0, position, direction(0), pull);
  loops.prepareWeakness(direction(1));
  const strength = loops.weakness(0, position, direction(1), pull);
  const fresh = closedLoops(model);
  const freshPull = new Float64Array(pull.length);
  expect(Math.abs(strength / fresh.weakness(0, position, direction(1), freshPull) - 1)).toBeLessThan(EXACT);
  expect(difference(pull, freshPull)).toBeLessThan(1e-9);
});
