/** The events of force elements: friction that changes its mode, and surfaces where a law changes form. */
import type { EventFunction } from "./events.ts";
import type { Snapshot } from "./force-element.ts";
import type { System } from "./system.ts";

/** Each contact with dry friction ends its mode where its margin falls through zero. */
export function frictionEvents(system: System): EventFunction[] {
  const { friction, problem } = system;
  const ydot = new Float64Array(problem.size);
  return Array.from({ length: friction.count }, (_, i) => ({
    name: `friction ${friction.nameOf(i)}`,
    direction: "falling" as const,
    value(t: number, y: Float64Array): number {
      if (friction.modeOf(i) === 0) problem.derivative(t, y, ydot);
      return friction.margin(i, y);
    },
    handle(t: number, y: Float64Array): "restart" {
      settleFriction(system, t, y, friction.modeOf(i) === 0 ? [] : [i]);
      return "restart";
    },
  }));
}

/** Finds the modes of friction at a state: those at rest stick if their force allows it. */
export function settleFriction(system: System, t: number, y: Float64Array, cameToRest: readonly number[] = []): void {
  const { friction, problem } = system;
  if (friction.count === 0) return;
  const ydot = new Float64Array(problem.size);
  friction.settle(y, [...new Set([...friction.resting(), ...cameToRest])], () => problem.derivative(t, y, ydot));
}

/** At these nothing jumps: the step only ends there, so that no step straddles the kink of a law. */
export function surfaceEvents(system: System): EventFunction[] {
  const { layout, model } = system;
  return layout.elements.flatMap((element, e) =>
    (element.events ?? []).map((event): EventFunction => {
      const snapshot: { t: number } & Omit<Snapshot, "t"> = {
        model,
        t: 0,
        q: new Float64Array(layout.nq),
        u: new Float64Array(layout.nu),
        z: new Float64Array(element.z0?.length ?? 0),
        frames: new Float64Array(0),
      };
      return {
        name: `${element.name} ${event.name}`,
        direction: "both",
        value(t, y) {
          snapshot.t = t;
          for (let i = 0; i < layout.nq; i++) snapshot.q[i] = y[i]!;
          for (let i = 0; i < layout.nu; i++) snapshot.u[i] = y[layout.nq + i]!;
          for (let i = 0; i < snapshot.z.length; i++) snapshot.z[i] = y[layout.nq + layout.nu + layout.z[e]! + i]!;
          return event.value(snapshot);
        },
        handle: () => "restart",
      };
    }),
  );
}
