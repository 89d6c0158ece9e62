/** Coordinated control of free-flying robots: optima against KKT conditions, priorities, held and passive hinges, singularities. */
import { readFileSync } from "node:fs";
import { describe, expect, it, test } from "vitest";
import { articulated } from "../../../../src/dynamics/articulated.ts";
import { robotOf } from "../../../../src/dynamics/free-flying/robot.ts";
import { ModelError, SingularError } from "../../../../src/errors.ts";
import { parseModel } from "../../../../src/formats/model-file.ts";
import { denseLU } from "../../../../src/math/linear/dense-lu.ts";
import { createModel } from "../../../../src/model/build/create-model.ts";
import { describeModel } from "../../../../src/model/build/describe-model.ts";
import type { BodyDescription } from "../../../../src/model/description.ts";
import { coordinateNames, homeOf, type Model } from "../../../../src/model/model.ts";
import { limitedTasks } from "../../../../src/parts/control/limits/limited-tasks.ts";
import { leastTorque } from "../../../../src/parts/control/tasks/least-torque.ts";
import { type PosePart, readTasks } from "../../../../src/parts/control/tasks/read-tasks.ts";
import { resolvedAcceleration } from "../../../../src/parts/control/tasks/resolved-acceleration.ts";
import { resolvedRate } from "../../../../src/parts/control/tasks/resolved-rate.ts";
import { manipulabilityOf, reactionNullSpaceOf } from "../../../../src/parts/control/tasks/singular/manipulability.ts";
import { taskStack } from "../../../../src/parts/control/tasks/task-stack.ts";
import type { Controller } from "../../../../src/sim/run/controller.ts";
import { registerPrintedForms } from "../../../../src/validation/register.ts";
import { randomState, uniform } from "../../../fixtures/models/random-model.ts";
import { randomRobot } from "../../../fixtures/models/random-robot.ts";

registerPrintedForms();

const TURNS = ["rx", "ry", "rz"] as const;
const WAYS = ["x", "y", "z"] as const;

interface TaskDescription {
  readonly frame: string;
  readonly parts?: readonly PosePart[];
  readonly priority?: number;
  readonly relativeTo?: string;
  readonly kp?: number;
  readonly kd?: number;
}

/** Torques of a law at a state, one for each hinge speed of the robot, in the order of its speeds. */
function torquesOf(controller: Controller, model: Model, q: Float64Array, u: Float64Array): Float64Array {
  const s = { model, t: 0, q, u, z: new Float64Array(0), frames: new Float64Array(0) };
  const command = new Float64Array(controller.commands.length);
  controller.update(s, controller.start(model, s), command);
  return command;
}

/** Accelerations of the whole model under hinge torques, by the formulation. */
function accelerations(
  model: Model,
  q: Float64Array,
  u: Float64Array,
  speeds: readonly number[],
  torques: ArrayLike<number>,
): Float64Array {
  const tau = new Float64Array(model.nu);
  for (const [i, s] of speeds.entries()) tau[s] = torques[i]!;
  const udot = new Float64Array(model.nu);
  articulated.derive(model, { target: "interpret" }).accelerations(q, u, tau, new Float64Array(0), udot);
  return udot;
}

const stackOf = (model: Model, base: string, tasks: readonly TaskDescription[]) => {
  const all = tasks.map((t) => ({
    ...{
      relativeTo: undefined,
      parts: [...TURNS, ...WAYS],
      priority: 1,
      kp: 0,
      kd: 0,
      moves: [],
      repeat: 1,
      meet: undefined,
      meetAt: [0, 0, 0] as const,
    },
    ...t,
  }));
  return taskStack(
    model,
    readTasks(all, () => undefined),
    { base, outputs: ["Hstar", "Cstar"] },
  );
};

const row = (A: Float64Array, n: number, i: number, x: ArrayLike<number>): number => {
  let sum = 0;
  for (let j = 0; j < n; j++) sum += A[i * n + j]! * x[j]!;
  return sum;
};

