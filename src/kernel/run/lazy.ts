/** Made when first asked for, and kept: what nobody wants is neither traced nor compiled. */
export function lazy<T>(make: () => T): () => T {
  let made: T | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
