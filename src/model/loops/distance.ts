import type { ValueProblem } from "../../declare/parameters.ts";
import { distanceRow } from "../loop.ts";
import { frameLoopKind } from "./frame-loop-kind.ts";

/** Shorter distances are indistinguishable from a common point. */
const SHORTEST = 1e-9;

export const distance = frameLoopKind({
  name: "distance",
  about: "A rod with a ball at each end: the origin of M stays at `length` from the origin of F.",
  measuredAtEngagement: "length",
  parameters: { length: { type: "number", unit: "m", about: "Length of the rod; positive.", check: lengthProblem } },
  numbers: ["length"],
  rows: ({ length }) => [distanceRow("force along", length)],
});

function lengthProblem(length: number): ValueProblem | undefined {
  if (length >= SHORTEST) return undefined;
  const message = length > 0 ? `must be at least ${SHORTEST} m` : "must be positive";
  return { message, advice: "To join two points, use a spherical hinge" };
}
