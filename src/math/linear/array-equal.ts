/** True if two arrays have the same length and equal entries. NaN is not equal to itself. */
export function arraysEqual(a: Float64Array | Int32Array, b: Float64Array | Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
