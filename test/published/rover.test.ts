/** The rocker rover against the reference: places, mass matrix, inverse dynamics, accelerations on hard ground over a bump. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bodyPoses, inverseDynamics, massMatrix } from "../../src/dynamics/programs.ts";
import { parseModel } from "../../src/formats/model-file.ts";
import { ridge } from "../../src/ground/shapes.ts";
import { placeTerrain } from "../../src/ground/terrain.ts";
import { compile } from "../../src/kernel/run/kernel.ts";
import { createModel } from "../../src/model/build/create-model.ts";
import { describeModel } from "../../src/model/build/describe-model.ts";
import type { Model } from "../../src/model/model.ts";
import { readForce } from "../../src/parts/force/forces.ts";
import { createSystem } from "../../src/sim/create-system.ts";
import { apply, fromQuaternion, type Quaternion } from "../../src/spatial/rotation.ts";
import type { Vec3 } from "../../src/spatial/vec3.ts";

const reference = JSON.parse(readFileSync(new URL("../data/rover.json", import.meta.url), "utf8"));
const rover = parseModel(readFileSync(new URL("../../scenarios/rover-flat/model.yaml", import.meta.url), "utf8"));
const changed = (change: (description: ReturnType<typeof describeModel>) => object): Model =>
  createModel({ ...describeModel(rover), ...change(describeModel(rover)) });
const withoutRotors = changed(({ bodies }) => ({
  bodies: bodies.map((b) => ({ ...b, hinge: Object.fromEntries(Object.entries(b.hinge).filter(([key]) => key !== "armature")) })),
}));
const WHEELS = ["wheel-fl", "wheel-fr", "wheel-rl", "wheel-rr"];
/** The reference counts rockers, steering and wheels in this order; so does the model. */
const inWorld = (q: readonly number[], v: readonly number[]): number[] =>
  apply(fromQuaternion(q as unknown as Quaternion), v as unknown as Vec3) as unknown as number[];

describe("the rover of the reference", () => {
  it("16 freedoms, 35 kg, wheels where they are", () => {
    expect(rover.nu).toBe(16);
    expect(rover.bodies.reduce((m, b) => m + b.mass, 0)).toBeCloseTo(35, 12);
    const { p, quat_wxyz, theta, wheel_centers, wheel_axes } = reference.fk_test;
    const kernel = compile(bodyPoses(rover));
    kernel.x.set([...quat_wxyz, ...p, ...theta]);
    kernel.evaluate();
    for (const [k, name] of WHEELS.entries()) {
      const at = 12 * rover.bodies.findIndex((b) => b.name === name);
      const R = [...kernel.y.subarray(at, at + 9)];
      expect([...kernel.y.subarray(at + 9, at + 12)]).toEqual(wheel_centers[k].map((v: number) => expect.closeTo(v, 12)));
      expect([R[2], R[5], R[8]]).toEqual(wheel_axes[k].map((v: number) => expect.closeTo(v, 12)));
    }
  });

  it("mass matrix at zero, and inverse dynamics, within 1e-9", () => {
    const mass = compile(massMatrix(rover));
    mass.x.set([1, 0, 0, 0, 0, 0, 0]);
    mass.evaluate();
    // The reference has linear before angular speeds of the base.
    const to = (i: number): number => (i < 3 ? i + 3 : i < 6 ? i - 3 : i);
    for (const [i, row] of reference.zero_config.mass_matrix.entries())
      for (const [j, value] of row.entries()) expect(Math.abs(mass.y[16 * to(i) + to(j)]! - value)).toBeLessThan(1e-12);
    const { quat_wxyz, theta, omega_b, thetadot, a_b, omegadot_b, thetaddot, tau } = reference.rnea_test;
    const kernel = compile(inverseDynamics(withoutRotors));
    const w = inWorld(quat_wxyz, omega_b);
    kernel.x.set([...quat_wxyz, 0, 0, 0, ...theta, ...w, 0, 0, 0, ...thetadot]);
    kernel.x.set([...inWorld(quat_wxyz, omegadot_b), ...inWorld(quat_wxyz, a_b), ...thetaddot], 17 + 16);
    kernel.evaluate();
    const wanted = [...inWorld(quat_wxyz, tau.slice(3, 6)), ...inWorld(quat_wxyz, tau.slice(0, 3)), ...tau.slice(6)];
    for (const [i, value] of wanted.entries())
      expect(Math.abs(kernel.y[i]! - value)).toBeLessThan(1e-9 * Math.max(1, Math.abs(value)));
  });

  it.each([
    ["spring", 0],
    ["differential", 1],
  ] as const)("accelerations on hard ground over a bump, rockers with %s, within 1e-9", (rocker, which) => {
    const { y, ydot, t, steer_f_deg } = reference.accel_tests.cases[which];
    const { control, rocker_spring } = reference.meta;
    const model = rocker === "spring" ? changed(() => ({ loops: [] })) : rover;
    const terrain = placeTerrain(ridge(0.06, 0.6, 0, 0.1), 1, 0, 0);
    const wheels = WHEELS.map((wheel) =>
      // The reference damps by the velocity of the centre, see its section 2.1.
      readForce("wheel-on-ground", `on-${wheel}`, { wheel, radius: 0.09, dampedBy: "centre" }, model, { terrain }),
    );
    const [q4, theta] = [y.slice(3, 7), y.slice(7, 17)];
    const [v, w, thetadot, I] = [y.slice(17, 20), y.slice(20, 23), y.slice(23, 33), y.slice(33, 37)];
    const ramp = (from: number, over: number): number => Math.max(0, Math.min(1, (t - from) / over));
    // The law of the reference: rockers damped (and sprung), steering PD, wheels PI.
    const steer = ((steer_f_deg * Math.PI) / 180) * ramp(control.t1, control.Ts);
    const rate = (control.v / 0.09) * ramp(control.t0, control.Tr);
    const tau = [
      ...[0, 1].map((i) => -(rocker === "spring" ? rocker_spring.krk : 0) * theta[i] - rocker_spring.crk * thetadot[i]),
      ...[2, 3, 4, 5].map((i) => control.Ks * ((i < 4 ? steer : 0) - theta[i]) - control.Kds * thetadot[i]),
      ...[6, 7, 8, 9].map((i) => control.Kp * (rate - thetadot[i]) + I[i - 6]),
    ];
    const drives = tau.map((force, i) =>
      readForce("generalised-force", `drive${i}`, { hinge: model.bodies[i + 1]!.hinge.name, force }, model),
    );
    const system = createSystem(model, [...wheels, ...drives]);
    const q = [...q4, ...y.slice(0, 3), ...theta];
    const udot = system.accelerations(system.start({ t, q, u: [...inWorld(q4, w), ...v, ...thetadot] }));
    const wanted = [...inWorld(q4, ydot.slice(20, 23)), ...ydot.slice(17, 20), ...ydot.slice(23, 33)];
    for (const [i, value] of wanted.entries())
      expect(Math.abs(udot[i]! - value), `speed ${i}: ${udot[i]} for ${value}`).toBeLessThan(1e-9 * Math.max(1, Math.abs(value)));
  });
});
