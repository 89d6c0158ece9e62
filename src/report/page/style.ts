/** CSS of the report page. Colours are variables, defined once per theme; the script reads those of the plots. */
import { DARK, LIGHT, type PlotPalette } from "../palette.ts";

const lineVariables = ({ lines }: PlotPalette): string => lines.map((colour, i) => `--line-${i}: ${colour};`).join(" ");

const LIGHT_THEME = `color-scheme: light; --page: #f6f7f9; --card: #ffffff; --ink: #1b2128; --muted: #59636e; --edge: #dfe3e8;
  --grid: #e8ebef; --accent: #0a5fb4; --good: #11734a; --good-soft: #e3f4ea; --bad: #b3261e; --bad-soft: #fce8e6;
  --warn: #8a5300; --warn-soft: #fdf1dc; ${lineVariables(LIGHT)}`;

const DARK_THEME = `color-scheme: dark; --page: #0e1216; --card: #161b21; --ink: #e6e9ed; --muted: #9aa5b1; --edge: #2a313a;
  --grid: #252c34; --accent: #6cb2f7; --good: #5fd39b; --good-soft: #12301f; --bad: #ff8a80; --bad-soft: #3b1614;
  --warn: #f2b95c; --warn-soft: #33250d; ${lineVariables(DARK)}`;