/** Hinges of a robot, by name, in the order of their speeds. */
const hingesOf = (model: Model, base: string): string[] => {
  const { carries } = robotOf(model, base);
  return model.bodies.filter((b) => carries[b.index] && b.name !== base && b.hinge.nu > 0).map((b) => b.hinge.name);
};

describe.each(Array.from({ length: 100 }, (_, seed) => ({ seed, ...randomRobot(seed, 5 + (seed % 9)) })))(
  "robot $seed",
  (robot) => {
    const { model, base, frames, seed } = robot;
    const { speeds, names } = robotOf(model, base);
    const n = speeds.length;
    const next = uniform(seed ^ 0xca57);
    const weights = names.map(() => Math.exp(4 * next() - 2));
    const tasks: TaskDescription[] = [
      { frame: base, parts: TURNS, kp: 1, kd: 1 },
      ...(n >= 8 ? [{ frame: frames[1]!, parts: [...WAYS].slice(0, 1 + (seed % 3)), kd: 2 }] : []),
    ];
    const { q, u } = randomState(model, seed);
    const common = { base, motors: "m", hinges: hingesOf(model, base), tasks, singular: 1e-9 };
    const stack = stackOf(model, base, tasks);
    stack.evaluate(0, q, u, stack.startPoses(q));
    const { Hstar, Cstar } = stack.values;
    const H = Hstar.slice();
    const C = Cstar.slice();
    const { J, m } = stack;
    const rhs = stack.referenceAcceleration.map((v, i) => v - stack.bias[i]!);
    const phiddOf = (tau: ArrayLike<number>): Float64Array => {
      const lu = denseLU(n);
      lu.factor(H);
      const x = C.map((c, i) => tau[i]! - c);
      lu.solve(x);
      return x;
    };
    const cost = (tau: ArrayLike<number>): number => weights.reduce((sum, w, i) => sum + (tau[i]! / w) ** 2, 0);

    test("the optimum does the tasks, satisfies the KKT conditions, and no feasible perturbation is cheaper", () => {
      const tau = torquesOf(leastTorque.create("law", { ...common, weights }, model), model, q, u);
      // x = τ / w: least |x|² with A x = b, A = J H⁻¹ W, b = rhs + J H⁻¹ C.
      const lu = denseLU(n);
      lu.factor(H);
      const A = Array.from({ length: m }, (_, i) => {
        const r = J.slice(i * n, (i + 1) * n);
        lu.solve(r); // H is symmetric
        return r.map((v, j) => v * weights[j]!);
      });
      const b = A.map((r, i) => rhs[i]! + r.reduce((sum, v, j) => sum + (v / weights[j]!) * C[j]!, 0));
      const size = n + m;
      const K = new Float64Array(size * size);
      const right = new Float64Array(size);
      for (let j = 0; j < n; j++) K[j * size + j] = 1;
      for (const [i, r] of A.entries()) {
        const length = Math.hypot(...r);
        right[n + i] = b[i]! / length;
        for (const [j, v] of r.entries()) K[(n + i) * size + j] = K[j * size + n + i] = v / length;
      }
      const kkt = denseLU(size);
      kkt.factor(K);
      kkt.solve(right);
      const scale = Math.max(...right.slice(0, n).map(Math.abs));
      for (let j = 0; j < n; j++) expect(Math.abs(tau[j]! / weights[j]! - right[j]!)).toBeLessThan(1e-10 * scale);

      // Feasible perturbations: changes of accelerations projected onto the null space of the rows.
      const gram = denseLU(m);
      gram.factor(
        Float64Array.from({ length: m * m }, (_, k) => row(J, n, Math.floor(k / m), J.slice((k % m) * n, (k % m) * n + n))),
      );
      for (let k = 0; k < 10; k++) {
        const d = Float64Array.from({ length: n }, () => next() - 0.5);
        const y = Float64Array.from({ length: m }, (_, i) => row(J, n, i, d));
        gram.solve(y);
        for (let j = 0; j < n; j++) for (let i = 0; i < m; i++) d[j]! -= J[i * n + j]! * y[i]!;
        for (const step of [-1, -0.01, 0.01, 1]) {
          const other = tau.map((t, i) => t + step * row(H, n, i, d));
          expect(cost(other)).toBeGreaterThanOrEqual(cost(tau) * (1 - 1e-12));
        }
      }

      const udot = accelerations(model, q, u, speeds, tau);
      const phidd = speeds.map((s) => udot[s]!);
      const reach = Math.max(1, ...rhs.map(Math.abs), ...phidd.map(Math.abs));
      for (let i = 0; i < m; i++) expect(Math.abs(row(J, n, i, phidd) - rhs[i]!)).toBeLessThan(1e-8 * reach);
    });

    if (seed % 4 > 0) return;

    test("the printed form, truncated at its rank, gives the same", () => {
      const tau = torquesOf(leastTorque.create("law", { ...common, weights }, model), model, q, u);
      const literal = torquesOf(leastTorque.create("law", { ...common, weights, method: "literal" }, model), model, q, u);
      const scale = Math.max(...tau.map(Math.abs));
      for (let j = 0; j < n; j++) expect(Math.abs(literal[j]! - tau[j]!)).toBeLessThan(1e-7 * scale);
    });

    test("resolved acceleration is the shortest vector: it has no component in the null space", () => {
      const phidd = phiddOf(torquesOf(resolvedAcceleration.create("law", common, model), model, q, u));
      // φ̈ = Jᵀ y
      const gram = denseLU(m);
      gram.factor(
        Float64Array.from({ length: m * m }, (_, k) => row(J, n, Math.floor(k / m), J.slice((k % m) * n, (k % m) * n + n))),
      );
      const y = rhs.slice();
      gram.solve(y);
      const scale = Math.max(...phidd.map(Math.abs));
      for (let j = 0; j < n; j++) {
        let expected = 0;
        for (let i = 0; i < m; i++) expected += J[i * n + j]! * y[i]!;
        expect(Math.abs(phidd[j]! - expected)).toBeLessThan(1e-8 * scale);
      }
    });
  },
);

