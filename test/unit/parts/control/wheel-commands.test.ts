/** Wheel speeds and steering angles: every steered wheel rolls with the velocity of the body at its position, for any turning centre. */
import { describe, expect, it } from "vitest";
import { type DrivenWheel, writeCurveCommands, writeSpotTurnCommands } from "../../../../src/parts/control/rover/drive.ts";
import { runScenario } from "../../../../src/scenario/run.ts";
import { uniform } from "../../../fixtures/models/random-model.ts";
import { rover } from "../../../fixtures/models/rovers.ts";

const WHEELS: readonly DrivenWheel[] = [
  { drive: "a", steer: "sa", x: 0.4, y: 0.3, radius: 0.1 },
  { drive: "b", steer: "sb", x: 0.4, y: -0.3, radius: 0.12 },
  { drive: "c", steer: "sc", x: -0.35, y: 0.3, radius: 0.1 },
  { drive: "d", steer: "sd", x: -0.35, y: -0.3, radius: 0.1 },
];
const RIGHT_ANGLE = Math.PI / 2;

const curveCommands = (v: number, crab: number, curvature: number): Float64Array => {
  const command = new Float64Array(8);
  writeCurveCommands(WHEELS, v, crab, curvature, command);
  return command;
};

/** Compares the rolling velocity of each wheel, ω r (cos δ, sin δ), with the velocity of the body there. */
function checkRolling(command: Float64Array, vx: number, vy: number, yawRate: number): void {
  for (const [i, { x, y, radius }] of WHEELS.entries()) {
    const [rolling, angle] = [command[i]! * radius, command[4 + i]!];
    expect(rolling * Math.cos(angle)).toBeCloseTo(vx - yawRate * y, 12);
    expect(rolling * Math.sin(angle)).toBeCloseTo(vy + yawRate * x, 12);
    expect(Math.abs(angle)).toBeLessThanOrEqual(RIGHT_ANGLE);
  }
}

describe("wheel commands", () => {
  it("roll with the velocity of the body, also with the turning centre between the wheels", () => {
    const next = uniform(4);
    let inside = 0;
    for (let k = 0; k < 500; k++) {
      const [v, crab, curvature] = [next() - 0.5, 6 * (next() - 0.5), 20 * (next() - 0.5)];
      checkRolling(curveCommands(v, crab, curvature), v * Math.cos(crab), v * Math.sin(crab), v * curvature);
      if (Math.abs(curvature) > 1 / 0.3) inside++;
    }
    expect(inside).toBeGreaterThan(200);
  });

  it("a turning centre 0.1 m to the left of the middle: the left wheels roll backward, at less than 90 degrees", () => {
    const command = curveCommands(0.05, 0, 10);
    for (const [i, { y }] of WHEELS.entries()) expect(Math.sign(command[i]!)).toBe(y > 0 ? -1 : 1);
    expect(command[4]).toBeCloseTo(Math.atan2(-0.4, 0.3 - 0.1), 12);
    expect(command[5]).toBeCloseTo(Math.atan2(0.4, 0.3 + 0.1), 12);
  });

  it("steering does not depend on the speed: the same backward, and at rest", () => {
    const next = uniform(9);
    for (let k = 0; k < 100; k++) {
      const [crab, curvature] = [3 * (next() - 0.5), 8 * (next() - 0.5)];
      const [ahead, back, rest] = [0.2, -0.2, 0].map((v) => curveCommands(v, crab, curvature));
      expect(back!.slice(4)).toEqual(ahead!.slice(4));
      expect(rest!.slice(4)).toEqual(ahead!.slice(4));
      for (let i = 0; i < 4; i++) {
        expect(back![i]).toBe(-ahead![i]!);
        expect(Math.abs(rest![i]!)).toBe(0);
      }
    }
  });

  it("turn on the spot either way with the same steering", () => {
    const [left, right] = [0.3, -0.3].map((yawRate) => {
      const command = new Float64Array(8);
      writeSpotTurnCommands(WHEELS, yawRate, command);
      checkRolling(command, 0, 0, yawRate);
      return command;
    });
    expect(right!.slice(4)).toEqual(left!.slice(4));
  });
});

describe("drive", () => {
  it("steers for the curve while it stands, and does not turn its wheels back when it stops", async () => {
    const { run } = await runScenario(
      rover(
        "rover-six-wheel",
        "duration=3",
        "sample=0.5",
        "terrain={plain: {kind: plane}}",
        "controllers.driver.speed=[[1,0],[1.5,0.1],[2,0.1],[2.4,0]]",
        "controllers.driver.curvature=[[0,0.5]]",
      ),
    );
    const steering = run.log.column("q.steer-fl");
    const wanted = Math.atan2(0.5 * 0.4, 1 - 0.5 * 0.3);
    for (const [k, t] of run.log.column("t").entries()) if (t >= 0.5) expect(steering[k]).toBeCloseTo(wanted, 1);
  });
});
