/**
 * Model parameters by path, so that a campaign can vary them: as kernel inputs (compiled once for all cases) or as numbers.
 *
 * Paths: `waist.mass`, `waist.com.x`, `waist.inertia.xy`, `waist.hinge.x` (the hinge on the parent), `waist.onBody.x` (the hinge
 * on the body), `hand.x` (a frame on its body), `pin.from.x`, `pin.to.x` (the ends of a loop that are not named
 * frames), `rod.length`, `gravity.z`.
 */

import { checkMembers, checkText } from "../arguments.ts";
import { didYouMean } from "../declare/names.ts";
import { ModelError, type Problem, valueText } from "../errors.ts";
import { Expr } from "../kernel/trace/graph.ts";
import type { Scalar } from "../kernel/trace/scalar.ts";
import type { Mat3 } from "../spatial/rotation.ts";
import type { Vec3 } from "../spatial/vec3.ts";
import { createModel, deepFreeze } from "./build/create-model.ts";
import { describeModel } from "./build/describe-model.ts";
import type { Attachment, CoordinateLoop, FrameLoop, Loop } from "./loop.ts";
import { loopKinds } from "./loops/index.ts";
import { checkModel, type Model, type Placement } from "./model.ts";

type ReplaceParameter<S extends Scalar> = (path: string, value: number) => S;

/** Every parameter of the model with its value. */
export function parametersOf(model: Model): ReadonlyMap<string, number> {
  checkModel(model);
  const values = new Map<string, number>();
  mapParameters(model, (path, value) => {
    values.set(path, value);
    return value;
  });
  return values;
}

/** @throws ModelError for an unknown path. */
export function parameterValue(model: Model, path: string): number {
  const parameters = parametersOf(model);
  checkText("path", path, "the path of a parameter, e.g. hand.mass");
  const value = parameters.get(path);
  if (value === undefined) throw new ModelError(model.name, [unknownPath(path, parameters)]);
  return value;
}

/** The model with these parameters replaced. All others stay numbers, so their zeros and ones still fold. */
export function withParameters<S extends Scalar>(model: Model, values: Readonly<Record<string, S>>): Model<S | number> {
  const replacements = new Map(Object.entries(values));
  const problems: Problem[] = [];
  const replacedModel = mapParameters<S | number>(model, (path, value) => {
    const replacement = replacements.get(path);
    if (replacement === undefined) return value;
    replacements.delete(path);
    if (!(replacement instanceof Expr) && !Number.isFinite(replacement))
      problems.push({ path, message: "must be a finite number", value: valueText(replacement) });
    return replacement;
  });
  if (replacements.size > 0) {
    const parameters = parametersOf(model);
    problems.push(...[...replacements.keys()].map((path) => unknownPath(path, parameters)));
  }
  if (problems.length > 0) throw new ModelError(model.name, problems);
  return replacedModel;
}

/** The model with other numbers, checked like a new one. @throws ModelError */
export function setParameters(model: Model, values: Readonly<Record<string, number>>): Model {
  checkModel(model);
  const isRecord = !Array.isArray(values);
  checkMembers("values", isRecord && values, [], 'an object with a number for each path, e.g. { "hand.mass": 2 }');
  const changedModel = withParameters(model, values);
  const checkedModel = createModel(describeModel(changedModel));
  // The description stores rotations as quaternions. Parameters never change rotations, so those of the model are kept to the last bit.
  return deepFreeze({ ...changedModel, warnings: checkedModel.warnings });
}

function unknownPath(path: string, parameters: ReadonlyMap<string, number>): Problem {
  const ownerOf = (p: string): string => p.slice(0, p.indexOf(".") + 1);
  const owner = ownerOf(path);
  const siblings = [...parameters.keys()].filter((p) => ownerOf(p) === owner);
  const message = siblings.length > 0 ? "no such parameter" : "no such body, frame or loop";
  const known = siblings.length > 0 ? siblings : new Set([...parameters.keys()].map((p) => ownerOf(p).slice(0, -1)));
  return { path, message, advice: didYouMean(siblings.length > 0 ? path : owner.slice(0, -1), known) };
}

/** The model with every parameter mapped by `replace`. */
function mapParameters<S extends Scalar>(model: Model, replace: ReplaceParameter<S>): Model<S> {
  const vector = (path: string, [x, y, z]: Vec3<number>): Vec3<S> => [
    replace(`${path}.x`, x),
    replace(`${path}.y`, y),
    replace(`${path}.z`, z),
  ];
  const placement = (path: string, { R, p }: Placement): Placement<S> => ({ R, p: vector(path, p) });
  const gravity = vector("gravity", model.gravity);
  const bodies = model.bodies.map((body) => ({
    ...body,
    mass: replace(`${body.name}.mass`, body.mass),
    com: vector(`${body.name}.com`, body.com),
    inertia: mapInertia(`${body.name}.inertia`, body.inertia, replace),
    hinge: {
      ...body.hinge,
      onParent: placement(`${body.name}.hinge`, body.hinge.onParent),
      onBody: placement(`${body.name}.onBody`, body.hinge.onBody),
    },
  }));
  const frames = model.frames.map((frame) => ({ ...frame, placement: placement(frame.name, frame.placement) }));
  const placementOf = new Map(frames.map((frame) => [frame.name, frame.placement]));
  const end = (path: string, attachment: Attachment): Attachment<S> => ({
    ...attachment,
    placement: attachment.frame === undefined ? placement(path, attachment.placement) : placementOf.get(attachment.frame)!,
  });
  const mapLoopParameters = (loop: Loop): Loop<S> =>
    loop.type === "frames" ? mapLoop(loop, end, replace) : (loop as CoordinateLoop<never>);
  return {
    ...model,
    gravity,
    bodies,
    frames,
    loops: model.loops.map(mapLoopParameters),
    openLoops: model.openLoops.map(mapLoopParameters),
  };
}

function mapLoop<S extends Scalar>(
  loop: FrameLoop,
  end: (path: string, attachment: Attachment) => Attachment<S>,
  replace: ReplaceParameter<S>,
): FrameLoop<S> {
  const { variable } = loopKinds()[loop.kind]!;
  const movedLoop = { ...loop, from: end(`${loop.name}.from`, loop.from), to: end(`${loop.name}.to`, loop.to) };
  if (variable === undefined) return movedLoop;
  const parameters = { ...loop.parameters };
  for (const key of variable.numbers) parameters[key] = replace(`${loop.name}.${key}`, parameters[key] as number);
  return { ...movedLoop, parameters, rows: variable.rows(parameters) };
}

/** Maps six entries, so that the tensor stays symmetric. */
function mapInertia<S extends Scalar>(
  path: string,
  [[xx, xy, xz], [, yy, yz], [, , zz]]: Mat3<number>,
  replace: ReplaceParameter<S>,
): Mat3<S> {
  const [XX, YY, ZZ] = [replace(`${path}.xx`, xx), replace(`${path}.yy`, yy), replace(`${path}.zz`, zz)];
  const [XY, XZ, YZ] = [replace(`${path}.xy`, xy), replace(`${path}.xz`, xz), replace(`${path}.yz`, yz)];
  return [
    [XX, XY, XZ],
    [XY, YY, YZ],
    [XZ, YZ, ZZ],
  ];
}
