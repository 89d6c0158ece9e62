/** Least distances of the limited law: its braking paths, the distances along them, and what it says when it cannot keep them. */
import { describe, expect, it, test } from "vitest";
import { robotOf } from "../../../../src/dynamics/free-flying/robot.ts";
import { homeOf } from "../../../../src/model/model.ts";
import { readController } from "../../../../src/parts/control/controllers.ts";
import { BrakingPath } from "../../../../src/parts/control/limits/braking/braking-path.ts";
import { ClearanceKernel } from "../../../../src/parts/control/limits/clearance-kernel.ts";
import { CLEARANCE_LIMIT, readClearances } from "../../../../src/parts/control/limits/clearance-limits.ts";
import { ClearanceScan } from "../../../../src/parts/control/limits/clearance-scan.ts";
import { coordinateIntegrator } from "../../../../src/parts/control/limits/integrate-coordinates.ts";
import { motors } from "../../../../src/parts/force/drives/motors.ts";
import { createForce } from "../../../../src/parts/force/forces.ts";
import { createSystem } from "../../../../src/sim/create-system.ts";
import { INTEGRATORS } from "../../../../src/sim/integrators/index.ts";
import { simulate } from "../../../../src/sim/run/simulate.ts";
import { createChecked } from "../../../../src/sim/system/create-checked.ts";
import { uniform } from "../../../fixtures/models/random-model.ts";
import { armCapsule, BASE_BOX, TWO_HANDS, TWO_HANDS_HINGES } from "../../../fixtures/models/two-hands-robot.ts";

const T = 0.01;
const N = TWO_HANDS_HINGES.length;
const ROBOT = robotOf(TWO_HANDS);

describe("braking paths", () => {
  const path = new BrakingPath(2, T);

  it("brake in whole steps: the last one takes what is left", () => {
    path.set(Float64Array.of(1, -0.305), undefined, Float64Array.of(2, 1));
    expect(path.ends[0]).toBeCloseTo(0.5, 12);
    expect(path.displacement(0, 1)).toBeCloseTo(0.25, 12); // v² / 2a
    // 30 whole steps with a = 1, then 0.005 rad/s within a step.
    expect(path.ends[1]).toBeCloseTo(0.31, 12);
    expect(path.displacement(1, 1)).toBeCloseTo(-(0.305 * 0.3 - 0.045 + 0.5 * 0.005 * T), 12);
    expect(path.displacement(0, 0.1)).toBeCloseTo(0.1 - 0.01, 12);
    expect(path.largestSpeed(0, 0.1)).toBeCloseTo(0.8, 12);
  });

  it("begin with a step of given accelerations, whose effect has the stated derivative", () => {
    const at = (x: number, t: number): number => {
      path.set(Float64Array.of(1, 0), Float64Array.of(x, 0), Float64Array.of(2, 0));
      return path.displacement(0, t);
    };
    for (const t of [0.5 * T, T, 0.1, 0.4, 2]) {
      const slope = (at(0.11, t) - at(0.09, t)) / 0.02;
      at(0.1, t);
      // The time of rest is a multiple of T, so beyond it the derivative is that of the mean.
      expect(path.sensitivity(0, t) / slope).toBeGreaterThan(t > 0.5 ? 0.97 : 0.9999);
      expect(path.sensitivity(0, t) / slope).toBeLessThan(t > 0.5 ? 1.03 : 1.0001);
    }
  });
});

const FROM_BASE = { shapes: [armCapsule("left-fore"), armCapsule("right-fore")], against: [BASE_BOX] };
const FROM_ARM = { shapes: [armCapsule("left-fore")], against: [armCapsule("right-fore"), armCapsule("right-upper")] };
const written = [
  { ...FROM_BASE, least: 0.03 },
  { ...FROM_ARM, least: 0.05 },
];
const PAIRS = createChecked(
  { clearances: { type: "list", of: CLEARANCE_LIMIT, about: "Distances." } },
  "law",
  { clearances: written },
  TWO_HANDS,
  {},
  ({ clearances }, note) => readClearances(TWO_HANDS, ROBOT, clearances as never, note),
);

