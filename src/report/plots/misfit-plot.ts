/** Bar chart of the misfits of measurements, as SVG. */
import { escapeHtml } from "../page/html.ts";

const [WIDTH, ROW, LEFT] = [640, 28, 220];

export function misfitSvg(title: string, rows: readonly { readonly name: string; readonly misfit: number }[]): string {
  const largest = Math.max(1e-12, ...rows.map((r) => Math.abs(r.misfit)));
  const middle = LEFT + (WIDTH - LEFT - 60) / 2;
  const scale = (WIDTH - LEFT - 140) / 2 / largest;
  const height = 60 + ROW * rows.length;
  const bars = rows.map(({ name, misfit }, i) => {
    const y = 44 + ROW * i;
    const length = Math.abs(misfit) * scale;
    const x = misfit < 0 ? middle - length : middle;
    const label = misfit < 0 ? { x: x - 6, anchor: "end" } : { x: x + length + 6, anchor: "start" };
    return [
      `<text x="${LEFT - 12}" y="${y + 14}" text-anchor="end">${escapeHtml(name)}</text>`,
      `<rect x="${x.toFixed(1)}" y="${y + 2}" width="${length.toFixed(1)}" height="${ROW - 10}" fill="#2a6fb0"/>`,
      `<text x="${label.x.toFixed(1)}" y="${y + 14}" text-anchor="${label.anchor}">${Number((100 * misfit).toPrecision(3))} %</text>`,
    ].join("");
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" width="${WIDTH}" height="${height}" font-family="Arimo, Arial, sans-serif" font-size="13" fill="#222">
<rect width="100%" height="100%" fill="#fff"/>
<text x="16" y="24" font-size="15" font-weight="bold">${escapeHtml(title)}: model against measurement</text>
${bars.join("\n")}
<line x1="${middle}" x2="${middle}" y1="38" y2="${height - 12}" stroke="#222"/>
</svg>
`;
}
