/** What a scenario may ask for at most: no number in a file exhausts time or memory without a word. */

/** Steps of a fixed step, or samples of a controller: minutes to hours for a small machine. */
export const MAX_STEPS = 1e8;
/** Recorded numbers, 8 bytes each. */
export const MAX_RECORDED_NUMBERS = 1e8;
/** Forces, controllers, devices, plots, conditions: each. */
export const MAX_PARTS = 1000;
/** Samples that a fixed step records if nothing is said. */
export const DEFAULT_SAMPLES = 2000;
/** Below this a relative tolerance asks for more digits than numbers have. */
export const MIN_RELATIVE_TOLERANCE = 1e-15;
