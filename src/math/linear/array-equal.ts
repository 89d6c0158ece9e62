/** Whether two arrays have the same numbers; where one is not a number they have not. */
export function arraysEqual(a: Float64Array | Int32Array, b: Float64Array | Int32Array): boolean {
  if (a.length !== b.length) return false;
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return true;
}
