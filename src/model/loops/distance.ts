import { readNumber } from "../../declare/plain-data.ts";
import { type Problem, valueText } from "../../errors.ts";
import type { Scalar } from "../../kernel/trace/scalar.ts";
import { distanceRow } from "../loop.ts";
import { frameLoopKind } from "./frame-loop-kind.ts";

/** Shorter distances are indistinguishable from a common point. */
const SHORTEST = 1e-9;

export const distance = frameLoopKind<{ length: Scalar }>({
  name: "distance",
  about: "A rod with a ball at each end: the origin of M stays at `length` from the origin of F.",
  measuredAtEngagement: "length",
  parameters: { length: readLength },
  numbers: ["length"],
  rows: ({ length }) => [distanceRow("force along", length)],
});

function readLength(value: unknown, path: string, problems: Problem[]): number | undefined {
  const length = readNumber(value, path, problems);
  if (length === undefined || length >= SHORTEST) return length;
  const message = length > 0 ? `must be at least ${SHORTEST} m` : "must be positive";
  problems.push({ path, message, value: valueText(value), advice: "To join two points, use a spherical hinge" });
  return undefined;
}
