/** Robots that hold on to something: optima against a dense system, the open robot as a special case, loops that change, what is refused. */
import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { evaluate } from "../../../../src/analysis/evaluate.ts";
import { articulated } from "../../../../src/dynamics/articulated.ts";
import { robotOf } from "../../../../src/dynamics/free-flying/robot.ts";
import { freeFlying } from "../../../../src/dynamics/programs.ts";
import { EngagementError, SingularError, UnreachableError } from "../../../../src/errors.ts";
import { parseModel } from "../../../../src/formats/model-file.ts";
import { compile } from "../../../../src/kernel/run/kernel.ts";
import { createModel } from "../../../../src/model/build/create-model.ts";
import { describeModel } from "../../../../src/model/build/describe-model.ts";
import { coordinateNames, homeOf, type Model } from "../../../../src/model/model.ts";
import { reactionNullSpace } from "../../../../src/parts/control/attitude/reaction-null-space.ts";
import { reorientByArms } from "../../../../src/parts/control/attitude/reorient-by-arms.ts";
import { readController } from "../../../../src/parts/control/controllers.ts";
import { ClosedTasks } from "../../../../src/parts/control/foothold/closed-tasks.ts";
import { modelWithLoops } from "../../../../src/parts/control/foothold/engaged-loops.ts";
import { limitedTasks } from "../../../../src/parts/control/limits/limited-tasks.ts";
import { leastPower } from "../../../../src/parts/control/power/least-power.ts";
import { leastTorque } from "../../../../src/parts/control/tasks/least-torque.ts";
import { POSE_PARTS, readTasks } from "../../../../src/parts/control/tasks/read-tasks.ts";
import { resolvedAcceleration } from "../../../../src/parts/control/tasks/resolved-acceleration.ts";
import { singularityRobust } from "../../../../src/parts/control/tasks/singularity-robust.ts";
import { taskStack } from "../../../../src/parts/control/tasks/task-stack.ts";
import type { Controller } from "../../../../src/sim/run/controller.ts";
import type { HeldLoops } from "../../../../src/sim/state.ts";
import { thrustErrors } from "../../../../src/validation/multi-arm/base-translation.ts";
import { differenceFromOptimum } from "../../../../src/validation/multi-arm/foothold.ts";
import { gripRows, randomClosedRobot } from "../../../../src/validation/multi-arm/random-closed-robots.ts";
import { randomState } from "../../../fixtures/models/random-model.ts";
import { randomRobot } from "../../../fixtures/models/random-robot.ts";

const snapshotOf = (model: Model, q: Float64Array, u: Float64Array, loops?: HeldLoops) => ({
  ...{ model, t: 0, q, u, z: new Float64Array(0), frames: new Float64Array(0) },
  ...(loops && { loops }),
});

function commandsOf(law: Controller, model: Model, q: Float64Array, u: Float64Array, loops?: HeldLoops): Float64Array {
  const s = snapshotOf(model, q, u, loops);
  const command = new Float64Array(law.commands.length);
  law.update(s, law.start(model, s), command);
  return command;
}

const product = (row: ArrayLike<number>, x: ArrayLike<number>): number => {
  let sum = 0;
  for (let j = 0; j < x.length; j++) sum += row[j]! * x[j]!;
  return sum;
};

/** Accelerations of a closed model under torques of hinges, by the formulation that simulates it. */
function accelerations(
  model: Model,
  q: Float64Array,
  u: Float64Array,
  hinges: readonly string[],
  torques: Float64Array,
): Float64Array {
  const tau = new Float64Array(model.nu);
  const names = coordinateNames(model).u;
  for (const [i, hinge] of hinges.entries()) tau[names.indexOf(hinge)] = torques[i]!;
  const udot = new Float64Array(model.nu);
  articulated.derive(model, { target: "interpret" }).accelerations(q, u, tau, new Float64Array(0), udot);
  return udot;
}

