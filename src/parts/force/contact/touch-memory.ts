/**
 * Which candidates act. A candidate that does not touch at the start of a step exerts no force in it, also where a trial stage of the step
 * is inside of the other part. So the motion up to the first touch is not disturbed, and the touch is found on it (contact-search.ts). From
 * there on the candidate acts, until the end of a step at which it does not touch. A patch acts until it is open by more than a graze: the
 * depth of bodies that lie on each other without load is rounding, and each change of its sign would end a step.
 */
import { checkSavedFinite, checkSavedInteger, takeSaved } from "../../../saved-data.ts";
import type { ElementMemory, Snapshot } from "../../../sim/system/force-element.ts";
import { PER_FRAME } from "./carrier-pair.ts";
import { HIT_SIZE } from "./narrow-phase.ts";
import {
  checkGrips,
  clearGrips,
  freeSlot,
  type GripData,
  giveSlot,
  gripData,
  PER_AXES,
  writeTangent,
} from "./patches/grip-slots.ts";

/** Modes of a candidate: free, touching, or found to touch at the time of the last event. */
const [FREE, TOUCHING, TOUCHED] = [0, 1, 2];
/** Mode of a candidate that goes on to touch, while the modes are renewed. */
const KEPT = 3;

/** Finds the candidates that touch at the frames of a snapshot: their number, indices and hits. */
interface TouchFinder {
  findContacts(frames: Float64Array): void;
  readonly count: number;
  readonly touching: Int32Array;
  readonly hits: Float64Array;
  /** Patches that are hardly open. */
  readonly grazeCount: number;
  readonly grazing: Int32Array;
  /** The world and the frames; carriers of the rigid solids; and 1 for each candidate that has a patch. */
  readonly frames: Float64Array;
  readonly secondCarrier: Int32Array;
  readonly isPatch: Uint8Array;
}

export class TouchMemory implements ElementMemory {
  readonly #data: {
    started: boolean;
    eventTime: number;
    readonly modes: Int8Array;
    readonly frames: Float64Array;
    readonly grips: GripData;
  };

  /** @param candidates their number @param numbers those of the frames in a snapshot @param slots number of grips of patches */
  constructor(candidates: number, numbers: number, slots = 0) {
    this.#data = {
      started: false,
      eventTime: 0,
      modes: new Int8Array(candidates),
      frames: new Float64Array(numbers),
      grips: gripData(candidates, slots),
    };
  }

  /** False before the start of a run; then all candidates act. */
  get started(): boolean {
    return this.#data.started;
  }

  /** The frames at the start of the step. */
  get frames(): Float64Array {
    return this.#data.frames;
  }

  get grips(): GripData {
    return this.#data.grips;
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
    finder.findContacts(s.frames);
    for (let k = 0; k < finder.grazeCount; k++) if (modes[finder.grazing[k]!] !== FREE) modes[finder.grazing[k]!] = KEPT;
    for (let k = 0; k < finder.count; k++) modes[finder.touching[k]!] = KEPT;
    for (let m = 0; m < modes.length; m++)
      if (modes[m] === KEPT) modes[m] = TOUCHING;
      else if (!(isEvent && modes[m] === TOUCHED)) modes[m] = FREE;
    if (data.grips.owner.length > 0) this.#takeGrips(s.t, finder);
  }

  /** Lets a candidate act from the event at t on. */
  touch(candidate: number, t: number): void {
    this.#data.eventTime = t;
    this.#data.modes[candidate] = TOUCHED;
    giveSlot(this.#data.grips, candidate);
  }

  /** Frees the slots of patches that have opened, and moves the axes of the others with their normals. */
  #takeGrips(t: number, { count, touching, hits, frames: F, secondCarrier, isPatch }: TouchFinder): void {
    const { grips, modes } = this.#data;
    const { owner, axes } = grips;
    for (let slot = 0; slot < owner.length; slot++)
      if (owner[slot]! >= 0 && modes[owner[slot]!] === FREE) freeSlot(grips, slot, t);
    for (let k = 0; k < count; k++) {
      const m = touching[k]!;
      if (isPatch[m] === 0) continue;
      giveSlot(grips, m);
      const o = PER_AXES * grips.slotOf[m]!;
      if (o < 0) continue;
      const f = PER_FRAME * secondCarrier[m]!;
      const h = HIT_SIZE * k;
      const wx = hits[h + 1]!;
      const wy = hits[h + 2]!;
      const wz = hits[h + 3]!;
      if (wx === 0 && wy === 0 && wz === 0) continue; // no load yet
      const nx = F[f]! * wx + F[f + 3]! * wy + F[f + 6]! * wz;
      const ny = F[f + 1]! * wx + F[f + 4]! * wy + F[f + 7]! * wz;
      const nz = F[f + 2]! * wx + F[f + 5]! * wy + F[f + 8]! * wz;
      writeTangent(axes, o, nx, ny, nz, TANGENT);
      axes[o] = nx;
      axes[o + 1] = ny;
      axes[o + 2] = nz;
      for (let i = 0; i < 3; i++) axes[o + 3 + i] = TANGENT[i]!;
    }
  }

  clear(): void {
    this.#data.started = false;
    this.#data.eventTime = 0;
    this.#data.modes.fill(FREE);
    this.#data.frames.fill(0);
    clearGrips(this.#data.grips);
  }

  encode(): unknown {
    return structuredClone(this.#data);
  }

  decode(saved: unknown): void {
    const data = structuredClone(this.#data);
    takeSaved(data, saved, "contacts");
    checkSavedFinite(data.eventTime, "contacts.eventTime");
    checkSavedFinite(data.frames, "contacts.frames");
    for (const [i, mode] of data.modes.entries()) checkSavedInteger(mode, FREE!, TOUCHED!, `contacts.modes[${i}]`);
    checkGrips(data.grips, "contacts.grips");
    takeSaved(this.#data, data, "contacts");
  }
}

const TANGENT = new Float64Array(3);

/** True if a candidate exerts a force where it touches. */
export const acts = (memory: TouchMemory | undefined, candidate: number): boolean =>
  memory === undefined || !memory.started || !memory.isFree(candidate);
