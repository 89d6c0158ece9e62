/** Playback: advances the time of the scene with every frame, up to the last sample, or the phase of a mode without end. */
import { currentRun, shownMode } from "../state/state.ts";
import type { Studio } from "../studio.ts";
import { sampleIndexAt } from "./sample-index.ts";

/** Maximum time step of a frame, s. After a pause of the browser tab, playback does not jump. */
const MAX_FRAME_TIME = 0.1;

/** Cycles per second of a mode on the screen, for every frequency. */
export const MODE_CYCLES_PER_SECOND = 0.5;

export class Playback {
  readonly #studio: Studio;
  #lastFrame: number | undefined;

  constructor(studio: Studio) {
    this.#studio = studio;
    let playing = false;
    studio.store.watch(["playing"], (state) => {
      if (state.playing && !playing) this.#start();
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
    const present = sampleIndexAt(t, state.time);
    const target = samples < 0 && t[present]! < state.time ? present + samples + 1 : present + samples;
    this.#studio.seek(t[Math.min(t.length - 1, Math.max(0, target))]!);
  }

  jump(time: number): void {
    this.#studio.seek(time);
  }

  #atEnd(): boolean {
    const { state } = this.#studio;
    return shownMode(state) === undefined && currentRun(state)?.status !== "running" && state.time >= this.#studio.endTime();
  }

  #start(): void {
    this.#lastFrame = undefined;
    const frame = (now: number): void => {
      const { state, store } = this.#studio;
      if (!state.playing) return;
      const elapsed = Math.min(MAX_FRAME_TIME, (now - (this.#lastFrame ?? now)) / 1000);
      this.#lastFrame = now;
      if (shownMode(state)) store.set({ phase: state.phase + MODE_CYCLES_PER_SECOND * elapsed * (state.speed ?? 1) });
      else if (state.loop && this.#atEnd()) this.#studio.seek(this.#studio.startTime());
      else this.#studio.seek(state.time + elapsed * this.#studio.playbackSpeed());
      if (this.#atEnd() && !state.loop) store.set({ playing: false });
      else requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
  }
}
