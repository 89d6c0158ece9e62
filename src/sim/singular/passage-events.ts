/** Passages of singular configurations as events of a run. */

/** Name of the event in the results of a run. */
export const SINGULARITY_PASSED = "singular position of the loops passed";

/** Two passages within this time are one, s, relative to the time and at least to 1 s: it was located twice, before and after an event. */
const SAME_PASSAGE = 1e-6;

export const isSamePassage = (a: number, b: number): boolean => Math.abs(a - b) <= SAME_PASSAGE * Math.max(1, Math.abs(b));

/** True if a passage is later than t. The passages of a step that an event has shortened are dropped: they are made again. */
export const isLaterPassage = (passage: number, t: number): boolean =>
  passage > t + 0.5 * SAME_PASSAGE * Math.max(1, Math.abs(t));

/** What a stepper remembers of the passages. Plain data. */
export interface PassageMemory {
  /** Typical size of the last steps. */
  pace: number;
  /** The last step was a passage that began at `passageStart`. */
  passing: boolean;
  passageStart: number;
  /** Number of passages. */
  passed: number;
  /** The state is not the one that the tracker accepted last. */
  moved: boolean;
  /** The last passage ended so near to the point that its time is not known yet: it follows from the branch. */
  unlocated: boolean;
  /** Time of the last passage that was noted; NaN if there is none. */
  noted: number;
}

export const newPassageMemory = (pace: number): PassageMemory => ({
  pace,
  passing: false,
  passageStart: Number.NaN,
  passed: 0,
  moved: false,
  unlocated: false,
  noted: Number.NaN,
});

/** Rounding of an end on the grid, relative to the step. */
const ON_GRID = 1e-6;

/** Ends of a passage to try: first on the grid of fixed steps, then as far behind the point as it lies ahead. */
export function passageEnds(t: number, singular: number, end: number, fixed: number | undefined): number[] {
  const ahead = singular - t;
  const onGrid = fixed === undefined ? [] : [Math.ceil(Math.max(2 * ahead, ahead + fixed) / fixed - ON_GRID) * fixed];
  return [...onGrid, 2 * ahead].map((size) => Math.min(t + size, end)).filter((t1) => t1 > t);
}
