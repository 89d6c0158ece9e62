/** Creates a model from a description: completed, checked, parents first, frozen. All problems are reported at once. */

import type { ParseContext } from "../../declare/parse-parameters.ts";
import { isFields } from "../../declare/plain-data.ts";
import { ModelError, type Problem } from "../../errors.ts";
import type { ModelDescription } from "../description.ts";
import { elasticBodies } from "../elastic/elastic-bodies.ts";
import type { Model } from "../model.ts";
import { type ElasticBodies, type ModelOutline, readModel, UNKNOWN_MODEL } from "./read-model.ts";

/** @throws ModelError with every problem of the description. */
export const createModel = (description: ModelDescription): Model => createModelWith({}, description);

/** `createModel` for a description whose numbers are read by `context.quantity`. @throws ModelError */
export const createModelWith = (context: ParseContext, description: ModelDescription): Model =>
  createdModel(description, tryCreateModel(description, context));

/** `createModel` with elastic bodies only if the caller gives them. @throws ModelError */
export const createModelOf = (description: ModelDescription, elastic: ElasticBodies | undefined): Model =>
  createdModel(description, attempt(description, {}, elastic));

/** The model of an attempt. @throws ModelError with all its problems */
function createdModel(description: ModelDescription, { model, problems, cause }: ModelAttempt): Model {
  if (model !== undefined) return model;
  const title = cause === undefined ? (description as ModelDescription | undefined)?.name : undefined;
  const isObject = cause !== undefined || isFields(description);
  const source = typeof title === "string" && title !== "" ? title.slice(0, 100) : isObject ? "model" : "description";
  throw new ModelError(source, problems, cause === undefined ? undefined : { cause });
}

/** The result of reading a description: the model, or its problems and what is known of the model all the same. */
export interface ModelAttempt {
  readonly model?: Model;
  readonly problems: readonly Problem[];
  readonly outline: ModelOutline;
  /** Error of a description that cannot be read at all. */
  readonly cause?: unknown;
}

/** Creates the model, or collects all problems of the description. `context.quantity` reads numbers, for files with units. */
export const tryCreateModel = (description: unknown, context: ParseContext): ModelAttempt =>
  attempt(description, context, elasticBodies);

function attempt(description: unknown, context: ParseContext, elastic: ElasticBodies | undefined): ModelAttempt {
  const problems: Problem[] = [];
  try {
    const { model, outline } = readModel(description, problems, context, elastic);
    return model === undefined || problems.length > 0 ? { problems, outline } : { model: deepFreeze(model), problems, outline };
  } catch (cause) {
    // Only access to a hostile object can throw here: a getter, a revoked proxy.
    return { problems: [...problems, { path: "", message: "cannot be read" }], outline: UNKNOWN_MODEL, cause };
  }
}

/** Freezes a value and everything in it. Frozen parts are skipped: models share parts. */
export function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  Object.freeze(value);
  for (const member of Object.values(value)) deepFreeze(member);
  return value;
}