const bare = parseModel(
  readFileSync(new URL("../../../../scenarios/multi-arm-bare/model.yaml", import.meta.url), "utf8"),
  "bare",
);
const robot = parseModel(
  readFileSync(new URL("../../../../scenarios/multi-arm-stabilized/model.yaml", import.meta.url), "utf8"),
  "robot",
);
const WHEELS = ["wheel-roll", "wheel-pitch", "wheel-yaw"];
const posture = (model: Model, angles: Readonly<Record<string, number>>): Float64Array => {
  const q = homeOf(model);
  const { q: names } = coordinateNames(model);
  for (const [name, degrees] of Object.entries(angles)) q[names.indexOf(name)] = (degrees * Math.PI) / 180;
  return q;
};
const START = { "shoulder-yaw": 45, "shoulder-pitch": 105, elbow: -135 };

describe("the robot with two arms", () => {
  const q = posture(robot, START);
  const u = randomState(robot, 2).u.map((v) => 0.1 * v);
  const hinges = hingesOf(robot, "base");
  const tasks = [
    { frame: "hand", kp: 1, kd: 2 },
    { frame: "base", parts: TURNS, kp: 1, kd: 2 },
  ];
  const { speeds, names } = robotOf(robot);
  const stack = stackOf(robot, "base", tasks);
  stack.evaluate(0, q, u, stack.startPoses(q));
  const residual = (torques: ArrayLike<number>, on: readonly number[] = speeds): number => {
    const udot = accelerations(robot, q, u, on, torques);
    const phidd = speeds.map((i) => udot[i]!);
    return Math.max(...stack.referenceAcceleration.map((v, i) => Math.abs(row(stack.J, stack.n, i, phidd) + stack.bias[i]! - v)));
  };

  it("does its tasks with momentum", () => {
    expect(residual(torquesOf(leastTorque.create("law", { motors: "m", hinges, tasks }, robot), robot, q, u))).toBeLessThan(
      1e-10,
    );
  });

  it("does not accelerate held hinges", () => {
    const tau = torquesOf(leastTorque.create("law", { motors: "m", hinges, tasks, held: WHEELS }, robot), robot, q, u);
    expect(residual(tau)).toBeLessThan(1e-10);
    const udot = accelerations(robot, q, u, speeds, tau);
    for (const [i, name] of names.entries()) if (WHEELS.includes(name)) expect(udot[speeds[i]!]).toBeCloseTo(0, 10);
  });

  it("handles hinges without motors", () => {
    const driven = hinges.filter((h) => h !== "wheel-pitch");
    const tau = torquesOf(leastTorque.create("law", { motors: "m", hinges: driven, tasks }, robot), robot, q, u);
    const on = driven.map((h) => speeds[names.indexOf(h)]!);
    expect(residual(tau, on)).toBeLessThan(1e-9);
  });

  it("is damped toward wheels at rest without disturbing the tasks", () => {
    const law = (damping: number) => leastTorque.create("law", { motors: "m", hinges, tasks, damping, still: WHEELS }, robot);
    const [free, damped] = [0, 0.5].map((k) => torquesOf(law(k), robot, q, u)) as [Float64Array, Float64Array];
    expect(residual(damped)).toBeLessThan(1e-10);
    const [a, b] = [free, damped].map((tau) => accelerations(robot, q, u, speeds, tau)) as [Float64Array, Float64Array];
    for (const [i, name] of names.entries()) {
      const s = speeds[i]!;
      if (WHEELS.includes(name)) expect(b[s]! - a[s]!).toBeCloseTo(-0.5 * u[s]!, 10); // their target speed is zero
    }
  });

  it("is damped in the null space if hinges are held or have no motor", () => {
    const driven = hinges.filter((h) => h !== "wheel-pitch");
    const more = { damping: 0.5, still: ["wheel-roll", "wheel-yaw"], held: ["wheel-yaw"] };
    const tau = torquesOf(leastTorque.create("law", { motors: "m", hinges: driven, tasks, ...more }, robot), robot, q, u);
    const on = driven.map((h) => speeds[names.indexOf(h)]!);
    expect(residual(tau, on)).toBeLessThan(1e-9);
    expect(accelerations(robot, q, u, on, tau)[speeds[names.indexOf("wheel-yaw")]!]).toBeCloseTo(0, 9);
  });

  it("does tasks of lower priority as far as the freedom allows", () => {
    const third = { frame: "stabilizer-disc", parts: ["y", "z"] as const, priority: 2, kd: 1 };
    const room = torquesOf(leastTorque.create("law", { motors: "m", hinges, tasks: [third, ...tasks] }, robot), robot, q, u);
    expect(residual(room)).toBeLessThan(1e-10);
    const both = stackOf(robot, "base", [...tasks, third]);
    both.evaluate(0, q, u, both.startPoses(q));
    const udot = accelerations(robot, q, u, speeds, room);
    const phidd = speeds.map((i) => udot[i]!);
    for (let i = 9; i < 11; i++)
      expect(row(both.J, both.n, i, phidd) + both.bias[i]!).toBeCloseTo(both.referenceAcceleration[i]!, 9);
    const many = [third, { ...third, frame: "elbow", parts: [...TURNS, ...WAYS], priority: 3 }, ...tasks];
    const crowded = torquesOf(leastTorque.create("law", { motors: "m", hinges, tasks: many }, robot), robot, q, u);
    expect(residual(crowded)).toBeLessThan(1e-9);
  });
});

