/**
 * What controllers of free-flying robots share: motors, tasks, and hinge accelerations φ̈ that do the tasks. Level by level
 *
 *   0   φ̈ = 0 for held hinges, H* φ̈ + C* = 0 for hinges without motor
 *   1   J φ̈ = ν̇_ref - bias for tasks of the first priority: exactly, or the law stops with the singular value that forbids it
 *   2…  the same for lower priorities, as far as those before leave room
 *
 * and what is still free is for the law to decide.
 */

import type { Freedom } from "../../../declare/freedom.ts";
import type { Parameters, ParameterValues } from "../../../declare/parameters.ts";
import { ModelError, SingularError } from "../../../errors.ts";
import { symmetricEigen } from "../../../math/eigen/symmetric-eigen.ts";
import { rowTimesMatrix } from "../../../math/linear/row-times-matrix.ts";
import {
  type HierarchicalLeastSquares,
  hierarchicalLeastSquares,
  type LinearRows,
} from "../../../math/optimise/hierarchical-least-squares.ts";
import type { Model } from "../../../model/model.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import { type CompiledTaskLaw, compileTaskLaw, type RedundancyCriterion } from "./compiled-task-law.ts";
import { readTasks, TASK } from "./read-tasks.ts";
import { type TaskScales, taskScales } from "./task-scales.ts";
import { type TaskStack, taskStack } from "./task-stack.ts";

export const COORDINATION_PARAMETERS = {
  period: {
    type: "number",
    unit: "s",
    least: 0,
    default: 0,
    about: "Time between updates; 0 is a continuous law, evaluated at every stage of the integrator.",
  },
  base: { type: "frame", optional: true, about: "Floating body that is the robot's base; the first one if not given." },
  motors: { type: "name", about: "Name of the motors that drive the hinges." },
  hinges: { type: "freedoms", about: "Hinges that have motors; the others of the robot move as they are moved." },
  tasks: { type: "list", of: TASK, about: "What frames of the robot shall do." },
  held: {
    type: "freedoms",
    optional: true,
    about: "Hinges that are not accelerated, such as wheels to be kept for something else.",
  },
  singular: {
    type: "number",
    unit: "",
    above: 0,
    most: 1,
    default: 0.05,
    about: "The run stops with an error where the smallest singular value of the scaled generalised Jacobian falls below this.",
  },
} as const satisfies Parameters;

export interface Coordination {
  readonly stack: TaskStack;
  /** After a solution for accelerations: levels.x + levels.N z, with any z, do the tasks. */
  readonly accelerationSolver: HierarchicalLeastSquares;
  /** The same for speeds. */
  readonly speedSolver: HierarchicalLeastSquares;
  /** Commands and where each is among the hinge speeds of the robot. */
  readonly commands: readonly string[];
  readonly driven: readonly number[];
  readonly held: readonly number[];
  /** Compiles, and gives the poses from which references begin. @throws ModelError if no hinge moves a row of the tasks. */
  start(q: Float64Array): Float64Array;
  /** Accelerations: J φ̈ = ν̇_ref - bias. Throws SingularError. */
  solveAccelerations(t: number): void;
  /** Speeds: J φ̇ = ν - drift, with hinges at rest that shall be (each once), and those without motor as they move. Throws SingularError. */
  solveSpeeds(t: number, velocity: Float64Array, resting: readonly number[], u: Float64Array): void;
  /** The whole law as a kernel, where that pays, for tasks that can be done for sure. After `start`. */
  compileLaw(choice: RedundancyCriterion): CompiledTaskLaw | undefined;
  /** x += k d as far as levels.N leaves room: what tasks, held hinges and hinges without motor do not feel of d. */
  addNullSpaceMotion(k: number, d: Float64Array, x: Float64Array): void;
  /** τ = H* φ̈ + C* of the driven hinges. */
  torques(phidd: Float64Array, command: Float64Array): void;
}

/** Indices of freedoms among the hinge speeds of the robot. */
export function hingeIndices(stack: TaskStack, freedoms: readonly Freedom[], path: string, note: NoteProblem): number[] {
  const { speeds, base } = stack.robot;
  return freedoms.map((f) => {
    const at = speeds.indexOf(f.u);
    if (at < 0) note(path, `${f.name} is not a hinge of the robot with the base "${base.name}"`);
    return at;
  });
}

