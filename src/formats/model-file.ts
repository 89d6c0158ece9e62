/** Castor's model files in YAML or JSON: the description of a model, optionally with units. */
import { Document, isCollection, isMap, isScalar, isSeq, type Node, visit } from "yaml";
import { childPath, type Fields } from "../declare/plain-data.ts";
import { convertToSI, readQuantity, type SiUnit } from "../declare/units.ts";
import { ModelError, type Problem } from "../errors.ts";
import { createModel, deepFreeze } from "../model/build/create-model.ts";
import { describeModel } from "../model/build/describe-model.ts";
import { readHinge } from "../model/build/parse-hinge.ts";
import type { ModelDescription } from "../model/description.ts";
import { hingeCoordinateNames, type Model } from "../model/model.ts";
import { FORMAT_VERSION, readDocument } from "./document.ts";

/** @throws ModelError with every problem of the text, each with its line. */
export function parseModel(text: string, source = "model"): Model {
  const document = readDocument(text, source);
  const { model, problems } = readModelData(document.data, document.problems);
  if (model === undefined) throw document.error(problems);
  return deepFreeze({ ...model, warnings: model.warnings.map(document.locate) });
}

/** Model and description are given if there are no problems. */
export interface ModelData {
  readonly model?: Model;
  /** Description of the model in SI units. */
  readonly description?: ModelDescription;
  readonly problems: readonly Problem[];
}

/** The model from the data of a model file, or its problems. Drops follow-up problems at paths already reported. */
export function readModelData(data: unknown, noted: readonly Problem[] = []): ModelData {
  const problems: Problem[] = [...noted];
  const description = motionsInSI(convertToSI(data, problems), problems);
  const { model, problems: found } = tryCreateModel(description as ModelDescription);
  const known = new Set(problems.map((p) => p.path));
  problems.push(...found.filter((p) => !known.has(p.path)));
  return model === undefined || problems.length > 0
    ? { problems }
    : { model, description: description as ModelDescription, problems };
}

/** Converts prescribed motions to SI units. Their units are those of the coordinate that moves. */
function motionsInSI(data: unknown, problems: Problem[]): unknown {
  if (!isFields(data) || !Array.isArray(data.loops)) return data;
  const units = coordinateUnits(data.bodies);
  const convert = (fields: Fields, path: string, unitOf: Readonly<Record<string, SiUnit>>): Fields =>
    Object.fromEntries(
      Object.entries(fields).map(([key, value]) => {
        const unit = Object.hasOwn(unitOf, key) && typeof value === "string" ? unitOf[key] : undefined;
        return [key, unit === undefined ? value : (readQuantity(value, unit, childPath(path, key), problems) ?? value)];
      }),
    );
  const loops = data.loops.map((loop: unknown, i) => {
    if (!isFields(loop)) return loop;
    const path = childPath("loops", i);
    const unit = units.get(loop.hinge);
    if (unit === undefined || !isFields(loop.motion)) return loop;
    return { ...loop, motion: convert(loop.motion, childPath(path, "motion"), MOTION_UNITS[unit]) };
  });
  return { ...data, loops };
}

/** Units of the fields of a prescribed motion, by the unit of its coordinate. */
export const MOTION_UNITS = {
  rad: { offset: "rad", rate: "rad/s", amplitude: "rad", frequency: "rad/s", phase: "rad" },
  m: { offset: "m", rate: "m/s", amplitude: "m", frequency: "rad/s", phase: "rad" },
} as const satisfies Record<string, Record<string, SiUnit>>;

/** The unit of each coordinate, by name. */
function coordinateUnits(bodies: unknown): ReadonlyMap<unknown, "rad" | "m"> {
  const units = new Map<string, "rad" | "m">();
  for (const body of Array.isArray(bodies) ? bodies : []) {
    const hinge = isFields(body) && typeof body.name === "string" ? readHinge(body.hinge, "", body.name, []) : undefined;
    if (hinge === undefined) continue;
    const unitOf = hinge.elements.flatMap((e) => e.units.q);
    for (const [i, name] of hingeCoordinateNames(hinge, "q").entries()) {
      const unit = unitOf[i];
      if (unit === "rad" || unit === "m") units.set(name, unit);
    }
  }
  return units;
}

const isFields = (value: unknown): value is Fields => typeof value === "object" && value !== null && !Array.isArray(value);

function tryCreateModel(description: ModelDescription): { readonly model?: Model; readonly problems: readonly Problem[] } {
  try {
    return { model: createModel(description), problems: [] };
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return { problems: error.problems };
  }
}

/** The model as a YAML file. Numbers have all their digits: reading the file gives the same model. */
export function formatModel(model: Model): string {
  const document = new Document({ castor: FORMAT_VERSION, ...describeModel(model) });
  visit(document, {
    Collection: (_, node) => {
      node.flow = isShort(node);
    },
  });
  return document.toString({ lineWidth: 130, flowCollectionPadding: false });
}

/** True if a node is written on one line: vectors, matrices, placements, terms and motions. */
function isShort(node: Node): boolean {
  if (isSeq(node)) return node.items.every((item) => isScalar(item) || (isSeq(item) && isShort(item)));
  if (!isMap(node)) return false;
  const keys = node.items.map(({ key }) => (isScalar(key) ? key.value : key));
  return (
    keys.length > 0 &&
    keys.every((key) => SHORT_KEYS.has(key)) &&
    node.items.every(({ value }) => !isCollection(value) || isShort(value))
  );
}

const SHORT_KEYS: ReadonlySet<unknown> = new Set([
  ...["body", "frame", "at", "rotation", "quaternion", "matrix"],
  ...["hinge", "factor"],
  ...["kind", "size", "radius", "length", "file", "scale", "colour"],
  ...Object.keys(MOTION_UNITS.rad),
]);
