import { ENDS, readEnds } from "../attachment.ts";
import type { ParameterReader } from "../hinge-reading.ts";
import type { Row } from "../loop.ts";
import type { LoopKind } from "../loop-kind.ts";
import { childPath } from "../reading.ts";

/** A kind that blocks directions between two frames. A parameter without default is required. */
export function betweenFrames<P extends object>({
  name,
  about,
  parameters: readers,
  defaults,
  rows,
}: {
  readonly name: string;
  readonly about: string;
  readonly parameters: { readonly [K in keyof P & string]: ParameterReader };
  readonly defaults: Partial<P>;
  rows(parameters: P): readonly Row[];
}): LoopKind {
  return {
    name,
    about,
    keys: [...Object.keys(readers), ...ENDS],
    read: (fields, path, places, problems) => {
      const before = problems.length;
      const ends = readEnds(fields, path, places, problems);
      const given: Record<string, unknown> = {};
      for (const [key, read] of Object.entries<ParameterReader>(readers))
        if (fields[key] !== undefined || !Object.hasOwn(defaults, key))
          given[key] = read(fields[key], childPath(path, key), problems);
      if (ends === undefined || problems.length > before) return undefined;
      return { type: "frames", parameters: given, ...ends, rows: rows({ ...defaults, ...given } as P) };
    },
  };
}
