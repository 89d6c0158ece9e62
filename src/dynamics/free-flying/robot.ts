/** A free-flying robot in a model: a body on a free hinge, and the hinges that it carries. */

import { checkText } from "../../arguments.ts";
import { ModelError } from "../../errors.ts";
import type { Scalar } from "../../kernel/trace/scalar.ts";
import { type Body, checkModel, coordinateNames, type Frame, frameOf, type Model } from "../../model/model.ts";

export interface Robot<S extends Scalar = Scalar> {
  readonly base: Body<S>;
  /** For each body of the model: true if it is the base or the base carries it. */
  readonly carries: readonly boolean[];
  /** Indices into u of the hinge speeds φ̇, base to tip, in the order of the model. The base's own six are excluded. */
  readonly speeds: readonly number[];
  /** Names of these speeds, as in u. */
  readonly names: readonly string[];
}

const isFloating = ({ parent, hinge }: Body<Scalar>): boolean =>
  parent < 0 && hinge.elements.length === 1 && hinge.elements[0]!.nu === 6;

/** The robot whose base has this name, or the first floating body if no name is given. The model may contain other trees. */
export function robotOf<S extends Scalar>(model: Model<S>, name?: string): Robot<S> {
  checkModel(model);
  if (name !== undefined) checkText("name", name, "the name of a floating body");
  const candidates = model.bodies.filter(isFloating);
  const base = name === undefined ? candidates[0] : candidates.find((b) => b.name === name);
  if (!base) {
    const known = candidates.map((b) => b.name).join(", ");
    const advice = known ? `Floating bodies are: ${known}` : "Give a body on the world the hinge { kind: free }";
    const message =
      name === undefined
        ? "a free-flying robot needs a body on a free hinge"
        : `"${name}" is not a body on a free hinge to the world`;
    throw new ModelError(model.name, [{ path: name === undefined ? "bodies" : "base", message, advice }]);
  }
  const carries: boolean[] = [];
  for (const body of model.bodies) carries.push(body === base || (body.parent >= 0 && carries[body.parent]!));
  const speeds = model.bodies.flatMap((body) =>
    carries[body.index] && body !== base ? Array.from({ length: body.hinge.nu }, (_, i) => body.hinge.u + i) : [],
  );
  if (speeds.length === 0)
    throw new ModelError(model.name, [
      { path: "bodies", message: `the base "${base.name}" carries no moving hinge`, advice: "Add an arm or a wheel" },
    ]);
  const { u } = coordinateNames(model);
  return { base, carries, speeds, names: speeds.map((i) => u[i]!) };
}

/** Frames of the robot by name. @throws ModelError with every name that is not on the robot. */
export function framesOfRobot<S extends Scalar>(model: Model<S>, robot: Robot<S>, names: readonly string[]): Frame<S>[] {
  const frames = names.map((name) => frameOf(model, name));
  const problems = frames
    .filter(({ body }) => body < 0 || !robot.carries[body])
    .map(({ name }) => ({
      path: "frames",
      message: `the frame "${name}" is not on the robot with the base "${robot.base.name}"`,
    }));
  if (problems.length > 0) throw new ModelError(model.name, problems);
  return frames;
}
