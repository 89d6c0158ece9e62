/** Loops that are engaged while a law works: which of them concern a robot, and the model that has exactly these loops. */

import type { Robot } from "../../../dynamics/free-flying/robot.ts";
import { EngagementError } from "../../../errors.ts";
import { cachedPerOwner } from "../../../kernel/run/program-cache.ts";
import type { Loop } from "../../../model/loop.ts";
import { engagedParameterTotal, withEngagedLoops } from "../../../model/loops/engaged-loop-parameters.ts";
import { frameOf, type Model } from "../../../model/model.ts";
import type { HeldLoops } from "../../../sim/state.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";

/** The loops, engaged or open, that hold a body of the robot, or a body to which one of its tasks is relative. */
export function loopsOnRobot(
  model: Model,
  { carries, speeds }: Robot<number>,
  relativeTo: readonly (string | undefined)[] = [],
): Loop[] {
  const roots: number[] = [];
  for (const { index, parent } of model.bodies) roots[index] = parent < 0 ? index : roots[parent]!;
  const targets = new Set(relativeTo.flatMap((name) => (name === undefined ? [] : [roots[frameOf(model, name).body]])));
  const concerns = (body: number): boolean => body >= 0 && (carries[body] === true || targets.has(roots[body]!));
  const hinge = (u: number): boolean =>
    speeds.includes(u) || model.bodies.some((b) => u >= b.hinge.u && u < b.hinge.u + b.hinge.nu && concerns(b.index));
  return [...model.loops, ...model.openLoops].filter((loop) =>
    loop.type === "frames" ? [loop.from, loop.to].some(({ body }) => concerns(body)) : loop.terms.some(({ u }) => hinge(u)),
  );
}

export interface EngagedModel {
  /** The model whose loops are exactly the engaged ones. */
  readonly model: Model;
  /** Parameters of the loops that engaged as found. */
  readonly found: Float64Array;
}

/** The model with these loops engaged. */
export function modelWithLoops(model: Model, held: HeldLoops): EngagedModel {
  const kinds = new Map([...held].map(([name, kind]) => [name, kind === "declared" ? kind : ("found" as const)]));
  const key = `engaged loops ${JSON.stringify([...kinds].sort())}`;
  const engaged = cachedPerOwner(model, key, () => withEngagedLoops(model, kinds));
  const found = new Float64Array(engagedParameterTotal(engaged));
  let first = 0;
  for (const { name, heldAsFound } of engaged.loops) {
    if (!heldAsFound) continue;
    const numbers = held.get(name) as readonly number[];
    found.set(numbers, first);
    first += numbers.length;
  }
  return { model: engaged, found };
}

/** Laws that use the equations of the tree only refuse to work while a loop of their robot is engaged. */
export class LoopRefusal {
  readonly #name: string;
  readonly #model: Model;
  readonly #loops: ReadonlySet<string>;
  /** The last loops that were checked. */
  #checked: HeldLoops | undefined;

  constructor(name: string, model: Model, robot: Robot<number>, tasks: readonly { readonly relativeTo?: string | undefined }[]) {
    this.#name = name;
    this.#model = model;
    this.#loops = new Set(
      loopsOnRobot(
        model,
        robot,
        tasks.map((task) => task.relativeTo),
      ).map((loop) => loop.name),
    );
  }

  /** Notes loops that are engaged from the start. */
  noteEngaged(note: NoteProblem): void {
    for (const { name } of this.#model.loops)
      if (this.#loops.has(name)) note("base", `the robot has the closed loop "${name}", which this law cannot handle`, ADVICE);
  }

  /** @throws EngagementError if a loop of the robot is engaged */
  check({ t, loops }: Snapshot): void {
    if (loops === undefined || loops === this.#checked) return;
    for (const loop of loops.keys())
      if (this.#loops.has(loop))
        throw new EngagementError(
          `${this.#name}: the loop ${loop} is engaged at t = ${Number(t.toPrecision(6))} s, and this law cannot handle it. ${ADVICE}`,
        );
    this.#checked = loops;
  }
}

const ADVICE =
  "Use least-torque, least-power, resolved-acceleration, resolved-rate or singularity-robust, which include engaged loops; or `carrying` for a weld that holds a payload";
