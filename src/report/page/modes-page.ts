/** HTML page that animates the modes of a machine. One self-contained file. */
import { createHash } from "node:crypto";
import { html, htmlText, jsonScript, trusted } from "./html.ts";
import { STYLE } from "./style.ts";

export interface ModesPageData {
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

/** Geometry and mode shapes, from analysis/modes/mode-shape.ts. */
export interface ModesPicture {
  readonly points: readonly (readonly number[])[];
  readonly curves: readonly {
    readonly kind: "straight" | "smooth";
    readonly elastic: boolean;
    readonly points: readonly number[];
  }[];
  readonly motions: readonly (readonly { readonly re: readonly number[]; readonly im: readonly number[] }[])[];
}

export function modesHtml({ title, summary, modes, picture }: ModesPageData): string {
  const script = `(${showModes.toString()})(JSON.parse(document.getElementById("data").textContent));`;
  const hash = createHash("sha256").update(script).digest("base64");
  return htmlText(html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${hash}'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="Castor">
<title>${title}: modes</title>
<style>${trusted(STYLE)}
.modes { display: grid; grid-template-columns: repeat(auto-fill, minmax(20rem, 1fr)); gap: 1rem; }
.modes figure { margin: 0; background: var(--card); border: 1px solid var(--edge); border-radius: 0.5rem; overflow: hidden; }
.modes canvas { display: block; width: 100%; aspect-ratio: 3 / 2; touch-action: none; cursor: grab; color: var(--ink); }
.modes canvas:active { cursor: grabbing; }
.modes figcaption { padding: 0.6rem 0.9rem 0.8rem; border-top: 1px solid var(--edge); }
.modes figcaption strong { color: var(--ink); font-size: 1rem; }
</style>
</head>
<body>
<main>
<header class="hero"><div><h1>${title}</h1><p class="summary">${summary}</p></div></header>
<p class="muted">Drag a picture to rotate all pictures; double-click to reset. Motions are enlarged. Faint lines show the machine at rest.</p>
<section class="modes">
${modes.map(
  (m, i) => html`<figure><canvas data-mode="${i}"></canvas>
<figcaption><strong>${m.number}. ${m.frequency}</strong> ${m.kind}${m.damping === "" ? "" : `, damping ratio ${m.damping}`}<br><span class="muted">${m.mostly}</span></figcaption></figure>
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

/** Runs in the browser. The page contains its source text, so it must not use anything outside this function. */
function showModes({ points, curves, motions }: ModesPicture): void {
  const axes = [0, 1, 2];
  const low = axes.map((k) => Math.min(...points.map((p) => p[k]!)));
  const high = axes.map((k) => Math.max(...points.map((p) => p[k]!)));
  const middle = axes.map((k) => (low[k]! + high[k]!) / 2);
  const size = Math.hypot(...axes.map((k) => high[k]! - low[k]!)) || 1;
  const largest = motions.map((motion) => Math.max(1e-300, ...motion.map(({ re, im }) => Math.hypot(...re, ...im))));
  const enlargement = largest.map((most) => (0.14 * size) / most);
  // A planar machine is viewed perpendicular to its plane.
  const thinAxis = axes.find(
    (k) =>
      high[k]! - low[k]! < 0.05 * size &&
      motions.every((motion, m) => motion.every(({ re, im }) => enlargement[m]! * Math.hypot(re[k]!, im[k]!) < 1e-6 * size)),
  );
  const home = thinAxis === 2 ? [0, Math.PI / 2] : thinAxis === 1 ? [0, 0] : thinAxis === 0 ? [Math.PI / 2, 0] : [0.6, 0.45];
  let [turn, tilt] = home as [number, number];
  const project = (x: number, y: number, z: number): [number, number] => {
    const [a, b] = [x * Math.cos(turn) + y * Math.sin(turn), -x * Math.sin(turn) + y * Math.cos(turn)];
    return [a, z * Math.cos(tilt) + b * Math.sin(tilt)];
  };
  const reach = motions.map((motion, m) =>
    motion.map(({ re, im }) => axes.map((k) => enlargement[m]! * Math.hypot(re[k]!, im[k]!))),
  );
  /** Extent of all modes in the picture plane, so that all are drawn at the same scale. */
  const extent = (): { centre: [number, number]; width: number; height: number } => {
    const bounds = [Infinity, -Infinity, Infinity, -Infinity] as [number, number, number, number];
    const take = (at: readonly number[]): void => {
      const [x, y] = project(at[0]!, at[1]!, at[2]!);
      bounds[0] = Math.min(bounds[0], x);
      bounds[1] = Math.max(bounds[1], x);
      bounds[2] = Math.min(bounds[2], y);
      bounds[3] = Math.max(bounds[3], y);
    };
    for (const [i, p] of points.entries())
      for (const far of reach.map((motion) => motion[i]!))
        for (const sign of [-1, 1]) take(axes.map((k) => p[k]! - middle[k]! + sign * far[k]!));
    const [left, right, bottom, top] = bounds;
    return { centre: [(left + right) / 2, (bottom + top) / 2], width: right - left || size, height: top - bottom || size };
  };
  let visible = extent();
  const canvases = [...document.querySelectorAll("canvas")];
  const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
  for (const canvas of canvases) {
    canvas.addEventListener("pointerdown", (event) => canvas.setPointerCapture(event.pointerId));
    canvas.addEventListener("pointermove", (event) => {
      if (event.buttons === 0) return;
      turn -= event.movementX / 100;
      tilt = Math.max(-1.57, Math.min(1.57, tilt + event.movementY / 100));
      visible = extent();
      if (isStill) requestAnimationFrame(draw);
    });
    canvas.addEventListener("dblclick", () => {
      [turn, tilt] = home as [number, number];
      visible = extent();
      if (isStill) requestAnimationFrame(draw);
    });
  }
  const draw = (now: number): void => {
    const style = getComputedStyle(document.documentElement);
    const [accent, muted] = [style.getPropertyValue("--accent"), style.getPropertyValue("--muted")];
    for (const canvas of canvases) {
      const mode = Number(canvas.dataset.mode);
      const box = canvas.getBoundingClientRect();
      if (box.bottom < 0 || box.top > innerHeight) continue;
      const ratio = devicePixelRatio || 1;
      canvas.width = box.width * ratio;
      canvas.height = box.height * ratio;
      const pen = canvas.getContext("2d")!;
      const scale = 0.86 * Math.min(canvas.width / visible.width, canvas.height / visible.height);
      const phase = isStill ? 0 : (now / 1000) * Math.PI;
      const [c, s] = [Math.cos(phase), Math.sin(phase)];
      const place = (i: number, amount: number): [number, number] => {
        const { re, im } = motions[mode]![i]!;
        const at = axes.map((k) => points[i]![k]! - middle[k]! + amount * enlargement[mode]! * (re[k]! * c - im[k]! * s));
        const [x, y] = project(at[0]!, at[1]!, at[2]!);
        return [canvas.width / 2 + scale * (x - visible.centre[0]), canvas.height / 2 - scale * (y - visible.centre[1])];
      };
      pen.lineCap = pen.lineJoin = "round";
      for (const amount of [0, 1])
        for (const { kind, elastic, points: on } of curves) {
          pen.strokeStyle = amount === 0 ? muted : elastic ? accent : getComputedStyle(canvas).color;
          pen.globalAlpha = amount === 0 ? 0.35 : 1;
          pen.lineWidth = (amount === 0 ? 1 : elastic ? 2.5 : 1.75) * ratio;
          pen.beginPath();
          pen.moveTo(...place(on[0]!, amount));
          if (kind === "straight") for (const i of on.slice(1)) pen.lineTo(...place(i, amount));
          else
            for (let i = 1; i + 1 < on.length; i += 2)
              pen.quadraticCurveTo(...place(on[i]!, amount), ...place(on[i + 1]!, amount));
          pen.stroke();
        }
    }
    if (!isStill) requestAnimationFrame(draw);
  };
  requestAnimationFrame(draw);
}
