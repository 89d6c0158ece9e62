/** Random free-flying robots for the tests: a floating base with up to four arms of any hinges, now and then a body that floats beside it. */
import { createModel } from "../src/model/build/create-model.ts";
import type { BodyDescription } from "../src/model/description.ts";
import type { Model } from "../src/model/model.ts";
import { randomModel, uniform } from "./random-model.ts";

export interface RandomRobot {
  readonly model: Model;
  readonly base: string;
  /** The base, and frames or bodies of the robot. */
  readonly frames: readonly string[];
}

/** A robot of `hinges` freedoms besides the six of its base. */
export function randomRobot(seed: number, hinges = 3 + (seed % 13)): RandomRobot {
  const next = uniform(seed ^ 0xba5e);
  const number = (): number => next() - 0.5;
  const arms = randomModel(seed, { base: "several", freedoms: hinges });
  const mass = 5 + 20 * next();
  const base: BodyDescription = {
    name: "base",
    mass,
    com: [number(), number(), number()],
    inertia: [mass * 0.2, mass * 0.3, mass * 0.35, mass * 0.02, -mass * 0.03, mass * 0.01],
    hinge: {
      kind: "free",
      at: [number(), number(), number()],
      rotation: { rpy: [number(), number(), number()] },
      onBody: { at: [number(), number(), number()], rotation: { rpy: [number(), number(), number()] } },
    },
  };
  const target: BodyDescription = { name: "target", mass: 30, inertia: [2, 3, 4], hinge: { kind: "free" } };
  const carried = arms.bodies.map((b) => ({ ...b, parent: b.parent ?? "base" }));
  const model = createModel({ ...arms, bodies: [...(seed % 3 === 0 ? [target] : []), base, ...carried] });
  const extra = model.frames.at(-1)?.name;
  return { model, base: "base", frames: ["base", carried.at(-1)!.name, ...(extra === undefined ? [] : [extra])] };
}
