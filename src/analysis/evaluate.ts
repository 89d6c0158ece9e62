/** Evaluation of a model in one state: every quantity of its equations of motion, by every formulation. */

import { checkName, checkOptions, checkVector } from "../arguments.ts";
import type { FormulationName } from "../dynamics/formulation.ts";
import { allFormulationsFor, FORMULATIONS } from "../dynamics/formulations.ts";
import { frameKinematics } from "../dynamics/programs.ts";
import { ArgumentError, valueText } from "../errors.ts";
import { compile } from "../kernel/run/kernel.ts";
import { checkCoordinates, checkSpeeds } from "../model/check-state.ts";
import { frameOf, homeOf, type Model } from "../model/model.ts";
import type { Wrench } from "../model/wrench.ts";
import { type Agreement, compareFormulations } from "./evaluation/agreement.ts";
import { type DynamicsTerms, dynamicsTerms, forcesForAccelerations, matrixRows, vectorAt } from "./evaluation/dynamics-terms.ts";
import { type FormulationResults, formulationResults } from "./evaluation/formulation-results.ts";
import { evaluateFreeFlying } from "./evaluation/free-flying-evaluation.ts";
import type { FreeFlyingEvaluation } from "./evaluation/free-flying-results.ts";
import { evaluateLoops, type LoopEvaluation } from "./evaluation/loop-evaluation.ts";

/** A state to evaluate. What is not given is home, at rest, and without load. */
export interface EvaluationState {
  readonly q?: ArrayLike<number>;
  readonly u?: ArrayLike<number>;
  /** Generalised forces of motors. Springs of elastic bodies act in addition. */
  readonly tau?: ArrayLike<number>;
  readonly wrenches?: readonly Wrench[];
  /** Accelerations for inverse dynamics; those of the motion if they are not given. */
  readonly udot?: ArrayLike<number>;
}

export interface EvaluateOptions {
  /** All five if not given; only `articulated` for a model with small turns. */
  readonly formulations?: readonly FormulationName[];
  /** Frames or bodies whose poses, velocities and Jacobians are computed; the named frames of the model if not given. */
  readonly frames?: readonly string[];
  /** Floating body that is the base of the free-flying robot; the first one if not given. */
  readonly base?: string;
}

export interface FrameResults {
  readonly name: string;
  /** R_WE by rows. */
  readonly rotation: readonly number[];
  readonly position: readonly number[];
  /** Angular (3), linear (3): J u. */
  readonly velocity: readonly number[];
  /** 6 rows of nu. */
  readonly jacobian: readonly (readonly number[])[];
  /** J̇ u: angular (3), linear (3). */
  readonly bias: readonly number[];
}

export interface Evaluation extends DynamicsTerms {
  readonly model: Model;
  /** The complete state. */
  readonly state: {
    readonly q: Float64Array;
    readonly u: Float64Array;
    readonly tau: Float64Array;
    readonly wrenches: readonly Wrench[];
  };
  readonly formulations: Readonly<Partial<Record<FormulationName, FormulationResults>>>;
  readonly agreement: Agreement;
  readonly mass: number;
  /** Generalised forces `tau` of the tree for `udot`, given wrenches: what motors, springs and loops exert together. */
  readonly inverseDynamics: { readonly udot: readonly number[]; readonly tau: readonly number[] };
  /** Power of the motors, W: tau times speed. */
  readonly motorPower: { readonly hinges: Readonly<Record<string, number>>; readonly total: number };
  readonly frames: readonly FrameResults[];
  /** For a model with a floating base that carries moving hinges. */
  readonly freeFlying?: FreeFlyingEvaluation;
  /** For a model with engaged loops. */
  readonly loops?: LoopEvaluation;
}

/**
 * All quantities of a model in one state, as `castor eval` prints them. Nothing is shared with later calls.
 * @throws ArgumentError for a wrong state or option, ModelError for an unknown frame, SingularError if there is no solution
 */
