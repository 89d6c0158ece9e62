/**
 * Which candidates act. A candidate that does not touch at the start of a step exerts no force in it, also where a trial stage of the step
 * is inside of the other part. So the motion up to the first touch is not disturbed, and the touch is found on it (contact-search.ts). From
 * there on the candidate acts, until the end of a step at which it does not touch.
 */
import { checkSavedFinite, checkSavedInteger, takeSaved } from "../../../saved-data.ts";
import type { ElementMemory, Snapshot } from "../../../sim/system/force-element.ts";

/** Modes of a candidate: free, touching, or found to touch at the time of the last event. */
const [FREE, TOUCHING, TOUCHED] = [0, 1, 2];

/** Finds the candidates that touch at the frames of a snapshot: their number and indices. */
interface TouchFinder {
  findContacts(frames: Float64Array): void;
  readonly count: number;
  readonly touching: Int32Array;
}

export class TouchMemory implements ElementMemory {
  readonly #data: { started: boolean; eventTime: number; readonly modes: Int8Array; readonly frames: Float64Array };

  /** @param candidates their number @param numbers those of the frames in a snapshot */
  constructor(candidates: number, numbers: number) {
    this.#data = { started: false, eventTime: 0, modes: new Int8Array(candidates), frames: new Float64Array(numbers) };
  }

  /** False before the start of a run; then all candidates act. */
  get started(): boolean {
    return this.#data.started;
  }

  /** The frames at the start of the step. */
  get frames(): Float64Array {
    return this.#data.frames;
  }

  isFree(candidate: number): boolean {
    return this.#data.modes[candidate] === FREE;
  }

  /** Takes the state at the start of the next step. */
  take(s: Snapshot, finder: TouchFinder): void {
    const data = this.#data;
    const { modes } = data;
    const isEvent = data.started && s.t === data.eventTime;
    data.started = true;
    data.frames.set(s.frames);
    for (let m = 0; m < modes.length; m++) if (!(isEvent && modes[m] === TOUCHED)) modes[m] = FREE;
    finder.findContacts(s.frames);
    for (let k = 0; k < finder.count; k++) modes[finder.touching[k]!] = TOUCHING;
  }

  /** Lets a candidate act from the event at t on. */
  touch(candidate: number, t: number): void {
    this.#data.eventTime = t;
    this.#data.modes[candidate] = TOUCHED;
  }

  clear(): void {
    this.#data.started = false;
    this.#data.eventTime = 0;
    this.#data.modes.fill(FREE);
    this.#data.frames.fill(0);
  }

  encode(): unknown {
    return structuredClone(this.#data);
  }

  decode(saved: unknown): void {
    const { started, eventTime, modes, frames } = this.#data;
    const data = { started, eventTime, modes: modes.slice(), frames: frames.slice() };
    takeSaved(data, saved, "contacts");
    checkSavedFinite(data.eventTime, "contacts.eventTime");
    checkSavedFinite(data.frames, "contacts.frames");
    for (const [i, mode] of data.modes.entries()) checkSavedInteger(mode, FREE!, TOUCHED!, `contacts.modes[${i}]`);
    takeSaved(this.#data, data, "contacts");
  }
}

/** True if a candidate exerts a force where it touches. */
export const acts = (memory: TouchMemory | undefined, candidate: number): boolean =>
  memory === undefined || !memory.started || !memory.isFree(candidate);
