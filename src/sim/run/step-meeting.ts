/** Two simulations meet before every step, so that their steps are computed together where that is possible. Results do not depend on it. */
import { StepPair } from "../integrators/explicit/paired-steps.ts";
import { plannedStep } from "../integrators/explicit/planned-step.ts";
import type { Simulation } from "./simulation.ts";

/** Is asked by a run before each of its steps. */
export interface StepCompany {
  /** Resolves when the simulation may make its next step; undefined: at once. */
  arrive(simulation: Simulation): Promise<void> | undefined;
}

/** Steps that could not be made together, less those that were, after which the simulations go on by themselves. */
const PATIENCE = 50;

export class StepMeeting implements StepCompany {
  readonly #pair = new StepPair();
  /** The simulation in the first lane. */
  #first: Simulation | undefined;
  #waiting: { readonly simulation: Simulation; go(): void } | undefined;
  #patience = PATIENCE;
  #isOver = false;
  #together = 0;

  /** Number of steps that were made together. */
  get together(): number {
    return this.#together;
  }

  arrive(simulation: Simulation): Promise<void> | undefined {
    if (this.#isOver) return undefined;
    const first = this.#waiting;
    if (first === undefined)
      return new Promise((go) => {
        this.#waiting = { simulation, go };
      });
    this.#waiting = undefined;
    this.#makeSteps(first.simulation, simulation);
    first.go();
    return undefined;
  }

  /** One of the simulations makes no more steps: the other goes on by itself. */
  leave(): void {
    this.#isOver = true;
    this.#waiting?.go();
    this.#waiting = undefined;
  }

  #makeSteps(early: Simulation, late: Simulation): void {
    this.#first ??= early;
    const [a, b] = early === this.#first ? [early, late] : [late, early];
    const [first, second] = [plannedStep(a), plannedStep(b)];
    if (first && second && this.#pair.make([first, second])) {
      this.#together++;
      this.#patience = Math.min(PATIENCE, this.#patience + 1);
    } else if (--this.#patience < 0) this.leave();
  }
}

/** Finds out in a run whether its steps could be made together with those of another one. */
export class StepProbe implements StepCompany {
  #steps = 0;
  #planned = 0;

  /** True if most steps could. */
  get isPairable(): boolean {
    return 2 * this.#planned > this.#steps;
  }

  arrive(simulation: Simulation): undefined {
    this.#steps++;
    if (plannedStep(simulation) !== undefined) this.#planned++;
  }
}
