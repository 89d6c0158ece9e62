/** A plain text table: the first column aligned to the left, all others to the right. */
export function textTable(rows: readonly Readonly<Record<string, string | number>>[]): string {
  const heads = Object.keys(rows[0] ?? {});
  const lines = [heads, ...rows.map((row) => heads.map((head) => String(row[head])))];
  const widths = heads.map((_, i) => Math.max(...lines.map((line) => line[i]!.length)));
  const text = lines.map((line) =>
    line.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join("  "),
  );
  return [text[0], widths.map((w) => "-".repeat(w)).join("  "), ...text.slice(1)].join("\n");
}
