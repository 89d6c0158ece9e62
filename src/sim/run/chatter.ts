/** Ends runs in which events cause each other at one time. */
import { ChatterError } from "../../errors.ts";

/** More events than this at one time are chatter, and end the run. */
export const MAX_EVENTS_AT_ONE_TIME = 100;

/** @throws ChatterError if the last events happened at one time */
/** Events within this time, relative to t, are at one time. */
const ONE_TIME = 1e-12;

export function checkForChatter(events: readonly { readonly name: string; readonly t: number }[]): void {
  const last = events.at(-1)!;
  const before = events.at(-MAX_EVENTS_AT_ONE_TIME);
  if (before && last.t - before.t <= ONE_TIME * Math.abs(last.t))
    throw new ChatterError(
      `${MAX_EVENTS_AT_ONE_TIME} events at t = ${last.t} s, the last "${last.name}": two laws contradict each other there. ` +
        "Give the conditions of the events a gap, so that an event does not cause the next one at the same time",
      last.t,
    );
}
