/** Held inputs that change at known times: thrusters switched by a table, references that jump. */
import { ArgumentError, valueText } from "../../errors.ts";
import type { Workspace } from "../system/workspace.ts";

export class InputSchedule {
  readonly #workspace: Workspace;
  /** Elements that have a schedule, and the number of the next entry of each. */
  readonly #schedules: { readonly element: number; next: number }[];

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.#schedules = workspace.layout.elements.flatMap((e, element) => (e.schedule?.length ? [{ element, next: 0 }] : []));
  }

  /** Numbers of the next entries. */
  save(): readonly number[] {
    return this.#schedules.map(({ next }) => next);
  }

  /** @throws ArgumentError if the numbers belong to other elements */
  restore(saved: readonly number[]): void {
    const isIndex = (next: unknown, i: number): boolean =>
      Number.isInteger(next) && (next as number) >= 0 && this.#schedules[i] !== undefined;
    if (!(Array.isArray(saved) && saved.length === this.#schedules.length && saved.every(isIndex)))
      throw new ArgumentError(
        "state.discrete.run.schedule",
        `must have ${this.#schedules.length} whole numbers, got ${valueText(saved)}`,
      );
    for (const [i, schedule] of this.#schedules.entries()) schedule.next = saved[i]!;
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
