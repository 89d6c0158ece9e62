/** Upper limits of a scenario: no number in a file may exhaust time or memory without an error message. */

/** Number of fixed steps, or of controller samples. This many take minutes to hours for a small system. */
export const MAX_STEPS = 1e8;
/** Number of recorded values, 8 bytes each. */
export const MAX_RECORDED_NUMBERS = 1e8;
/** Number of forces, of controllers, of devices, of plots and of conditions, each. */
export const MAX_PARTS = 1000;
/** Number of samples that a run with a fixed step records by default. */
export const DEFAULT_SAMPLES = 2000;
/** Smallest relative tolerance: a smaller one needs more digits than a double has. */
export const MIN_RELATIVE_TOLERANCE = 1e-15;
/** Shortest duration of a run, s. Powers of shorter times are lost in the range of doubles. */
export const MIN_DURATION = 1e-30;
