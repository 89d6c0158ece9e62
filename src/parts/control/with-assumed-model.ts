/**
 * A controller whose law computes with other numbers than the machine has: errors of its masses, mass centres, inertias and mounts. The law
 * gets the true coordinates and speeds, and everything that it computes from them follows from the assumed model.
 */
import { didYouMean } from "../../declare/names.ts";
import type { Parameter, Parameters, ParameterValues } from "../../declare/parameters.ts";
import type { ParseContext } from "../../declare/parse-parameters.ts";
import { ModelError, valueText } from "../../errors.ts";
import { createModel } from "../../model/build/create-model.ts";
import { describeModel } from "../../model/build/describe-model.ts";
import { INERTIA } from "../../model/build/inertia.ts";
import type { BodyDescription } from "../../model/description.ts";
import type { Model } from "../../model/model.ts";
import type { Controller } from "../../sim/run/controller.ts";
import { createChecked, type NoteProblem } from "../../sim/system/create-checked.ts";
import type { Snapshot } from "../../sim/system/force-element.ts";

const ASSUMED_BODY = {
  body: { type: "reference", to: "body", about: "Body whose numbers are assumed." },
  mass: { type: "number", unit: "kg", above: 0, optional: true, about: "Assumed mass; that of the model if not given." },
  com: { type: "vector", unit: "m", optional: true, about: "Assumed mass centre in the body frame." },
  inertia: { ...INERTIA, optional: true },
  at: { type: "vector", unit: "m", optional: true, about: "Assumed position of the body's hinge on its parent." },
} as const satisfies Parameters;

const ASSUMED = {
  assumes: {
    type: "list",
    id: "assumed-bodies",
    of: ASSUMED_BODY,
    default: [],
    about:
      "Numbers that the law computes with instead of those of the model: masses and mounts as the robot's software knows them. Members that are " +
      "not given are those of the model. Laws that do not compute with the model, such as hinge-pd, do not change.",
  },
} as const satisfies Parameters;

/** The parameter `assumes`, which controllers of every kind have. */
export const ASSUMES_PARAMETER: Parameter = ASSUMED.assumes;

/** Numbers of a body that a law assumes; those that are not given are those of the model. */
export interface AssumedBody {
  readonly body: string;
  readonly mass?: number;
  readonly com?: NonNullable<BodyDescription["com"]>;
  readonly inertia?: BodyDescription["inertia"];
  /** Position of the body's hinge on its parent. */
  readonly at?: NonNullable<BodyDescription["com"]>;
}

/** The controller that `create` makes for the model with the assumed numbers. @throws ModelError with every problem */
export function withAssumedModel(
  model: Model,
  name: string,
  assumes: unknown,
  reading: ParseContext,
  create: (model: Model) => Controller,
): Controller {
  const assumed = createChecked(ASSUMED, name, { assumes }, model, reading, (values, note) =>
    assumedModel(model, values.assumes, note),
  );
  return onModel(create(assumed), assumed);
}

/** The model with the assumed numbers. It has the coordinates, frames and loops of the model. */
function assumedModel(model: Model, assumes: ParameterValues<typeof ASSUMED>["assumes"], note: NoteProblem): Model {
  const description = describeModel(model);
  const names = model.bodies.map((body) => body.name);
  for (const [i, { body }] of assumes.entries())
    if (!names.includes(body)) note(`assumes[${i}].body`, `there is no body ${valueText(body)}`, didYouMean(body, names));
  const entries = new Map(assumes.map((entry) => [entry.body, entry]));
  if (entries.size < assumes.length) {
    note("assumes", "names a body twice", "Give all numbers of a body in one entry");
    return model;
  }
  const bodies = description.bodies.map((body) => {
    const entry = entries.get(body.name);
    if (entry === undefined) return body;
    const { mass, com, inertia, at } = entry;
    return {
      ...body,
      ...(mass !== undefined && { mass }),
      ...(com !== undefined && { com }),
      ...(inertia !== undefined && { inertia: inertia as BodyDescription["inertia"] }),
      ...(at !== undefined && { hinge: { ...body.hinge, at } as BodyDescription["hinge"] }),
    };
  });
  try {
    return createModel({ ...description, bodies });
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    for (const { path, message, advice } of error.problems) note("assumes", `${path}: ${message}`, advice);
    return model;
  }
}

/** The controller with its states seen as states of the given model, which has the same coordinates. */
function onModel(inner: Controller, model: Model): Controller {
  const none = new Float64Array(0);
  const seen: { -readonly [K in keyof Snapshot]: Snapshot[K] } = { model, t: 0, q: none, u: none, z: none, frames: none };
  const view = (s: Snapshot): Snapshot => {
    Object.assign(seen, s);
    seen.model = model;
    return seen;
  };
  const { decode } = inner;
  return {
    ...inner,
    start: (_model, s) => inner.start(model, view(s)),
    update: (s, memory, command) => inner.update(view(s), memory, command),
    ...(decode && { decode: (data: unknown) => decode(data, model) }),
  };
}
