/** Parses the name of one coordinate, as `coordinateNames` lists it. */

import { didYouMean, nameAdvice } from "../declare/names.ts";
import type { CoordinateReference } from "../declare/parameters.ts";
import { type Problem, valueText } from "../errors.ts";
import type { ModelNames } from "./loops/loop-kind.ts";
import { hingeCoordinateNames } from "./model.ts";

/** The coordinate of a one-freedom element: "crank", "table.x". Components of quaternions are refused: they have no speed of their own. */
export function readCoordinate(
  value: unknown,
  path: string,
  modelNames: ModelNames,
  problems: Problem[],
): CoordinateReference | undefined {
  const addProblem = (message: string, advice?: { advice?: string }): undefined => {
    problems.push({ path, message, ...(value !== undefined && { value: valueText(value) }), ...advice });
    return undefined;
  };
  if (value === undefined) return addProblem("is missing");
  if (typeof value !== "string") return addProblem("must be the name of a hinge");
  const dot = value.indexOf(".");
  const name = dot < 0 ? value : value.slice(0, dot);
  if (!modelNames.hinges.has(name) && modelNames.isBroken(name)) return undefined;
  if (!modelNames.hinges.has(name))
    return addProblem("no hinge has this name", nameAdvice(name, modelNames.hinges.keys(), problems));
  const hinge = modelNames.hinges.get(name);
  if (hinge === undefined) return undefined;
  const names = hingeCoordinateNames(hinge, "q");
  const single = new Map<string, CoordinateReference>();
  let { q, u } = hinge;
  for (const element of hinge.elements) {
    const name = names[q - hinge.q]!;
    if (element.screw) single.set(name, { name, q, u, motion: element.screw.turn ? "turn" : "slide" });
    q += element.nq;
    u += element.nu;
  }
  const coordinate = single.get(value);
  if (coordinate !== undefined) return coordinate;
  if (hinge.elements.length === 0) return addProblem(`a ${hinge.kind} hinge has no freedom`);
  if (single.size === 0)
    return addProblem(`a ${hinge.kind} hinge has no single coordinate`, {
      advice: "Use a hinge with single turns or slides",
    });
  if (dot < 0)
    return addProblem("the hinge has several freedoms", { advice: `Name one of them: ${[...single.keys()].join(", ")}` });
  const isQuaternion = names.includes(value);
  return addProblem(isQuaternion ? "is a component of a quaternion" : "the hinge has no such freedom", {
    advice: didYouMean(isQuaternion ? undefined : value, single.keys()),
  });
}
