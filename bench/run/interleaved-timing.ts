/** Interleaved timing: contenders take turns in short batches, so that other processes disturb all of them alike. */

export interface Contender {
  readonly name: string;
  /** Makes a number of calls. */
  run(calls: number): void;
}

/** Minimum and median over the batches, ns per call. */
export interface BatchTiming {
  readonly min: number;
  readonly median: number;
}

/** Duration of a batch: long enough for the resolution of the clock, short enough that some batches are not interrupted. */
const BATCH_NS = 3e5;
const LONGEST_WARM_UP_MS = 5000;

/** A contender that changes one entry of `array` a little from call to call, so that no two calls do the same work. */
export function perturbedContender(name: string, array: Float64Array, entry: number, call: () => void): Contender {
  return { name, run: compileLoop(array, entry, call) };
}

/** A loop compiled for this contender only. In a shared loop V8 would treat the call as megamorphic. */
function compileLoop(array: Float64Array, entry: number, call: () => void): (calls: number) => void {
  const source = `return (calls) => {
    const home = array[entry];
    for (let i = 0; i < calls; i++) {
      array[entry] = home + 1e-6 * i;
      call();
    }
    array[entry] = home;
  };`;
  return new Function("array", "entry", "call", source)(array, entry, call);
}

/**
 * Runs until no improvement has occurred for `steady` ms, and V8 compiles nothing any more: it replaces code step by step with optimised
 * code from background threads, which wait for a processor on a busy machine.
 */
export function warmUp(contenders: readonly Contender[], steady: number): void {
  for (const { run } of contenders) {
    const start = performance.now();
    let best = Number.POSITIVE_INFINITY;
    let improved = start;
    for (let now = start; now - improved < steady && now - start < LONGEST_WARM_UP_MS; now = performance.now()) {
      const time = nanosecondsPerCall(run, 20);
      if (time > 0.95 * best) continue;
      best = time;
      improved = performance.now();
    }
    waitForCompiler(() => void run(20));
  }
}

const NEVER_NOTIFIED = new Int32Array(new SharedArrayBuffer(4));
const REST_MS = 50;
/** Processor time of the process during a rest without compilation, µs: far less than this. */
const COMPILING_US = 2000;

/** Alternates calls and rests until three rests have passed in which no background thread worked. */
function waitForCompiler(call: () => void): void {
  const start = performance.now();
  for (let restsInARow = 0; restsInARow < 3 && performance.now() - start < LONGEST_WARM_UP_MS; ) {
    for (const end = performance.now() + REST_MS; performance.now() < end; ) call();
    const before = process.cpuUsage();
    Atomics.wait(NEVER_NOTIFIED, 0, 0, REST_MS);
    const { user, system } = process.cpuUsage(before);
    restsInARow = user + system < COMPILING_US ? restsInARow + 1 : 0;
  }
}

/** Times the contenders in turns, for the given time. */
export function timeInTurns(contenders: readonly Contender[], milliseconds: number): BatchTiming[] {
  const entries = contenders.map(({ run }) => ({
    run,
    calls: Math.ceil(BATCH_NS / nanosecondsPerCall(run, 20)),
    times: [] as number[],
  }));
  const end = performance.now() + milliseconds;
  do for (const { run, calls, times } of entries) times.push(nanosecondsPerCall(run, calls));
  while (performance.now() < end);
  return entries.map(({ times }) => timingOf(times));
}

export function timingOf(times: readonly number[]): BatchTiming {
  const sorted = [...times].sort((a, b) => a - b);
  return { min: sorted[0]!, median: sorted[sorted.length >> 1]! };
}

/** Minimum and median of several laps. */
export const combineTimings = (laps: readonly BatchTiming[]): BatchTiming => ({
  min: Math.min(...laps.map((lap) => lap.min)),
  median: timingOf(laps.map((lap) => lap.median)).median,
});

function nanosecondsPerCall(run: (calls: number) => void, calls: number): number {
  const start = performance.now();
  run(calls);
  return (1e6 * (performance.now() - start)) / calls;
}