describe("resolved rate", () => {
  it("drives hinges to the speeds that the tasks demand, also with momentum", () => {
    const q = posture(robot, START);
    const u = randomState(robot, 2).u.map((v) => 0.1 * v);
    const tasks = [{ frame: "hand" }, { frame: "base", parts: TURNS }];
    const law = resolvedRate.create("law", { motors: "m", hinges: hingesOf(robot, "base"), tasks, gain: 3, rate: 10 }, robot);
    const s = {
      model: robot,
      t: 0,
      q: posture(robot, { ...START, elbow: -130 }),
      u,
      z: new Float64Array(0),
      frames: new Float64Array(0),
    };
    const memory = law.start(robot, { ...s, q });
    const command = new Float64Array(law.commands.length);
    law.update(s, memory, command);
    const { speeds } = robotOf(robot);
    const udot = accelerations(robot, s.q, u, speeds, command);
    const stack = stackOf(robot, "base", tasks);
    const start = stack.startPoses(q);
    stack.evaluate(0, s.q, u, start);
    const wanted = speeds.map((i) => u[i]! + udot[i]! / 10);
    for (let i = 0; i < stack.m; i++)
      expect(row(stack.J, stack.n, i, wanted) + stack.drift[i]!).toBeCloseTo(3 * stack.poseError[i]!, 9);
    expect(Math.hypot(...stack.poseError)).toBeGreaterThan(0.1);
  });

  it("refuses gains of tasks", () => {
    const tasks = [{ frame: "hand", kp: 1 }];
    expect(() => resolvedRate.create("law", { motors: "m", hinges: hingesOf(robot, "base"), tasks }, robot)).toThrow(
      /tasks\[0\]\.kp/,
    );
  });
});

