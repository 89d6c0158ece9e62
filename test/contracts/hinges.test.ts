/** The contract of hinges: every kind with every choice of its parameters fulfils it. */
import { describe, expect, test } from "vitest";
import { createModel } from "../../src/model/build/create-model.ts";
import type { HingeDescription } from "../../src/model/description.ts";
import type { HingeElement } from "../../src/model/hinge.ts";
import { FREEDOM_NAMES, type FreedomName } from "../../src/model/hinges/general.ts";
import { HINGES } from "../../src/model/hinges/index.ts";
import { coordinateNames, type Hinge, homeOf, quaternionStarts } from "../../src/model/model.ts";
import { compose, IDENTITY, type Mat3, transpose } from "../../src/spatial/rotation.ts";
import type { Vec3 } from "../../src/spatial/vec3.ts";

const modelWith = (hinge: HingeDescription) =>
  createModel({ name: "m", bodies: [{ name: "b", mass: 1, inertia: [1, 1, 1], hinge }] });
const hingeOf = (hinge: HingeDescription): Hinge => modelWith(hinge).bodies[0]!.hinge;

describe("a row of a Denavit-Hartenberg table, modified convention", () => {
  test("is Rx(alpha) Tx(a) Tz(d) Rz(theta), element by element", () => {
    const [alpha, a, d, theta] = [0.7, 0.3, -0.2, -1.1];
    const { R, p } = hingeOf({ kind: "revolute", dh: { alpha, a, d, theta } } as HingeDescription).onParent;
    const [ca, sa, ct, st] = [Math.cos(alpha), Math.sin(alpha), Math.cos(theta), Math.sin(theta)];
    const rows = [
      [ct, -st, 0],
      [ca * st, ca * ct, -sa],
      [sa * st, sa * ct, ca],
    ];
    for (const [i, row] of rows.entries()) for (const [j, value] of row.entries()) expect(R[i]![j]).toBeCloseTo(value, 14);
    for (const [i, value] of [a, -sa * d, ca * d].entries()) expect(p[i]).toBeCloseTo(value, 14);
  });

  test("reports mistakes in it", () => {
    const wrong =
      (dh: object, more: object = {}) =>
      () =>
        hingeOf({ kind: "revolute", dh, ...more } as HingeDescription);
    expect(wrong({ alpha: 1, b: 2 })).toThrow(/hinge\.dh\.b: unknown key/);
    expect(wrong({ alpha: "steep" })).toThrow(/hinge\.dh\.alpha/);
    expect(wrong({ a: 1 }, { at: [0, 0, 1] })).toThrow(/hinge\.at: must not be given together with dh/);
  });
});

function subsets<T>(items: readonly T[]): T[][] {
  const sets: T[][] = [[]];
  for (const item of items) sets.push(...sets.map((set) => [...set, item]));
  return sets;
}

const CASES: readonly (readonly [string, HingeDescription])[] = [
  ...Object.keys(HINGES).map((kind) => [kind, { kind } as HingeDescription] as const),
  ...(["revolute", "prismatic", "cylindrical"] as const).map(
    (kind) => [`${kind} about an oblique axis`, { kind, axis: [1, -2, 3] }] as const,
  ),
  ["helical with pitch", { kind: "helical", axis: [0, 3, -4], pitch: 0.05 }],
  ...subsets(FREEDOM_NAMES).map(
    (freedoms) => [`general with ${freedoms.join(" ") || "no freedom"}`, { kind: "general", freedoms }] as const,
  ),
];

/** Some coordinates away from home, with unit quaternions; always the same. */
function coordinatesOf(element: HingeElement): number[] {
  const q = Array.from({ length: element.nq }, (_, i) => 0.3 + 0.5 * Math.sin(7 * i + 1));
  if (element.quaternion === undefined) return q;
  const quaternion = q.slice(element.quaternion, element.quaternion + 4);
  const norm = Math.hypot(...quaternion);
  q.splice(element.quaternion, 4, ...quaternion.map((c) => c / norm));
  return q;
}

const STEP = 1e-5;
/** Central differences: rounding 1e-16 / STEP, truncation STEP². */
const DIFFERENCES = 1e-9;

