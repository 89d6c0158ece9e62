/** Channels of earlier runs, in the worker: the system of a run is compiled when the first of its channels is wanted, and kept for the next. */
import { type Log, prepareScenario, Replay, type Scenario } from "castor";
import type { ReplayOptions } from "./protocol.ts";

/** Systems that are kept: of the runs that are looked at, with some to compare. */
const MOST_RUNS = 3;
/** The worker gives way after so many ms: a run may go on. */
const SLICE = 20;
/** Samples between looks at the clock. */
const SAMPLES = 32;

const replays = new Map<number, { readonly replay: Replay; phases: number }>();

function replayOf(run: number, load: () => Scenario): { readonly replay: Replay; phases: number } {
  const known = replays.get(run) ?? { replay: new Replay(prepareScenario(load()).system), phases: 0 };
  replays.delete(run);
  replays.set(run, known); // the last
  for (const [old] of replays) if (replays.size > MOST_RUNS) replays.delete(old);
  return known;
}

/** The channels, one after the other. */
export async function replayChannels(
  { run, names, first, kept, phases }: ReplayOptions,
  load: () => Scenario,
  signal: AbortSignal,
): Promise<Float64Array<ArrayBuffer>> {
  const known = replayOf(run, load);
  known.replay.add(phases.slice(known.phases));
  known.phases = phases.length;
  const { count } = kept;
  const values = new Float64Array(names.length * count);
  let pause = performance.now() + SLICE;
  for (let at = 0; at < count; at += SAMPLES) {
    const part = partOf(kept, at, Math.min(count, at + SAMPLES));
    const some = known.replay.values(names, part, first + at);
    for (let c = 0; c < names.length; c++) values.set(some.subarray(c * part.length, (c + 1) * part.length), c * count + at);
    if (performance.now() < pause) continue;
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) throw new Error("cancelled");
    pause = performance.now() + SLICE;
  }
  return values;
}

function partOf({ channels, count, values }: ReplayOptions["kept"], from: number, to: number): Log {
  const places = new Map(channels.map((name, c) => [name, c * count]));
  return {
    channels: channels.map((name) => ({ name, unit: "" })),
    length: to - from,
    column: (name) => values.subarray(places.get(name)! + from, places.get(name)! + to),
  };
}
