/** RK4 steps of machines with springs and dampers: Castor's step loop in WebAssembly and MuJoCo's mj_step, in one process. */
import { compile, INTEGRATORS, type System } from "castor";
import type { Stepper } from "castor/sim";
import { type BenchState, type ModelName, readModel } from "../machines/models.ts";
import { type HingeSpring, loopStepperOf, sprungSystem, withoutLedger } from "../machines/spring-machines.ts";
import { type BenchWorkspace, workspaceOf } from "../machines/workspace.ts";
import { createMujocoSteps, type MujocoSteps } from "../peers/mujoco-steps.ts";
import { type BatchTiming, type Contender, timeInTurns, warmUp } from "../run/interleaved-timing.ts";

export interface ThroughputRow {
  readonly model: ModelName;
  readonly freedoms: number;
  /** Time per step. Castor steps as `simulate` does between two samples. */
  readonly castor: BatchTiming;
  readonly withoutLedger: BatchTiming;
  readonly mujoco: BatchTiming;
  /** One evaluation of Castor's right-hand side, called from JavaScript. */
  readonly evaluation: BatchTiming;
  readonly version: string;
  /** Largest difference of q or u between the engines after DURATION, and with half the step. It proves that both compute the same motion. */
  readonly difference: number;
  readonly differenceAtHalf: number;
  /** Largest error of q or u after DURATION, against dop853 at a tolerance of 1e-13. */
  readonly errors: { readonly castor: number; readonly mujoco: number };
}

export const STEP = 0.002;
export const SPRING: HingeSpring = { stiffness: 10, damping: 0.5 };
/** Duration of the compared motion, s. */
export const DURATION = 1;
const REFERENCE_TOLERANCES = { relativeTolerance: 1e-13, absoluteTolerance: 1e-13 };
const STEADY_MS = 400;

export async function measureThroughput(name: ModelName, milliseconds: number): Promise<ThroughputRow> {
  const { description, state } = readModel(name);
  const system = sprungSystem(description, SPRING);
  const workspace = workspaceOf(system);
  const noLedger = withoutLedger(workspace);
  const createLoopStepper = await loopStepperOf();
  const createMujocoStepper = await createMujocoSteps();
  const { rk4, dop853 } = INTEGRATORS;
  const castorSteps = (step: number): Stepper => createLoopStepper(workspace, rk4, { step });
  const mujocoSteps = (step: number): MujocoSteps =>
    createMujocoStepper(description, { integrator: "RK4", step, spring: SPRING });

  const reference = finalState(state, system, dop853.start(workspace.problem, REFERENCE_TOLERANCES), DURATION);
  const finalStates = (step: number) => ({
    castor: finalState(state, system, castorSteps(step), DURATION),
    mujoco: finalMujocoState(state, mujocoSteps(step), Math.round(DURATION / step)),
  });
  const [fullStep, halfStep] = [finalStates(STEP), finalStates(STEP / 2)];

  const contenders = [
    castorContender("castor", workspace, state, castorSteps(STEP)),
    castorContender("without ledger", noLedger, state, createLoopStepper(noLedger, rk4, { step: STEP })),
    mujocoContender(state, mujocoSteps(STEP)),
    evaluationContender(workspace, state),
  ];
  warmUp(contenders, STEADY_MS);
  const [castor, castorNoLedger, mujoco, evaluation] = timeInTurns(contenders, milliseconds) as [
    BatchTiming,
    BatchTiming,
    BatchTiming,
    BatchTiming,
  ];
  return {
    model: name,
    freedoms: system.layout.nu,
    castor,
    withoutLedger: castorNoLedger,
    mujoco,
    evaluation,
    version: createMujocoStepper.version,
    difference: largestDifference(fullStep.castor, fullStep.mujoco),
    differenceAtHalf: largestDifference(halfStep.castor, halfStep.mujoco),
    errors: { castor: largestDifference(fullStep.castor, reference), mujoco: largestDifference(fullStep.mujoco, reference) },
  };
}

/** Each batch starts at the same state, so that all batches do the same work. */
function castorContender(name: string, workspace: BenchWorkspace, { q, u }: BenchState, stepper: Stepper): Contender {
  const y0 = new Float64Array(workspace.layout.ny);
  y0.set(q);
  y0.set(u, q.length);
  return {
    name,
    run(steps) {
      stepper.restart(0, y0);
      stepper.step(steps * STEP);
    },
  };
}

function mujocoContender({ q, u }: BenchState, mujoco: MujocoSteps): Contender {
  return {
    name: "mujoco",
    run(steps) {
      mujoco.restart(q, u);
      mujoco.step(steps);
    },
  };
}

function evaluationContender(workspace: BenchWorkspace, { q, u }: BenchState): Contender {
  const kernel = compile(workspace.fullProgram!);
  kernel.x.set([0, ...q, ...u]); // t, then y
  return {
    name: "evaluation",
    run(calls) {
      for (let i = 0; i < calls; i++) kernel.evaluate();
    },
  };
}

/** The state at the end: q, then u. */
function finalState({ q, u }: BenchState, system: System, stepper: Stepper, end: number): Float64Array {
  stepper.restart(0, system.start({ q, u }).y);
  while (stepper.t < end) stepper.step(end);
  return stepper.y.slice(0, q.length + u.length);
}

function finalMujocoState({ q, u }: BenchState, mujoco: MujocoSteps, steps: number): Float64Array {
  const y = new Float64Array(q.length + u.length);
  mujoco.restart(q, u);
  mujoco.step(steps);
  mujoco.state(y.subarray(0, q.length), y.subarray(q.length));
  return y;
}

const largestDifference = (a: Float64Array, b: Float64Array): number => Math.max(...a.map((value, i) => Math.abs(value - b[i]!)));
