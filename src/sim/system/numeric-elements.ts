/** The force elements that compute in numbers or look at states, one after the other, on views that are made once. */
import { compile, type Kernel, type Target } from "../../kernel/run/kernel.ts";
import type { ElementMemory, ForceElement, NumericLoads, Snapshot } from "./force-element.ts";
import type { Layout } from "./layout.ts";
import { framesProgram } from "./motion-program.ts";

/** Numbers per frame: R by rows (9), position (3), angular and linear velocity (6). */
export const PER_FRAME = 18;

interface ElementViews {
  readonly element: ForceElement;
  readonly snapshot: { t: number } & Omit<Snapshot, "t">;
  readonly loads: NumericLoads;
}

export class NumericElements {
  readonly #nq: number;
  /** All elements that look at states, and those of them that compute in numbers. */
  readonly #seeing: readonly ElementViews[];
  readonly #running: readonly ElementViews[];
  readonly #of: ReadonlyMap<ForceElement, ElementViews>;
  /** Frames of all of them, one after the other: snapshots are views of what it reads and writes, so that nothing is copied. */
  readonly #frames: Kernel | undefined;
  readonly #memories = new Map<() => ElementMemory, ElementMemory>();
  readonly #accepting: readonly ElementViews[];
  /** What was seen last, once something has been. */
  readonly #q: Float64Array;
  readonly #u: Float64Array;
  #begun = false;
  /** Internal states of all elements, which snapshots are views of. */
  readonly #z: Float64Array;
  /** All that elements write, one piece for each kind of it, element by element: loads are views of it, and it is cleared at once. */
  readonly #written: Float64Array;
  /** Generalised forces: all elements add to the same. */
  readonly #tau: Float64Array;
  readonly #wrenches: Float64Array;
  readonly #zdot: Float64Array;
  readonly #channels: Float64Array;
  /** Where each wrench belongs among those of the layout, and each rate in ẏ. */
  readonly #wrenchAt: Int32Array;
  readonly #zdotAt: Int32Array;
  potential = 0;
  dissipated = 0;
  supplied = 0;

