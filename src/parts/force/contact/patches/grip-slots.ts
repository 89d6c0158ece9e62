/**
 * Which contact patch has which grip states, and the tangent axes of each. A patch takes a slot when it touches and gives it back when it opens. So the
 * number of states is that of patches at the same time, not that of pairs.
 *
 * The axes are on the rigid solid. They follow the normal of the patch by the shortest rotation, so they do not turn with a body that rolls.
 */
import { checkSavedFinite, checkSavedInteger } from "../../../../saved-data.ts";

/** Numbers of a slot's axes: normal and first tangent, in axes of the rigid body; zero if not known yet. */
export const PER_AXES = 6;
const NONE = -1;

/** Number of slots for patches of pairs between some bodies, the world included. A body seldom touches more than this at the same time. */
const SLOTS_PER_BODY = 8;
export const slotCount = (patches: number, bodies: number): number => Math.min(patches, SLOTS_PER_BODY * bodies);

export interface GripData {
  /** Slot of each candidate, and candidate of each slot; -1 if it has none. */
  readonly slotOf: Int32Array;
  readonly owner: Int32Array;
  /** Time at which a slot became free. */
  readonly freeSince: Float64Array;
  readonly axes: Float64Array;
}

/** @param candidates their number; 0 if there are no slots */
export const gripData = (candidates: number, slots: number): GripData => ({
  slotOf: new Int32Array(slots > 0 ? candidates : 0).fill(NONE),
  owner: new Int32Array(slots).fill(NONE),
  freeSince: new Float64Array(slots),
  axes: new Float64Array(PER_AXES * slots),
});

export function clearGrips({ slotOf, owner, freeSince, axes }: GripData): void {
  slotOf.fill(NONE);
  owner.fill(NONE);
  freeSince.fill(0);
  axes.fill(0);
}

/** Slot of a candidate; negative if it has none. */
export const slotOfCandidate = ({ slotOf }: GripData, candidate: number): number => slotOf[candidate] ?? NONE;

/** Gives a candidate the slot that has been free for the longest time, unless it has one. Without a free slot it gets none. */
export function giveSlot({ slotOf, owner, freeSince, axes }: GripData, candidate: number): void {
  if (slotOf.length === 0 || slotOf[candidate]! >= 0) return;
  let best = NONE;
  for (let k = 0; k < owner.length; k++) if (owner[k] === NONE && (best === NONE || freeSince[k]! < freeSince[best]!)) best = k;
  if (best === NONE) return;
  slotOf[candidate] = best;
  owner[best] = candidate;
  axes.fill(0, PER_AXES * best, PER_AXES * (best + 1));
}

export function freeSlot({ slotOf, owner, freeSince }: GripData, slot: number, t: number): void {
  slotOf[owner[slot]!] = NONE;
  owner[slot] = NONE;
  freeSince[slot] = t;
}

/** @throws FormatError if slots and candidates do not belong to each other */
export function checkGrips({ slotOf, owner, freeSince, axes }: GripData, path: string): void {
  checkSavedFinite(freeSince, `${path}.freeSince`);
  checkSavedFinite(axes, `${path}.axes`);
  for (const [m, slot] of slotOf.entries()) {
    checkSavedInteger(slot, NONE, owner.length - 1, `${path}.slotOf[${m}]`);
    if (slot >= 0) checkSavedInteger(owner[slot]!, m, m, `${path}.owner[${slot}]`);
  }
  for (const [slot, m] of owner.entries()) {
    checkSavedInteger(m, NONE, slotOf.length - 1, `${path}.owner[${slot}]`);
    if (m >= 0) checkSavedInteger(slotOf[m]!, slot, slot, `${path}.slotOf[${m}]`);
  }
}

/**
 * Writes a tangent at the unit normal n, in axes of the rigid body: the one of the slot, moved with the normal by the shortest rotation
 * t - (t·n) / (1 + n₀·n) (n₀ + n); or any, if the slot has none.
 * @param first where the axes of the slot begin; negative for none
 */
export function writeTangent(axes: Float64Array, first: number, nx: number, ny: number, nz: number, out: Float64Array): void {
  const cosine = first < 0 ? 0 : axes[first]! * nx + axes[first + 1]! * ny + axes[first + 2]! * nz;
  const isKnown = first >= 0 && (axes[first + 3] !== 0 || axes[first + 4] !== 0 || axes[first + 5] !== 0) && cosine > -0.9;
  let x = 0;
  let y = 0;
  let z = 0;
  if (isKnown) {
    x = axes[first + 3]!;
    y = axes[first + 4]!;
    z = axes[first + 5]!;
    const factor = (x * nx + y * ny + z * nz) / (1 + cosine);
    x -= factor * (axes[first]! + nx);
    y -= factor * (axes[first + 1]! + ny);
    z -= factor * (axes[first + 2]! + nz);
  } else if (Math.abs(nx) < 0.6) {
    y = nz;
    z = -ny;
  } else {
    x = -nz;
    z = nx;
  }
  // Rounding must not accumulate over many steps.
  const along = x * nx + y * ny + z * nz;
  x -= along * nx;
  y -= along * ny;
  z -= along * nz;
  const length = Math.sqrt(x * x + y * y + z * z);
  out[0] = x / length;
  out[1] = y / length;
  out[2] = z / length;
}
