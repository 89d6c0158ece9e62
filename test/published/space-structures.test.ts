/** The satellite with a four-link manipulator of TR-942: motion and hinge forces against independent programs' numbers. */
import { describe, expect, test } from "vitest";
import { kane } from "../../src/dynamics/kane/kane.ts";
import { matrix } from "../../src/dynamics/matrix/matrix-method.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import { difference } from "../fixtures/geometry.ts";

/** Hinge forces are copied to 1e-9 N. */
const TABLE = 1e-8;
/** The converged state is known to 16 digits; its accelerations to the rounding of the program that computed them. */
const CONVERGED = 1e-11;

/** Axes of body 3 on body 2: x3 = -x2, y3 = -z2, z3 = -y2. */
const shoulder = { matrix: [[-1, 0, 0], [0, 0, -1], [0, -1, 0]] }; // biome-ignore format: a matrix

const satellite = createModel({
  name: "satellite with manipulator",
  bodies: [
    { name: "satellite", mass: 200, inertia: [100, 100, 100], hinge: { kind: "free" } },
    {
      name: "waist",
      parent: "satellite",
      mass: 10,
      com: [0, 0, 0.05],
      inertia: [0.01, 0.01, 0.1],
      hinge: { name: "h2", kind: "revolute", at: [-0.5, 0, 0.5] },
    },
    {
      name: "upper arm",
      parent: "waist",
      mass: 50,
      com: [0, -0.5, 0],
      inertia: [5, 0.5, 5],
      hinge: { name: "h3", kind: "revolute", at: [0, 0, 0.1], rotation: shoulder },
    },
    {
      name: "fore arm",
      parent: "upper arm",
      mass: 40,
      com: [0, -0.5, 0],
      inertia: [4, 0.4, 4],
      hinge: { name: "h4", kind: "revolute", at: [0, -1, 0] },
    },
    {
      name: "hand",
      parent: "fore arm",
      mass: 30,
      com: [0, -0.15, 0],
      inertia: [0.3, 0.3, 0.3],
      hinge: { name: "h5", kind: "revolute", at: [0, -1, 0] },
    },
  ],
});
const STIFFNESS = [10, 10, 10, 1];
const DAMPING = [5, 2, 2, 5];

/** reference/space-structures.json: state, accelerations, and torque and force on the child at h2 to h5, inertial axes. */
const INSTANTS = [
  {
    t: 0,
    q: [1, 0, 0, 0, 0, 0, 0, Math.PI / 2, -Math.PI / 2, Math.PI, -Math.PI / 2],
    u: [0, 0, 0, 0, 0, 0, 0, 0, 0, 0],
    udot: [
      ...[-0.1724523424347332, -0.24452526146040376, 0.1444018603155225],
      ...[-0.04285195963349444, 0.012677772363967143, -0.20535602705449363],
      ...[-0.9042289296223286, 0.8943148263702223, -1.0235563829162426, 2.115605120823423],
    ],
    kinetic: 0,
    hinges: [
      [
        [15.977457007, -0.368272523, -15.707963268],
        [8.570391927, -2.535554473, 41.071205411],
      ],
      [
        [15.707963268, -1.31153689, -15.631980561],
        [10.343800461, -2.888810778, 44.347391989],
      ],
      [
        [-31.415926536, -1.189274259, -6.247705207],
        [0.826479554, -5.086223162, 42.68176278],
      ],
      [
        [1.570796327, -1.091464154, -0.227948121],
        [-6.787377172, -6.844153068, 20.878131754],
      ],
    ],
  },
  {
    t: 2,
    q: [
      ...[0.9913332166675977, -0.10571398046333338, -0.034647995935137156, 0.0698750616726071],
      ...[0.08676662326048162, 0.05003076839796264, -0.3241518083536213],
      ...[0.050269493455710086, -0.3325677778857077, 1.3443127352774664, -0.6021602510023785],
    ],
    u: [
      ...[0.037869018851054946, 0.20822710887214266, 0.09014984652653305],
      ...[0.17618295150929195, 0.007299779038777803, -0.23239731235137098],
      ...[-1.3393256562728726, 1.177855033332585, -1.8620420337125134, 0.7860597904861891],
    ],
    udot: [
      ...[0.6324327491219978, 0.3919075636130387, 0.09314950872986213],
      ...[0.13751203528530812, -0.1372557631764342, 0.13686066091574647],
      ...[-0.2493885389038793, 1.3470704767225845, -1.7581505653790208, 0.24190394699506906],
    ],
    kinetic: 49.288516549650495,
    hinges: [
      [
        [-49.791582145, -11.859488475, 4.579504767],
        [-27.502407057, 27.451152635, -27.372132183],
      ],
      [
        [-46.256928295, -8.76353775, 4.245472866],
        [-31.135492854, 32.499062088, -30.868151656],
      ],
      [
        [-5.454560573, 6.786231346, -10.251190983],
        [2.396837076, 24.698099687, -19.797172596],
      ],
      [
        [-0.541870475, 3.190722804, -0.780485478],
        [23.909282821, 4.488035361, -1.673300735],
      ],
    ],
  },
];

describe.each([kane, matrix])("$name", (formulation) => {
  const equations = formulation.derive(satellite);

  test.each(INSTANTS)("t = $t s", ({ q: q0, u: u0, udot: expected, kinetic, hinges }) => {
    const [q, u] = [Float64Array.from(q0), Float64Array.from(u0)];
    const tau = new Float64Array(satellite.nu);
    for (let i = 0; i < 4; i++) tau[6 + i] = -STIFFNESS[i]! * q[7 + i]! - DAMPING[i]! * u[6 + i]!;
    const none = new Float64Array(0);
    const udot = new Float64Array(satellite.nu);
    const reactions = new Float64Array(6 * satellite.bodies.length);
    const energy = new Float64Array(2);
    const momentum = new Float64Array(6);
    equations.accelerations(q, u, tau, none, udot);
    equations.reactions(q, u, tau, none, reactions);
    equations.energy(q, u, energy);
    equations.momentum(q, u, momentum);
    expect(difference(udot, expected)).toBeLessThan(CONVERGED);
    for (const [i, numbers] of hinges.entries())
      for (const [k, value] of numbers.flat().entries())
        expect(Math.abs(reactions[6 * (i + 1) + k]! - value)).toBeLessThan(TABLE);
    expect(Math.abs(energy[0]! - kinetic)).toBeLessThan(CONVERGED * 100);
    for (const component of momentum) expect(Math.abs(component)).toBeLessThan(CONVERGED * 100);
  });

  test("nothing holds the satellite: its reaction is zero", () => {
    const { q, u } = INSTANTS[1]!;
    const reactions = new Float64Array(6 * satellite.bodies.length);
    equations.reactions(
      Float64Array.from(q),
      Float64Array.from(u),
      new Float64Array(satellite.nu),
      new Float64Array(0),
      reactions,
    );
    for (const component of reactions.slice(0, 6)) expect(Math.abs(component)).toBeLessThan(CONVERGED);
  });
});
