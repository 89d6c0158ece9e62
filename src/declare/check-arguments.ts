/** Checks of arguments, for folders above `declare`. */
export * from "../arguments.ts";
