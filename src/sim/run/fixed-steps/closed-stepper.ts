/**
 * Fixed steps of machines with loops inside WebAssembly, many per call: stages, projection, and the check of the weakest equation. Steps that need
 * a decision are made by the integrator and the singularity stepper. The bits are the same, and so is what is saved.
 */
import type { ClosedLoops } from "../../../dynamics/loops/multipliers/closed-loops.ts";
import type { ProjectionCode } from "../../../dynamics/loops/multipliers/projection-code.ts";
import { compile, instantiateEvaluate } from "../../../kernel/run/kernel.ts";
import type { KernelMemory } from "../../../kernel/run/memory.ts";
import { LruCache } from "../../../kernel/run/program-cache.ts";
import { sizeOf } from "../../../kernel/trace/program.ts";
import type { DerivativeCode, GridSteps, Integrator, IntegratorOptions, Stepper } from "../../integrators/integrator.ts";
import { isFiniteVector } from "../../integrators/stepping/settings.ts";
import { SingularityStepper } from "../../singular/singularity-stepper.ts";
import { SMOOTH, type SmoothSteps } from "../../singular/smooth-steps.ts";
import type { WeakestEquationSample } from "../../singular/weakest-equation.ts";
import { weakestEquationProgram } from "../../singular/weakest-equation-program.ts";
import type { Workspace } from "../../system/workspace.ts";
import { buildClosedSteps, type ClosedSteps, type ClosedStepsLayout, RESULT, RESULT_BYTES } from "./closed-steps-code.ts";
import { FIXED_METHODS, type FixedMethod } from "./fixed-methods.ts";
import type { ManyStepper } from "./fixed-steps.ts";

/** Largest number of steps per call, so that a run can be interrupted. */
const MAX_STEPS = 1000;
/** Largest number of steps that the integrator makes after the code has left its first step. It doubles from 1. */
const MAX_PATIENCE = 64;

/** The stepper of a machine with loops, with its usual steps inside WebAssembly; undefined if the integrator or the machine does not allow it. */
export function closedStepper(
  workspace: Workspace,
  stepper: Stepper,
  integrator: Integrator,
  { step }: IntegratorOptions,
): ManyStepper | undefined {
  const method = FIXED_METHODS[integrator.name];
  if (!method || step === undefined || workspace.layout.numeric || !(stepper instanceof SingularityStepper)) return undefined;
  return new ClosedStepper(workspace, stepper, method, step);
}

class ClosedStepper implements ManyStepper {
  readonly #workspace: Workspace;
  readonly #outer: SingularityStepper;
  readonly #method: FixedMethod;
  readonly #h: number;
  readonly #codes = new WeakMap<ClosedLoops, StepsCode>();
  /** Steps that the integrator makes before the code is tried again, and their number after the next failure. */
  #waiting = 0;
  #patience = 1;

  constructor(workspace: Workspace, outer: SingularityStepper, method: FixedMethod, h: number) {
    this.#workspace = workspace;
    this.#outer = outer;
    this.#method = method;
    this.#h = h;
  }

  get t(): number {
    return this.#outer.t;
  }

  get y(): Float64Array {
    return this.#outer.y;
  }

  get previous(): number {
    return this.#outer.previous;
  }

  get onManifold(): boolean {
    return this.#outer.onManifold;
  }

  get counts(): Stepper["counts"] {
    return this.#outer.counts;
  }

  restart(t: number, y: Float64Array): void {
    this.#outer.restart(t, y);
  }

  interpolate(t: number, out: Float64Array): void {
    this.#outer.interpolate(t, out);
  }

  save(): unknown {
    return this.#outer.save();
  }

  restore(saved: unknown): void {
    this.#outer.restore(saved);
  }

