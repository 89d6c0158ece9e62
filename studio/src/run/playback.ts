/** Playback: advances the time of the scene with every frame, up to the last sample, or the phase of a mode without end. */
import { currentRun, shownMode } from "../state/state.ts";
import type { Studio } from "../studio.ts";

/** Maximum time step of a frame, s. After a pause of the browser tab, playback does not jump. */
const LONGEST_FRAME = 0.1;

/** Cycles per second of a mode on the screen, for every frequency. */
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

  /** Moves by a number of samples. */
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

/** Index of the last sample up to time t; 0 if t is before the first sample. */
export function sampleIndexAt(times: Float64Array, t: number): number {
  let [low, high] = [0, times.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (times[middle]! <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}
