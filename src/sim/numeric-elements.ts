/** The force elements that compute in numbers or look at states, one after the other, on views that are made once. */
import { compile, type Kernel, type Target } from "../kernel/kernel.ts";
import type { ForceElement, Loads, Memory, Snapshot } from "./force-element.ts";
import type { Layout } from "./layout.ts";
import { framesProgram } from "./motion-program.ts";

/** Numbers per frame: R by rows (9), position (3), angular and linear velocity (6). */
export const PER_FRAME = 18;

interface Running {
  readonly element: ForceElement;
  readonly snapshot: { t: number } & Omit<Snapshot, "t">;
  readonly loads: Loads;
  /** Where its internal states begin in y. */
  readonly first: number;
  /** Its frames among those of the layout. */
  readonly frames: Int32Array;
}

export class NumericElements {
  readonly #nq: number;
  /** All elements that look at states, and those of them that compute in numbers. */
  readonly #seeing: readonly Running[];
  readonly #running: readonly Running[];
  readonly #of: ReadonlyMap<ForceElement, Running>;
  /** Frames of all of them, one after the other: snapshots are views of what it reads and writes, so that nothing is copied. */
  readonly #frames: Kernel | undefined;
  readonly #memories = new Map<() => Memory, Memory>();
  readonly #accepting: readonly Running[];
  /** What was seen last, once something has been. */
  readonly #q: Float64Array;
  readonly #u: Float64Array;
  #begun = false;
  /** Generalised forces: all elements add to the same. */
  readonly #tau: Float64Array;
  potential = 0;
  dissipated = 0;
  supplied = 0;

  constructor(layout: Layout, options: { readonly target: Target }) {
    this.#nq = layout.nq;
    this.#tau = new Float64Array(layout.nu);
    const seeing = layout.elements.flatMap((element, i) =>
      element.apply || element.events || element.startProblems ? [{ element, own: layout.frameIndex[i]!, z: layout.z[i]! }] : [],
    );
    const seen = seeing.flatMap(({ own }) => own.map((f) => layout.frames[f]!));
    this.#frames = seen.length > 0 ? compile(framesProgram(layout, seen), options) : undefined;
    const x = this.#frames?.x ?? new Float64Array(layout.nq + layout.nu);
    this.#q = x.subarray(0, layout.nq);
    this.#u = x.subarray(layout.nq);
    let place = 0;
    const placesOf = (count: number): Float64Array => {
      place += PER_FRAME * count;
      return this.#frames?.y.subarray(place - PER_FRAME * count, place) ?? new Float64Array(0);
    };
    const memoryOf = (make: () => Memory): Memory => {
      const memory = this.#memories.get(make) ?? make();
      this.#memories.set(make, memory);
      return memory;
    };
    this.#seeing = seeing.map(({ element, own, z }) => {
      const nz = element.z0?.length ?? 0;
      return {
        element,
        first: layout.nq + layout.nu + z,
        frames: Int32Array.from(own),
        snapshot: {
          model: layout.model,
          t: 0,
          q: this.#q,
          u: this.#u,
          z: new Float64Array(nz),
          frames: placesOf(own.length),
          ...(element.memory && { memory: memoryOf(element.memory) }),
        },
        loads: {
          tau: this.#tau,
          wrenches: new Float64Array(6 * own.length),
          zdot: new Float64Array(nz),
          channels: new Float64Array(element.channels?.length ?? 0),
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
  }

  /** A step has ended in this state. */
  accept(t: number, y: Float64Array): void {
    if (this.#accepting.length === 0) return;
    this.see(t, y);
    for (const { element, snapshot } of this.#accepting) element.accept!(snapshot);
  }

  /** Why there were no numbers at a time not before `since`, by those elements that know. */
  troubles(since: number): readonly string[] {
    return this.#running.flatMap(({ element }) => element.trouble?.(since) ?? []);
  }

  /** Adds the loads of all numeric elements to tau and w. */
  apply(t: number, y: Float64Array, tau: Float64Array, w: Float64Array): void {
    this.potential = 0;
    this.dissipated = 0;
    this.supplied = 0;
    if (this.#running.length === 0) return;
    this.see(t, y);
    clear(this.#tau);
    for (let r = 0; r < this.#running.length; r++) {
      const { element, snapshot, loads, frames } = this.#running[r]!;
      clear(loads.wrenches);
      clear(loads.zdot);
      clear(loads.channels);
      loads.potential = 0;
      loads.dissipated = 0;
      loads.supplied = 0;
      element.apply!(snapshot, loads);
      const { wrenches } = loads;
      for (let k = 0; k < frames.length; k++) {
        const at = 6 * frames[k]!;
        for (let i = 0; i < 6; i++) w[at + i]! += wrenches[6 * k + i]!;
      }
      this.potential += loads.potential;
      this.dissipated += loads.dissipated;
      this.supplied += loads.supplied;
    }
    for (let i = 0; i < tau.length; i++) tau[i]! += this.#tau[i]!;
  }

  /** ż of the numeric elements, into their places. */
  addRates(ydot: Float64Array): void {
    for (const { loads, first } of this.#running) for (let k = 0; k < loads.zdot.length; k++) ydot[first + k] = loads.zdot[k]!;
  }

  /** The elements' own channels as last computed, element by element. */
  copyChannels(out: Float64Array, first: number): void {
    let at = first;
    for (const { loads } of this.#running) for (let k = 0; k < loads.channels.length; k++) out[at++] = loads.channels[k]!;
  }

  /** What an element with events or with something to say about starts sees at a state. */
  snapshot(element: ForceElement, t: number, y: Float64Array): Snapshot {
    this.see(t, y);
    return this.#of.get(element)!.snapshot;
  }

  /** Fills the snapshots. What was seen last is not computed again: events, loads and samples look at the same states. */
  see(t: number, y: Float64Array): void {
    if (this.#move(y)) this.#frames?.evaluate();
    for (let r = 0; r < this.#seeing.length; r++) {
      const { snapshot, first } = this.#seeing[r]!;
      snapshot.t = t;
      const { z } = snapshot;
      for (let k = 0; k < z.length; k++) z[k] = y[first + k]!;
    }
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

/** Of arrays as short as most are here, faster than a call of `fill`. */
function clear(a: Float64Array): void {
  if (a.length > 100) a.fill(0);
  else for (let i = 0; i < a.length; i++) a[i] = 0;
}
