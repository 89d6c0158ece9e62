/**
 * A free-flying robot at given hinge speeds and angular momentum: generalised inertia H*, bias torques C* and angular velocity of the
 * base, by one compiled kernel.
 */
import type { Robot } from "../../../../dynamics/free-flying/robot.ts";
import { freeFlyingAtSpin } from "../../../../dynamics/programs.ts";
import { compile, type Kernel } from "../../../../kernel/run/kernel.ts";
import { offsetsOf } from "../../../../kernel/trace/program.ts";
import { freedomsOf } from "../../../../model/freedoms.ts";
import { homeOf, type Model } from "../../../../model/model.ts";
import { coordinateIntegrator } from "../integrate-coordinates.ts";

export class BrakingKernel {
  /** Number of hinge speeds of the robot. */
  readonly n: number;
  /** Inputs: coordinates of the model, hinge speeds, and angular momentum about the mass centre in world axes. */
  readonly q: Float64Array;
  readonly rates: Float64Array;
  readonly momentum: Float64Array;
  /** Outputs of the last evaluation: H* by rows, C*, and the angular velocity of the base. */
  readonly H: Float64Array;
  readonly C: Float64Array;
  readonly baseRate: Float64Array;
  readonly evaluate: () => void;
  /** Moves coordinates by hinge increments and a rotation vector of the base. */
  readonly integrate: (q: Float64Array, increments: Float64Array, baseRotation: Float64Array) => void;
  /** Revolute hinges on whose angle H* and C* depend. */
  readonly inertiaChangingHinges: Int32Array;

  constructor(model: Model, robot: Robot<number>) {
    const n = robot.speeds.length;
    const kernel = compile(freeFlyingAtSpin(model, { base: robot.base.name }));
    const { x, y, evaluate } = kernel;
    const input = offsetsOf(kernel.inputs);
    const output = offsetsOf(kernel.outputs);
    this.n = n;
    this.q = x.subarray(0, model.nq);
    this.rates = x.subarray(input.rates, input.rates + n);
    this.momentum = x.subarray(input.spin, input.spin + 3);
    this.H = y.subarray(output.Hstar, output.Hstar + n * n);
    this.C = y.subarray(output.Cstar);
    this.baseRate = y.subarray(output.turn);
    this.evaluate = evaluate;
    this.integrate = coordinateIntegrator(model, robot);
    this.inertiaChangingHinges = inertiaChangingHinges(model, robot, kernel);
  }

  evaluateAt(q: Float64Array, rates: Float64Array, momentum: Float64Array): void {
    this.q.set(q);
    this.rates.set(rates);
    for (let i = 0; i < 3; i++) this.momentum[i] = momentum[i]!;
    this.evaluate();
  }
}

/**
 * Revolute hinges on whose angle H* and C* depend. Wheels and symmetric tools are not among them. Found by changing one hinge at a time
 * at an arbitrary posture.
 */
function inertiaChangingHinges(model: Model, robot: Robot<number>, { x, y, evaluate }: Kernel): Int32Array {
  const freedoms = freedomsOf(model);
  x.fill(0);
  x.set(homeOf(model));
  for (let i = model.nq; i < x.length; i++) x[i] = 1 + 0.1 * (i - model.nq);
  const unitIncrements = robot.speeds.map((_, j) => Float64Array.from(robot.speeds, (_, k) => (k === j ? 1 : 0)));
  const integrate = coordinateIntegrator(model, robot);
  const noRotation = new Float64Array(3);
  const toArbitraryPosture = Float64Array.from(robot.speeds, (_, j) => 0.3 + 0.1 * j);
  integrate(x, toArbitraryPosture, noRotation);
  evaluate();
  const reference = y.slice();
  const size = reference.reduce((most, v) => Math.max(most, Math.abs(v)), 0);
  const changesInertia = (j: number): boolean => {
    if (freedoms[robot.speeds[j]!]!.motion !== "turn") return false;
    const increment = unitIncrements[j]!;
    integrate(x, increment, noRotation);
    evaluate();
    const differs = reference.some((v, i) => Math.abs(v - y[i]!) > 1e-10 * size);
    integrate(
      x,
      increment.map((w) => -w),
      noRotation,
    );
    return differs;
  };
  return Int32Array.from([...robot.speeds.keys()].filter(changesInertia));
}