describe("measures of a posture", () => {
  const tasks = [{ frame: "hand" }, { frame: "base", parts: TURNS }];
  const measure = manipulabilityOf(bare, stackOf(bare, "base", tasks));
  it("singular values decrease in proportion to the angle from a stretched arm", () => {
    const smallest = (elbow: number): number =>
      measure(posture(bare, { ...START, "shoulder-pitch": 60, elbow })).singular.at(-1)!;
    expect(smallest(-135)).toBeGreaterThan(0.2);
    expect(smallest(-1) / smallest(-0.1)).toBeCloseTo(10, 1);
    expect(smallest(0)).toBeLessThan(1e-12);
    const { singular, manipulability } = measure(posture(bare, START));
    expect(singular).toHaveLength(9);
    expect(manipulability).toBeCloseTo(
      singular.reduce((p, s) => p * s),
      14,
    );
  });

  it("do not depend on the units of masses and lengths", () => {
    const described = describeModel(bare);
    const scaled = createModel({
      ...described,
      bodies: (described.bodies as readonly BodyDescription[]).map((b) => ({
        ...b,
        mass: 7 * b.mass,
        inertia: (b.inertia as readonly number[]).map((v) => 7 * v),
      })),
    });
    const other = manipulabilityOf(scaled, stackOf(scaled, "base", tasks));
    const [a, b] = [measure(posture(bare, START)).singular, other(posture(scaled, START)).singular];
    for (let i = 0; i < 9; i++) expect(b[i]).toBeCloseTo(a[i]!, 10);
  });

  it.each(Array.from({ length: 20 }, (_, seed) => seed))(
    "motion in the reaction null space leaves the base of robot %i alone",
    (seed) => {
      const { model, base } = randomRobot(seed, 4 + (seed % 8));
      const { q } = randomState(model, seed);
      const basis = reactionNullSpaceOf(model, base)(q);
      const { speeds } = robotOf(model, base);
      expect(basis).toHaveLength(speeds.length - 3);
      const stack = stackOf(model, base, [{ frame: base, parts: TURNS }]);
      stack.evaluate(0, q, new Float64Array(model.nu), stack.startPoses(q));
      for (const [k, direction] of basis.entries()) {
        for (let i = 0; i < 3; i++) expect(Math.abs(row(stack.J, stack.n, i, direction))).toBeLessThan(1e-12);
        for (const [l, other] of basis.entries())
          expect(direction.reduce((sum, v, j) => sum + v * other[j]!, 0)).toBeCloseTo(k === l ? 1 : 0, 12);
      }
    },
  );
});

