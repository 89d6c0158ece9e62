/** Evaluates ẏ of a system for given inputs: in one kernel where possible, else loads in a kernel and accelerations by the formulation. */
import type { FormulationName } from "../../dynamics/formulation.ts";
import { isOrderSuitable, SUITABLE_BELOW } from "../../dynamics/loops/multipliers/pivot-order-cache.ts";
import { compile, type Kernel, type Target } from "../../kernel/run/kernel.ts";
import { lazy } from "../../kernel/run/lazy.ts";
import { offsetsOf } from "../../kernel/trace/program.ts";
import type { DerivativeCode } from "../integrators/integrator.ts";
import type { BranchChart } from "../singular/branch-chart.ts";
import { type Layout, LEDGER, layoutInputs, SUPPLIED } from "./layout.ts";
import type { LoopSets } from "./loop-sets.ts";
import { loadsProgram, type MotionProgram, motionProgram } from "./motion-program.ts";

export class MotionEvaluator {
  /** The program of the whole right-hand side if one kernel computes all of it; then step loops may run inside WebAssembly. */
  readonly fullProgram: MotionProgram | undefined;
  /** Inputs held between updates, element by element. */
  readonly held: Float64Array;
  /** Generalised forces of numeric elements and dry friction, and wrenches of numeric elements. Inputs of the kernels. */
  readonly tau: Float64Array;
  readonly w: Float64Array;
  /** Offsets of the kernels' inputs. */
  readonly offsets: ReturnType<typeof offsetsOf<ReturnType<typeof layoutInputs>>>;
  /** Replaces the equations near a singular configuration of the loops. Set by the run. */
  branch: BranchChart | undefined;
  readonly #layout: Layout;
  readonly #loops: LoopSets;
  readonly #isArticulated: boolean;
  readonly #motion: () => Kernel;
  readonly #loads: () => Kernel;
  readonly #scratch: ReturnType<typeof createScratch>;
  #t = 0;
  #y: Float64Array;
  #derivativeCode: DerivativeCode | undefined;

  constructor(layout: Layout, loops: LoopSets, formulation: FormulationName, options: { readonly target: Target }) {
    this.#layout = layout;
    this.#loops = loops;
    this.#isArticulated = formulation === "articulated";
    const isWhole = this.isOneKernel && !layout.numeric && layout.model.openLoops.length === 0;
    this.fullProgram = isWhole ? motionProgram(layout) : undefined;
    this.#motion = lazy(() => compile(this.fullProgram ?? motionProgram(layout), options));
    this.#loads = lazy(() => compile(loadsProgram(layout), options));
    this.offsets = offsetsOf(layoutInputs(layout));
    if (this.isOneKernel) this.#motion();
    else if (!loops.current.motion()) loops.current.equations();
    this.held = new Float64Array(layout.nheld);
    this.tau = new Float64Array(layout.nu);
    this.w = new Float64Array(6 * layout.frames.length);
    this.#scratch = createScratch(layout);
    this.#y = new Float64Array(layout.ny);
  }

  /** True if the kernel of the motion contains the accelerations: articulated formulation without engaged loops. */
  get isOneKernel(): boolean {
    return this.#isArticulated && !this.#loops.current.closed;
  }

  /** Sets the time and the state of the next evaluations. */
  setState(t: number, y: Float64Array): void {
    this.#t = t;
    this.#y = y;
  }

  /** Computes ẏ at the set state, with `held`, `tau` and `w` as inputs. */
  evaluate(ydot: Float64Array): void {
    const isOneKernel = this.isOneKernel;
    const branch = this.branch && this.#branchAt(this.#y);
    if (!isOneKernel && !branch && this.#evaluateAsOne(ydot)) return;
    const { ny } = this.#layout;
    const kernel = isOneKernel ? this.#motion() : this.#loads();
    const outputs = this.#outputs(kernel);
    for (let i = 0; i < ny; i++) ydot[i] = outputs[i]!;
    if (!isOneKernel) this.#addAccelerations(kernel, ydot, branch);
  }

  /** The chart, if it replaces the equations at a state. */
  #branchAt(y: Float64Array): BranchChart | undefined {
    const { q } = this.#scratch;
    for (let i = 0; i < q.length; i++) q[i] = y[i]!;
    return this.branch?.covers(q) ? this.branch : undefined;
  }