describe.each(CASES)("%s", (_, description) => {
  const hinge = hingeOf(description);

  test("the numbers of coordinates and speeds agree", () => {
    expect(hinge.nq).toBe(hinge.elements.reduce((n, e) => n + e.nq, 0));
    expect(hinge.nu).toBe(hinge.elements.reduce((n, e) => n + e.nu, 0));
    expect(hinge.nu).toBeLessThanOrEqual(6);
    for (const { nq, nu, partials, home, units, parts, quaternion } of hinge.elements) {
      expect([home, units.q, parts.q].map((list) => list.length)).toEqual([nq, nq, nq]);
      expect([partials, units.u, parts.u].map((list) => list.length)).toEqual([nu, nu, nu]);
      expect(nq - nu).toBe(quaternion === undefined ? 0 : 1);
    }
  });

  test("every coordinate and speed has its own name", () => {
    const { q, u } = coordinateNames(modelWith(description));
    expect([new Set(q).size, new Set(u).size]).toEqual([hinge.nq, hinge.nu]);
    expect([...q, ...u].every((name) => name === "b" || name.startsWith("b."))).toBe(true);
  });

  test("at home M coincides with F", () => {
    for (const element of hinge.elements) {
      const { R, p } = element.pose(element.home) as { R: Mat3<number>; p: Vec3<number> };
      expectNear(R.flat(), IDENTITY.flat());
      expectNear(p, [0, 0, 0]);
    }
    expect(homeOf(modelWith(description))).toEqual(Float64Array.from(hinge.elements.flatMap((e) => e.home)));
  });

  test("partial velocities and rates are derivatives of the pose", () => {
    for (const element of hinge.elements) {
      const q = coordinatesOf(element);
      for (const [k, partial] of element.partials.entries()) {
        const u = element.partials.map((_, i) => (i === k ? 1 : 0));
        const rates = element.rates(q, u) as number[];
        const at = (h: number) => element.pose(q.map((c, i) => c + h * rates[i]!)) as { R: Mat3<number>; p: Vec3<number> };
        const [before, after] = [at(-STEP), at(STEP)];
        const rate = (a: number, b: number): number => (b - a) / (2 * STEP);
        const Rdot = before.R.map((row, i) => row.map((v, j) => rate(v, after.R[i]![j]!))) as unknown as Mat3<number>;
        const spin = compose(Rdot, transpose(at(0).R)) as Mat3<number>; // Ṙ Rᵀ is the cross-product matrix of the angular velocity in F
        expectNear([spin[2][1], spin[0][2], spin[1][0]], partial.angular);
        expectNear(
          before.p.map((v, i) => rate(v, after.p[i]!)),
          partial.linear,
        );
      }
    }
  });

  test("rates conserve the norm of quaternions", () => {
    for (const element of hinge.elements) {
      if (element.quaternion === undefined) continue;
      const q = coordinatesOf(element);
      const rates = element.rates(
        q,
        element.partials.map((_, i) => 1 + i),
      ) as number[];
      const at = element.quaternion;
      expect(q.slice(at, at + 4).reduce((sum, c, i) => sum + c * rates[at + i]!, 0)).toBeCloseTo(0, 14);
    }
    expect(quaternionStarts(modelWith(description))).toHaveLength(hinge.nq - hinge.nu);
  });

  test("the screw of an element agrees with its pose", () => {
    for (const { screw, partials } of hinge.elements) {
      if (screw === undefined) continue;
      expectNear(
        partials[0]!.angular,
        screw.axis.map((a) => a * screw.turn),
      );
      expectNear(
        partials[0]!.linear,
        screw.axis.map((a) => a * screw.slide),
      );
      expect(Math.hypot(...screw.axis)).toBeCloseTo(1, 15);
    }
  });
});

describe("the general hinge", () => {
  test.each(subsets(FREEDOM_NAMES))("has as many freedoms as are listed: %s", (...freedoms: FreedomName[]) => {
    const hinge = hingeOf({ kind: "general", freedoms });
    const allTurns = ["rx", "ry", "rz"].every((f) => freedoms.includes(f as FreedomName));
    expect(hinge.nu).toBe(freedoms.length);
    expect(hinge.nq).toBe(freedoms.length + (allTurns ? 1 : 0));
  });

  test("does not depend on the order in which freedoms are listed", () => {
    const names = (freedoms: FreedomName[]) => coordinateNames(modelWith({ kind: "general", freedoms })).q;
    expect(names(["rz", "y", "rx", "x"])).toEqual(names(["x", "y", "rx", "rz"]));
    expect(names(["rz", "y"])).toEqual(["b.y", "b.rz"]);
  });
});

function expectNear(actual: readonly number[], expected: readonly number[]): void {
  for (const [i, v] of expected.entries()) expect(Math.abs(actual[i]! - v)).toBeLessThan(DIFFERENCES);
}