export const STYLE = `
:root { ${LIGHT_THEME} }
@media (prefers-color-scheme: dark) { :root:not([data-theme]) { ${DARK_THEME} } }
:root[data-theme="dark"] { ${DARK_THEME} }

* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--ink);
  font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, Helvetica, Arial, sans-serif; }
main { max-width: 1240px; margin: 0 auto; padding: 28px 24px 64px; display: grid; gap: 20px; }
main > *, .columns > *, .plots > * { min-width: 0; }
h1 { font-size: 28px; line-height: 1.2; margin: 0; letter-spacing: -0.01em; overflow-wrap: anywhere; }
h2 { font-size: 17px; margin: 0 0 12px; }
.head h2, .remarks h2 { margin-bottom: 0; }
h3 { font-size: 15px; margin: 0; overflow-wrap: anywhere; }
p { margin: 0; }
a { color: var(--accent); text-decoration: none; }
a:hover { text-decoration: underline; }
button { font: inherit; color: inherit; cursor: pointer; }
:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
.card { background: var(--card); border: 1px solid var(--edge); border-radius: 10px; padding: 18px 20px; }
.muted { color: var(--muted); }
.number, .value, .clock { font-variant-numeric: tabular-nums; white-space: nowrap; }

.hero { display: grid; gap: 20px 32px; }
.hero > div { display: grid; gap: 12px; align-content: start; }
.above { display: flex; flex-wrap: wrap; gap: 8px; align-items: center; }
.above .muted { overflow-wrap: anywhere; }
.above button { margin-left: auto; }
.summary { max-width: 70ch; overflow-wrap: anywhere; font-size: 16px; }
.plain { background: var(--card); border: 1px solid var(--edge); border-radius: 7px; padding: 3px 11px; font-size: 13px; }
.plain:hover { border-color: var(--muted); }
.pill { border-radius: 999px; padding: 2px 11px; font-size: 13px; font-weight: 600; white-space: nowrap; }
.good { color: var(--good); background: var(--good-soft); }
.bad { color: var(--bad); background: var(--bad-soft); }
.warn { color: var(--warn); background: var(--warn-soft); }
.files { display: flex; flex-wrap: wrap; gap: 6px 16px; list-style: none; margin: 0; padding: 0; font-size: 14px; }

.audit { display: grid; gap: 12px; grid-template-columns: repeat(auto-fit, minmax(185px, 1fr)); list-style: none; margin: 0; padding: 0; }
.audit li { background: var(--card); border: 1px solid var(--edge); border-radius: 10px; padding: 12px 16px; display: grid; gap: 2px; }
.audit .name { display: flex; justify-content: space-between; gap: 8px; font-weight: 600; overflow-wrap: anywhere; }
.audit .mark { width: 22px; height: 22px; border-radius: 50%; flex: none; fill: none; stroke: currentColor; stroke-width: 2;
  stroke-linecap: round; stroke-linejoin: round; }
sup { font-size: 0.72em; line-height: 0; }
small { font-size: 12px; }
.audit .worst { font-size: 21px; line-height: 1.35; font-variant-numeric: tabular-nums; }
.audit .worst small { font-size: 13px; color: var(--muted); }
.audit .limit { font-size: 13px; color: var(--muted); }
.audit li.failed { border-color: var(--bad); }
.audit li.failed .worst { color: var(--bad); }

.notes { margin: 0; padding-left: 20px; display: grid; gap: 6px; overflow-wrap: anywhere; }
.head { margin-bottom: 10px; min-height: 32px; display: flex; flex-wrap: wrap; align-items: center; gap: 4px 14px; }
.head h2 { margin-right: auto; }
.remarks { background: var(--warn-soft); border-color: transparent; padding: 11px 20px; font-size: 14px; }
.plots > :last-child:nth-child(odd) { grid-column: 1 / -1; }
.plots { display: grid; gap: 20px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 520px), 1fr)); }
figure { margin: 0; }
.plot { padding: 14px 16px 12px; display: flex; flex-direction: column; }
.plot header { display: flex; gap: 12px; justify-content: space-between; align-items: baseline; }
.plot header nav { display: flex; gap: 10px; font-size: 13px; flex: none; }
.axis-title { font-size: 12px; line-height: 18px; min-height: 18px; color: var(--muted); }
.canvas { margin: 0 -6px 0 -4px; flex: 1; }
.legend { display: flex; flex-wrap: wrap; gap: 4px 6px; align-items: center; padding-top: 8px; font-size: 13px; }
.legend button { display: inline-flex; align-items: center; gap: 7px; border: 1px solid var(--edge); border-radius: 7px; background: none;
  padding: 2px 9px; max-width: 100%; }
.legend button:hover { border-color: var(--muted); }
.legend button[aria-pressed="false"] { opacity: 0.45; }
.legend button[aria-pressed="false"] .label { text-decoration: line-through; }
.legend .label { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.legend .value { color: var(--muted); min-width: 8ch; text-align: right; }
.legend .clock { color: var(--muted); margin-left: auto; }
.legend svg { width: 20px; height: 10px; flex: none; }
${LIGHT.lines.map((_, i) => `.line-${i} { stroke: var(--line-${i}); }`).join(" ")}
.thinned { font-size: 12px; color: var(--muted); padding-top: 6px; }

.columns { display: grid; gap: 20px; grid-template-columns: repeat(auto-fit, minmax(min(100%, 420px), 1fr)); align-items: start; }
table { border-collapse: collapse; width: 100%; font-size: 14px; }
th, td { text-align: left; padding: 5px 12px 5px 0; border-bottom: 1px solid var(--edge); vertical-align: baseline; }
tr:last-child td, tr:last-child th { border-bottom: 0; }
th { font-weight: 600; }
tbody th { font-weight: 400; color: var(--muted); }
.facts tr.group th { color: var(--ink); font-weight: 600; font-size: 15px; padding-top: 16px; }
.facts tbody:first-child tr.group th { padding-top: 0; }
.facts td { overflow-wrap: anywhere; }
td.number, th.number { text-align: right; padding-right: 0; padding-left: 16px; }
.number + td:not(.number), .number + th:not(.number) { padding-left: 16px; }
.limits td, .limits th { white-space: nowrap; }
.used { display: block; width: 80px; height: 8px; }
.used path { fill: none; stroke-width: 6; }
.used .all { stroke: var(--edge); }
.used .part { stroke: var(--line-0); }
.used .over { stroke: var(--bad); }
.scroll { overflow-x: auto; }
.state tbody th { color: var(--ink); min-width: 16ch; overflow-wrap: anywhere; }
.state tbody tr:hover { background: color-mix(in srgb, var(--edge) 35%, transparent); }
.state thead th { color: var(--muted); font-weight: 400; }

.tree, .tree ul { list-style: none; margin: 0; padding: 0; }
.tree ul { margin-left: 9px; padding-left: 15px; border-left: 1px solid var(--edge); }
.tree li { padding: 3px 0; overflow-wrap: anywhere; }
.tree .hinge, .unit { font-size: 13px; color: var(--muted); }
.tree .mass { font-size: 13px; font-variant-numeric: tabular-nums; }
.picture svg { display: block; width: 100%; height: auto; max-height: 260px; }
.picture.large svg { max-height: 80vh; }
figcaption { font-size: 13px; color: var(--muted); padding-top: 8px; }
figcaption b { color: var(--ink); }
details > summary { cursor: pointer; color: var(--accent); font-size: 14px; padding: 4px 0; }

.uplot { width: 100%; }
.u-over { touch-action: pan-y; cursor: crosshair; }
.u-select { background: color-mix(in srgb, var(--accent) 16%, transparent); }
.u-hz .u-cursor-x { border-right: 1px solid var(--muted); }

@media (min-width: 900px) {
  .hero.with-picture { grid-template-columns: minmax(0, 1fr) minmax(280px, 340px); align-items: center; }
  .hero .picture:not(.replay) { padding: 12px 18px; }
  .hero .picture svg { max-height: 170px; }
}
@media (max-width: 560px) {
  main { padding: 16px 12px 40px; gap: 14px; }
  h1 { font-size: 23px; }
  .summary { font-size: 15px; }
  .card { padding: 14px; }
  .plot { padding: 12px 12px 10px; }
  .audit { grid-template-columns: 1fr; gap: 8px; }
  .audit li { grid-template-columns: 1fr auto; padding: 10px 14px; align-items: baseline; }
  .audit .worst { font-size: 16px; text-align: right; }
  .audit .name { flex-direction: row-reverse; justify-content: flex-end; }
  .audit .limit { grid-column: 1 / -1; }
  .legend .clock { width: 100%; order: -1; margin: 0; }
}
.replay { padding: 0; overflow: hidden; }
.replay castor-view { display: flex; height: 280px; }
.provenance { display: flex; flex-wrap: wrap; gap: 4px 24px; margin: 0; font-size: 13px; }
.provenance div { display: flex; gap: 6px; min-width: 0; }
.provenance dt { color: var(--muted); }
.provenance dd { margin: 0; overflow-wrap: anywhere; }
.time-title { text-align: center; font-size: 12px; color: var(--muted); }
.printed { display: none; }
.printed svg { display: block; width: 100%; height: auto; }
@page { size: A4; margin: 19mm 14mm 16mm; font: 9px sans-serif; color: #59636e;
  @top-left { font: 9px sans-serif; color: #59636e; } @top-right { font: 9px sans-serif; color: #59636e; }
  @bottom-right { content: counter(page) " / " counter(pages); font: 9px sans-serif; color: #59636e; } }
@media print {
  :root, :root[data-theme="dark"] { ${LIGHT_THEME} }
  body { background: none; font-size: 11px; orphans: 3; widows: 3; }
  main { display: block; padding: 0; max-width: none; }
  main > * { margin-bottom: 10px; }
  h1 { font-size: 20px; }
  h2 { font-size: 14px; margin-bottom: 6px; }
  h2, h3, .head { break-after: avoid; }
  .hero.with-picture { grid-template-columns: minmax(0, 1fr) 76mm; gap: 12px; }
  .summary { font-size: 12px; }
  .card { border-radius: 4px; padding: 10px 12px; }
  .remarks { font-size: 11px; padding: 6px 12px; }
  small { font-size: 9.5px; }
  figcaption { font-size: 10px; padding-top: 4px; }
  .plot, .picture, .audit li, .remarks, tr, .facts tbody { break-inside: avoid; }
  .audit { grid-template-columns: repeat(auto-fit, minmax(26mm, 1fr)); gap: 6px; }
  .audit, .provenance { margin-bottom: 10px; }
  .audit li { padding: 6px 8px; }
  .audit .worst { font-size: 14px; }
  .audit .limit, .audit .worst small, .provenance { font-size: 9.5px; }
  .audit .mark { width: 16px; height: 16px; }
  thead { display: table-header-group; }
  .scroll { overflow: visible; }
  table { font-size: 10px; }
  th, td { padding: 3px 8px 3px 0; }
  td.number, th.number { padding-left: 8px; }
  .number + td:not(.number), .number + th:not(.number) { padding-left: 8px; }
  .limits td:not(.number), .limits th:not(.number) { white-space: normal; }
  .state tbody th { min-width: 0; }
  .used { width: 44px; }
  .plots { grid-template-columns: 1fr 1fr; gap: 8px; }
  .plots > :last-child:nth-child(odd) { grid-column: auto; }
  .plot { padding: 6px; }
  .with-drawings :is(.canvas, .axis-title, .time-title, .legend, .plot h3, .plot header, .thinned) { display: none; }
  .printed { display: block; }
  .columns { display: block; columns: 2; column-gap: 10px; }
  .columns > * { margin-bottom: 10px; box-decoration-break: clone; -webkit-box-decoration-break: clone; }
  .facts tr.group th { font-size: 11px; padding-top: 8px; }
  .facts td { width: 55%; }
  .picture svg { max-height: 60mm; }
  .picture.large { text-align: center; }
  .picture.large svg { max-height: 110mm; }
  .replay castor-view { height: 50mm; }
  .tree .hinge, .unit, .tree .mass { font-size: 9.5px; }
  .tree li { padding: 1px 0; }
  .tree { orphans: 3; }
  .card:has(> details:not([open])) { display: none; }
  a { color: inherit; }
  #theme, #reset, .hint, nav, .files, .provenance .link { display: none; }
}
`;