describe.each(Array.from({ length: 7 }, (_, seed) => ({ seed, robot: randomClosedRobot(seed, seed % 2 === 1) })))(
  "$robot.title",
  ({ seed, robot }) => {
    const { model, q, u, hinges, weights, rows } = robot;
    const parts = POSE_PARTS.slice(0, rows);
    const common = { base: "base", motors: "m", hinges, singular: 1e-6, tasks: [{ frame: "base", parts, kd: 2 }] };
    const laws = {
      "least-torque": leastTorque.create("law", { ...common, weights }, model),
      "least-power": leastPower.create("law", { ...common, weights, regeneration: seed % 2 === 0 }, model),
      "resolved-acceleration": resolvedAcceleration.create("law", common, model),
    };
    const first = model.bodies[0]!.hinge.u;

    it("has the torque optimum of the dense system", () => {
      expect(differenceFromOptimum(robot)).toBeLessThan(1e-10);
    });

    it.each(Object.entries(laws))("%s does the tasks in the simulated machine, whose loops stay closed", (_, law) => {
      const udot = accelerations(model, q, u, hinges, commandsOf(law, model, q, u));
      const size = Math.max(1, ...udot.map(Math.abs));
      for (let i = 0; i < rows; i++) expect(Math.abs(udot[first + i]! + 2 * u[first + i]!)).toBeLessThan(1e-9 * size);
      const { J, bias } = gripRows(robot);
      for (const [i, b] of bias.entries())
        expect(Math.abs(product(J.subarray(i * model.nu, (i + 1) * model.nu), udot) + b)).toBeLessThan(1e-9 * size);
    });

    it("no law is cheaper in its own criterion than the one that minimises it", () => {
      const commands = Object.values(laws).map((law) => commandsOf(law, model, q, u));
      const torque = (tau: Float64Array): number => tau.reduce((sum, v, i) => sum + (v / weights[i]!) ** 2, 0);
      for (const other of commands.slice(1)) expect(torque(other)).toBeGreaterThanOrEqual(torque(commands[0]!) * (1 - 1e-12));
      const speeds = robotOf(model, "base").speeds;
      const squares = commands.map((tau) => {
        const udot = accelerations(model, q, u, hinges, tau);
        return speeds.reduce((sum, s) => sum + udot[s]! ** 2, 0);
      });
      for (const other of squares) expect(other).toBeGreaterThanOrEqual(squares[2]! * (1 - 1e-9));
    });

    it("evaluate gives J*: the velocity of the base for independent hinge speeds", () => {
      const { freeFlying: robotAtQ } = evaluate(model, { q, u }, { frames: ["base"] });
      const { speeds, loops, generalisedJacobians } = robotAtQ!;
      const names = coordinateNames(model).u;
      // Accelerations that motors can cause from rest follow from those of the hinges by J*.
      const rest = new Float64Array(model.nu);
      const udot = accelerations(
        model,
        q,
        rest,
        hinges,
        Float64Array.from(hinges, (_, i) => 3 + i),
      );
      const phidd = speeds.map((name) => udot[names.indexOf(name)]!);
      const scale = Math.max(...udot.map(Math.abs));
      for (const [i, row] of generalisedJacobians.base!.entries())
        expect(Math.abs(product(row, phidd) - udot[first + i]!)).toBeLessThan(1e-10 * scale);
      const free = loops!.independent.map((name) => udot[names.indexOf(name)]!);
      for (const [i, row] of loops!.generalisedJacobians.base!.entries())
        expect(Math.abs(product(row, free) - udot[first + i]!)).toBeLessThan(1e-8 * scale);
      for (const row of loops!.binding) expect(Math.abs(product(row, phidd))).toBeLessThan(1e-9 * scale);
      expect(loops!.independent.length).toBe(speeds.length - loops!.binding.length);
    });
  },
);

