/** All values of a sample from which channels are read. */
import { compile, type Kernel } from "../../kernel/run/kernel.ts";
import type { Layout } from "../system/layout.ts";
import { frameAccelerationsProgram, frameSpecificForcesProgram } from "../system/motion-program.ts";
import type { Observation } from "../system/observer.ts";
import type { LoopChannel, LoopChannels, Workspace } from "../system/workspace.ts";
import type { SampleNeeds, ValueArray } from "./channel-source.ts";
import { FrameValues } from "./frame-values.ts";
import { frameLoops, hingeLoadsProgram } from "./hinge-loads-program.ts";
import { loadChannels } from "./load-channels.ts";

/** Indices of the single numbers of a sample. */
export const [TIME, KINETIC, POTENTIAL, BALANCE] = [0, 1, 2, 3];

const WRENCH_PARTS = ["tx", "ty", "tz", "fx", "fy", "fz"] as const;

const valueArray = (values: Float64Array = new Float64Array(0)): ValueArray => ({ values });

export class SampleValues {
  /** Time, kinetic and potential energy, energy balance. */
  readonly single = valueArray(new Float64Array(4));
  readonly state = valueArray();
  readonly held = valueArray();
  readonly tau = valueArray();
  readonly momentum = valueArray();
  readonly centre = valueArray();
  readonly elements = valueArray();
  readonly controllers: ValueArray;
  /** Acceleration and specific force of each frame (3 each), and reaction in each hinge: torque (3), force (3). */
  readonly accelerations = valueArray();
  readonly specificForces = valueArray();
  readonly reactions: ValueArray;
  /** Generalised force of each speed by inverse dynamics, and carried load of the world and each body (6 each). */
  readonly efforts = valueArray();
  readonly carried = valueArray();
  readonly frames: FrameValues;
  readonly bodyLoads: ReturnType<typeof loadChannels>;
  readonly loops: LoopChannels;
  readonly #layout: Layout;
  readonly #ydot: Float64Array;
  /** Wrenches of the loops between frames, 6 numbers each. */
  readonly #loopWrenches: readonly LoopChannel[];
  #accelerations: Kernel | undefined;
  #specificForces: Kernel | undefined;
  #hingeLoads: Kernel | undefined;

  constructor(layout: Layout, controllers: Float64Array, loops: LoopChannels) {
    this.#layout = layout;
    this.controllers = valueArray(controllers);
    this.reactions = valueArray(new Float64Array(6 * layout.model.bodies.length));
    this.frames = new FrameValues(layout);
    this.bodyLoads = loadChannels(layout, this.frames.frames);
    this.loops = loops;
    this.#loopWrenches = frameLoops(layout.model).flatMap(({ name }) =>
      WRENCH_PARTS.map((part) => loops.channels.find((channel) => channel.name === `loop.${name}.${part}`)!),
    );
    this.#ydot = new Float64Array(layout.ny);
  }

  /** Takes time, state and held inputs only: enough for channels that depend on nothing else. */
  takeState(t: number, y: Float64Array, held: Float64Array): void {
    this.single.values[TIME] = t;
    this.state.values = y;
    this.held.values = held;
  }

  /** Takes a sample. The needs must be the same at every sample. */
  take(workspace: Workspace, t: number, y: Float64Array, observation: Observation, balance: number, needs: SampleNeeds): void {
    let latest = observation;
    this.takeState(t, y, workspace.held);
    this.single.values[BALANCE] = balance;
    this.loops.see(workspace, t, y, needs.loops);
    if (needs.loops.loads) latest = workspace.observe(t, y);
    if (needs.frames.length > 0) this.frames.take(y, needs.frames);
    if (needs.bodyLoads) this.bodyLoads.see(this.frames.values, this.frames.start, latest.wrenches);
    if (needs.accelerations || needs.specificForces) this.#takeAccelerations(workspace, t, y, latest, needs);
    if (needs.reactions) {
      workspace.reactions(t, y, this.reactions.values);
      if (needs.hingeLoads) this.#takeHingeLoads(workspace, t, y);
      latest = workspace.observe(t, y);
    }
    this.#takeObservation(latest);
  }

  #takeAccelerations({ problem }: Workspace, t: number, y: Float64Array, { fall }: Observation, needs: SampleNeeds): void {
    problem.derivative(t, y, this.#ydot);
    this.#addOriginAcceleration();
    if (needs.accelerations) {
      this.#accelerations ??= compile(frameAccelerationsProgram(this.#layout, this.frames.frames));
      this.accelerations.values = this.#evaluateAtDerivative(this.#accelerations, y);
    }
    if (needs.specificForces) {
      this.#addToRoots(fall, 0, -1); // an accelerometer does not show the fall in a field
      this.#specificForces ??= compile(frameSpecificForcesProgram(this.#layout, this.frames.frames));
      this.specificForces.values = this.#evaluateAtDerivative(this.#specificForces, y);
    }
  }

  /** Takes loads that follow from the reactions and the loads of loops of this sample. */
  #takeHingeLoads({ problem, model }: Workspace, t: number, y: Float64Array): void {
    const { nq, nu } = this.#layout;
    problem.derivative(t, y, this.#ydot);
    this.#hingeLoads ??= compile(hingeLoadsProgram(model));
    const { x, y: outputs } = this.#hingeLoads;
    for (let i = 0; i < nq; i++) x[i] = y[i]!;
    for (let i = 0; i < nu; i++) x[nq + i] = this.#ydot[nq + i]!;
    x.set(this.reactions.values, nq + nu);
    const first = nq + nu + this.reactions.values.length;
    for (let i = 0; i < this.#loopWrenches.length; i++) x[first + i] = this.#loopWrenches[i]!.read();
    this.#hingeLoads.evaluate();
    this.efforts.values = outputs.subarray(0, nu);
    this.carried.values = outputs.subarray(nu);
  }

  /** Accelerations of the roots in the world, if the origin accelerates. */
  #addOriginAcceleration(): void {
    const { origin } = this.#layout;
    if (origin !== undefined) this.#addToRoots(this.#ydot, origin + 3, 1);
  }

  /** Adds an acceleration in world axes, three numbers of `values` from `first` on, to u̇ of the free root hinges. */
  #addToRoots(values: Float64Array, first: number, sign: 1 | -1): void {
    const { model, nq, origin } = this.#layout;
    if (origin === undefined) return;
    for (const { parent, hinge } of model.bodies) {
      if (parent >= 0) continue;
      const { R } = hinge.onParent; // R_WF: its columns are the axes of the speeds
      for (const k of [0, 1, 2] as const)
        for (const i of [0, 1, 2] as const) this.#ydot[nq + hinge.u + 3 + k]! += sign * R[i][k] * values[first + i]!;
    }
  }

  /** Evaluates a kernel of q, u and u̇. */
  #evaluateAtDerivative(kernel: Kernel, y: Float64Array): Float64Array {
    const { nq, nu } = this.#layout;
    const { x } = kernel;
    for (let i = 0; i < nq + nu; i++) x[i] = y[i]!;
    for (let i = 0; i < nu; i++) x[nq + nu + i] = this.#ydot[nq + i]!;
    kernel.evaluate();
    return kernel.y;
  }

  #takeObservation({ kinetic, potential, tau, momentum, centre, channels }: Observation): void {
    this.single.values[KINETIC] = kinetic;
    this.single.values[POTENTIAL] = potential;
    this.tau.values = tau;
    this.momentum.values = momentum;
    this.centre.values = centre;
    this.elements.values = channels;
  }
}
