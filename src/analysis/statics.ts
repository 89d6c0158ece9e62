/** Compliance of a model to small loads. */

import { checkList, checkMembers, checkVector } from "../arguments.ts";
import { didYouMean } from "../declare/names.ts";
import { frameKinematics } from "../dynamics/programs.ts";
import { ModelError, SingularError } from "../errors.ts";
import { compile } from "../kernel/run/kernel.ts";
import { denseLU } from "../math/linear/dense-lu.ts";
import { matrixProduct, transposedProduct } from "../math/linear/dense-matrix.ts";
import { coordinateNames } from "../model/model.ts";
import { checkLinearisation } from "./check-analysis.ts";
import type { Linearisation } from "./linearise.ts";
import { movingStates, staticMatrix } from "./moving-states.ts";

/** Direction of a load or of an observed motion: a frame along or about a world axis, or one freedom of a hinge. */
export type LoadDirection =
  | { readonly frame: string; readonly along: readonly [number, number, number] }
  | { readonly frame: string; readonly about: readonly [number, number, number] }
  | { readonly freedom: string };

/** Row of a direction: motion along it for a unit change of each speed, and also generalised forces for a unit load along it. */
export function directionRow({ model, q }: Linearisation, direction: LoadDirection, argument: string): Float64Array {
  checkMembers(argument, direction, [], "{ frame, along }, { frame, about } or { freedom }");
  if ("freedom" in direction) {
    const names = coordinateNames(model).u;
    const index = names.indexOf(direction.freedom);
    if (index < 0)
      throw new ModelError(model.name, [
        { path: "freedom", message: `no freedom "${direction.freedom}"`, advice: didYouMean(direction.freedom, names) },
      ]);
    return Float64Array.from(names, (_, i) => (i === index ? 1 : 0));
  }
  const kernel = compile(frameKinematics(model, [direction.frame]));
  kernel.x.set(q);
  kernel.evaluate();
  const first = "about" in direction ? 0 : 3;
  const axis = "about" in direction ? direction.about : direction.along;
  checkVector(`${argument}.${"about" in direction ? "about" : "along"}`, axis, 3);
  const J = kernel.y.subarray(12 + first * model.nu, 12 + (first + 3) * model.nu);
  return matrixProduct(Float64Array.from(axis), J, 1, 3, model.nu);
}

/** Motion along each direction per unit load along each: m/N, rad/N, m/(N m) or rad/(N m). Symmetric if no load follows the motion. */
export function complianceOf(linear: Linearisation, directions: readonly LoadDirection[]): readonly (readonly number[])[] {
  checkLinearisation(linear);
  checkList("directions", directions, "directions of loads");
  const { m, basis, model } = linear;
  const states = movingStates(linear);
  const lu = denseLU(m + states.n);
  if (!lu.factor(staticMatrix(linear, states)))
    throw new SingularError(`${model.name} is free to move away: nothing holds some of its freedoms. Lock them`);
  const rows = directions.map((d, i) => matrixProduct(directionRow(linear, d, `directions[${i}]`), basis, 1, model.nu, m));
  const responses = rows.map((row) => {
    const x = new Float64Array(m + states.n);
    x.set(row);
    lu.solve(x);
    return x.subarray(0, m);
  });
  return rows.map((row) => responses.map((x) => transposedProduct(row, x, m, 1, 1)[0]!));
}
