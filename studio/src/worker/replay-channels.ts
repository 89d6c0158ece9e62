/** Computes channels of earlier runs in the worker. The system of a run is compiled for the first request and kept for further ones. */
import { type Log, prepareScenario, Replay, type Scenario } from "castor";
import type { ReplayOptions } from "./protocol.ts";

/** Number of systems that are kept: the current run and some compared runs. */
const MOST_RUNS = 3;
/** The worker pauses after this time, ms, so that a run can continue. */
const SLICE = 20;
/** Samples between two checks of the clock. */
const SAMPLES = 32;

const replays = new Map<number, { readonly replay: Replay; phases: number }>();

function replayOf(run: number, load: () => Scenario): { readonly replay: Replay; phases: number } {
  const known = replays.get(run) ?? { replay: new Replay(prepareScenario(load()).system), phases: 0 };
  replays.delete(run);
  replays.set(run, known); // moves it to the end: least recently used first
  for (const [old] of replays) if (replays.size > MOST_RUNS) replays.delete(old);
  return known;
}

/** All samples of the first channel, then of the second, ... */
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
