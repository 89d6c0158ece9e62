/** Largest number of bodies of a model. */
export const MAX_BODIES = 10_000;