export function coordination(
  name: string,
  values: ParameterValues<typeof COORDINATION_PARAMETERS>,
  note: NoteProblem,
  model: Model,
): Coordination {
  const stack = taskStack(model, readTasks(values.tasks, note), { base: values.base, outputs: ["Hstar", "Cstar"] });
  const { n, m } = stack;
  const { speeds, names } = stack.robot;
  const driven = hingeIndices(stack, values.hinges, "hinges", note);
  const held = [...new Set(hingeIndices(stack, values.held ?? [], "held", note))];
  const passive = speeds.map((_, j) => j).filter((j) => !driven.includes(j));
  for (const j of held) if (passive.includes(j)) note("held", `${names[j]} has no motor to hold it`);
  for (const loop of loopsOnRobot(stack, model))
    note("base", `the robot closes the loop "${loop}", which this law does not know`, "Its equations are those of the tree");
  const first = stack.levels[1] ?? 0;
  const free = n - held.length - passive.length;
  if (first > free)
    note(
      "tasks",
      `${first} rows of the first priority are more than the ${free} hinges for them`,
      "Give some tasks a lower priority",
    );

  const solver = hierarchicalLeastSquares(n);
  const rates = hierarchicalLeastSquares(n);
  /** What is decided before all tasks: hinges by themselves, the first time counts, and equations of hinges without motor. */
  const fixed = { hinges: new Int32Array(2 * n), values: new Float64Array(2 * n), count: 0 };
  const equations = { A: new Float64Array(passive.length * n), first: 0, count: 0 };
  const equationsRight = new Float64Array(passive.length);
  const rhs = new Float64Array(m);
  const tau = new Float64Array(n);
  let scales: TaskScales = { rows: new Float64Array(m), columns: new Float64Array(n) };
  let priorities: readonly LinearRows[] = [];
  let Hstar = new Float64Array() as Float64Array; // until the robot is compiled
  let Cstar = Hstar;

  const begin = (solver: HierarchicalLeastSquares): void => {
    solver.reset(scales.columns);
    for (let i = 0; i < fixed.count; i++) solver.fixUnknown(fixed.hinges[i]!, fixed.values[i]!);
    solver.addLevel(equations, equationsRight, undefined, 0);
  };
  const fix = (hinge: number, value: number): void => {
    fixed.hinges[fixed.count] = hinge;
    fixed.values[fixed.count++] = value;
  };
  const solve = (solver: HierarchicalLeastSquares, t: number): void => {
    begin(solver);
    for (let level = 0; level < priorities.length; level++) {
      const rows = priorities[level]!;
      solver.addLevel(rows, rhs, scales.rows, level === 0 ? 0 : values.singular);
      if (
        level > 0 ||
        solver.smallestSingularValueExceeds(values.singular) ||
        solver.smallestSingularValue() > TRUSTED_ESTIMATE * values.singular
      )
        continue;
      begin(solver);
      checkSingularity(name, values.singular, t, stack, scales, solver, rows.count);
      solver.addLevel(rows, rhs, scales.rows, 0);
    }
  };

  return {
    stack,
    accelerationSolver: solver,
    speedSolver: rates,
    driven,
    held,
    commands: values.hinges.map((f) => `${values.motors}.${f.speedName}`),
    start(q) {
      ({ Hstar, Cstar } = stack.values);
      const { J: A, levels } = stack;
      priorities = levels.slice(1).map((end, i) => ({ A, first: levels[i]!, count: end - levels[i]! }));
      scales = taskScales(model, stack);
      const unmoved = stack.names.filter((_, i) => scales.rows[i] === 0);
      if (unmoved.length > 0)
        throw new ModelError(
          model.name,
          unmoved.map((row) => ({
            path: `${name}.tasks`,
            message: `no hinge moves ${row}`,
            advice: "Leave it out of the task's parts",
          })),
        );
      return stack.startPoses(q);
    },
    solveAccelerations(t) {
      fixed.count = 0;
      for (let i = 0; i < held.length; i++) fix(held[i]!, 0);
      equations.count = passive.length;
      for (let i = 0; i < passive.length; i++) {
        const row = passive[i]! * n;
        for (let j = 0; j < n; j++) equations.A[i * n + j] = Hstar[row + j]!;
        equationsRight[i] = -Cstar[passive[i]!]!;
      }
      for (let i = 0; i < m; i++) rhs[i] = stack.referenceAcceleration[i]! - stack.bias[i]!;
      solve(solver, t);
    },
    solveSpeeds(t, velocity, resting, u) {
      fixed.count = equations.count = 0;
      for (let i = 0; i < passive.length; i++) fix(passive[i]!, u[speeds[passive[i]!]!]!);
      for (let i = 0; i < resting.length; i++) fix(resting[i]!, 0);
      const { drift } = stack;
      for (let i = 0; i < m; i++) rhs[i] = velocity[i]! - drift[i]!;
      solve(rates, t);
    },
    compileLaw: (choice) =>
      values.period < LONGEST_COMPILED_PERIOD
        ? compileTaskLaw(stack, scales, { driven, passive, held, singular: values.singular }, choice)
        : undefined,
    addNullSpaceMotion(k, d, x) {
      const { N, freedom } = solver;
      for (let f = 0; f < freedom; f++) {
        let part = 0;
        for (let j = 0; j < n; j++) part += (N[f * n + j]! * d[j]!) / scales.columns[j]! ** 2;
        for (let j = 0; j < n; j++) x[j]! += k * part * N[f * n + j]!;
      }
    },
    torques(phidd, command) {
      rowTimesMatrix(phidd, 0, 1, Hstar, n, n, tau, 0, 1); // H* is symmetric
      for (let i = 0; i < driven.length; i++) command[i] = tau[driven[i]!]! + Cstar[driven[i]!]!;
    },
  };
}

