/** Observes a system at a state: energies, momentum, mass centre, loads and channels of elements. */
import { compile, type Target } from "../../kernel/run/kernel.ts";
import { offsetsOf } from "../../kernel/trace/program.ts";
import { observationProgram } from "./motion-program.ts";
import type { RightHandSide, SystemParts } from "./right-hand-side.ts";

/** Quantities of a system at a state. Valid until the next observation: the object and its arrays are used again. */
export interface Observation {
  readonly kinetic: number;
  readonly potential: number;
  /** Angular about the world origin (3), linear (3). */
  readonly momentum: Float64Array;
  readonly centre: Float64Array;
  /** In mass-centre coordinates: acceleration of the origin by fields, without the loads (3). Empty in those of the world. */
  readonly fall: Float64Array;
  /** Generalised forces of all elements, including dry friction, and wrenches at the layout's frames. */
  readonly tau: Float64Array;
  readonly wrenches: Float64Array;
  /** The elements' channels, as listed in `System.channels`. */
  readonly channels: Float64Array;
}

/** An observation of its own: it stays valid. */
export const copyObservation = (observation: Observation): Observation => ({
  ...observation,
  momentum: observation.momentum.slice(),
  centre: observation.centre.slice(),
  fall: observation.fall.slice(),
  tau: observation.tau.slice(),
  wrenches: observation.wrenches.slice(),
  channels: observation.channels.slice(),
});

export class Observer {
  readonly channels: readonly { readonly name: string; readonly unit: string }[];
  readonly #parts: SystemParts;
  readonly #rightHandSide: RightHandSide;
  readonly #kernel: ReturnType<typeof compileObservation>;
  readonly #observation: { -readonly [K in keyof Observation]: Observation[K] };
  readonly #scratch: Float64Array;

  constructor(parts: SystemParts, rightHandSide: RightHandSide, options: { readonly target: Target }) {
    const { layout, motion } = parts;
    const { program, channels } = observationProgram(layout);
    const observation = compileObservation(program, options);
    const { y, outputs: at } = observation;
    this.channels = channels;
    this.#parts = parts;
    this.#rightHandSide = rightHandSide;
    this.#kernel = observation;
    this.#scratch = new Float64Array(layout.ny);
    // Views of the kernel's outputs, made once.
    this.#observation = {
      kinetic: 0,
      potential: 0,
      momentum: y.subarray(at.momentum, at.momentum + 6),
      centre: y.subarray(at.centre, at.centre + 3),
      fall: y.subarray(at.fall, at.fall + (layout.origin === undefined ? 0 : 3)),
      tau: y.subarray(at.tau, at.tau + layout.nu),
      wrenches: y.subarray(at.w, at.w + motion.w.length),
      channels: new Float64Array(channels.length),
    };
  }

  observe(t: number, y: Float64Array): Observation {
    const { layout, motion, numeric } = this.#parts;
    const { kernel, inputs, outputs, y: traced } = this.#kernel;
    const observation = this.#observation;
    this.#rightHandSide.inputLaw?.(t, y);
    const { x } = kernel;
    x[inputs.t] = t;
    x.set(y, inputs.y);
    x.set(motion.held, inputs.held);
    kernel.evaluate();
    const numericPotential = layout.numeric ? this.#addNumericLoads(t, y) : 0;
    const { channels } = observation;
    const tracedChannels = kernel.outputs.channels;
    for (let i = 0; i < tracedChannels; i++) channels[i] = traced[outputs.channels + i]!;
    numeric.copyChannels(channels, tracedChannels);
    observation.kinetic = traced[outputs.energy]!;
    observation.potential = traced[outputs.energy + 1]! + numericPotential;
    return observation;
  }

  /** Adds the loads of numeric elements and dry friction to the observation. Returns the potential energy of these elements. */
  #addNumericLoads(t: number, y: Float64Array): number {
    const { motion, numeric, friction } = this.#parts;
    // Sticking forces are solved for together with the accelerations.
    if (friction.count > 0) this.#rightHandSide.derivative(t, y, this.#scratch);
    else this.#rightHandSide.setNumericLoads(t, y);
    const { tau, wrenches } = this.#observation;
    for (let i = 0; i < tau.length; i++) tau[i]! += motion.tau[i]!;
    for (let i = 0; i < wrenches.length; i++) wrenches[i]! += motion.w[i]!;
    return numeric.potential;
  }
}

/** The kernel of the observation with the offsets of its inputs and outputs. */
function compileObservation(program: ReturnType<typeof observationProgram>["program"], options: { readonly target: Target }) {
  const kernel = compile(program, options);
  return { kernel, inputs: offsetsOf(kernel.inputs), outputs: offsetsOf(kernel.outputs), y: kernel.y };
}
