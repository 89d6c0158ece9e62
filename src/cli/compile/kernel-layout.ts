/** Layout of the input and output arrays of a kernel, element by element. */

import { robotOf } from "../../dynamics/free-flying/robot.ts";
import { actuatedSpeeds } from "../../dynamics/programs.ts";
import { type NamedSizes, offsetsOf } from "../../kernel/trace/program.ts";
import { coordinateNames, type Model } from "../../model/model.ts";
import type { QuantityOptions } from "./quantities.ts";

export interface ArraySegment {
  readonly name: string;
  /** Index of the first element. With two lanes, element i of state k is at index 2 i + k. */
  readonly start: number;
  readonly size: number;
  readonly elements: readonly string[];
}

/** The parts of an array in order. Parts without elements, such as wrenches if there are none, are left out. */
export function arrayLayout(shape: NamedSizes, model: Model, options: QuantityOptions): ArraySegment[] {
  const starts = offsetsOf(shape);
  return Object.entries(shape)
    .filter(([, size]) => size > 0)
    .map(([name, size]) => ({ name, start: starts[name]!, size, elements: elementNames(name, model, options) }));
}

const VECTOR = ["x", "y", "z"] as const;
const ROTATION = ["xx", "xy", "xz", "yx", "yy", "yz", "zx", "zy", "zz"] as const;
const POSE = [...ROTATION.map((e) => `R.${e}`), ...VECTOR.map((e) => `p.${e}`)];
const ANGULAR_LINEAR = ["wx", "wy", "wz", "vx", "vy", "vz"] as const;
const TORQUE_FORCE = ["tx", "ty", "tz", "fx", "fy", "fz"] as const;

const qualifiedNames = (names: readonly string[], parts: readonly string[]): string[] =>
  names.flatMap((name) => parts.map((part) => `${name}.${part}`));

function elementNames(name: string, model: Model, { frames, wrenches, parameters, actuated }: QuantityOptions): string[] {
  const { q, u } = coordinateNames(model);
  const bodies = model.bodies.map((b) => b.name);
  const isOfFrames = frames.length > 0;
  switch (name) {
    case "q":
    case "qdot":
      return [...q];
    case "t":
      return ["t"];
    case "lambda":
      return model.loops.flatMap((loop) =>
        loop.type === "frames" ? loop.rows.map((r) => `${loop.name}.${r.label}`) : [loop.name],
      );
    case "pivot":
      return ["smallest"];
    case "tau":
      return actuatedSpeeds(model, actuated).map((i) => u[i]!);
    case "w":
      return qualifiedNames(wrenches, TORQUE_FORCE);
    case "parameters":
      return [...parameters];
    case "mass":
      return u.flatMap((row) => u.map((column) => `${row}/${column}`));
    case "pose":
      return qualifiedNames(isOfFrames ? frames : bodies, POSE);
    case "jacobian":
      return frames.flatMap((frame) => ANGULAR_LINEAR.flatMap((row) => u.map((column) => `${frame}.${row}/${column}`)));
    case "momentum":
      return ["angular.x", "angular.y", "angular.z", "linear.x", "linear.y", "linear.z"];
    case "energy":
      return ["kinetic", "potential"];
    case "centre":
      return [...VECTOR];
    case "wrenches":
      return qualifiedNames(
        model.bodies.map((b) => b.hinge.name),
        TORQUE_FORCE,
      );
    case "drift":
    case "velocity":
      return qualifiedNames(frames, ANGULAR_LINEAR);
    case "bias":
      return isOfFrames ? qualifiedNames(frames, ANGULAR_LINEAR) : [...u];
    default:
      return Object.hasOwn(ROBOT_ELEMENTS, name)
        ? ROBOT_ELEMENTS[name as keyof typeof ROBOT_ELEMENTS](robotSpeeds(model), frames)
        : [...u];
  }
}

interface RobotSpeeds {
  /** Names of the speeds of the base, and of the hinges of the arms. */
  readonly base: readonly string[];
  readonly hinges: readonly string[];
}

function robotSpeeds(model: Model): RobotSpeeds {
  const { base, names } = robotOf(model);
  return { base: coordinateNames(model).u.slice(base.hinge.u, base.hinge.u + 6), hinges: names };
}

const matrixElements = (rows: readonly string[], columns: readonly string[]): string[] =>
  rows.flatMap((row) => columns.map((column) => `${row}/${column}`));

/** Element names of the matrices and vectors of a free-flying robot. */
const ROBOT_ELEMENTS = {
  Hs: ({ base }) => matrixElements(base, base),
  Hm: ({ base, hinges }) => matrixElements(base, hinges),
  Hphi: ({ hinges }) => matrixElements(hinges, hinges),
  c: ({ base, hinges }) => [...base, ...hinges],
  Js: ({ base }, frames) => matrixElements(qualifiedNames(frames, ANGULAR_LINEAR), base),
  Jm: ({ hinges }, frames) => matrixElements(qualifiedNames(frames, ANGULAR_LINEAR), hinges),
  Jb: ({ base, hinges }) => matrixElements(base, hinges),
  ab: ({ base }) => [...base],
  baseDrift: ({ base }) => [...base],
  Hstar: ({ hinges }) => matrixElements(hinges, hinges),
  Cstar: ({ hinges }) => [...hinges],
  Jstar: ({ hinges }, frames) => matrixElements(qualifiedNames(frames, ANGULAR_LINEAR), hinges),
  spin: () => ["x", "y", "z"],
} satisfies Record<string, (robot: RobotSpeeds, frames: readonly string[]) => string[]>;
