/** Layout of the memory that the compiled loops of explicit methods use: frame of parameters, rows of a tableau, entries of stages. */

/**
 * Frame: parameters of all functions, at these byte offsets from the start of the memory. Addresses and sizes are i32. Numbers are pairs of f64: one
 * for each of two runs at once, or the same twice.
 */
export const FRAME = {
  /** Bytes of n components, and of n components padded to pairs. */
  size: 0,
  padded: 4,
  /** Address of the kernel's inputs, addresses of t and y among them, and the address of its scratch memory. */
  x: 8,
  t: 12,
  y: 16,
  scratch: 20,
  /** State at the start of the step, a work vector, the state at the end of the step, and a vector of zeros. */
  base: 24,
  stage: 28,
  state: 32,
  zero: 36,
  weights: 40,
  /** Terms of the output; derivatives at the start and at the end of the step. */
  F: 44,
  first: 48,
  last: 52,
  /** ẏ is valid if the number behind it is below this. */
  below: 64,
  relative: 80,
  absolute: 96,
  /** Start, size and end of the step. */
  start: 112,
  h: 128,
  end: 144,
  /** Factors of the nested polynomial: the factor of its last term, and the other one. */
  factor: 160,
  other: 176,
  /** Results of a call. `reached` is one number. */
  reached: 192,
  error: 208,
  second: 224,
} as const;
export const FRAME_BYTES = 240;

/** A row of a tableau: the number of bytes that follow, then for each four stages their four addresses and four coefficients. */
export const ROW = { head: 8, pass: 48, coefficients: 16 } as const;
/** An entry per stage or term: its time in units of the step, the address of its row, and the address of its derivative or of the term. */
export const ENTRY = { time: 0, row: 8, out: 12, bytes: 16 } as const;