/** Loops that hold the robot's own bodies, by name. */
const loopsOnRobot = ({ robot: { carries, speeds } }: TaskStack, model: Model): string[] =>
  model.loops
    .filter((l) =>
      l.type === "frames"
        ? [l.from, l.to].some(({ body }) => body >= 0 && carries[body])
        : l.terms.some(({ u }) => speeds.includes(u)),
    )
    .map((l) => l.name);

/** Laws that are asked more often than this, in seconds, are worth a kernel: it takes as long to compile as some thousand updates do. */
const LONGEST_COMPILED_PERIOD = 0.005;

/** The quick estimate of the smallest singular value is trusted above this multiple of the limit. */
const TRUSTED_ESTIMATE = 1.5;

/** Stops where what is free, levels.N, moves the first rows too little. */
function checkSingularity(
  name: string,
  limit: number,
  t: number,
  stack: TaskStack,
  scales: TaskScales,
  { N, freedom }: HierarchicalLeastSquares,
  count: number,
): void {
  const { singular, left, right } = smallestSingularValue(stack.J, scales.rows, N, stack.n, freedom, count);
  if (singular >= limit) return;
  const row = indexOfLargest(left);
  const moving = right.map((v, j) => v / scales.columns[j]!);
  const largest = Math.abs(moving[indexOfLargest(moving)] ?? 0);
  const hinges = stack.robot.names.filter((_, j) => Math.abs(moving[j]!) > 0.5 * largest);
  throw new SingularError(
    `${name}: at t = ${Number(t.toPrecision(6))} s the smallest singular value of the scaled generalised Jacobian is ` +
      `${singular.toExponential(2)}, below ${limit}: ${hinges.join(", ")} can hardly move ${stack.names[row]} there. Choose another path ` +
      "or posture, give a task a lower priority, or take a singularity-robust controller",
  );
}

/** The smallest singular value of D J N, its vector over the rows, and its direction N v over the hinges. Allocates. */
export function smallestSingularValue(
  J: Float64Array,
  weight: Float64Array,
  N: Float64Array,
  n: number,
  freedom: number,
  count: number,
): { readonly singular: number; readonly left: Float64Array; readonly right: Float64Array } {
  const reduced = new Float64Array(count * freedom);
  for (let i = 0; i < count; i++)
    for (let k = 0; k < freedom; k++)
      for (let j = 0; j < n; j++) reduced[i * freedom + k]! += weight[i]! * J[i * n + j]! * N[k * n + j]!;
  const gram = new Float64Array(count * count);
  for (let a = 0; a < count; a++)
    for (let b = 0; b < count; b++)
      for (let k = 0; k < freedom; k++) gram[a * count + b]! += reduced[a * freedom + k]! * reduced[b * freedom + k]!;
  const { values, vectors } = symmetricEigen(gram, count);
  let least = 0;
  for (let k = 1; k < count; k++) if (values[k]! < values[least]!) least = k;
  const left = Float64Array.from({ length: count }, (_, i) => vectors[i * count + least]!);
  const right = new Float64Array(n);
  for (let k = 0; k < freedom; k++) {
    let v = 0;
    for (let i = 0; i < count; i++) v += reduced[i * freedom + k]! * left[i]!;
    for (let j = 0; j < n; j++) right[j]! += N[k * n + j]! * v;
  }
  return { singular: freedom < count ? 0 : Math.sqrt(Math.max(0, values[least]!)), left, right };
}

const indexOfLargest = (v: Float64Array): number => v.reduce((best, x, i) => (Math.abs(x) > Math.abs(v[best]!) ? i : best), 0);
