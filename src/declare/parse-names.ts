/** Parses parameters that refer to the model by name: frames and freedoms. */
import { type Problem, valueText } from "../errors.ts";
import type { Freedom } from "./freedom.ts";
import { didYouMean } from "./names.ts";
import type { CoordinateReference } from "./parameters.ts";
import { missingProblem } from "./parse-values.ts";
import { childPath, itemsOf } from "./plain-data.ts";

/** The names that parameters may refer to; `knownNames` lists those of a model. */
export interface KnownNames {
  /** Bodies and frames. */
  readonly frames: readonly string[];
  readonly hinges: readonly string[];
  readonly freedoms: readonly Freedom[];
  /** True for a name that cannot be judged, because its body has a problem of its own. A reference to it is no further problem. */
  readonly isBroken?: (name: string) => boolean;
  /** Reads the name of a coordinate of a single turn or slide. */
  readonly coordinate?: (value: unknown, path: string, problems: Problem[]) => CoordinateReference | undefined;
}

const isBrokenName = (value: unknown, { isBroken }: KnownNames): boolean =>
  typeof value === "string" && isBroken !== undefined && isBroken(value.split(".")[0]!);

/** Known names, and the list of problems to add to. */
export interface NameContext extends KnownNames {
  readonly problems: Problem[];
}

export function readFrame(value: unknown, path: string, context: NameContext): string | undefined {
  const { frames, problems } = context;
  if (typeof value === "string" && frames.includes(value)) return value;
  if (isBrokenName(value, context)) return undefined;
  problems.push(
    missingProblem(value, path) ?? {
      path,
      message: "no frame or body has this name",
      value: valueText(value),
      advice: didYouMean(value, frames),
    },
  );
  return undefined;
}

/** The freedoms that a name means: one freedom, or all freedoms of a hinge. */
function namedFreedoms(value: unknown, path: string, context: NameContext): readonly Freedom[] | undefined {
  const { freedoms, hinges, problems } = context;
  const matches = freedoms.filter((f) => f.name === value || f.speedName === value || f.hinge === value);
  if (matches.length > 0) return matches;
  if (isBrokenName(value, context)) return undefined;
  if (typeof value === "string" && hinges.includes(value)) {
    problems.push({ path, message: "the hinge has no freedom", value: valueText(value) });
    return undefined;
  }
  const known = [...new Set([...freedoms.map((f) => f.hinge), ...freedoms.map((f) => f.name)])];
  problems.push(
    missingProblem(value, path) ?? {
      path,
      message: "no hinge has this name",
      value: valueText(value),
      advice: didYouMean(value, known),
    },
  );
  return undefined;
}

export function readFreedom(
  value: unknown,
  needs: "coordinate" | undefined,
  path: string,
  context: NameContext,
): Freedom | undefined {
  const matches = namedFreedoms(value, path, context);
  if (matches === undefined) return undefined;
  const usable = matches.filter((f) => needs === undefined || f.coordinateInHinge !== undefined);
  const [freedom] = usable;
  if (matches.length === 1 && freedom !== undefined) return freedom;
  const message =
    matches.length > 1
      ? `the hinge has ${matches.length} freedoms, but one is needed`
      : "a turn of a ball has no angle of its own";
  const advice = usable.length > 0 ? `Write one of ${usable.map((f) => f.name).join(", ")}` : "Choose a turn or a slide";
  context.problems.push({ path, message, value: valueText(value), advice });
  return undefined;
}

export function readFreedoms(value: unknown, path: string, context: NameContext): readonly Freedom[] | undefined {
  const items = itemsOf(value);
  if (items === undefined) return namedFreedoms(value, path, context);
  const matchesOfItems = items.map((item, i) => namedFreedoms(item, childPath(path, i), context));
  if (!matchesOfItems.every((f) => f !== undefined)) return undefined;
  const all = matchesOfItems.flat();
  const duplicate = all.find((f, i) => all.indexOf(f) !== i);
  if (all.length > 0 && duplicate === undefined) return all;
  const message = duplicate === undefined ? "must name at least one freedom" : `${duplicate.name} is named twice`;
  context.problems.push({ path, message, value: valueText(value) });
  return undefined;
}
