/** Evaluates the numeric force elements, on views that are created once. Also gives snapshots to elements with events or start checks. */
import { ArgumentError } from "../../errors.ts";
import { compile, type Kernel, type Target } from "../../kernel/run/kernel.ts";
import type { ElementMemory, ForceElement, NumericLoads, Snapshot } from "./force-element.ts";
import type { Layout } from "./layout.ts";
import { ORIGIN_STATES } from "./mass-centre/free-floating.ts";
import { framesProgram } from "./motion-program.ts";

/** Numbers per frame: R by rows (9), position (3), angular and linear velocity (6). */
export const PER_FRAME = 18;

interface ElementViews {
  readonly element: ForceElement;
  readonly snapshot: { t: number } & Omit<Snapshot, "t">;
  readonly loads: NumericLoads;
  /** Last time at which it could not compute its loads, and the reason. */
  failedAt: number;
  failure: string;
}

export class NumericElements {
  readonly #nq: number;
  /** All elements that need snapshots, and those of them that compute loads. */
  readonly #observers: readonly ElementViews[];
  readonly #appliers: readonly ElementViews[];
  readonly #byElement: ReadonlyMap<ForceElement, ElementViews>;
  /** Frames of all these elements. Snapshots are views of its inputs and outputs, so nothing is copied. */
  readonly #frames: Kernel | undefined;
  readonly #memories = new Map<() => ElementMemory, ElementMemory>();
  readonly #acceptors: readonly ElementViews[];
  readonly #restarters: readonly ElementViews[];
  /** Coordinates and speeds of the last state. */
  readonly #q: Float64Array;
  readonly #u: Float64Array;
  #hasState = false;
  /** Internal states of all elements; snapshots are views of it. */
  readonly #z: Float64Array;
  /** Output buffer of all elements, one piece per quantity, element by element. Loads are views of it, and it is cleared at once. */
  readonly #output: Float64Array;
  /** Generalised forces; all elements add to the same array. */
  readonly #tau: Float64Array;
  readonly #wrenches: Float64Array;
  readonly #zdot: Float64Array;
  readonly #channels: Float64Array;
  /** Destination of each wrench among the layout's wrenches, and of each rate in ẏ. */
  readonly #wrenchTargets: Int32Array;
  readonly #zdotTargets: Int32Array;
  potential = 0;
  dissipated = 0;
  supplied = 0;

