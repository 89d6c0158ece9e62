/** Evaluation of a model in one state: results of each formulation, and of the compiled programs of the model. */

import type { FormulationName } from "../../dynamics/formulation.ts";
import { FORMULATIONS } from "../../dynamics/formulations.ts";
import * as programs from "../../dynamics/programs.ts";
import type { InitialState } from "../../formats/state-file.ts";
import { compile } from "../../kernel/run/kernel.ts";
import { type NamedSizes, offsetsOf, type Program } from "../../kernel/trace/program.ts";
import { rowCount as equationsOf } from "../../model/loop.ts";
import type { Model } from "../../model/model.ts";
import { evaluateLoops, type LoopEvaluation } from "./loop-evaluation.ts";

/** Results of one formulation. */
export interface FormulationOutputs {
  readonly accelerations: Float64Array;
  /** Hinge reaction per body: torque (3), force (3). */
  readonly reactions: Float64Array;
  /** Kinetic, potential. */
  readonly energy: Float64Array;
  /** Angular about the world origin (3), linear (3). */
  readonly momentum: Float64Array;
  /** Lagrange multiplier of each equation of each loop. */
  readonly loopForces: Float64Array;
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

export interface Evaluation {
  readonly model: Model;
  readonly state: InitialState;
  readonly formulations: ReadonlyMap<FormulationName, FormulationOutputs>;
  readonly mass: number;
  readonly massCentre: readonly number[];
  /** nu rows. */
  readonly massMatrix: readonly (readonly number[])[];
  /** tau for zero acceleration. */
  readonly biasForce: readonly number[];
  readonly frames: readonly FrameResults[];
  /** For a model with engaged loops. */
  readonly loops?: LoopEvaluation;
}

/** Evaluates the model with the given formulations. @throws ModelError for an unknown frame, SingularError if there is no solution. */
export function evaluateModel(
  model: Model,
  state: InitialState,
  names: readonly FormulationName[],
  frames: readonly string[],
): Evaluation {
  const { q, u } = state;
  const wrenches = state.wrenches.map(({ frame }) => frame);
  const w = wrenchVector(state);
  const bias = evaluateProgram(programs.biasForce(model, { wrenches }), { q, u, w }).bias!;
  const massMatrix = matrixRows(evaluateProgram(programs.massMatrix(model), { q }).mass!, model.nu);
  const loops = evaluateLoops(model, state);
  return {
    model,
    state,
    formulations: new Map(names.map((name) => [name, formulationOutputs(name, model, state, wrenches, w)])),
    mass: model.bodies.reduce((sum, { mass }) => sum + mass, 0),
    massCentre: evaluateProgram(programs.momentumAndEnergy(model), { q, u }).centre!,
    massMatrix,
    biasForce: bias,
    frames: frameResults(model, state, frames),
    ...(loops && { loops }),
  };
}

const wrenchVector = (state: InitialState): Float64Array =>
  Float64Array.from(state.wrenches.flatMap(({ torque, force }) => [...torque, ...force]));

function formulationOutputs(
  name: FormulationName,
  model: Model,
  state: InitialState,
  wrenches: readonly string[],
  w: Float64Array,
): FormulationOutputs {
  const { q, u, tau } = state;
  const equations = FORMULATIONS[name].derive(model, { wrenches });
  const results = {
    accelerations: new Float64Array(model.nu),
    reactions: new Float64Array(6 * model.bodies.length),
    energy: new Float64Array(2),
    momentum: new Float64Array(6),
    loopForces: new Float64Array(model.loops.reduce((sum, loop) => sum + equationsOf(loop), 0)),
  };
  equations.accelerations(q, u, tau, w, results.accelerations);
  equations.reactions(q, u, tau, w, results.reactions);
  equations.loopForces(q, u, tau, w, results.loopForces);
  equations.energy(q, u, results.energy);
  equations.momentum(q, u, results.momentum);
  return results;
}

function frameResults(model: Model, { q, u }: InitialState, frames: readonly string[]): FrameResults[] {
  if (frames.length === 0) return [];
  const { pose, jacobian, bias } = evaluateProgram(programs.frameKinematics(model, frames), { q, u });
  return frames.map((name, k) => {
    const J = matrixRows(jacobian!.slice(6 * model.nu * k), model.nu, 6);
    return {
      name,
      rotation: pose!.slice(12 * k, 12 * k + 9),
      position: pose!.slice(12 * k + 9, 12 * k + 12),
      velocity: J.map((row) => row.reduce((sum, entry, i) => sum + entry * u[i]!, 0)),
      jacobian: J,
      bias: bias!.slice(6 * k, 6 * k + 6),
    };
  });
}

/** Evaluates a program once, with inputs and outputs by name. */
function evaluateProgram(
  program: Program,
  inputs: Readonly<Record<string, Float64Array>>,
): Readonly<Record<string, readonly number[]>> {
  const kernel = compile(program);
  const starts = offsetsOf(program.inputs);
  for (const name of Object.keys(program.inputs)) kernel.x.set(inputs[name]!, starts[name]);
  kernel.evaluate();
  return outputsByName(kernel.y, program.outputs);
}

function outputsByName(y: Float64Array, shape: NamedSizes): Readonly<Record<string, readonly number[]>> {
  const starts = offsetsOf(shape);
  return Object.fromEntries(
    Object.entries(shape).map(([name, size]) => [name, [...y.subarray(starts[name], starts[name]! + size)]]),
  );
}

const matrixRows = (entries: readonly number[], width: number, count = width): readonly (readonly number[])[] =>
  Array.from({ length: count }, (_, r) => entries.slice(r * width, (r + 1) * width));
