/** Where the names of lines go: at the ends of the lines while they are few and far apart, else in rows above. */

/** The width of text in ems of Helvetica and its metric twins Arial, Arimo, Liberation Sans; good to a few percent. */
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
  /** Where the line ends, and where its label is centred, both in pixels from the top. */
  readonly lineEndY: number;
  readonly labelY: number;
}

/** Labels moved further than this from the ends of their lines mislead. */
const MOST_DISPLACEMENT = 18;

/** Labels at the heights of the line ends, pushed apart; undefined if that would move one too far. */
export function endLabels(
  ends: readonly number[],
  spacing: number,
  top: number,
  bottom: number,
): readonly EndLabel[] | undefined {
  const order = ends.map((end, line) => ({ line, end })).sort((a, b) => a.end - b.end || a.line - b.line);
  const at = order.map(({ end }) => end);
  // Groups that touch share their displacement: repeat until none overlaps; n passes are enough for n labels.
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
  return labels.some(({ lineEndY: end, labelY: y }) => Math.abs(y - end) > MOST_DISPLACEMENT) ? undefined : labels;
}

export interface LegendEntry {
  readonly line: number;
  readonly x: number;
  readonly row: number;
}

/** Entries of the given widths side by side, in as many rows as it takes. */
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
