/** Models in code, step by step. A builder is a value: each step returns a new one, so builders can share their first steps. */

import { didYouMean } from "../../declare/names.ts";
import { childPath } from "../../declare/plain-data.ts";
import { ModelError, type Problem, valueText } from "../../errors.ts";
import type { Vec3 } from "../../spatial/vec3.ts";
import type {
  BodyDescription,
  ElasticBodyDescription,
  LoopDescription,
  ModelDescription,
  PlacementDescription,
} from "../description.ts";
import type { GravityName } from "../gravity.ts";
import type { Model } from "../model.ts";
import { createModel } from "./create-model.ts";

export interface ModelBuilder {
  /** Uniform gravity in world axes, m/s², or that of a world by name, along -z. */
  gravity(g: Vec3<number> | GravityName): ModelBuilder;
  body(body: BodyDescription | ElasticBodyDescription): ModelBuilder;
  /** A named frame on a body. It may be added before or after the body. */
  frame(name: string, body: string, placement?: PlacementDescription): ModelBuilder;
  /** A loop. It may be added before or after the bodies that it joins. */
  loop(loop: LoopDescription): ModelBuilder;
  /** @throws ModelError with every problem of the description. */
  build(): Model;
}

interface FrameStep {
  readonly name: string;
  readonly body: string;
  readonly placement: PlacementDescription;
}

/** `buildModel("arm").body({...}).body({...}).frame("hand", "link3", { at: [0.2, 0, 0] }).build()` */
export function buildModel(name: string): ModelBuilder {
  return builder({ name, bodies: [] }, []);
}

function builder(description: ModelDescription, frames: readonly FrameStep[]): ModelBuilder {
  return {
    gravity: (gravity) => builder({ ...description, gravity }, frames),
    body: (body) => builder({ ...description, bodies: [...description.bodies, body] }, frames),
    frame: (name, body, placement = {}) => builder(description, [...frames, { name, body, placement }]),
    loop: (loop) => builder({ ...description, loops: [...(description.loops ?? []), loop] }, frames),
    build: () => build(description, frames),
  };
}

function build(description: ModelDescription, frames: readonly FrameStep[]): Model {
  const problems: Problem[] = [];
  const bodies = description.bodies.map((body) => ({
    ...body,
    frames: { ...body?.frames } as Record<string, PlacementDescription>,
  }));
  for (const { name, body, placement } of frames) {
    const carrier = bodies.find((b) => b.name === body);
    const path = childPath("frames", String(name));
    if (carrier === undefined) {
      const known = bodies.map((b) => String(b.name));
      problems.push({ path, message: "no body has this name", value: valueText(body), advice: didYouMean(body, known) });
    } else if (Object.hasOwn(carrier.frames, name)) problems.push({ path, message: "the name is taken", value: valueText(name) });
    else Object.defineProperty(carrier.frames, name, { value: placement, enumerable: true });
  }
  return createWith(problems, { ...description, bodies });
}

/** Creates the model if there are no problems yet, and throws old and new problems together. */
function createWith(problems: readonly Problem[], description: ModelDescription): Model {
  try {
    const model = createModel(description);
    if (problems.length === 0) return model;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    throw new ModelError(error.source, [...problems, ...error.problems]);
  }
  throw new ModelError(description.name, problems);
}
