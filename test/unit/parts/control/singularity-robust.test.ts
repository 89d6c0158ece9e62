/** Near singular postures: the plain law stops with the singular value, the robust law continues and reports its deviation from the path. */
import { describe, expect, it } from "vitest";
import { SingularError } from "../../../../src/errors.ts";
import { CONTROLLERS } from "../../../../src/parts/control/controllers.ts";
import { uniform } from "../../../fixtures/models/random-model.ts";
import { randomRobot } from "../../../fixtures/models/random-robot.ts";
import { BARE, HINGES, run, start } from "../../../fixtures/models/two-arm-robot.ts";

/** The arm is about 6 m long: it is fully stretched before the hand has moved 3 m outward. */
const OUT = { frame: "hand", kp: 1, kd: 2, moves: [{ by: [3, 3, 1], duration: 40 }] };
const BASE = { frame: "base", parts: ["rx", "ry", "rz"], kp: 1, kd: 2 };

describe("a path that leads out of reach", () => {
  it("stops the plain law with an error that names the singular value", () => {
    let stopped: unknown;
    try {
      run("resolved-acceleration", { tasks: [OUT, BASE] }, { duration: 45, step: 0.05 });
    } catch (error) {
      stopped = error;
    }
    expect(stopped).toBeInstanceOf(SingularError);
    expect(String(stopped)).toMatch(/smallest singular value of the scaled generalised Jacobian is \d\.\d+e-\d+/);
  });

  it("the robust law stays finite, follows as long as possible, and reports its deviation", () => {
    const log = run("singularity-robust", { tasks: [OUT, BASE], settling: 0.5 }, { duration: 45, step: 0.02 });
    const off = log.column("c.off-path");
    const singular = log.column("c.singular");
    const first = singular.findIndex((s) => s < 0.05); // `near`
    expect(first).toBeGreaterThan(100);
    for (let i = 0; i < first; i++) expect(off[i]).toBeLessThan(1e-6); // as resolved acceleration
    expect(log.largest("c.off-path")).toBeGreaterThan(0.05); // out of reach
    expect(log.largest("c.off-path")).toBeLessThan(3); // less than the demanded motion
    expect(log.largest("c.damping")).toBeGreaterThan(0.01);
    for (const hinge of HINGES) {
      expect(log.largest(`tau.${hinge}`)).toBeLessThan(3000); // kp times 3 m times 200 kg of arm, 5 m out
      expect(log.column(`q.${hinge}`).every(Number.isFinite)).toBe(true);
    }
  });

  it("limits alone keep the law of limited tasks finite there", () => {
    const limits = [{ hinge: HINGES, torque: 30, speed: [0.2, 0.2, 0.2, 1, 1, 1, 0.2, 0.2, 5, 50, 50, 50] }];
    const log = run(
      "limited-tasks",
      { period: 0.05, tasks: [OUT, { ...BASE, priority: 2 }], limits },
      { duration: 45, step: 0.05 },
    );
    expect(log.largest("c.off-path")).toBeGreaterThan(0.05);
    for (const hinge of HINGES) expect(log.largest(`tau.${hinge}`)).toBeLessThan(30 + 1e-8);
    expect(log.largest("c.beyond")).toBe(0); // torques can hold the arms at these speeds
    expect(log.largest("u.elbow")).toBeLessThan(0.2 + 1e-8);
  });

  it("a single speed limit is kept while other speeds are unlimited", () => {
    // The hand has the first priority and is out of reach: without the guard, other hinges would become too fast to hold the elbow.
    const limits = [
      { hinge: HINGES, torque: 30 },
      { hinge: "elbow", speed: 0.2 },
    ];
    const log = run(
      "limited-tasks",
      { period: 0.02, tasks: [OUT, { ...BASE, priority: 2 }], limits },
      { duration: 34, step: 0.01 },
    );
    expect(log.largest("u.elbow") - 0.2).toBeLessThan(1e-8);
    expect(log.largest("u.elbow")).toBeGreaterThan(0.1999);
    for (const hinge of HINGES) expect(log.largest(`tau.${hinge}`)).toBeLessThan(30 + 1e-8);
    expect(log.largest("c.beyond")).toBe(0);
    expect(log.largest("c.off-path")).toBeGreaterThan(0.05);
  });
});

describe("exactly singular postures", () => {
  it("of random robots: commands are finite", () => {
    for (let seed = 0; seed < 12; seed++) {
      const { model, frames } = randomRobot(seed, 3 + (seed % 4)); // fewer hinges than the six rows: always singular
      const next = uniform(seed);
      const hinges = model.bodies.filter((b) => b.parent >= 0 && b.hinge.nu > 0).map((b) => b.hinge.name);
      const law = CONTROLLERS["singularity-robust"].create(
        "c",
        { motors: "m", hinges, base: "base", tasks: [{ frame: frames[1]!, kp: 1, kd: 1 }] } as never,
        model,
      );
      const q = Float64Array.from({ length: model.nq }, () => next() - 0.5);
      for (const { hinge } of model.bodies)
        for (const [at, size] of [[hinge.q, hinge.nq]] as const)
          if (size >= 4) {
            const norm = Math.hypot(...q.subarray(at, at + 4));
            for (let i = 0; i < 4; i++) q[at + i]! /= norm;
          }
      const empty = new Float64Array(0);
      const s = { model, t: 0, q, u: new Float64Array(model.nu), z: empty, frames: empty };
      const command = new Float64Array(law.commands.length);
      law.update(s, law.start(model, s), command);
      for (const torque of command) expect(torque).toSatisfy(Number.isFinite);
      const moving = { ...s, u: Float64Array.from({ length: model.nu }, () => next() - 0.5) };
      law.update(moving, law.start(model, s), command);
      for (const torque of command) expect(torque).toSatisfy(Number.isFinite);
    }
  });

  it("away from singular postures it is resolved acceleration", () => {
    // Nine hinges for nine rows: no redundancy is left.
    const hinges = BARE.bodies.slice(1).map((b) => b.hinge.name);
    const parameters = { motors: "m", hinges, tasks: [{ ...OUT, moves: [{ by: [-0.5, 0, 0], duration: 5 }] }, BASE] };
    const plain = CONTROLLERS["resolved-acceleration"].create("a", parameters as never, BARE);
    const robust = CONTROLLERS["singularity-robust"].create("b", { ...parameters, near: 1e-4 } as never, BARE);
    const empty = new Float64Array(0);
    const still = { model: BARE, t: 0, q: start().slice(0, BARE.nq), u: new Float64Array(BARE.nu), z: empty, frames: empty };
    const memories = [plain.start(BARE, still), robust.start(BARE, still)];
    for (let seed = 0; seed < 10; seed++) {
      const next = uniform(seed);
      const u = still.u.map(() => 0.1 * (next() - 0.5));
      const q = still.q.map((x, i) => (i < 7 ? x : x + 0.3 * (next() - 0.5)));
      const s = { ...still, t: 4 * next(), q, u };
      const [a, b] = [new Float64Array(9), new Float64Array(9)];
      plain.update(s, memories[0], a);
      robust.update(s, memories[1], b);
      for (let i = 0; i < 9; i++) expect(Math.abs(a[i]! - b[i]!)).toBeLessThan(1e-8 * Math.max(1, ...a.map(Math.abs)));
    }
  });
});
