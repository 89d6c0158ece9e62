/** Positions of line names: at the ends of the lines if these are few and far apart, else in rows above the plot. */

/** Width of a text in em, for Helvetica and fonts with the same metrics (Arial, Arimo, Liberation Sans); accurate to a few percent. */
export function textWidth(text: string): number {
  let ems = 0;
  for (const c of text)
    ems += /[ilj.,:;|!'·]/.test(c)
      ? 0.26
      : /[ftr()[\]\-/ ]/.test(c)
        ? 0.32
        : /[mwMW@%—…]/.test(c)
          ? 0.9
          : /[A-Z]/.test(c)
            ? 0.69
            : 0.556;
  return ems;
}

export interface EndLabel {
  readonly line: number;
  /** Height of the line end and of the centre of its label, in pixels from the top. */
  readonly lineEndY: number;
  readonly labelY: number;
}

/** Maximum distance of a label from the end of its line, in pixels; a larger one would be misleading. */
const MAX_DISPLACEMENT = 18;

/** Labels at the heights of the line ends, moved apart so that they do not overlap. Returns undefined if a label would move too far. */
export function endLabels(
  ends: readonly number[],
  spacing: number,
  top: number,
  bottom: number,
): readonly EndLabel[] | undefined {
  const order = ends.map((end, line) => ({ line, end })).sort((a, b) => a.end - b.end || a.line - b.line);
  const at = order.map(({ end }) => end);
  // Overlapping groups are merged around their common centre until no groups overlap.
  const groups = order.map((_, i) => ({ from: i, to: i + 1, centre: at[i]! }));
  for (let g = 1; g < groups.length; ) {
    const [a, b] = [groups[g - 1]!, groups[g]!];
    const [na, nb] = [a.to - a.from, b.to - b.from];
    if (b.centre - a.centre >= (spacing * (na + nb)) / 2 - 1e-9) {
      g++;
      continue;
    }
    groups.splice(g - 1, 2, { from: a.from, to: b.to, centre: (a.centre * na + b.centre * nb) / (na + nb) });
    g = Math.max(1, g - 1);
  }
  const labels = groups.flatMap(({ from, to, centre }) => {
    const half = (spacing * (to - from - 1)) / 2;
    const middle = Math.min(Math.max(centre, top + half), bottom - half);
    return order
      .slice(from, to)
      .map(({ line, end }, i): EndLabel => ({ line, lineEndY: end, labelY: middle - half + spacing * i }));
  });
  return labels.some(({ lineEndY: end, labelY: y }) => Math.abs(y - end) > MAX_DISPLACEMENT) ? undefined : labels;
}

export interface LegendEntry {
  readonly line: number;
  readonly x: number;
  readonly row: number;
}

/** Places entries of the given widths side by side, in as many rows as needed. */
export function legendRows(widths: readonly number[], room: number, gap: number): readonly LegendEntry[] {
  let x = 0;
  let row = 0;
  return widths.map((width, line) => {
    if (x > 0 && x + width > room) {
      x = 0;
      row++;
    }
    const entry = { line, x, row };
    x += width + gap;
    return entry;
  });
}