describe("without engaged loops", () => {
  it.each([0, 1, 2, 3, 4, 5, 6, 7])("the closed form of robot %i equals the open one", (seed) => {
    const { model, base, frames } = randomRobot(seed, 8 + (seed % 5));
    const { q, u } = randomState(model, seed);
    const parts = ["rx", "ry", "rz"] as const;
    const task = {
      relativeTo: undefined,
      parts,
      priority: 1,
      kp: 1,
      kd: 2,
      moves: [],
      repeat: 1,
      meet: undefined,
      meetAt: [0, 0, 0] as const,
    };
    const tasks = readTasks(
      [
        { ...task, frame: base },
        { ...task, frame: frames[1]!, parts: ["x"] },
      ],
      () => undefined,
    );
    const open = taskStack(model, tasks, { base, outputs: ["Hstar", "Cstar"] });
    const stack = taskStack(model, tasks, { base, columns: "speeds" });
    const facts = { name: "law", stack, pushes: [], thrusters: [], passive: [], held: [], singular: 1e-9 };
    const closed = new ClosedTasks(model, modelWithLoops(model, new Map()), facts);
    open.evaluate(0, q, u, open.startPoses(q));
    stack.evaluate(0, q, u, stack.startPoses(q));
    closed.evaluate(0, q, u);
    const compare = (ours: Float64Array, expected: Float64Array): void => {
      const scale = Math.max(1e-3, ...expected.map(Math.abs));
      for (let i = 0; i < expected.length; i++) expect(Math.abs(ours[i]! - expected[i]!)).toBeLessThan(1e-11 * scale);
    };
    compare(closed.robot.Hstar, open.values.Hstar);
    compare(closed.robot.Cstar, open.values.Cstar);
    compare(closed.J, open.J);
    compare(
      closed.right,
      open.referenceAcceleration.map((v, i) => v - open.bias[i]!),
    );
    const robot = robotOf(model, base);
    const weights = robot.names.map((_, i) => 1 + (i % 4));
    const law = leastTorque.create(
      "law",
      {
        ...{ base, motors: "m", weights, singular: 1e-9 },
        hinges: model.bodies
          .filter((b) => b.index !== robot.base.index && robot.carries[b.index] && b.hinge.nu > 0)
          .map((b) => b.hinge.name),
        tasks: [
          { frame: base, parts, kp: 1, kd: 2 },
          { frame: frames[1]!, parts: ["x"], kp: 1, kd: 2 },
        ],
      },
      model,
    );
    closed.solve(0);
    closed.solver.minimise(
      closed.output,
      closed.outputAtZero,
      closed.movers,
      Float64Array.from(weights, (w) => 1 / w),
    );
    const expected = commandsOf(law, model, q, u);
    const scale = Math.max(...expected.map(Math.abs));
    const ours = closed.outputsAt(closed.solver.x);
    for (const [i, tau] of expected.entries()) expect(Math.abs(ours[i]! - tau)).toBeLessThan(1e-10 * scale);
  });
});

