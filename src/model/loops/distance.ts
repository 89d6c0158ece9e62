import { readNumber } from "../../declare/plain-data.ts";
import { type Problem, shown } from "../../errors.ts";
import type { Scalar } from "../../kernel/trace/scalar.ts";
import { heldAtDistance } from "../loop.ts";
import { betweenFrames } from "./between-frames.ts";

/** Ends closer than this cannot be told from one point. */
const SHORTEST = 1e-9;

export const distance = betweenFrames<{ length: Scalar }>({
  name: "distance",
  about: "A rod with a ball at each end: the origin of M stays at `length` from the origin of F.",
  takes: "length",
  parameters: { length: readLength },
  numbers: ["length"],
  rows: ({ length }) => [heldAtDistance("force along", length)],
});

function readLength(value: unknown, path: string, problems: Problem[]): number | undefined {
  const length = readNumber(value, path, problems);
  if (length === undefined || length >= SHORTEST) return length;
  const message = length > 0 ? `must be at least ${SHORTEST} m` : "must be positive";
  problems.push({ path, message, value: shown(value), advice: "To join two points, take a spherical hinge" });
  return undefined;
}