  /** The derivative as one kernel, if there is one at present. */
  code(): DerivativeCode | undefined {
    if (this.branch) return undefined;
    const isOneKernel = this.isOneKernel;
    const kernel = isOneKernel ? this.#motion() : this.#loops.current.motion();
    if (!kernel?.code) return undefined;
    const { t, y, held } = this.offsets;
    kernel.x.set(this.held, held);
    if (this.#derivativeCode?.kernel !== kernel)
      this.#derivativeCode = {
        kernel,
        t,
        y,
        ...(!isOneKernel && { validBelow: SUITABLE_BELOW }),
        markAccepted: () => this.#loops.current.closed?.orderAccepted(),
      };
    return this.#derivativeCode;
  }

  /** Outputs of a program of the motion at the set state. */
  #outputs(kernel: Kernel): Float64Array {
    const { x } = kernel;
    const { t, y, held, tau, w } = this.offsets;
    x[t] = this.#t;
    x.set(this.#y, y);
    x.set(this.held, held);
    if (this.#layout.numeric) {
      x.set(this.tau, tau);
      x.set(this.w, w);
    }
    kernel.evaluate();
    return kernel.y;
  }

  /** ẏ in the one kernel of the loops or of the formulation. False if there is none, or if it is not valid at this state, e.g. its pivot order not accurate. */
  #evaluateAsOne(ydot: Float64Array): boolean {
    const { motion, closed } = this.#loops.current;
    const { nq, ny } = this.#layout;
    let kernel = motion();
    if (kernel === undefined && closed && this.#isArticulated) {
      const { q } = this.#scratch;
      for (let i = 0; i < nq; i++) q[i] = this.#y[i]!;
      closed.findPivotOrder(this.#t, q);
      this.#loads(); // compiled now and not in the middle of a run, for states where the pivot order is not accurate
      kernel = motion();
    }
    if (kernel === undefined) return false;
    const outputs = this.#outputs(kernel);
    if (!isOrderSuitable(outputs, ny)) {
      closed?.orderRejected();
      return false;
    }
    closed?.orderAccepted();
    for (let i = 0; i < ny; i++) ydot[i] = outputs[i]!;
    return true;
  }

  /** Accelerations of the formulation, or on a branch, from the loads in a kernel's outputs, and the power of prescribed motions. */
  #addAccelerations({ x, y: outputs }: Kernel, ydot: Float64Array, branch: BranchChart | undefined): void {
    const { nq, nu, ny } = this.#layout;
    const { closed, equations } = this.#loops.current;
    const { q, u, tau, w, udot } = this.#scratch;
    const offsets = this.offsets;
    for (let i = 0; i < nq; i++) q[i] = x[offsets.y + i]!;
    for (let i = 0; i < nu; i++) u[i] = x[offsets.y + nq + i]!;
    for (let i = 0; i < nu; i++) tau[i] = outputs[ny + i]!;
    for (let i = 0; i < w.length; i++) w[i] = outputs[ny + nu + i]!;
    const t = x[offsets.t]!;
    let power = 0;
    if (branch) power = branch.accelerations(t, q, u, tau, w, udot);
    else {
      equations().accelerations(q, u, tau, w, udot, t);
      if (closed?.hasPrescribedMotion) power = closed.power(t, q, u, tau, w);
    }
    for (let i = 0; i < nu; i++) ydot[nq + i]! += udot[i]!; // holds the acceleration of a moving origin, else zero
    if (closed?.hasPrescribedMotion) ydot[ny - LEDGER + SUPPLIED]! += power;
  }
}

/** Copies and not views of the kernels' arrays: making a view allocates. */
const createScratch = ({ nq, nu, frames }: Layout) => ({
  q: new Float64Array(nq),
  u: new Float64Array(nu),
  tau: new Float64Array(nu),
  w: new Float64Array(6 * frames.length),
  udot: new Float64Array(nu),
});
