/** Held inputs that change at known times: thrusters switched by a table, references that jump. */
import type { Workspace } from "../system/workspace.ts";

export class InputSchedule {
  readonly #workspace: Workspace;
  /** Elements that have a schedule, and the number of the next entry of each. */
  readonly #schedules: { readonly element: number; next: number }[];

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.#schedules = workspace.layout.elements.flatMap((e, element) => (e.schedule?.length ? [{ element, next: 0 }] : []));
  }

  next(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const r of this.#schedules) next = Math.min(next, this.#entry(r.element, r.next)?.t ?? next);
    return next;
  }

  /** Applies the entries that are due at t. Returns true if there were any. */
  apply(t: number): boolean {
    let any = false;
    for (const r of this.#schedules) {
      for (let entry = this.#entry(r.element, r.next); entry && entry.t <= t; entry = this.#entry(r.element, ++r.next)) {
        any = true;
        this.#workspace.held.set(entry.held, this.#workspace.layout.held[r.element]);
      }
    }
    return any;
  }

  #entry(element: number, k: number) {
    return this.#workspace.layout.elements[element]!.schedule![k];
  }
}
