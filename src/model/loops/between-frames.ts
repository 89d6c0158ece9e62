import { childPath } from "../../declare/plain-data.ts";
import type { ParameterReader } from "../build/parse-hinge.ts";
import { ENDS, readEnds } from "../build/parse-loop-frames.ts";
import type { Row } from "../loop.ts";
import type { LoopKind } from "./loop-kind.ts";

interface FrameLoopKind<P> extends Pick<LoopKind, "name" | "about" | "takes"> {
  readonly parameters: { readonly [K in keyof P & string]: ParameterReader };
  /** Of the parameters that may be left out. */
  readonly defaults?: Partial<P>;
  /** Parameters that are numbers and may vary. */
  readonly numbers?: readonly (keyof P & string)[];
  rows(parameters: P): readonly Row[];
}

/** A kind that blocks directions between two frames. */
export function betweenFrames<P extends object>(kind: FrameLoopKind<P>): LoopKind {
  const { name, about, takes, defaults = {}, numbers } = kind;
  const readers = Object.entries<ParameterReader>(kind.parameters);
  const keys = readers.map(([key]) => key);
  const rows = (given: Readonly<Record<string, unknown>>): readonly Row[] => kind.rows({ ...defaults, ...given } as P);
  return {
    name,
    about,
    takes,
    required: [...keys.filter((key) => !Object.hasOwn(defaults, key)), ...ENDS],
    optional: keys.filter((key) => Object.hasOwn(defaults, key)),
    ...(numbers && { variable: { numbers, rows } }),
    read: (fields, path, places, problems) => {
      const before = problems.length;
      const ends = readEnds(fields, path, places, problems);
      const given: Record<string, unknown> = {};
      for (const [key, read] of readers)
        if (fields[key] !== undefined || !Object.hasOwn(defaults, key))
          given[key] = read(fields[key], childPath(path, key), problems);
      if (ends === undefined || problems.length > before) return undefined;
      return { type: "frames", parameters: given, ...ends, rows: rows(given) };
    },
  };
}
