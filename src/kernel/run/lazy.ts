/**
 * Returns a function that calls `make` at its first call and returns the same value afterwards. Unused programs are never traced or
 * compiled.
 */
export function lazy<T>(make: () => T): () => T {
  let value: T | undefined;
  return () => {
    value ??= make();
    return value;
  };
}
