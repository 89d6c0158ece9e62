/** Moves time on with the frames of the screen while it plays, no further than there are samples; or the phase of a mode, on and on. */
import { currentRun, shownMode } from "../state/state.ts";
import type { Studio } from "../studio.ts";

/** A tab that slept does not jump, s. */
const LONGEST_FRAME = 0.1;

/** However fast a mode is, so often it swings on the screen, 1/s. */
export const MODE_CYCLES_PER_SECOND = 0.5;

export class Playback {
  readonly #studio: Studio;
  #last: number | undefined;

  constructor(studio: Studio) {
    this.#studio = studio;
    let playing = false;
    studio.store.watch(["playing"], (state) => {
      if (state.playing && !playing) this.#begin();
      playing = state.playing;
    });
  }

  toggle(): void {
    const { state, store } = this.#studio;
    if (!state.playing && this.#atEnd()) this.jump(0);
    store.set({ playing: !state.playing });
  }

  /** To the next sample, or several further. */
  step(samples: number): void {
    const { state, store } = this.#studio;
    const t = currentRun(state)?.log.column("t");
    if (t === undefined || t.length === 0) return;
    store.set({ playing: false });
    const nearest = sampleIndexAt(t, state.time);
    const onward = samples < 0 && t[nearest]! < state.time ? nearest + samples + 1 : nearest + samples;
    this.#studio.seek(t[Math.min(t.length - 1, Math.max(0, onward))]!);
  }

  jump(time: number): void {
    this.#studio.seek(time);
  }

  #atEnd(): boolean {
    const { state } = this.#studio;
    return shownMode(state) === undefined && currentRun(state)?.status !== "running" && state.time >= this.#studio.endTime();
  }

  #begin(): void {
    this.#last = undefined;
    const frame = (now: number): void => {
      const { state, store } = this.#studio;
      if (!state.playing) return;
      const elapsed = Math.min(LONGEST_FRAME, (now - (this.#last ?? now)) / 1000);
      this.#last = now;
      const onward = elapsed * state.speed;
      if (shownMode(state)) store.set({ phase: state.phase + MODE_CYCLES_PER_SECOND * onward });
      else this.#studio.seek(state.time + onward);
      if (this.#atEnd()) store.set({ playing: false });
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }
}

/** The last sample that is not after t. */
export function sampleIndexAt(times: Float64Array, t: number): number {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle]! <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}
