/** Cost of contact: how an evaluation of the motion slows down with distant pairs and with touching pairs. */
import { createForce, createModel, createSystem, type System } from "castor";
import type { InitialValueProblem } from "castor/sim";
import { workspaceOf } from "../../machines/workspace.ts";
import { type BatchTiming, type Contender, timeInTurns, warmUp } from "../../run/interleaved-timing.ts";

const SIZES = [10, 20, 40, 80] as const;
const STEADY_MS = 200;
const RADIUS = 0.1;

export interface BallCloudRow {
  readonly bodies: number;
  readonly pairs: number;
  /** ns per evaluation of the motion: without contact, with all balls far apart, and with each ball touching a neighbour. */
  readonly bare: BatchTiming;
  readonly apart: BatchTiming;
  readonly touching: BatchTiming;
}

export function measureContact(milliseconds: number): readonly BallCloudRow[] {
  return SIZES.map((n) => measureBallCloud(n, milliseconds));
}

/** A little motion of all bodies, m. At an unchanged pose the contacts of the last evaluation would be used again. */
const MOTION = 1e-9;

/** Evaluations at states that differ by a little motion of each of n free bodies. */
export function movingEvaluations(problem: InitialValueProblem, y: Float64Array, n: number): (laps: number) => void {
  const ydot = new Float64Array(y.length);
  return (laps) => {
    for (let lap = 0; lap < laps; lap++) {
      for (let i = 0; i < n; i++) y[7 * i + 6]! += lap % 2 === 0 ? MOTION : -MOTION;
      problem.derivative(0, y, ydot);
    }
  };
}

/** Free balls with contact between all pairs. */
function measureBallCloud(n: number, milliseconds: number): BallCloudRow {
  const names = Array.from({ length: n }, (_, i) => `ball${i}`);
  const model = createModel({
    name: "cloud",
    bodies: names.map((name) => ({ name, mass: 1, inertia: [0.004, 0.004, 0.004], hinge: { kind: "free" } })),
  });
  const shapes = names.map((on) => ({ kind: "sphere" as const, on, radius: RADIUS }));
  const contact = createForce(model, { kind: "contact", name: "contact", shapes, stiffness: 1e5, damping: 0.5, friction: 0.3 });
  const evaluationContender = (name: string, system: System, gap: (i: number) => number): Contender => {
    const { y } = system.start();
    const { problem } = workspaceOf(system);
    for (let i = 0; i < n; i++) for (let k = 0; k < 3; k++) y[7 * i + 4 + k] = k === 0 ? gap(i) : ((i >> 1) * 13 * (k + 2)) % 7;
    return { name, run: movingEvaluations(problem, y, n) };
  };
  const far = (i: number): number => 3 * i;
  const near = (i: number): number => 3 * (i >> 1) + 1.99 * RADIUS * (i & 1);
  const contenders = [
    evaluationContender("bare", createSystem(model, []), far),
    evaluationContender("apart", createSystem(model, [contact]), far),
    evaluationContender("touching", createSystem(model, [contact]), near),
  ];
  warmUp(contenders, STEADY_MS);
  const [bare, apart, touching] = timeInTurns(contenders, milliseconds) as [BatchTiming, BatchTiming, BatchTiming];
  return { bodies: n, pairs: (n * (n - 1)) / 2, bare, apart, touching };
}
