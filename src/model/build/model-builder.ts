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
import { elasticBodies } from "../elastic/elastic-bodies.ts";
import type { GravityName } from "../gravity.ts";
import type { Model } from "../model.ts";
import { createModelOf } from "./create-model.ts";
import type { ElasticBodies } from "./read-model.ts";

/** B: the bodies that it accepts. */
export interface ModelBuilder<B = BodyDescription> {
  /** Uniform gravity in world axes, m/s², or that of a world by name, along -z. */
  gravity(g: Vec3<number> | GravityName): ModelBuilder<B>;
  body(body: B): ModelBuilder<B>;
  /** A named frame on a body. It may be added before or after the body. */
  frame(name: string, body: string, placement?: PlacementDescription): ModelBuilder<B>;
  /** A loop. It may be added before or after the bodies that it joins. */
  loop(loop: LoopDescription): ModelBuilder<B>;
  /** @throws ModelError with every problem of the description. */
  build(): Model;
}

interface FrameStep {
  readonly name: string;
  readonly body: string;
  readonly placement: PlacementDescription;
}

type AnyBody = BodyDescription | ElasticBodyDescription;

/** `buildModel("arm").body({...}).body({...}).frame("hand", "link3", { at: [0.2, 0, 0] }).build()`. For elastic bodies: `buildElasticModel`. */
export const buildModel = (name: string): ModelBuilder => builder({ name, bodies: [] }, [], undefined);

/** As `buildModel`, also with elastic bodies. It is a function of its own, so that pages without elastic bodies stay small. */
export const buildElasticModel = (name: string): ModelBuilder<BodyDescription | ElasticBodyDescription> =>
  builder({ name, bodies: [] }, [], elasticBodies);

function builder(
  description: ModelDescription,
  frames: readonly FrameStep[],
  elastic: ElasticBodies | undefined,
): ModelBuilder<AnyBody> {
  return {
    gravity: (gravity) => builder({ ...description, gravity }, frames, elastic),
    body: (body) => builder({ ...description, bodies: [...description.bodies, body] }, frames, elastic),
    frame: (name, body, placement = {}) => builder(description, [...frames, { name, body, placement }], elastic),
    loop: (loop) => builder({ ...description, loops: [...(description.loops ?? []), loop] }, frames, elastic),
    build: () => build(description, frames, elastic),
  };
}

function build(description: ModelDescription, frames: readonly FrameStep[], elastic: ElasticBodies | undefined): Model {
  if (elastic === undefined) refuseElasticBodies(description);
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
  return createWith(problems, { ...description, bodies }, elastic);
}

/** Creates the model if there are no problems yet, and throws old and new problems together. */
function createWith(problems: readonly Problem[], description: ModelDescription, elastic: ElasticBodies | undefined): Model {
  try {
    const model = createModelOf(description, elastic);
    if (problems.length === 0) return model;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    throw new ModelError(error.source, [...problems, ...error.problems]);
  }
  throw new ModelError(description.name, problems);
}

/** @throws ModelError if there is an elastic body */
function refuseElasticBodies({ name, bodies }: ModelDescription): void {
  const problems = bodies.flatMap((body, i): readonly Problem[] =>
    body && "elastic" in body
      ? [
          {
            path: childPath(childPath("bodies", i), "elastic"),
            message: "buildModel has no elastic bodies",
            advice: "Use buildElasticModel instead of buildModel",
          },
        ]
      : [],
  );
  if (problems.length > 0) throw new ModelError(name, problems);
}