  constructor(layout: Layout, options: { readonly target: Target }) {
    const { nq, nu } = layout;
    this.#nq = nq;
    const seeing = layout.elements.flatMap((element, i) =>
      element.apply || element.events || element.startProblems
        ? [{ element, own: layout.frameIndex[i]!, z: layout.z[i]!, nz: element.z0?.length ?? 0 }]
        : [],
    );
    const applied = seeing.filter(({ element }) => element.apply);
    this.#z = new Float64Array(layout.nz);
    this.#wrenchAt = Int32Array.from(applied.flatMap(({ own }) => own.map((f) => 6 * f)));
    this.#zdotAt = Int32Array.from(applied.flatMap(({ z, nz }) => Array.from({ length: nz }, (_, k) => nq + nu + z + k)));
    const channels = applied.reduce((sum, { element }) => sum + (element.channels?.length ?? 0), 0);
    const sizes = [nu, 6 * this.#wrenchAt.length, this.#zdotAt.length, channels];
    this.#written = new Float64Array(sizes.reduce((a, b) => a + b, 0));
    const pieces = sequentialViews(this.#written);
    const [tau, wrenches, zdot, ofChannels] = sizes.map(pieces) as [Float64Array, Float64Array, Float64Array, Float64Array];
    this.#tau = tau;
    this.#wrenches = wrenches;
    this.#zdot = zdot;
    this.#channels = ofChannels;
    const [wrenchesOf, zdotOf, channelsOf] = [sequentialViews(wrenches), sequentialViews(zdot), sequentialViews(ofChannels)];
    const seen = seeing.flatMap(({ own }) => own.map((f) => layout.frames[f]!));
    this.#frames = seen.length > 0 ? compile(framesProgram(layout, seen), options) : undefined;
    const x = this.#frames?.x ?? new Float64Array(nq + nu);
    this.#q = x.subarray(0, nq);
    this.#u = x.subarray(nq);
    const placesOf = sequentialViews(this.#frames?.y ?? new Float64Array(0));
    const memoryOf = (make: () => ElementMemory): ElementMemory => {
      const memory = this.#memories.get(make) ?? make();
      this.#memories.set(make, memory);
      return memory;
    };
    this.#seeing = seeing.map(({ element, own, z, nz }) => {
      const part = (size: number): number => (element.apply ? size : 0); // others exert nothing
      return {
        element,
        snapshot: {
          model: layout.model,
          t: 0,
          q: this.#q,
          u: this.#u,
          z: this.#z.subarray(z, z + nz),
          frames: placesOf(PER_FRAME * own.length),
          ...(element.memory && { memory: memoryOf(element.memory) }),
        },
        loads: {
          tau: this.#tau,
          wrenches: wrenchesOf(part(6 * own.length)),
          zdot: zdotOf(part(nz)),
          channels: channelsOf(part(element.channels?.length ?? 0)),
          potential: 0,
          dissipated: 0,
          supplied: 0,
        },
      };
    });
    this.#of = new Map(this.#seeing.map((running) => [running.element, running]));
    this.#running = this.#seeing.filter(({ element }) => element.apply);
    this.#accepting = this.#running.filter(({ element }) => element.accept);
  }

  /** A run begins: nothing is remembered. */
  begin(): void {
    for (const memory of this.#memories.values()) memory.clear();
    for (const { element } of this.#running) element.begin?.();
  }

  /** A step has ended in this state. */
  accept(t: number, y: Float64Array): void {
    if (this.#accepting.length === 0) return;
    this.see(t, y);
    for (const { element, snapshot } of this.#accepting) element.accept!(snapshot);
  }

  /** Why there were no numbers at a time not before `since`, by those elements that know. */
  elementWarnings(since: number): readonly string[] {
    return this.#running.flatMap(({ element }) => element.warning?.(since) ?? []);
  }

  /** Adds the loads of all numeric elements to tau and w. */
  apply(t: number, y: Float64Array, tau: Float64Array, w: Float64Array): void {
    this.potential = 0;
    this.dissipated = 0;
    this.supplied = 0;
    if (this.#running.length === 0) return;
    this.see(t, y);
    this.#written.fill(0);
    for (let r = 0; r < this.#running.length; r++) {
      const { element, snapshot, loads } = this.#running[r]!;
      loads.potential = 0;
      loads.dissipated = 0;
      loads.supplied = 0;
      element.apply!(snapshot, loads);
      this.potential += loads.potential;
      this.dissipated += loads.dissipated;
      this.supplied += loads.supplied;
    }
    const wrenches = this.#wrenches;
    const wrenchAt = this.#wrenchAt;
    for (let k = 0; k < wrenchAt.length; k++) {
      const at = wrenchAt[k]!;
      for (let i = 0; i < 6; i++) w[at + i]! += wrenches[6 * k + i]!;
    }
    const own = this.#tau;
    for (let i = 0; i < own.length; i++) tau[i]! += own[i]!;
  }

  /** ż of the numeric elements, into their places. */
  addRates(ydot: Float64Array): void {
    const zdot = this.#zdot;
    const at = this.#zdotAt;
    for (let k = 0; k < at.length; k++) ydot[at[k]!] = zdot[k]!;
  }

  /** The elements' own channels as last computed, element by element. */
  copyChannels(out: Float64Array, first: number): void {
    out.set(this.#channels, first);
  }

  /** What an element with events or with something to say about starts sees at a state. */
  snapshot(element: ForceElement, t: number, y: Float64Array): Snapshot {
    this.see(t, y);
    return this.#of.get(element)!.snapshot;
  }

  /** Fills the snapshots. What was seen last is not computed again: events, loads and samples look at the same states. */
  see(t: number, y: Float64Array): void {
    if (this.#move(y)) this.#frames?.evaluate();
    const z = this.#z;
    const first = this.#nq + this.#u.length;
    for (let k = 0; k < z.length; k++) z[k] = y[first + k]!;
    for (let r = 0; r < this.#seeing.length; r++) this.#seeing[r]!.snapshot.t = t;
  }

  /** Takes q and u of a state. Says whether they are others than before. */
  #move(y: Float64Array): boolean {
    const nq = this.#nq;
    const q = this.#q;
    const u = this.#u;
    let moved = !this.#begun;
    this.#begun = true;
    for (let i = 0; i < q.length; i++)
      if (q[i] !== y[i]!) {
        q[i] = y[i]!;
        moved = true;
      }
    for (let i = 0; i < u.length; i++)
      if (u[i] !== y[nq + i]!) {
        u[i] = y[nq + i]!;
        moved = true;
      }
    return moved;
  }
}

/** Pieces of an array, one after the other. */
const sequentialViews = (all: Float64Array): ((size: number) => Float64Array) => {
  let end = 0;
  return (size) => {
    end += size;
    return all.subarray(end - size, end);
  };
};
