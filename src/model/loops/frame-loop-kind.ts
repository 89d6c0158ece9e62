import { childPath } from "../../declare/plain-data.ts";
import type { HingeParameterReader } from "../build/parse-hinge.ts";
import { LOOP_END_KEYS, readLoopEnds } from "../build/parse-loop-frames.ts";
import type { LoopRow } from "../loop.ts";
import type { LoopKind } from "./loop-kind.ts";

interface FrameLoopKindDeclaration<P> extends Pick<LoopKind, "name" | "about" | "measuredAtEngagement"> {
  readonly parameters: { readonly [K in keyof P & string]: HingeParameterReader };
  /** Defaults of the optional parameters. */
  readonly defaults?: Partial<P>;
  /** Numeric parameters that a campaign may vary. */
  readonly numbers?: readonly (keyof P & string)[];
  rows(parameters: P): readonly LoopRow[];
}

/** Creates a loop kind that blocks directions between two frames. */
export function frameLoopKind<P extends object>(kind: FrameLoopKindDeclaration<P>): LoopKind {
  const { name, about, measuredAtEngagement, defaults = {}, numbers } = kind;
  const readers = Object.entries<HingeParameterReader>(kind.parameters);
  const keys = readers.map(([key]) => key);
  const rows = (givenParameters: Readonly<Record<string, unknown>>): readonly LoopRow[] =>
    kind.rows({ ...defaults, ...givenParameters } as P);
  return {
    name,
    about,
    measuredAtEngagement,
    required: [...keys.filter((key) => !Object.hasOwn(defaults, key)), ...LOOP_END_KEYS],
    optional: keys.filter((key) => Object.hasOwn(defaults, key)),
    ...(numbers && { variable: { numbers, rows } }),
    read: (fields, path, modelNames, problems) => {
      const problemsBefore = problems.length;
      const ends = readLoopEnds(fields, path, modelNames, problems);
      const givenParameters: Record<string, unknown> = {};
      for (const [key, read] of readers)
        if (fields[key] !== undefined || !Object.hasOwn(defaults, key))
          givenParameters[key] = read(fields[key], childPath(path, key), problems);
      if (ends === undefined || problems.length > problemsBefore) return undefined;
      return { type: "frames", parameters: givenParameters, ...ends, rows: rows(givenParameters) };
    },
  };
}
