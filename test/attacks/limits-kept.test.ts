/**
 * Limits are kept whatever the tasks demand, at every integration step within a period: random robots, paths far out of reach, limits
 * so narrow that they conflict, or so wide that arms could become faster than torques can hold.
 */
import { describe, expect, it } from "vitest";
import { freedomsOf } from "../../src/model/freedoms.ts";
import { homeOf } from "../../src/model/model.ts";
import { randomState, uniform } from "../fixtures/models/random-model.ts";
import { randomRobot } from "../fixtures/models/random-robot.ts";
import { run } from "../fixtures/models/two-arm-robot.ts";

/** Tolerance of limits. */
const LIMIT = 1e-8;
/** Reserve of the guard below which limits are not guaranteed. */
const RESERVE = 0.03;
/** A start from which the robot cannot brake: holding a hinge against the angular momentum takes more than its torque. */
const NOT_VIABLE = [13];

const draw = (seed: number) => {
  const { model, frames } = randomRobot(seed, 4 + (seed % 5));
  const next = uniform(seed ^ 0x77);
  const freedoms = freedomsOf(model).filter((f) => f.hinge !== "base" && f.hinge !== "target");
  const hinges = freedoms.map((f) => (f.coordinateInHinge === undefined ? f.speedName : f.name));
  const q = homeOf(model);
  q.set(randomState(model, seed).q.subarray(7), 7);
  const isWide = seed % 2 === 0;
  const torque = hinges.map(() => (isWide ? 3 : 1) * (0.5 + 2 * next()) * (next() < 0.2 ? 0.2 : 1));
  const drawn = hinges.map(() => 0.05 + 0.2 * next());
  const only = Math.floor(next() * hinges.length); // wide: the speed of one hinge is limited, all others may run away
  const speed = drawn.map((v, i) => (!isWide || i === only ? v : Number.POSITIVE_INFINITY));
  const ranges = freedoms.map((f) =>
    f.q !== undefined && next() < 0.4 ? ([q[f.q]! - 0.02 - 0.1 * next(), q[f.q]! + 0.02 + 0.1 * next()] as const) : undefined,
  );
  const limits = [
    { hinge: hinges, torque },
    ...hinges.flatMap((hinge, i) => (Number.isFinite(speed[i]) ? [{ hinge, speed: speed[i] }] : [])),
    ...hinges.flatMap((hinge, i) =>
      ranges[i] ? [{ hinge, lower: ranges[i][0], upper: ranges[i][1], braking: 0.05 + 0.5 * next() }] : [],
    ),
  ];
  const u = new Float64Array(model.nu);
  if (seed % 3 === 1) {
    const base = model.bodies.find((b) => b.name === "base")!.hinge.u;
    for (let i = 0; i < 6; i++) u[base + i] = 0.3 * (next() - 0.5); // angular momentum that stays
    for (const f of freedoms) u[f.u] = 0.03 * (next() - 0.5);
  }
  const far = 0.5 + 3 * next();
  const tasks = [
    {
      ...{ frame: frames[1]!, kp: 4, kd: 4 },
      moves: [{ by: [far, -0.6 * far, 0.4 * far], turn: [0.2, 0.3, 0], duration: 1, rise: 0.3 }],
    },
    { frame: "base", parts: ["rx", "ry", "rz"], priority: 2, kp: 4, kd: 4 },
  ];
  const period = seed % 3 === 0 ? 0.02 : seed % 2 === 1 ? 0.005 : 0.004;
  const log = run(
    "limited-tasks",
    { base: "base", period, tasks, limits },
    { model, hinges, q, u, duration: 1.2, step: period / 5 },
  );
  return { log, freedoms, torque, speed, ranges };
};

describe("random robots", () => {
  it.each(Array.from({ length: 24 }, (_, i) => i + 1))("robot %i", (seed) => {
    const { log, freedoms, torque, speed, ranges } = draw(seed);
    for (const [i, f] of freedoms.entries())
      expect(log.largest(`tau.${f.speedName}`) - torque[i]!, `torque of ${f.name}`).toBeLessThan(LIMIT);
    expect(log.largest("c.at-limits")).toBeGreaterThan(0);
    if (NOT_VIABLE.includes(seed)) {
      expect(log.column("c.reserve")[0]).toBeLessThan(0);
      expect(log.column("c.weakest")[0]).toBeGreaterThan(0);
      return;
    }
    expect(Math.min(...log.column("c.reserve"))).toBeGreaterThanOrEqual(RESERVE);
    for (const [i, f] of freedoms.entries()) {
      expect(log.largest(`u.${f.speedName}`) - speed[i]!, `speed of ${f.name}`).toBeLessThan(LIMIT);
      if (!ranges[i]) continue;
      const at = log.column(`q.${f.name}`);
      expect(Math.max(...at) - ranges[i][1], `upper end of ${f.name}`).toBeLessThan(LIMIT);
      expect(ranges[i][0] - Math.min(...at), `lower end of ${f.name}`).toBeLessThan(LIMIT);
    }
    expect(log.largest("c.beyond")).toBe(0);
  });
});