describe("near a dynamic singularity", () => {
  const tasks = [{ frame: "hand" }, { frame: "base", parts: TURNS }];
  const law = resolvedAcceleration.create("arms", { motors: "m", hinges: hingesOf(bare, "base"), tasks }, bare);
  const at = (elbow: number): Float64Array =>
    torquesOf(law, bare, posture(bare, { ...START, "shoulder-pitch": 60, elbow }), new Float64Array(bare.nu));

  it("stops and names the singular value, the task and the hinges", () => {
    expect(() => at(-0.2)).toThrow(SingularError);
    expect(() => at(-0.2)).toThrow(
      /^arms: at t = 0 s the smallest singular value .* is 1\.\d+e-3, below 0\.05: .*elbow.* can hardly move hand\.[xyz]/,
    );
    expect(at(-20).every(Number.isFinite)).toBe(true);
  });

  it("continues closer to the singularity with a smaller limit", () => {
    const brave = resolvedAcceleration.create(
      "arms",
      { motors: "m", hinges: hingesOf(bare, "base"), tasks, singular: 1e-4 },
      bare,
    );
    const q = posture(bare, { ...START, "shoulder-pitch": 60, elbow: -0.2 });
    expect(torquesOf(brave, bare, q, new Float64Array(bare.nu)).every(Number.isFinite)).toBe(true);
  });
});

describe("what cannot be coordinated", () => {
  const hinges = hingesOf(robot, "base");
  const pathsOf = (parameters: object): string[] => {
    try {
      leastTorque.create("law", { motors: "m", hinges, tasks: [{ frame: "hand" }], ...parameters }, robot);
    } catch (error) {
      if (error instanceof ModelError) return error.problems.map((p) => p.path);
      throw error;
    }
    return [];
  };
  it("is refused with its path", () => {
    expect(pathsOf({})).toEqual([]);
    expect(pathsOf({ tasks: [] })).toEqual(["law.tasks"]);
    expect(pathsOf({ tasks: [{ frame: "hand" }, { frame: "base" }, { frame: "elbow" }] })).toEqual(["law.tasks"]);
    expect(pathsOf({ tasks: [{ frame: "hand", parts: ["x", "x"] }] })).toEqual(["law.tasks[0].parts"]);
    expect(pathsOf({ tasks: [{ frame: "hand", moves: [{ duration: 4, rise: 3 }] }] })).toEqual(["law.tasks[0].moves[0].rise"]);
    expect(pathsOf({ hinges: ["base.wx", ...hinges] })).toEqual(["law.hinges"]);
    expect(pathsOf({ held: ["elbow"], hinges: hinges.filter((h) => h !== "elbow") })).toEqual(["law.held"]);
    expect(pathsOf({ damping: 1, still: hinges.slice(0, 8) })).toEqual(["law.still"]);
    expect(pathsOf({ method: "literal", held: WHEELS })).toEqual(["law.method"]);
    expect(pathsOf({ weights: [1, 2] })).toEqual(["law.weights"]);
  });

  it("a robot with a closed loop, and pose parts that no hinge moves", () => {
    const { bodies, ...rest } = describeModel(robot);
    const loops = [{ name: "clasp", kind: "spherical", from: { frame: "hand" }, to: { body: "stabilizer-disc" } }] as const;
    const clasped = createModel({ ...rest, bodies, loops });
    expect(() => limitedTasks.create("law", { motors: "m", hinges, tasks: [{ frame: "hand" }] }, clasped)).toThrow(
      /has the closed loop "clasp", which this law cannot handle/,
    );
    const planar = createModel({
      name: "planar",
      bodies: [
        { name: "hull", mass: 10, inertia: [1, 1, 1], hinge: { kind: "free" } },
        {
          name: "arm",
          parent: "hull",
          mass: 1,
          com: [0.5, 0, 0],
          inertia: [0.1, 0.1, 0.1],
          hinge: { kind: "revolute", axis: "z" },
        },
      ],
    });
    const law = leastTorque.create("law", { motors: "m", hinges: "arm", tasks: [{ frame: "arm", parts: ["z"] }] }, planar);
    expect(() => torquesOf(law, planar, homeOf(planar), new Float64Array(7))).toThrow(/no hinge moves arm\.z/);
  });
});
