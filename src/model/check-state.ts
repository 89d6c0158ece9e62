/** Checks of coordinates and speeds at public entry points. */
import { checkVector } from "../arguments.ts";
import { ArgumentError } from "../errors.ts";
import { euclideanNorm } from "../math/elementary/hypotenuse.ts";
import { coordinateNames, type Model, quaternionStarts } from "./model.ts";

/** Largest deviation of the norm of a quaternion from 1. Results are wrong by about twice this fraction. */
const NORM_TOLERANCE = 1e-6;

/** @throws ArgumentError if `q` is not a list of all coordinates of the model with unit quaternions */
export function checkCoordinates(argument: string, q: unknown, model: Model): asserts q is ArrayLike<number> {
  checkVector(argument, q, model.nq, `the coordinates of ${model.name}`);
  const values = q as ArrayLike<number>;
  for (const start of quaternionStarts(model)) {
    const quaternion = Array.from({ length: 4 }, (_, i) => values[start + i]!);
    const norm = euclideanNorm(quaternion);
    if (Math.abs(norm - 1) <= NORM_TOLERANCE) continue;
    const hinge = coordinateNames(model).q[start]!.split(".")[0];
    const advice = norm > 0 ? "Divide it by its norm" : "No rotation is [1, 0, 0, 0]; homeOf(model) has it";
    throw new ArgumentError(
      `${argument}[${start}..${start + 3}]`,
      `the quaternion of ${hinge} must have norm 1, got [${quaternion.join(", ")}] with norm ${norm}. ${advice}`,
    );
  }
}

/** @throws ArgumentError if `values` is not a list with one number for each speed of the model */
export function checkSpeeds(argument: string, values: unknown, model: Model): asserts values is ArrayLike<number> {
  checkVector(argument, values, model.nu, `one for each speed of ${model.name}`);
}
