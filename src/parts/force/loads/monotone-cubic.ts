/** Monotone cubic interpolation [Fritsch and Butland 1984]: continuous first derivative, no overshoot, constant beyond the ends. */

/** Names of the coefficients of a piece c0 + c1 x + c2 x² + c3 x³, x from the row at its start. */
export const COEFFICIENTS = ["c0", "c1", "c2", "c3"] as const;

/** Coefficients of the pieces: before the first row, after each row. */
export function monotoneCubic(times: readonly number[], values: readonly number[]): readonly (readonly number[])[] {
  const widths = times.slice(1).map((t, k) => t - times[k]!);
  const secants = widths.map((width, k) => (values[k + 1]! - values[k]!) / width);
  const slope = (k: number): number => {
    const [before, after] = [secants[k - 1], secants[k]];
    if (before === undefined || after === undefined || !(before * after > 0)) return 0;
    const [h, next] = [widths[k - 1]!, widths[k]!];
    // Harmonic mean of the secants, weighted by the widths.
    return (3 * (h + next)) / ((2 * next + h) / before + (next + 2 * h) / after);
  };
  const slopes = times.map((_, k) => slope(k));
  const constant = (value: number | undefined): readonly number[] => [value ?? 0, 0, 0, 0];
  return [
    constant(values[0]),
    ...widths.map((h, k) => {
      const [s, from, to] = [secants[k]!, slopes[k]!, slopes[k + 1]!];
      return [values[k]!, from, (3 * s - 2 * from - to) / h, (from + to - 2 * s) / h / h];
    }),
    constant(values.at(-1)),
  ];
}
