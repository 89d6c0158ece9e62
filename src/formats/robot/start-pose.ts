/** The start of a robot at one of its named states. */
import { didYouMean } from "../../declare/names.ts";
import { ModelError, valueText } from "../../errors.ts";
import type { NamedState } from "./imported-model.ts";

/**
 * All named states, with `start` at the chosen one.
 * @throws ModelError if there is no state of this name
 */
export function withStart(
  start: NamedState,
  states: Readonly<Record<string, NamedState>>,
  pose: string | undefined,
  source: string,
): Readonly<Record<string, NamedState>> {
  if (pose === undefined) return { ...states, start };
  if (!Object.hasOwn(states, pose)) {
    const names = Object.keys(states);
    const advice = names.length === 0 ? "The file has no poses" : didYouMean(pose, names);
    throw new ModelError(source, [{ path: "pose", message: "there is no pose of this name", value: valueText(pose), advice }]);
  }
  const { q, u } = states[pose]!;
  return { ...states, start: { q: { ...start.q, ...q }, ...(u && { u }) } };
}