  step(end: number): void {
    if (!this.#makeSteps(end, 1)) this.#outer.step(end);
  }

  stepMany(end: number, stop: number): void {
    const { t } = this.#outer;
    const most = Math.min(MAX_STEPS, Math.max(1, Math.round((stop - t) / this.#h)));
    if (!this.#makeSteps(end, most)) this.#outer.step(end);
  }

  /** Makes usual steps, at most `most`. False if the next one needs a decision. */
  #makeSteps(end: number, most: number): boolean {
    if (this.#waiting > 0) {
      this.#waiting--;
      return false;
    }
    const smooth = this.#outer.smoothSteps();
    const planned = smooth ? smooth.gridSteps.plan(end, most) : 0;
    const code = planned > 0 ? this.#codeNow() : undefined;
    if (!code) return false;
    const done = this.#run(code, smooth!, planned);
    if (done > 0) this.#patience = 1;
    else {
      this.#waiting = this.#patience;
      this.#patience = Math.min(2 * this.#patience, MAX_PATIENCE);
    }
    return !code.hasLeft;
  }

  /** Makes usual steps, at most `planned`. Returns their number. */
  #run(code: StepsCode, { gridSteps, tracker }: SmoothSteps, planned: number): number {
    const { h, start, k, last } = gridSteps;
    const { t } = this.#outer;
    const closed = this.#workspace.closed!;
    const done = code.run(this.#outer, tracker.accepted!, tracker.largest, planned, gridSteps);
    const { y, before, derivative } = code.views;
    const isValid = done > 0 && isFiniteVector(y);
    closed.projectedInside(isValid, isValid && !code.hasLeft);
    if (!isValid) return 0;
    const reached = done === planned ? last : start + (k + done) * h;
    gridSteps.take(done, reached, y, done === 1 ? t : start + (k + done - 1) * h, before, derivative);
    code.readSample(tracker.take(code.largest, code.predicted), reached);
    this.#outer.madeSmoothSteps();
    closed.orderAccepted();
    return done;
  }

  /** The code for the engaged loops and the present pivot orders; undefined if there is none. */
  #codeNow(): StepsCode | undefined {
    const { closed, problem } = this.#workspace;
    const motion = problem.code?.();
    const projection = motion && closed?.projectionCode();
    const weights = projection && closed?.weaknessWeights();
    if (!(motion?.kernel.code && projection && closed && weights)) return undefined;
    let code = this.#codes.get(closed);
    if (code?.motion.kernel !== motion.kernel || code.projection !== projection) {
      code = new StepsCode(this.#workspace, closed, motion, projection, this.#method);
      this.#codes.set(closed, code);
    }
    code.enter(weights);
    return code;
  }
}

const modules = new LruCache<WebAssembly.Module>(64);

/** The code for one set of loops, with its memory. */
class StepsCode {
  readonly motion: DerivativeCode;
  readonly projection: ProjectionCode;
  readonly #method: FixedMethod;
  readonly #layout: ClosedStepsLayout;
  readonly #steps: ClosedSteps;
  #h = Number.NaN;
  #views: StepsViews;

  constructor(
    { layout, loops }: Workspace,
    closed: ClosedLoops,
    motion: DerivativeCode,
    projection: ProjectionCode,
    method: FixedMethod,
  ) {
    const { memory } = projection.kernels;
    const { ny, nu } = layout;
    const code = motion.kernel.code!;
    const weakest = compile(weakestEquationProgram(loops.current.model, closed.rows), { memory });
    // The motion reads [t, y, ...] in two blocks, each with y on a 16-byte boundary. A number stands behind ẏ.
    const block = (): number => memory.allocate(8 * (sizeOf(motion.kernel.inputs) + 3)) + 8;
    const pairs = (): number => memory.allocate(16 * Math.ceil((ny + 1) / 2));
    this.motion = motion;
    this.projection = projection;
    this.#method = method;
    this.#layout = {
      current: block(),
      stage: block(),
      scratch: memory.allocate(Math.max(code.scratchBytes, weakest.code!.scratchBytes)),
      k: [pairs(), pairs(), pairs(), pairs()],
      weights: memory.allocate(8 * MAX_WEIGHTS),
      ...{ next: pairs(), previous: pairs(), derivative: pairs() },
      results: memory.allocate(RESULT_BYTES),
      ny,
      validBelow: motion.validBelow ?? Number.POSITIVE_INFINITY,
      ...{ w: projection.w, pull: projection.pull },
      weakest: { x: weakest.x.byteOffset, y: weakest.y.byteOffset, nu, rows: closed.rows },
    };
    const module = modules.get(`${method.name} ${JSON.stringify(this.#layout)}`, () => {
      return new WebAssembly.Module(buildClosedSteps(this.#layout, method, SMOOTH).bytes());
    });
    this.#steps = new WebAssembly.Instance(module, {
      castor: { memory: memory.memory },
      kernels: { motion: instantiateEvaluate(memory, code), weakest: instantiateEvaluate(memory, weakest.code!) },
      projection: { project: projection.project, pullAt: projection.pullAt },
    }).exports.steps as ClosedSteps;
    this.#views = stepsViews(memory, this.#layout, sizeOf(motion.kernel.inputs));
  }

  /** Views of the memory. Valid until it grows. */
  get views(): StepsViews {
    return this.#views;
  }

  /** Takes the inputs of the kernels. */
  enter(weights: Float64Array): void {
    const { kernel } = this.motion;
    const { memory } = this.projection.kernels;
    if (this.#views.y.length === 0) this.#views = stepsViews(memory, this.#layout, sizeOf(kernel.inputs));
    this.#views.current.set(kernel.x);
    this.#views.stage.set(kernel.x);
    this.#views.weaknessWeights.set(weights);
  }

  /** Makes at most n steps on a grid from a state with its sample. Returns their number; the results are in the views. */
  run({ t, y: state }: Stepper, sample: WeakestEquationSample, largest: number, n: number, grid: GridSteps): number {
    const { y, direction, w, strength, results, weights } = this.#views;
    const { h, start, k, last } = grid;
    y.set(state);
    direction.set(sample.direction);
    w.set(sample.w);
    strength[0] = sample.strength;
    results[LARGEST] = largest;
    results[LEFT] = 0;
    if (h !== this.#h) weights.set(this.#method.weights(h));
    this.#h = h;
    return this.#steps(n, h, start, k, t, last, SMOOTH.reach * h);
  }

  /** True if the last call has begun a step and left it. */
  get hasLeft(): boolean {
    return this.#views.results[LEFT] !== 0;
  }

  get largest(): number {
    return this.#views.results[LARGEST]!;
  }

  get predicted(): number {
    return this.#views.results[PREDICTED]!;
  }

  /** Writes the sample of the weakest equation at the end of the steps. */
  readSample(into: WeakestEquationSample, t: number): void {
    const { direction, w, strength, turn } = this.#views;
    into.t = t;
    into.strength = strength[0]!;
    into.turn = turn[0]!;
    into.direction.set(direction);
    into.w.set(w);
  }
}

const [LARGEST, PREDICTED, LEFT] = [RESULT.largest / 8, RESULT.predicted / 8, RESULT.left / 8];
const MAX_WEIGHTS = 16;

type StepsViews = ReturnType<typeof stepsViews>;

function stepsViews(memory: KernelMemory, layout: ClosedStepsLayout, nx: number) {
  const { ny, weakest, current, stage, previous, derivative, weights, results } = layout;
  const { x, nu, rows } = weakest;
  return {
    current: memory.doubles(current, nx),
    stage: memory.doubles(stage, nx),
    /** The state after the steps; the state and the derivative before the last one. */
    y: memory.doubles(current + 8, ny),
    before: memory.doubles(previous, ny),
    derivative: memory.doubles(derivative, ny),
    weights: memory.doubles(weights, MAX_WEIGHTS),
    results: memory.doubles(results, RESULT_BYTES / 8),
    /** The sample at the end of the last step. */
    direction: memory.doubles(x, nu),
    w: memory.doubles(x + 8 * nu, rows),
    strength: memory.doubles(x + 8 * (nu + rows), 1),
    turn: memory.doubles(weakest.y + 8 * (nu + rows + 1), 1),
    weaknessWeights: memory.doubles(x + 8 * (nu + rows + 1 + nu + rows), rows),
  };
}
