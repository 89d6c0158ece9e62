/** Braking plans against the same motion computed in small steps, and against many directions of the angular momentum. */
import { describe, expect, it } from "vitest";
import { robotOf } from "../../../../src/dynamics/free-flying/robot.ts";
import { freeFlyingAtSpin } from "../../../../src/dynamics/programs.ts";
import { compile } from "../../../../src/kernel/run/kernel.ts";
import { offsetsOf } from "../../../../src/kernel/trace/program.ts";
import type { Model } from "../../../../src/model/model.ts";
import { BrakingPlanner } from "../../../../src/parts/control/limits/braking/braking-plan.ts";
import { coordinateIntegrator } from "../../../../src/parts/control/limits/integrate-coordinates.ts";
import { randomState, uniform } from "../../../fixtures/models/random-model.ts";
import { randomRobot } from "../../../fixtures/models/random-robot.ts";

const STEPS = 4000;

/** Braking in small steps: largest share of the torque limits, and final coordinates. */
function simulateBraking(
  model: Model,
  q0: Float64Array,
  rates: Float64Array,
  spin: Float64Array,
  a: Float64Array,
  torque: Float64Array,
) {
  const robot = robotOf(model, "base");
  const n = rates.length;
  const kernel = compile(freeFlyingAtSpin(model, { base: "base" }));
  const [at, to] = [offsetsOf(kernel.outputs), offsetsOf(kernel.inputs)];
  const advance = coordinateIntegrator(model, robot);
  const q = q0.slice();
  const durations = rates.map((v, j) => (v === 0 ? 0 : Math.abs(v) / a[j]!));
  const end = Math.max(...durations);
  const speedAt = (j: number, t: number): number => (t < durations[j]! ? rates[j]! * (1 - t / durations[j]!) : 0);
  const braking = (j: number, t: number): number => (t < durations[j]! ? -Math.sign(rates[j]!) * a[j]! : 0);
  let most = 0;
  const evaluate = (t: number, place: Float64Array): void => {
    kernel.x.set(place);
    for (let j = 0; j < n; j++) kernel.x[to.rates + j] = speedAt(j, t);
    kernel.x.set(spin, to.spin);
    kernel.evaluate();
  };
  const h = end / STEPS;
  for (let k = 0; k < STEPS; k++) {
    const t = k * h;
    evaluate(t, q);
    for (let i = 0; i < n; i++) {
      let tau = kernel.y[at.Cstar + i]!;
      for (let j = 0; j < n; j++) tau += kernel.y[at.Hstar + i * n + j]! * braking(j, t);
      most = Math.max(most, Math.abs(tau) / torque[i]!);
    }
    const way = rates.map((_, j) => h * speedAt(j, t + h / 2));
    advance(
      q,
      way,
      kernel.y.slice(at.turn, at.turn + 3).map((w) => h * w),
    );
  }
  return { most, q };
}

/** A moving robot with torque limits of which braking uses a large share. */
function draw(seed: number, spinning: number) {
  const { model } = randomRobot(seed, 4 + (seed % 4));
  const robot = robotOf(model, "base");
  const n = robot.speeds.length;
  const next = uniform(seed);
  const { q } = randomState(model, seed);
  const rates = Float64Array.from({ length: n }, () => 2 * (next() - 0.5));
  const spin = Float64Array.from({ length: 3 }, () => spinning * (next() - 0.5));
  const torque = Float64Array.from({ length: n }, () => 20 + 20 * next());
  const planner = new BrakingPlanner(model, robot, { torque, stoppingRoom: () => Number.POSITIVE_INFINITY }, 0.001);
  return { model, robot, q, rates, spin, torque, planner };
}

describe("torques while braking", () => {
  it.each(Array.from({ length: 24 }, (_, i) => i))("of robot %i stay within the reserve, and use most of it", (seed) => {
    const { model, robot, q, rates, spin, torque, planner } = draw(seed, seed % 2 === 0 ? 0 : 2);
    const reserve = planner.planBraking(q, rates, spin);
    const decelerations = planner.decelerations.slice();
    if (reserve < 0) return; // the plan was not computed to its end
    const { most, q: rest } = simulateBraking(model, q, rates, spin, decelerations, torque);
    expect(1 - most).toBeGreaterThan(reserve - 0.01);
    // At rest and tumbling, for any direction of the angular momentum.
    const kernel = compile(freeFlyingAtSpin(model, { base: "base" }));
    const [at, to] = [offsetsOf(kernel.outputs), offsetsOf(kernel.inputs)];
    const next = uniform(seed + 100);
    const size = Math.hypot(...spin);
    let worst = 0;
    for (let k = 0; k < 200; k++) {
      const direction = Float64Array.from({ length: 3 }, () => next() - 0.5);
      const length = Math.hypot(...direction);
      kernel.x.fill(0);
      kernel.x.set(rest);
      kernel.x.set(
        direction.map((d) => (d / length) * size),
        to.spin,
      );
      kernel.evaluate();
      for (const i of robot.speeds.keys()) worst = Math.max(worst, Math.abs(kernel.y[at.Cstar + i]!) / torque[i]!);
    }
    expect(1 - worst).toBeGreaterThan(reserve - 0.01);
    expect(1 - Math.max(most, 2 * worst)).toBeLessThan(reserve + 0.3); // the bounds are not too pessimistic
  });

  it("fast robots cannot brake within their torques, slow ones can", () => {
    for (let seed = 0; seed < 12; seed++) {
      const { q, rates, spin, torque, planner } = draw(seed, 0);
      const times = (factor: number): number =>
        planner.planBraking(
          q,
          rates.map((v) => factor * v),
          spin,
        );
      expect(times(0)).toBeCloseTo(1, 12);
      expect(times(0.1)).toBeGreaterThan(0.3);
      expect(times(30)).toBeLessThanOrEqual(0);
      if (!Number.isNaN(planner.neededTorque))
        expect(Math.abs(planner.neededTorque)).toBeGreaterThan(torque[planner.weakestHinge]!);
    }
  });

  it("the remainder of a braking plan is feasible", () => {
    for (let seed = 0; seed < 12; seed++) {
      const { model, robot, q, rates, spin, planner } = draw(seed, 0);
      const firstReserve = planner.planBraking(q, rates, spin);
      if (firstReserve < 0) continue;
      const decelerations = planner.decelerations.slice();
      const t = 0.1 * Math.max(...rates.map((v, j) => Math.abs(v) / decelerations[j]!));
      const later = rates.map((v, j) => Math.sign(v) * Math.max(0, Math.abs(v) - decelerations[j]! * t));
      const way = rates.map((v, j) => {
        const within = Math.min(t, Math.abs(v) / decelerations[j]!);
        return v * within - 0.5 * Math.sign(v) * decelerations[j]! * within * within;
      });
      const next = q.slice();
      coordinateIntegrator(model, robot)(next, way, new Float64Array(3));
      expect(planner.reserveWith(next, later, spin, decelerations)).toBeGreaterThan(firstReserve - 0.05);
    }
  });
});