  /** @param held inputs of all elements; snapshots are views of it */
  constructor(layout: Layout, held: Float64Array, options: { readonly target: Target }) {
    const { nq, nu } = layout;
    this.#nq = nq;
    const observers = layout.elements.flatMap((element, i) =>
      element.apply || element.events || element.startProblems
        ? [{ element, frameIndices: layout.frameIndex[i]!, z: layout.z[i]!, nz: element.z0?.length ?? 0, held: layout.held[i]! }]
        : [],
    );
    const appliers = observers.filter(({ element }) => element.apply);
    this.#z = new Float64Array(layout.nz);
    this.#wrenchTargets = Int32Array.from(appliers.flatMap(({ frameIndices }) => frameIndices.map((f) => 6 * f)));
    this.#zdotTargets = Int32Array.from(appliers.flatMap(({ z, nz }) => Array.from({ length: nz }, (_, k) => nq + nu + z + k)));
    const channels = appliers.reduce((sum, { element }) => sum + (element.channels?.length ?? 0), 0);
    const sizes = [nu, 6 * this.#wrenchTargets.length, this.#zdotTargets.length, channels];
    this.#output = new Float64Array(sizes.reduce((a, b) => a + b, 0));
    const pieces = sequentialViews(this.#output);
    const [tau, wrenches, zdot, elementChannels] = sizes.map(pieces) as [Float64Array, Float64Array, Float64Array, Float64Array];
    this.#tau = tau;
    this.#wrenches = wrenches;
    this.#zdot = zdot;
    this.#channels = elementChannels;
    const [wrenchesOf, zdotOf, channelsOf] = [sequentialViews(wrenches), sequentialViews(zdot), sequentialViews(elementChannels)];
    const frames = observers.flatMap(({ frameIndices }) => frameIndices.map((f) => layout.frames[f]!));
    this.#frames = frames.length > 0 ? compile(framesProgram(layout, frames), options) : undefined;
    const x = this.#frames?.x ?? new Float64Array(nq + nu);
    this.#q = x.subarray(0, nq);
    this.#u = x.subarray(nq);
    const framesOf = sequentialViews(this.#frames?.y ?? new Float64Array(0));
    const memoryOf = (make: () => ElementMemory): ElementMemory => {
      const memory = this.#memories.get(make) ?? make();
      this.#memories.set(make, memory);
      return memory;
    };
    this.#observers = observers.map(({ element, frameIndices, z, nz, held: firstInput }) => {
      const sizeIfApplied = (size: number): number => (element.apply ? size : 0); // elements without `apply` exert nothing
      return {
        element,
        snapshot: {
          model: layout.model,
          t: 0,
          q: this.#q,
          u: this.#u,
          z: this.#z.subarray(z, z + nz),
          ...(element.held && { held: held.subarray(firstInput, firstInput + element.held.length) }),
          frames: framesOf(PER_FRAME * frameIndices.length),
          ...(layout.origin !== undefined && { origin: this.#z.subarray(layout.nz - ORIGIN_STATES) }),
          ...(element.memory && { memory: memoryOf(element.memory) }),
        },
        loads: {
          tau: this.#tau,
          wrenches: wrenchesOf(sizeIfApplied(6 * frameIndices.length)),
          zdot: zdotOf(sizeIfApplied(nz)),
          channels: channelsOf(sizeIfApplied(element.channels?.length ?? 0)),
          potential: 0,
          dissipated: 0,
          supplied: 0,
          failure: undefined,
        },
        failedAt: Number.NEGATIVE_INFINITY,
        failure: "",
      };
    });
    this.#byElement = new Map(this.#observers.map((running) => [running.element, running]));
    this.#appliers = this.#observers.filter(({ element }) => element.apply);
    this.#acceptors = this.#appliers.filter(({ element }) => element.accept);
    this.#restarters = this.#appliers.filter(({ element }) => element.restart);
  }

  /** The memories as plain data: a copy. */
  memories(): readonly unknown[] {
    return [...this.#memories.values()].map((memory) => memory.encode());
  }

  /** Replaces all memories by saved ones; a list without entries clears them. @throws ArgumentError or ModelError if they do not fit */
  enter(saved: readonly unknown[]): void {
    const memories = [...this.#memories.values()];
    if (saved.length !== 0 && saved.length !== memories.length)
      throw new ArgumentError(
        "state.discrete.memories",
        `has ${saved.length} memories of force elements, but the system has ${memories.length}. Use a state of this system`,
      );
    for (const [i, memory] of memories.entries()) {
      if (saved.length === 0) memory.clear();
      else memory.decode(saved[i]);
    }
    for (const applier of this.#appliers) applier.failedAt = Number.NEGATIVE_INFINITY;
  }

  /** Call at the end of an accepted step. */
  accept(t: number, y: Float64Array): void {
    if (this.#acceptors.length === 0) return;
    this.see(t, y);
    for (const { element, snapshot } of this.#acceptors) element.accept!(snapshot);
  }

  /** Call where the motion starts anew. */
  restart(t: number, y: Float64Array): void {
    if (this.#restarters.length === 0) return;
    this.see(t, y);
    for (const { element, snapshot } of this.#restarters) element.restart!(snapshot);
  }

  /** Reasons of all elements that could not compute their loads at some time since `since`. */
  elementWarnings(since: number): readonly string[] {
    return this.#appliers.flatMap(({ failedAt, failure }) => (failedAt >= since ? [failure] : []));
  }

  /** Adds the loads of all numeric elements to tau and w. */
  apply(t: number, y: Float64Array, tau: Float64Array, w: Float64Array): void {
    this.potential = 0;
    this.dissipated = 0;
    this.supplied = 0;
    if (this.#appliers.length === 0) return;
    this.see(t, y);
    this.#output.fill(0);
    for (let r = 0; r < this.#appliers.length; r++) {
      const applier = this.#appliers[r]!;
      const { element, snapshot, loads } = applier;
      loads.potential = 0;
      loads.dissipated = 0;
      loads.supplied = 0;
      loads.failure = undefined;
      element.apply!(snapshot, loads);
      if (loads.failure !== undefined) {
        applier.failedAt = t;
        applier.failure = loads.failure;
      }
      this.potential += loads.potential;
      this.dissipated += loads.dissipated;
      this.supplied += loads.supplied;
    }
    const wrenches = this.#wrenches;
    const wrenchAt = this.#wrenchTargets;
    for (let k = 0; k < wrenchAt.length; k++) {
      const first = wrenchAt[k]!;
      for (let i = 0; i < 6; i++) w[first + i]! += wrenches[6 * k + i]!;
    }
    const elementTau = this.#tau;
    for (let i = 0; i < elementTau.length; i++) tau[i]! += elementTau[i]!;
  }

  /** Writes ż of the numeric elements to ẏ. */
  addRates(ydot: Float64Array): void {
    const zdot = this.#zdot;
    const targets = this.#zdotTargets;
    for (let k = 0; k < targets.length; k++) ydot[targets[k]!] = zdot[k]!;
  }

  /** Copies the elements' channels of the last evaluation, element by element. */
  copyChannels(out: Float64Array, first: number): void {
    out.set(this.#channels, first);
  }

  /** The snapshot of an element with events or start checks. */
  snapshot(element: ForceElement, t: number, y: Float64Array): Snapshot {
    this.see(t, y);
    return this.#byElement.get(element)!.snapshot;
  }

  /** Fills the snapshots. Frames are not computed again if q and u are unchanged: events, loads and samples use the same states. */
  see(t: number, y: Float64Array): void {
    if (this.#takeState(y)) this.#frames?.evaluate();
    const z = this.#z;
    const first = this.#nq + this.#u.length;
    for (let k = 0; k < z.length; k++) z[k] = y[first + k]!;
    for (let r = 0; r < this.#observers.length; r++) this.#observers[r]!.snapshot.t = t;
  }

  /** Copies q and u of a state. Returns true if they changed. */
  #takeState(y: Float64Array): boolean {
    const nq = this.#nq;
    const q = this.#q;
    const u = this.#u;
    let hasMoved = !this.#hasState;
    this.#hasState = true;
    for (let i = 0; i < q.length; i++)
      if (!Object.is(q[i], y[i])) {
        q[i] = y[i]!;
        hasMoved = true;
      }
    for (let i = 0; i < u.length; i++)
      if (!Object.is(u[i], y[nq + i])) {
        u[i] = y[nq + i]!;
        hasMoved = true;
      }
    return hasMoved;
  }
}

/** Returns consecutive pieces of an array, one per call. */
const sequentialViews = (all: Float64Array): ((size: number) => Float64Array) => {
  let end = 0;
  return (size) => {
    end += size;
    return all.subarray(end - size, end);
  };
};
