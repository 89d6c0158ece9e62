/** Exit codes of the program; 0 is success. `broken`: it ran, but a limit or criterion was broken. */
export const EXIT = { failure: 1, usage: 2, broken: 3, interrupted: 130 } as const;
