/** Models with known accelerations: both formulations agree with the formula. */

import { describe, expect, test } from "vitest";
import { kane } from "../../../src/dynamics/kane/kane.ts";
import { matrix } from "../../../src/dynamics/matrix/matrix-method.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { ModelDescription } from "../../../src/model/description.ts";
import { apply, fromQuaternion, type Mat3, type Quaternion, transpose } from "../../../src/spatial/rotation.ts";
import type { NumericVec3 } from "../../../src/spatial/vec3.ts";
import { cross, minus, plus, scale } from "../../../src/spatial/vec3.ts";
import { difference } from "../../fixtures/geometry.ts";
import { uniform } from "../../fixtures/models/random-model.ts";

/** A few hundred operations on numbers of order one. */
const EXACT = 1e-12;

const { sin, cos } = Math;

describe.each([kane, matrix])("$name", (formulation) => {
  function accelerations(description: ModelDescription) {
    const model = createModel(description);
    const equations = formulation.derive(model);
    return (q: readonly number[], u: readonly number[], tau: readonly number[] = Array(model.nu).fill(0)): Float64Array => {
      const udot = new Float64Array(model.nu);
      equations.accelerations(Float64Array.from(q), Float64Array.from(u), Float64Array.from(tau), new Float64Array(0), udot);
      return udot;
    };
  }

  test("double pendulum of point masses", () => {
    const [m1, m2, l1, l2, g] = [1.3, 0.7, 0.8, 1.1, 9.81];
    const at = accelerations({
      name: "double pendulum",
      gravity: [0, -g, 0],
      bodies: [
        { name: "upper", mass: m1, com: [0, -l1, 0], inertia: "none", hinge: { kind: "revolute" } },
        {
          name: "lower",
          parent: "upper",
          mass: m2,
          com: [0, -l2, 0],
          inertia: "none",
          hinge: { kind: "revolute", at: [0, -l1, 0] },
        },
      ],
    });
    const random = uniform(1);
    for (let k = 0; k < 50; k++) {
      const [a, b, da, db] = Array.from({ length: 4 }, () => 6 * random() - 3) as [number, number, number, number];
      const d = 2 * m1 + m2 - m2 * cos(2 * a - 2 * b); // angles a and b from the vertical
      const first =
        (-g * (2 * m1 + m2) * sin(a) -
          m2 * g * sin(a - 2 * b) -
          2 * sin(a - b) * m2 * (db * db * l2 + da * da * l1 * cos(a - b))) /
        (l1 * d);
      const second =
        (2 * sin(a - b) * (da * da * l1 * (m1 + m2) + g * (m1 + m2) * cos(a) + db * db * l2 * m2 * cos(a - b))) / (l2 * d);
      expect(difference(at([a, b - a], [da, db - da]), [first, second - first])).toBeLessThan(EXACT);
    }
  });

  test("rigid body in free flight: Euler's equations, and a mass centre that keeps its velocity", () => {
    const inertia: NumericVec3 = [2, 3.5, 4.1];
    const com: NumericVec3 = [0.3, -0.2, 0.5];
    const at = accelerations({ name: "stone", bodies: [{ name: "stone", mass: 1.7, com, inertia, hinge: { kind: "free" } }] });
    const attitude: Quaternion<number> = [0.5, -0.5, 0.1, Math.sqrt(0.49)];
    const R = fromQuaternion(attitude) as Mat3<number>;
    const w: NumericVec3 = [0.7, -1.1, 0.4];
    const body = apply(transpose(R), w) as NumericVec3;
    const torque = cross(body, body.map((v, i) => inertia[i]! * v) as unknown as NumericVec3) as NumericVec3;
    const wdot = apply(R, torque.map((v, i) => -v / inertia[i]!) as unknown as NumericVec3) as NumericVec3;
    const c = apply(R, com);
    const vdot = minus([0, 0, 0], plus(cross(wdot, c), cross(w, cross(w, c)))) as NumericVec3;
    expect(difference(at([...attitude, 7, 8, 9], [...w, 1, 2, 3]), [...wdot, ...vdot])).toBeLessThan(EXACT);
  });

  test("heavy symmetric top in steady precession: I3 w3 P - I1 P² cos(tilt) = m g l, and the spin only turns with P", () => {
    const [I1, I3, m, l, g, tilt, P] = [0.6, 0.25, 1.2, 0.5, 9.81, 0.7, 1.9];
    const at = accelerations({
      name: "top",
      gravity: [0, 0, -g],
      bodies: [
        { name: "top", mass: m, com: [0, 0, l], inertia: [I1 - m * l * l, I1 - m * l * l, I3], hinge: { kind: "spherical" } },
      ],
    });
    const axis: NumericVec3 = [sin(tilt), 0, cos(tilt)];
    const w3 = (m * g * l + I1 * P * P * cos(tilt)) / (I3 * P);
    const spin = w3 - P * cos(tilt);
    const w = plus([0, 0, P], scale(spin, axis)) as NumericVec3;
    const wdot = cross([0, 0, P], w) as NumericVec3;
    expect(difference(at([cos(tilt / 2), 0, sin(tilt / 2), 0], w), wdot)).toBeLessThan(EXACT);
  });

  test("nut on a vertical screw: (J + m p²) q̈ = tau - m g p", () => {
    const [J, m, p, g] = [0.02, 1.5, 0.07, 9.81];
    const at = accelerations({
      name: "nut",
      gravity: [0, 0, -g],
      bodies: [{ name: "nut", mass: m, inertia: [J, J, J], hinge: { kind: "helical", pitch: p } }],
    });
    expect(at([1], [3], [0.4])[0]).toBeCloseTo((0.4 - m * g * p) / (J + m * p * p), 10);
  });

  test("pendulum on a slider without mass", () => {
    const [m, l, J, g] = [1.4, 0.6, 0.09, 9.81];
    const at = accelerations({
      name: "slider",
      gravity: [0, -g, 0],
      bodies: [
        { name: "slider", mass: 0, inertia: "none", hinge: { kind: "prismatic", axis: "x" } },
        { name: "bob", parent: "slider", mass: m, com: [0, -l, 0], inertia: [J, J, J], hinge: { kind: "revolute" } },
      ],
    });
    const [a, da] = [0.8, 1.3];
    // m (ẍ + l ä cos a - l ȧ² sin a) = 0: no horizontal force, so (J + m l² sin² a) ä = -m l sin a (g + l ȧ² cos a)
    const turning = (-m * l * sin(a) * (g + l * da * da * cos(a))) / (J + m * l * l * sin(a) ** 2);
    const sliding = -l * turning * cos(a) + l * da * da * sin(a);
    expect(difference(at([5, a], [2, da]), [sliding, turning])).toBeLessThan(EXACT);
  });

  test("universal hinge of a sphere: the inner axis carries the outer one", () => {
    // w = (a', b' cos a, b' sin a) in F, so T = J (a'² + b'²) / 2: each acceleration is torque over J, for all angles.
    const J = 0.4;
    const at = accelerations({
      name: "sphere",
      bodies: [{ name: "sphere", mass: 1, inertia: [J, J, J], hinge: { kind: "universal" } }],
    });
    expect(difference(at([0.4, 1.2], [1.5, -0.6], [0.3, -0.2]), [0.3 / J, -0.2 / J])).toBeLessThan(EXACT);
  });
});
