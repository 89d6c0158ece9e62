/** Held inputs that change at known times: thrusters switched by a table, references that jump. */
import type { System } from "../system/system.ts";

export class InputSchedule {
  readonly #system: System;
  /** Entries of each element that has a schedule, and the number of the next one. */
  readonly #running: { readonly element: number; next: number }[];

  constructor(system: System) {
    this.#system = system;
    this.#running = system.layout.elements.flatMap((e, element) => (e.schedule?.length ? [{ element, next: 0 }] : []));
  }

  next(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const r of this.#running) next = Math.min(next, this.#entry(r.element, r.next)?.t ?? next);
    return next;
  }

  /** Applies what is due at t; true if anything was. */
  apply(t: number): boolean {
    let any = false;
    for (const r of this.#running) {
      for (let entry = this.#entry(r.element, r.next); entry && entry.t <= t; entry = this.#entry(r.element, ++r.next)) {
        any = true;
        this.#system.held.set(entry.held, this.#system.layout.held[r.element]);
      }
    }
    return any;
  }

  #entry(element: number, k: number) {
    return this.#system.layout.elements[element]!.schedule![k];
  }
}