const kernel = new ClearanceKernel(TWO_HANDS, ROBOT, PAIRS);
function distanceAt(p: number, q: Float64Array): number {
  kernel.place(q);
  kernel.writePose(p);
  return kernel.measure(PAIRS[p]!);
}

/** A random posture, and speeds. */
function drawState(seed: number): { q: Float64Array; rates: Float64Array } {
  const next = uniform(seed);
  const q = homeOf(TWO_HANDS);
  for (let i = 0; i < N; i++) q[7 + i] = 2.5 * (next() - 0.5);
  return { q, rates: Float64Array.from({ length: N }, () => 2 * (next() - 0.5)) };
}

describe("distances along a braking path", () => {
  const scan = new ClearanceScan(TWO_HANDS, ROBOT, PAIRS);
  const integrate = coordinateIntegrator(TWO_HANDS, ROBOT);
  const path = new BrakingPath(N, T);
  const still = new Float64Array(3);
  const decelerations = new Float64Array(N).fill(0.8);

  it("are those of a fine sampling where they matter, and never larger", () => {
    let nearPaths = 0;
    for (let seed = 0; seed < 40; seed++) {
      const { q, rates } = drawState(seed);
      const accelerations = Float64Array.from({ length: N }, (_, j) => 0.5 * Math.cos(seed + j));
      path.set(rates, accelerations, decelerations);
      scan.follow(q, path);
      const excess = [...scan.excess];
      const sampled = PAIRS.map(() => Number.POSITIVE_INFINITY);
      for (let k = 0; k <= 400; k++) {
        const moved = q.slice();
        const increments = Float64Array.from({ length: N }, (_, j) => path.displacement(j, (k * path.end) / 400));
        integrate(moved, increments, still);
        for (const [p, { least }] of PAIRS.entries()) sampled[p] = Math.min(sampled[p]!, distanceAt(p, moved) - least);
      }
      for (const [p, value] of sampled.entries()) {
        const margin = scan.margins[p]!;
        // A pair that is left out never comes within its margin. Otherwise nodes are as dense as the distance demands.
        if (excess[p] === Number.POSITIVE_INFINITY) expect(value).toBeGreaterThan(margin);
        else if (excess[p]! > margin) expect(value).toBeGreaterThan(0);
        if (value < -PAIRS[p]!.least) expect(excess[p]).toBeLessThan(0);
        if (value < 0.1 && value > 0) {
          nearPaths++;
          expect(Math.abs(excess[p]! - value)).toBeLessThan(0.5 * value + 2 * margin);
        }
      }
    }
    expect(nearPaths).toBeGreaterThan(5);
  });

  it("have the gradient of finite differences", () => {
    const gradient = new Float64Array(N);
    const step = 1e-6;
    let compared = 0;
    for (let seed = 0; seed < 20; seed++) {
      const { q } = drawState(seed);
      for (const [p, pair] of PAIRS.entries()) {
        if (distanceAt(p, q) < 0.01) continue;
        kernel.writeGradient(p, pair, q, gradient);
        for (let j = 0; j < N; j++) {
          const at = (s: number): number => {
            const moved = q.slice();
            integrate(
              moved,
              Float64Array.from({ length: N }, (_, k) => (k === j ? s : 0)),
              still,
            );
            return distanceAt(p, moved);
          };
          expect(gradient[j]).toBeCloseTo((at(step) - at(-step)) / (2 * step), 7);
          compared++;
        }
      }
    }
    expect(compared).toBeGreaterThan(200);
  });
});

const HAND = { frame: "left-hand", parts: ["x", "y", "z"], kp: 20, kd: 9 };
const law = (parameters: object) => ({
  ...{ motors: "motors", hinges: TWO_HANDS_HINGES, base: "base", period: T, tasks: [HAND] },
  ...{ limits: [{ hinge: TWO_HANDS_HINGES, torque: 20 }], clearances: written, ...parameters },
});

interface RunOptions {
  readonly q?: Float64Array;
  readonly u?: Float64Array;
  readonly push?: number;
  readonly parameters?: object;
}

/** A posture with both hands in front of the base. */
function inFront(): Float64Array {
  const q = homeOf(TWO_HANDS);
  q.set([0.5, 0.2, -0.6, -0.5, 0.2, 0.6], 7);
  return q;
}

