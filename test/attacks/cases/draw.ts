/** Random numbers of attack cases that move one mass along a line, and the machines of these cases. */
import { CastorError } from "../../../src/errors.ts";
import { buildModel } from "../../../src/model/build/model-builder.ts";
import type { Model } from "../../../src/model/model.ts";
import type { Controller } from "../../../src/sim/run/controller.ts";
import { uniform } from "../../fixtures/models/random-model.ts";
import type { Outcome } from "./case.ts";

/** Random numbers from a seed. */
export class Draw {
  readonly next: () => number;
  constructor(seed: number) {
    this.next = uniform(seed);
  }
  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }
  /** A whole number from low to high, both included. */
  whole(low: number, high: number): number {
    return low + Math.floor((high - low + 1) * this.next());
  }
  /** Evenly distributed logarithm. */
  scale(low: number, high: number): number {
    return low * (high / low) ** this.next();
  }
  of<T>(list: readonly T[]): T {
    return list[Math.floor(this.next() * list.length)]!;
  }
}

/** A mass on a slide, without gravity unless it is given. */
export const cart = (mass: number, gravity = 0): Model =>
  buildModel("cart")
    .gravity([-gravity, 0, 0])
    .body({ name: "cart", mass, inertia: [1, 1, 1], hinge: { kind: "prismatic", axis: "x" } })
    .build();

/** A controller without memory that commands one force. */
export const law = (
  name: string,
  period: number,
  command: string,
  force: (t: number, x: number, v: number) => number,
): Controller => ({
  name,
  period,
  commands: [command],
  start: () => undefined,
  update: ({ t, q, u }, _memory, out) => {
    out[0] = force(t, q[0]!, u[0]!);
    return undefined;
  },
});

/** "right", or what is wrong with a result. */
export function judge(what: string, value: number, expected: number, tolerance: number): Outcome {
  const error = Math.abs(value - expected);
  return error <= tolerance ? "right" : { wrong: `${what} is ${value} instead of ${expected}, tolerance ${tolerance}` };
}

/** The first outcome that is not right. */
export const all = (outcomes: readonly Outcome[]): Outcome => outcomes.find((outcome) => outcome !== "right") ?? "right";

/** The outcome of a run; an error of Castor is a refusal. */
export function outcomeOf(run: () => Outcome): Outcome {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof CastorError)) throw error;
    return { refused: `${error.name}: ${error.message}` };
  }
}