describe("the robot with a foothold", () => {
  const model = parseModel(readFileSync("scenarios/multi-arm-foothold/model.yaml", "utf8"));
  const hinges = robotOf(model, "base").names;
  const q = homeOf(model);
  for (const [i, angle] of [45, 105, -135].entries()) q[7 + i] = (angle * Math.PI) / 180;
  const u = new Float64Array(model.nu);
  const hand = { frame: "hand", kp: 1, kd: 2, moves: [{ by: [-1.2, 0, 0], duration: 9, rise: 3 }] } as const;
  const base = { frame: "base", parts: ["rx", "ry", "rz"], kp: 1, kd: 2 } as const;
  const parameters = { motors: "m", hinges, tasks: [hand, base] };
  const none: HeldLoops = new Map();

  it("uses the loops that are engaged at each update", () => {
    const law = leastTorque.create("law", parameters, model);
    const s = snapshotOf(model, q, u);
    const memory = law.start(model, s);
    const [closed, open, again] = [0, 1, 2].map(() => new Float64Array(hinges.length));
    law.update(s, memory, closed!);
    law.update({ ...s, loops: none }, memory, open!);
    law.update(s, memory, again!);
    expect(again).toEqual(closed);
    expect(Math.max(...closed!.map((v, i) => Math.abs(v - open![i]!)))).toBeGreaterThan(1);
    const { loops: _, ...tree } = describeModel(model);
    const free = createModel(tree);
    expect(open).toEqual(commandsOf(leastTorque.create("law", parameters, free), free, q, u));
  });

  it("behind a link, uses the loops that were engaged when the telemetry was sent", () => {
    const foothold = model.loops[0]!.name;
    const plain = leastTorque.create("law", { ...parameters, period: 0.1 }, model);
    const linked = readController("least-torque", "law", { ...parameters, period: 0.1, link: { telemetryDelay: 0.1 } }, model);
    const pose = [1, 0, 0, 0, 1, 0, 0, 0, 1, 0.1, 0.2, 0.3];
    const sets: HeldLoops[] = [none, new Map([[foothold, "declared"]]), new Map([[foothold, pose]]), none];
    const memories = [plain, linked].map((law) => law.start(model, snapshotOf(model, q, u, sets[0])));
    const outputs = [plain, linked].map((law, i) =>
      sets.map((loops, k) => {
        const command = new Float64Array(hinges.length);
        memories[i] = law.update({ ...snapshotOf(model, q, u, loops), t: 0.1 * k }, memories[i], command);
        return command;
      }),
    );
    expect(outputs[1]!.slice(1)).toEqual(outputs[0]!.slice(0, 3));
    expect(outputs[0]![0]).not.toEqual(outputs[0]![1]);
  });

  it("damping leaves the tasks alone", () => {
    const moving = Float64Array.from(u);
    const names = coordinateNames(model).u;
    for (const wheel of ["wheel-roll", "wheel-pitch", "wheel-yaw"]) moving[names.indexOf(wheel)] = 5;
    const still = ["wheel-roll", "wheel-pitch", "wheel-yaw"];
    const damped = commandsOf(leastTorque.create("law", { ...parameters, damping: 0.5, still }, model), model, q, moving);
    const plain = commandsOf(leastTorque.create("law", parameters, model), model, q, moving);
    const [a, b] = [damped, plain].map((tau) => accelerations(model, q, moving, hinges, tau));
    const handRows = evaluate(model, { q }, { frames: ["hand", "base"] }).frames;
    for (const { jacobian } of handRows.slice(0, 1))
      for (const row of jacobian) expect(Math.abs(product(row, a!) - product(row, b!))).toBeLessThan(1e-9);
    const spin = names.indexOf("wheel-pitch");
    expect(a![spin]! - b![spin]!).toBeLessThan(-1);
  });

  it("the station moves against the robot: J* of the handle and of the base conserve momentum", () => {
    const { freeFlying: closed } = evaluate(model, { q }, { frames: ["hand", "handle"] });
    const names = coordinateNames(model).u;
    const speeds = new Float64Array(model.nu);
    const phidot = closed!.speeds.map((_, i) => Math.sin(i + 1));
    for (const [i, name] of closed!.speeds.entries()) speeds[names.indexOf(name)] = phidot[i]!;
    for (let i = 0; i < 6; i++) speeds[i] = product(closed!.baseJacobian[i]!, phidot);
    const station = evaluate(model, { q }, { frames: ["station"] }).freeFlying!.generalisedJacobians.station!;
    for (let i = 0; i < 6; i++) speeds[names.indexOf("station.wx") + i] = product(station[i]!, phidot);
    const { momentum } = evaluate(model, { q, u: speeds });
    for (const value of [...momentum.linear, ...momentum.angular]) expect(Math.abs(value)).toBeLessThan(1e-9);
    const open = compile(freeFlying(model, { frames: ["hand"], outputs: ["Jstar"] })).evaluateAt({ q, u });
    expect(Math.abs(open.Jstar[0]! - closed!.generalisedJacobians.hand![0]![0]!)).toBeGreaterThan(1e-3);
  });

  it("a task that a loop prevents is refused by name, and left out at a lower priority", () => {
    const foot = { frame: "foot", relativeTo: "handle", parts: ["x"] } as const;
    const law = leastTorque.create("law", { ...parameters, tasks: [hand, base, foot] }, model);
    expect(() => commandsOf(law, model, q, u)).toThrow(/neither a hinge nor a thruster moves foot\.x from handle/);
    const held = leastTorque.create("law", { ...parameters, tasks: [hand, base, { ...foot, priority: 2 }] }, model);
    const plain = leastTorque.create("law", parameters, model);
    const [a, b] = [held, plain].map((each) => commandsOf(each, model, q, u));
    for (const [i, tau] of b!.entries()) expect(a![i]).toBeCloseTo(tau, 9);
  });

  it("a singular posture is refused", () => {
    const stretched = q.slice();
    stretched[9] = 0;
    const law = leastTorque.create("law", { ...parameters, held: ["wheel-roll", "wheel-pitch", "wheel-yaw"] }, model);
    expect(commandsOf(law, model, q, u).every(Number.isFinite)).toBe(true);
    expect(() => commandsOf(law, model, stretched, u)).toThrow(SingularError);
  });

  describe.each([
    ["limited-tasks", () => [limitedTasks, { period: 0.01, tasks: [{ frame: "hand" }], limits: [] }]],
    ["reaction-null-space", () => [reactionNullSpace, { references: [] }]],
    ["reorient-by-arms", () => [reorientByArms, TURN]],
  ] as const)("the law %s", (_name, choose) => {
    const create = (of: Model): Controller => {
      const [kind, own] = choose();
      return (kind as typeof limitedTasks).create("law", { motors: "m", hinges, ...own } as never, of);
    };

    it("refuses engaged loops, at the start and in a run", () => {
      expect(() => create(model)).toThrow(/has the closed loop "foothold", which this law cannot handle/);
      const { loops, ...rest } = describeModel(model);
      const open = createModel({ ...rest, loops: loops!.map((loop) => ({ ...loop, engaged: false })) });
      const law = create(open);
      expect(commandsOf(law, open, q, u, none).length).toBe(hinges.length);
      expect(() => commandsOf(law, open, q, u, new Map([["foothold", "declared"]]))).toThrow(EngagementError);
    });
  });
});

