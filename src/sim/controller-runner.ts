/** Runs controllers at their periods and writes what they command into the held inputs. Sample times are k × period, not sums. */
import { compile, type Kernel } from "../kernel/kernel.ts";
import { ModelError, type Problem } from "../model/errors.ts";
import { frameOf } from "../model/model.ts";
import type { Controller } from "./controller.ts";
import type { Snapshot } from "./force-element.ts";
import { framesProgram, type Layout } from "./motion-program.ts";
import type { System } from "./system.ts";

interface Running {
  readonly controller: Controller;
  readonly snapshot: { t: number } & Omit<Snapshot, "t">;
  readonly command: Float64Array;
  /** Where each command goes in the held inputs. */
  readonly targets: readonly number[];
  readonly frames: Kernel | undefined;
  memory: unknown;
  /** Number of the next sample. */
  next: number;
}

export class ControllerRunner {
  readonly #system: System;
  readonly #running: readonly Running[];

  constructor(system: System, controllers: readonly Controller[]) {
    this.#system = system;
    const { layout, model } = system;
    const problems: Problem[] = [];
    this.#running = controllers.map((controller): Running => {
      if (!(controller.period > 0 && Number.isFinite(controller.period)))
        problems.push({
          path: `controllers.${controller.name}.period`,
          message: "must be positive",
          value: String(controller.period),
        });
      const targets = controller.commands.map((name) => {
        const at = heldInputs(layout).indexOf(name);
        if (at < 0)
          problems.push({
            path: `controllers.${controller.name}`,
            message: `there is nothing named "${name}" to command`,
            advice: `There are: ${heldInputs(layout).slice(0, 12).join(", ") || "no inputs: add an actuator"}`,
          });
        return at;
      });
      const frames = (controller.frames ?? []).map((name) => frameOf(model, name));
      const kernel = frames.length > 0 ? compile(framesProgram(layout, frames)) : undefined;
      return {
        controller,
        targets,
        command: new Float64Array(targets.length),
        frames: kernel,
        snapshot: {
          model,
          t: 0,
          q: new Float64Array(layout.nq),
          u: new Float64Array(layout.nu),
          z: new Float64Array(0),
          frames: kernel?.y ?? new Float64Array(0),
        },
        memory: controller.start(model),
        next: 0,
      };
    });
    if (problems.length > 0) throw new ModelError(model.name, problems);
  }

  /** The time of the next sample of any controller after what has been sampled. */
  next(): number {
    let next = Number.POSITIVE_INFINITY;
    for (const r of this.#running) next = Math.min(next, r.next * r.controller.period);
    return next;
  }

  /** Runs the controllers that are due at t; true if there were any. */
  sample(t: number, y: Float64Array): boolean {
    let any = false;
    const { layout, held } = this.#system;
    for (const r of this.#running) {
      if (r.next * r.controller.period > t) continue;
      any = true;
      r.next++;
      r.snapshot.t = t;
      for (let i = 0; i < layout.nq; i++) r.snapshot.q[i] = y[i]!;
      for (let i = 0; i < layout.nu; i++) r.snapshot.u[i] = y[layout.nq + i]!;
      if (r.frames) {
        for (let i = 0; i < layout.nq + layout.nu; i++) r.frames.x[i] = y[i]!;
        r.frames.evaluate();
      }
      r.memory = r.controller.update(r.snapshot, r.memory, r.command);
      for (const [k, at] of r.targets.entries()) held[at] = r.command[k]!;
    }
    return any;
  }
}

/** Names of all held inputs, "element.input", in their order. */
export const heldInputs = (layout: Layout): string[] =>
  layout.elements.flatMap((e) => (e.held ?? []).map((input) => `${e.name}.${input}`));