export function evaluate(model: Model, state: EvaluationState = {}, options: EvaluateOptions = {}): Evaluation {
  const { q, u, tau, wrenches, udot } = checkedState(model, state);
  const { names, frames } = checkedOptions(model, options);
  const wrenchFrames = wrenches.map(({ frame }) => frame);
  const w = Float64Array.from(wrenches.flatMap(({ torque, force }) => [...torque, ...force]));
  const terms = dynamicsTerms(model, q, u, wrenchFrames, w);
  const applied = tau.map((value, i) => value + terms.springForce[i]!);
  const results = names.map((name) => [name, formulationResults(name, model, q, u, applied, wrenchFrames, w)] as const);
  const accelerations = udot ?? results[0]![1].accelerations;
  const loops = evaluateLoops(model, { q, u, tau: applied, wrenches });
  const freeFlying = evaluateFreeFlying(model, q, u, frames, options.base);
  const evaluation = {
    ...terms,
    model,
    state: { q, u, tau, wrenches },
    formulations: Object.fromEntries(results),
    mass: model.bodies.reduce((sum, { mass }) => sum + mass, 0),
    inverseDynamics: { udot: [...accelerations], tau: forcesForAccelerations(model, q, u, accelerations, wrenchFrames, w) },
    motorPower: motorPower(model, u, tau),
    frames: frameResults(model, q, u, frames),
    ...(freeFlying && { freeFlying }),
    ...(loops && { loops }),
  };
  return { ...evaluation, agreement: compareFormulations(evaluation) };
}

/** Array.isArray as a test that keeps the type of a list of unknown origin. */
const isList = (value: unknown): boolean => Array.isArray(value);

function checkedState(model: Model, state: EvaluationState): Evaluation["state"] & { readonly udot?: Float64Array } {
  checkOptions("state", state, ["q", "u", "tau", "wrenches", "udot"]);
  const { q = homeOf(model), u = new Float64Array(model.nu), tau = new Float64Array(model.nu), wrenches = [], udot } = state;
  checkCoordinates("state.q", q, model);
  checkSpeeds("state.u", u, model);
  checkSpeeds("state.tau", tau, model);
  if (udot !== undefined) checkSpeeds("state.udot", udot, model);
  if (!isList(wrenches))
    throw new ArgumentError("state.wrenches", `must be a list of { frame, torque, force }, got ${valueText(wrenches)}`);
  for (const [i, wrench] of wrenches.entries()) {
    checkOptions(`state.wrenches[${i}]`, wrench, ["frame", "torque", "force"]);
    frameOf(model, wrench.frame);
    checkVector(`state.wrenches[${i}].torque`, wrench.torque, 3, "N m, world axes");
    checkVector(`state.wrenches[${i}].force`, wrench.force, 3, "N, world axes");
  }
  const copied = wrenches.map(
    ({ frame, torque, force }): Wrench => ({ frame, torque: vectorAt(torque, 0), force: vectorAt(force, 0) }),
  );
  return {
    q: Float64Array.from(q),
    u: Float64Array.from(u),
    tau: Float64Array.from(tau),
    wrenches: copied,
    ...(udot && { udot: Float64Array.from(udot) }),
  };
}

function checkedOptions(
  model: Model,
  options: EvaluateOptions,
): { readonly names: readonly FormulationName[]; readonly frames: readonly string[] } {
  checkOptions("options", options, ["formulations", "frames", "base"]);
  const names = options.formulations ?? allFormulationsFor(model);
  const frames = options.frames ?? model.frames.map(({ name }) => name);
  for (const [key, list] of Object.entries({ formulations: names, frames }))
    if (!Array.isArray(list)) throw new ArgumentError(`options.${key}`, `must be a list of names, got ${valueText(list)}`);
  if (names.length === 0) throw new ArgumentError("options.formulations", "must have at least one name");
  for (const [i, name] of names.entries())
    checkName(`options.formulations[${i}]`, name, Object.keys(FORMULATIONS), "formulation");
  for (const name of frames) frameOf(model, name);
  return { names, frames };
}

function motorPower(model: Model, u: Float64Array, tau: Float64Array): Evaluation["motorPower"] {
  const powerOf = (first: number, count: number): number => {
    let power = 0;
    for (let i = first; i < first + count; i++) power += tau[i]! * u[i]!;
    return power;
  };
  const hinges = model.bodies.map(({ hinge }) => [hinge.name, powerOf(hinge.u, hinge.nu)] as const);
  return { hinges: Object.fromEntries(hinges), total: powerOf(0, model.nu) };
}

function frameResults(model: Model, q: Float64Array, u: Float64Array, frames: readonly string[]): FrameResults[] {
  if (frames.length === 0) return [];
  const { pose, jacobian, bias } = compile(frameKinematics(model, frames)).evaluateAt({ q, u });
  return frames.map((name, k) => {
    const J = matrixRows(jacobian.subarray(6 * model.nu * k), model.nu, 6);
    return {
      name,
      rotation: [...pose.subarray(12 * k, 12 * k + 9)],
      position: [...pose.subarray(12 * k + 9, 12 * k + 12)],
      velocity: J.map((row) => row.reduce((sum, entry, i) => sum + entry * u[i]!, 0)),
      jacobian: J,
      bias: [...bias.subarray(6 * k, 6 * k + 6)],
    };
  });
}
