/** Exit codes of the program; 0 is success. */
export const EXIT = { failure: 1, usage: 2, interrupted: 130 } as const;
