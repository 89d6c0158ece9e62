/** Computes channels of earlier runs in the worker. The system of a run is compiled for the first request and kept for further ones. */
import type { Log } from "castor";
import { prepareScenario, type Scenario } from "castor/scenario";
import { Replay } from "castor/sim";
import type { ReplayOptions } from "./protocol.ts";

/** Number of systems that are kept: the current run and some compared runs. */
const MAX_SYSTEMS = 3;
/** The worker pauses after this time, ms, so that a run can continue. */
const SLICE_MS = 20;
/** Samples between two checks of the clock. */
const SAMPLES_PER_CHECK = 32;

const replays = new Map<number, { readonly replay: Replay; phases: number }>();

function replayOf(run: number, load: () => Scenario): { readonly replay: Replay; phases: number } {
  const runReplay = replays.get(run) ?? { replay: new Replay(prepareScenario(load()).system), phases: 0 };
  replays.delete(run);
  replays.set(run, runReplay); // moves it to the end: least recently used first
  for (const [oldest] of replays) if (replays.size > MAX_SYSTEMS) replays.delete(oldest);
  return runReplay;
}

/** All samples of the first channel, then of the second, ... */
export async function replayChannels(
  { run, names, first, recorded, phases }: ReplayOptions,
  load: () => Scenario,
  signal: AbortSignal,
): Promise<Float64Array<ArrayBuffer>> {
  const runReplay = replayOf(run, load);
  runReplay.replay.add(phases.slice(runReplay.phases));
  runReplay.phases = phases.length;
  const { count } = recorded;
  const values = new Float64Array(names.length * count);
  let sliceEnd = performance.now() + SLICE_MS;
  for (let start = 0; start < count; start += SAMPLES_PER_CHECK) {
    const samples = logOfRange(recorded, start, Math.min(count, start + SAMPLES_PER_CHECK));
    const block = runReplay.replay.values(names, samples, first + start);
    for (let c = 0; c < names.length; c++)
      values.set(block.subarray(c * samples.length, (c + 1) * samples.length), c * count + start);
    if (performance.now() < sliceEnd) continue;
    await new Promise((resolve) => setTimeout(resolve));
    if (signal.aborted) throw new Error("cancelled");
    sliceEnd = performance.now() + SLICE_MS;
  }
  return values;
}

function logOfRange({ channels, count, values }: ReplayOptions["recorded"], from: number, to: number): Log {
  const offsets = new Map(channels.map((name, c) => [name, c * count]));
  return {
    channels: channels.map((name) => ({ name, unit: "" })),
    length: to - from,
    column: (name) => values.subarray(offsets.get(name)! + from, offsets.get(name)! + to),
  };
}
