import type { Parameters, ParameterValues } from "../../declare/parameters.ts";
import { defaultsOf } from "../../declare/parse-parameters.ts";
import type { Fields } from "../../declare/plain-data.ts";
import { LOOP_ENDS, loopEnds } from "../build/loop-frames.ts";
import type { LoopRow } from "../loop.ts";
import type { LoopKind } from "./loop-kind.ts";

interface FrameLoopKindDeclaration<D extends Parameters> extends Pick<LoopKind, "name" | "about" | "measuredAtEngagement"> {
  readonly parameters: D;
  /** Numeric parameters that a campaign may vary. */
  readonly numbers?: readonly (keyof D & string)[];
  rows(values: ParameterValues<D>): readonly LoopRow[];
}

/** The given values of the declared parameters; undefined if one could not be read or is missing. */
export function givenValues(declared: Parameters, values: Fields): Fields | undefined {
  const entries = Object.entries(declared).filter(([key]) => Object.hasOwn(values, key));
  const isComplete = Object.entries(declared).every(
    ([key, p]) => values[key] !== undefined || (!Object.hasOwn(values, key) && (p.optional || p.default !== undefined)),
  );
  return isComplete ? Object.fromEntries(entries.map(([key]) => [key, values[key]])) : undefined;
}

/** Creates a loop kind that blocks directions between two frames. */
export function frameLoopKind<const D extends Parameters>(kind: FrameLoopKindDeclaration<D>): LoopKind {
  const { name, about, measuredAtEngagement, parameters, numbers } = kind;
  const rows = (givenParameters: Fields): readonly LoopRow[] =>
    kind.rows({ ...defaultsOf(parameters), ...givenParameters } as ParameterValues<D>);
  return {
    name,
    about,
    measuredAtEngagement,
    parameters: { ...parameters, ...LOOP_ENDS },
    ...(numbers && { variable: { numbers, rows } }),
    create: (values, path, modelNames, problems) => {
      const ends = loopEnds(values, path, modelNames, problems);
      const given = givenValues(parameters, values);
      return ends && given && { type: "frames", parameters: given, ...ends, rows: rows(given) };
    },
  };
}