function run({ q = inFront(), u = new Float64Array(TWO_HANDS.nu), push = 0, parameters = {} }: RunOptions) {
  const controller = readController("limited-tasks", "c", law(parameters), TWO_HANDS);
  const system = createSystem(TWO_HANDS, [
    motors.create("motors", { hinge: TWO_HANDS_HINGES }, TWO_HANDS),
    createForce(TWO_HANDS, { kind: "generalised-force", name: "push", hinge: "left-yaw", force: push }),
    createForce(TWO_HANDS, { kind: "clearance", name: "base", ...FROM_BASE } as never),
    createForce(TWO_HANDS, { kind: "clearance", name: "arms", ...FROM_ARM } as never),
  ]);
  const { log, events } = simulate(system, system.start({ q, u }), {
    ...{ duration: 2, integrator: INTEGRATORS.rk4, settings: { step: T / 2 }, sample: T / 2, tolerances: { energy: 1 } },
    ...{ controllers: [controller], channels: ["base.smallest", "arms.smallest", "c.*"] },
  });
  return { log, stopped: events.find(({ name }) => name.startsWith("c: "))?.name };
}

describe("what cannot be kept", () => {
  it("a start that is too close is refused with the names of the bodies", () => {
    const q = inFront();
    q[7] = -0.05;
    q[10] = 0.05;
    expect(() => run({ q })).toThrow(
      /left-fore and right-fore \(capsule 1, capsule 1\) (are .* m apart|overlap), the least distance is 0.05 m/,
    );
  });

  it("a start from which the robot cannot stop in time is refused, whatever `unkept` is", () => {
    const u = new Float64Array(TWO_HANDS.nu);
    u[6] = -6; // left-yaw turns towards the other arm
    for (const unkept of ["report", "stop"])
      expect(() => run({ u, parameters: { unkept } })).toThrow(
        /left-fore and right-fore .* before all hinges can be at rest, the least distance is 0.05 m/,
      );
  });

  it("a push from outside ends the run before the limit is broken, with the names of the bodies", () => {
    const { log, stopped } = run({ push: -60 });
    expect(stopped).toMatch(
      /^c: left-fore and right-(fore|upper) .* before all hinges can be at rest, the least distance is 0.05 m/,
    );
    expect(log.column("t").at(-1)).toBeLessThan(1);
    expect(Math.min(...log.column("arms.smallest")) - 0.05).toBeGreaterThan(0);
    expect(Math.min(...log.column("c.clearance"))).toBeGreaterThan(0);
  });

  it("a goal inside of the base is approached as far as the distances allow", () => {
    const tasks = [{ ...HAND, moves: [{ by: [-1.2, -0.2, 0], duration: 1, rise: 0.4 }] }];
    const { log, stopped } = run({ parameters: { tasks } });
    expect(stopped).toBeUndefined();
    const smallest = Math.min(
      ...log.column("base.smallest").map((d) => d - 0.03),
      ...log.column("arms.smallest").map((d) => d - 0.05),
    );
    expect(smallest).toBeGreaterThan(-1e-6);
    expect(smallest).toBeLessThan(2e-3);
    expect(log.column("c.off-path").at(-1)).toBeGreaterThan(0.1);
  });
});

test.each([
  [{ period: 0, horizon: 0.1 }, "a continuous law cannot keep them"],
  [{ hinges: TWO_HANDS_HINGES.slice(1) }, "left-yaw without a motor: nothing can stop all hinges"],
  [{ clearances: [{ ...written[0], against: [{ kind: "plane" }] }] }, "world is not a body of the robot"],
  [{ clearances: [{ ...written[0], against: [{ kind: "disc", on: "base", radius: 1 }] }] }, "no end behind its face"],
  [{ clearances: [{ ...written[0], least: 0 }] }, "clearances[0].least"],
  [{ clearances: [{ shapes: [], least: 1 }] }, "clearances[0].shapes"],
])("%j is refused: %s", (parameters, reason) => {
  expect(() => readController("limited-tasks", "c", law(parameters), TWO_HANDS)).toThrow(reason);
});
