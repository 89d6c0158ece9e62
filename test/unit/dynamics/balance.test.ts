/** Power and momentum balance of random models, by exact derivatives along the motion. */

import { describe, expect, test } from "vitest";
import { kaneIntegrals } from "../../../src/dynamics/kane/equations.ts";
import { kane } from "../../../src/dynamics/kane/kane.ts";
import { matrix, matrixIntegrals } from "../../../src/dynamics/matrix/matrix-method.ts";
import { createModel } from "../../../src/model/build/create-model.ts";
import type { NumericVec3 } from "../../../src/spatial/vec3.ts";
import { cross, dot, plus, scale, sumVectors } from "../../../src/spatial/vec3.ts";
import { evaluateDual } from "../../fixtures/dual.ts";
import { coordinateRates, frameMovement, hingeMovement, massCentreMovement } from "../../fixtures/geometry.ts";
import { chainModel } from "../../fixtures/models/element-chains.ts";
import { randomModel, randomState, randomWrenches } from "../../fixtures/models/random-model.ts";

/** Rounding against the sum of the magnitudes of all terms. */
const BALANCE = 1e-12;

const three = (a: Float64Array, at: number): NumericVec3 => [a[at]!, a[at + 1]!, a[at + 2]!];
const size = (terms: readonly number[]): number => terms.reduce((s, t) => s + Math.abs(t), 0);

const formulations = [
  { formulation: kane, integrals: kaneIntegrals },
  { formulation: matrix, integrals: matrixIntegrals },
];

const MACHINES = [
  ...Array.from({ length: 25 }, (_, seed) => ({
    seed,
    model: createModel(randomModel(seed, { freedoms: 1 + 2 * (seed % 15) })),
  })),
  ...[1, 2].map((seed) => ({ seed, model: chainModel(seed) })),
];

describe.each(formulations)("$formulation.name", ({ formulation, integrals }) => {
  test.each(MACHINES)("$model.name, state $seed", ({ model, seed }) => {
    const wrenches = randomWrenches(model, seed);
    const equations = formulation.derive(model, { wrenches, target: "interpret" });
    const { q, u, tau, w } = randomState(model, seed, equations.nw);
    const udot = new Float64Array(model.nu);
    const reactions = new Float64Array(6 * model.bodies.length);
    equations.accelerations(q, u, tau, w, udot);
    equations.reactions(q, u, tau, w, reactions);
    const rates = [...coordinateRates(model, q, u), ...udot];
    const { dy } = evaluateDual(integrals(model), [...q, ...u], rates);
    const [kineticRate, potentialRate] = [dy[0]!, dy[1]!];

    const pushed = wrenches.map((name, i) => ({
      ...frameMovement(model, q, u, name),
      torque: three(w, 6 * i),
      force: three(w, 6 * i + 3),
    }));
    const powers = [
      ...tau.map((t, i) => t * u[i]!),
      ...pushed.flatMap((p) => [dot(p.torque, p.angularVelocity) as number, dot(p.force, p.velocity) as number]),
    ];
    const supplied = powers.reduce((s, p) => s + p, 0);
    const scaleOfPower = size([...powers, kineticRate, potentialRate]);
    expect(Math.abs(kineticRate + potentialRate - supplied)).toBeLessThan(BALANCE * scaleOfPower);

    const outside = [
      ...pushed,
      ...model.bodies.map(({ index, mass }) => ({
        position: massCentreMovement(model, q, u, index).position,
        torque: [0, 0, 0] as NumericVec3,
        force: scale(mass, model.gravity) as NumericVec3,
      })),
      ...model.bodies.flatMap(({ index, parent }) =>
        parent >= 0
          ? []
          : [
              {
                position: hingeMovement(model, q, u, index).position,
                torque: three(reactions, 6 * index),
                force: three(reactions, 6 * index + 3),
              },
            ],
      ),
    ];
    const torque = sumVectors(outside.map((o) => plus(o.torque, cross(o.position, o.force)))) as NumericVec3;
    const force = sumVectors(outside.map((o) => o.force)) as NumericVec3;
    const magnitude = size([...outside.flatMap((o) => [...o.torque, ...o.force]), ...dy.slice(2)]);
    for (const [i, expected] of [...torque, ...force].entries())
      expect(Math.abs(dy[2 + i]! - expected)).toBeLessThan(BALANCE * magnitude);
  });
});