describe("translation of the base", () => {
  const model = parseModel(readFileSync("scenarios/base-translation/model.yaml", "utf8"));
  const hinges = robotOf(model, "base").names;
  const q = homeOf(model);
  for (const [i, angle] of [45, 105, -135].entries()) q[7 + i] = (angle * Math.PI) / 180;
  const u = new Float64Array(model.nu);
  const move = (x: number) => ({ frame: "base", kp: 1, kd: 2, moves: [{ by: [x, 0, 0] as const, duration: 20 }] });
  const thrustersWith = (limit: number) =>
    (["plus", "minus"] as const).flatMap((sign) =>
      (["x", "y", "z"] as const).flatMap((axis, k) =>
        [1, 2].map((side) => ({
          thruster: `${sign}-${axis}-${side}`,
          frame: `jet-${sign}-${axis}-${side}`,
          direction: [0, 1, 2].map((i) => (i === k ? (sign === "plus" ? 1 : -1) : 0)) as unknown as readonly [
            number,
            number,
            number,
          ],
          limit,
        })),
      ),
    );
  const at = (law: Controller, t: number): { command: Float64Array; channels: Float64Array } => {
    const s = snapshotOf(model, q, u);
    const command = new Float64Array(law.commands.length);
    const memory = law.update({ ...s, t }, law.start(model, s), command);
    const channels = new Float64Array(law.channels?.length ?? 0);
    law.report?.(memory, channels);
    return { command, channels };
  };

  it.each([0, 1, 2])("torques and thrusts of random robot %i satisfy the optimality conditions", (seed) => {
    const { difference, slope, atLimits } = thrustErrors(seed);
    expect(difference).toBeLessThan(1e-10);
    expect(slope).toBeLessThan(1e-10);
    expect(atLimits).toBeGreaterThan(0);
  });

  it("is refused by name where momentum prevents it, before and during the motion", () => {
    const create = (x: number): Controller =>
      leastTorque.create("law", { motors: "m", hinges, tasks: [move(x), { frame: "hand" }] }, model);
    expect(() => at(create(2), 1)).toThrow(UnreachableError);
    expect(() => at(create(2), 1)).toThrow(/base\.x, base\.y, base\.z .*mass centre.*Add thrusters or a foothold/);
    expect(() => at(create(0.1), 1)).toThrow(/Momentum binds base\.[xyz] to the hinges.*Add thrusters or a foothold/);
    const wheels = ["wheel-roll", "wheel-pitch", "wheel-yaw"];
    const few = { motors: "m", hinges: wheels, tasks: [{ frame: "base", parts: ["rx", "ry", "rz", "x"] as const }] };
    expect(() => leastTorque.create("law", few, model)).toThrow(/4 rows .* more than the 3 hinges.*Add thrusters or a foothold/);
  });

  it.each([
    ["resolved-rate", (tasks: object) => readController("resolved-rate", "law", { motors: "m", hinges, tasks }, model)],
    [
      "resolved-acceleration",
      (tasks: object) => resolvedAcceleration.create("law", { motors: "m", hinges, tasks } as never, model),
    ],
    ["least-power", (tasks: object) => leastPower.create("law", { motors: "m", hinges, tasks } as never, model)],
    [
      "limited-tasks",
      (tasks: object) => limitedTasks.create("law", { motors: "m", hinges, tasks, period: 0.01 } as never, model),
    ],
    ["singularity-robust", (tasks: object) => singularityRobust.create("law", { motors: "m", hinges, tasks } as never, model)],
  ] as const)("is refused by %s at the start", (_, create) => {
    const start = (x: number): unknown => {
      const { kp: _kp, kd: _kd, ...task } = move(x);
      return create([task]).start(model, snapshotOf(model, q, u));
    };
    expect(() => start(2)).toThrow(UnreachableError);
    expect(() => start(2)).toThrow(/law: .*base\.x, base\.y, base\.z .*mass centre.*Momentum binds/);
    start(0.01);
  });

  it("a lower priority is done as far as momentum permits", () => {
    const tasks = [{ frame: "hand" }, { ...move(2), parts: ["x"] as const, priority: 2 }];
    expect(at(leastTorque.create("law", { motors: "m", hinges, tasks }, model), 1).command.every(Number.isFinite)).toBe(true);
  });

  it("thrusts stay within limits; too low ones are reported", () => {
    const law = (limit: number): Controller =>
      leastTorque.create(
        "law",
        { motors: "m", hinges, tasks: [move(0.9), { frame: "hand" }], thrusters: thrustersWith(limit) },
        model,
      );
    for (const [limit, short] of [
      [1000, 0], // the base lags behind its reference, which takes some hundred newtons
      [1, 1],
    ] as const) {
      const { command, channels } = at(law(limit), 4);
      const thrusts = command.subarray(hinges.length);
      expect(Math.min(...thrusts)).toBeGreaterThanOrEqual(0);
      expect(Math.max(...thrusts)).toBeLessThanOrEqual(limit);
      expect(Math.max(...thrusts)).toBeGreaterThan(0.5);
      expect(channels[2]).toBe(short);
    }
  });
});

const TURN = {
  moving: [
    { hinge: "stabilizer-yaw", reach: 0.5 },
    { hinge: "stabilizer-pitch", reach: 0.5 },
  ],
  rotation: [0, 0, 0.001],
  duration: 20,
};
