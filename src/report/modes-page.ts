/** The page of a machine's modes: a table, and each mode in motion. One file that needs nothing else. */
import { createHash } from "node:crypto";
import { html, jsonScript, textOf, trusted } from "./html.ts";
import { STYLE } from "./style.ts";

export interface ModesPage {
  readonly title: string;
  readonly summary: string;
  readonly modes: readonly {
    readonly number: number;
    readonly frequency: string;
    readonly damping: string;
    readonly kind: string;
    readonly mostly: string;
  }[];
  readonly picture: ModesPicture;
}

/** As `pictureOf` of the analysis gives it. */
export interface ModesPicture {
  readonly points: readonly (readonly number[])[];
  readonly lines: readonly (readonly [number, number])[];
  readonly motions: readonly (readonly { readonly re: readonly number[]; readonly im: readonly number[] }[])[];
}

export function modesHtml({ title, summary, modes, picture }: ModesPage): string {
  const script = `(${showModes.toString()})(JSON.parse(document.getElementById("data").textContent));`;
  const hash = createHash("sha256").update(script).digest("base64");
  return textOf(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Castor">
<title>${title}: modes</title>
<style>${trusted(STYLE)}
.modes { display: grid; grid-template-columns: repeat(auto-fill, minmax(18rem, 1fr)); gap: 1rem; }
.modes figure { margin: 0; }
.modes canvas { width: 100%; aspect-ratio: 4 / 3; touch-action: none; cursor: grab; }
</style>
</head>
<body>
<main>
<header class="hero"><div><h1>${title}</h1><p class="summary">${summary}</p></div></header>
<p class="muted">Drag a picture to turn it. Motions are enlarged; the dotted lines are the machine at rest.</p>
<section class="modes">
${modes.map(
  (m, i) => html`<figure><canvas data-mode="${i}"></canvas>
<figcaption><strong>${m.number}. ${m.frequency}</strong>, ${m.kind}${m.damping === "" ? "" : `, damping ratio ${m.damping}`}<br><span class="muted">${m.mostly}</span></figcaption></figure>
`,
)}
</section>
</main>
<script type="application/json" id="data">${jsonScript(picture)}</script>
<script>${trusted(script)}</script>
</body>
</html>
`);
}

/** Runs in the page: nothing from outside is known here. */
function showModes({ points, lines, motions }: ModesPicture): void {
  const axes = [0, 1, 2];
  const low = axes.map((k) => Math.min(...points.map((p) => p[k]!)));
  const high = axes.map((k) => Math.max(...points.map((p) => p[k]!)));
  const middle = axes.map((k) => (low[k]! + high[k]!) / 2);
  const size = Math.hypot(...axes.map((k) => high[k]! - low[k]!)) || 1;
  let [turn, tilt] = [0.6, 0.4];
  const project = (x: number, y: number, z: number): [number, number] => {
    const [a, b] = [x * Math.cos(turn) + y * Math.sin(turn), -x * Math.sin(turn) + y * Math.cos(turn)];
    return [a, z * Math.cos(tilt) + b * Math.sin(tilt)];
  };
  const canvases = [...document.querySelectorAll("canvas")];
  for (const canvas of canvases)
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons === 0) return;
      turn -= event.movementX / 100;
      tilt = Math.max(-1.57, Math.min(1.57, tilt + event.movementY / 100));
    });
  const largest = motions.map((motion) => Math.max(1e-300, ...motion.map(({ re, im }) => Math.hypot(...re, ...im))));
  const still = matchMedia("(prefers-reduced-motion: reduce)").matches;
  const draw = (now: number): void => {
    for (const canvas of canvases) {
      const mode = Number(canvas.dataset.mode);
      const box = canvas.getBoundingClientRect();
      if (box.bottom < 0 || box.top > innerHeight) continue;
      const ratio = devicePixelRatio || 1;
      canvas.width = box.width * ratio;
      canvas.height = box.height * ratio;
      const pen = canvas.getContext("2d")!;
      const scale = (0.75 * Math.min(canvas.width, canvas.height)) / size;
      const phase = still ? 0 : (now / 1000) * 2 * Math.PI * 0.5;
      const [c, s] = [Math.cos(phase), Math.sin(phase)];
      const enlarged = (0.15 * size) / largest[mode]!;
      const place = (i: number, amount: number): [number, number] => {
        const { re, im } = motions[mode]![i]!;
        const at = axes.map((k) => points[i]![k]! - middle[k]! + amount * enlarged * (re[k]! * c - im[k]! * s));
        const [x, y] = project(at[0]!, at[1]!, at[2]!);
        return [canvas.width / 2 + scale * x, canvas.height / 2 - scale * y];
      };
      const colour = getComputedStyle(canvas).color;
      for (const amount of [0, 1]) {
        pen.strokeStyle = colour;
        pen.globalAlpha = amount === 0 ? 0.35 : 1;
        pen.lineWidth = (amount === 0 ? 1 : 2.5) * ratio;
        pen.setLineDash(amount === 0 ? [3 * ratio, 4 * ratio] : []);
        pen.beginPath();
        for (const [a, b] of lines) {
          pen.moveTo(...place(a, amount));
          pen.lineTo(...place(b, amount));
        }
        pen.stroke();
      }
    }
    if (!still) requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
}
