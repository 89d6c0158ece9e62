/** Sections of the report page. */
import type { Log } from "../../log/log.ts";
import { countText, factorAndPower, numberText, unitText } from "../numbers.ts";
import { safePicture } from "../pictures/safe-picture.ts";
import { extentOf } from "../plots/axis-scale.ts";
import type { AuditLine, EventLine, Fact, LimitLine, Picture, RunOutcome, TreeBody } from "../report-data.ts";
import { type Html, html, NOTHING, trusted } from "./html.ts";

const OUTCOMES: Readonly<Record<RunOutcome, Html>> = {
  complete: NOTHING,
  interrupted: html`<span class="pill warn">Interrupted</span>`,
  failed: html`<span class="pill bad">Failed</span>`,
};

/** Labels: how the run ended, and whether its audit passed. */
export function verdictPills(outcome: RunOutcome, audit: readonly AuditLine[]): Html {
  const failedLines = audit.filter(({ pass }) => !pass);
  const names = failedLines.map(({ channel }) => channel).join(", ");
  const pill =
    audit.length === 0
      ? html`<span class="pill warn">No audit</span>`
      : failedLines.length === 0
        ? html`<span class="pill good">Audit passed</span>`
        : html`<span class="pill bad">Audit failed: ${names}</span>`;
  return html`${OUTCOMES[outcome]}${pill}`;
}

const MARKS = {
  passed: trusted(
    '<svg class="mark good" viewBox="0 0 22 22" role="img" aria-label="passed"><path d="M6 11.5l3.5 3.5L16 7.5"/></svg>',
  ),
  failed: trusted(
    '<svg class="mark bad" viewBox="0 0 22 22" role="img" aria-label="failed"><path d="M7 7l8 8M15 7l-8 8"/></svg>',
  ),
};

/** 2.1 × 10⁻¹⁴ with a <sup> element, because many fonts have no superscript digits. */
function powerHtml(x: number): Html {
  const { factor, power } = factorAndPower(x);
  if (power === 0) return html`${factor}`;
  return html`${factor === "1" ? "" : `${factor} × `}10<sup>${String(power).replace("-", "−")}</sup>`;
}

export function auditRow(audit: readonly AuditLine[], timeUnit: string): Html {
  if (audit.length === 0) return NOTHING;
  return html`<ul class="audit" aria-label="Audit">${audit.map(({ channel, worst, at, tolerance, pass, unit }) => {
    const state = pass ? "passed" : "failed";
    const size = unit === undefined ? "relative" : unitText(unit);
    const when = worst === 0 ? "" : ` · at t = ${numberText(at, 4)} ${timeUnit}`;
    return html`<li class="${state}"><span class="name">${channel} ${MARKS[state]}</span>
<span class="worst">${powerHtml(worst)}${worst === 0 ? NOTHING : html` <small>${size}</small>`}</span>
<span class="limit">limit ${powerHtml(tolerance)}${when}</span></li>`;
  })}</ul>`;
}

/** Table of events: time, actions, impulse and lost energy; events that did not happen are at the end. */
export function timelineTable(timeline: readonly EventLine[], timeUnit: string): Html {
  if (timeline.length === 0) return NOTHING;
  const number = (x: number | undefined, unit: string): Html =>
    html`<td class="number">${x === undefined ? "" : `${numberText(x)} ${unit}`}</td>`;
  // Columns without any value are left out.
  const columns = [
    { title: "impulse", unit: "N s", value: ({ force }: EventLine) => force },
    { title: "angular impulse", unit: unitText("N m s"), value: ({ torque }: EventLine) => torque },
    { title: "energy lost", unit: "J", value: ({ lost }: EventLine) => lost },
  ].filter(({ value }) => timeline.some((event) => value(event) !== undefined));
  const rows = timeline.map(
    (event) =>
      html`<tr><td class="number">${event.t === undefined ? "never" : `${numberText(event.t)} ${timeUnit}`}</td><th scope="row">${event.name}</th><td>${event.done}</td>${columns.map(({ unit, value }) => number(value(event), unit))}</tr>`,
  );
  const heads = html`<th class="number" scope="col">time</th><th scope="col">event</th><th scope="col">action</th>${columns.map(({ title }) => html`<th class="number" scope="col">${title}</th>`)}`;
  return html`<section class="card"><h2>Events</h2><div class="scroll" tabindex="0" role="region" aria-label="Events"><table class="state"><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

/** Table of limits: largest value, limit, a bar of the used fraction, and the confidence in the limit. */
export function limitsTable(limits: readonly LimitLine[], timeUnit: string): Html {
  if (limits.length === 0) return NOTHING;
  const rows = limits.map(({ name, bound, value, limit, unit, at, channel, within, mean, source, confidence }) => {
    const usedFraction = limit === 0 ? Number.NaN : value / limit;
    const meanNote = mean === undefined ? NOTHING : html` <small>mean of ${numberText(mean)} ${timeUnit}</small>`;
    const bar = Number.isFinite(usedFraction)
      ? html`<svg class="used" viewBox="0 0 100 8" role="img" aria-label="${numberText(100 * usedFraction, 3)} % of the limit"><path d="M0 4H100" class="all"/><path d="M0 4H${Math.min(100, Math.max(0, 100 * usedFraction)).toFixed(1)}" class="${within ? "part" : "over"}"/></svg>`
      : NOTHING;
    const confidenceText = confidence === undefined ? "" : `confidence ${confidence}`;
    return html`<tr class="${within ? "" : "over"}"><th scope="row">${name}${meanNote}</th><td class="number">${numberText(value, 5)}</td><td class="number">${bound === "least" ? "≥ " : "≤ "}${numberText(limit, 5)} ${unitText(unit)}</td><td>${bar}</td><td class="number">${numberText(at, 5)} ${timeUnit}</td><td>${channel}</td><td>${[source, confidenceText].filter((s) => s).join("; ")}</td></tr>`;
  });
  const heads = html`<th scope="col">limit</th><th class="number" scope="col">reached</th><th class="number" scope="col">allowed</th><th scope="col">used</th><th class="number" scope="col">at</th><th scope="col">channel</th><th scope="col">source</th>`;
  return html`<section class="card"><h2>Limits</h2><div class="scroll" tabindex="0" role="region" aria-label="Limits"><table class="state limits"><thead><tr>${heads}</tr></thead><tbody>${rows}</tbody></table></div></section>`;
}

/** Table of facts in the given order, grouped. */
export function factsTable(facts: readonly Fact[]): Html {
  if (facts.length === 0) return NOTHING;
  const groups = new Map<string, Fact[]>();
  for (const fact of facts) groups.set(fact.group ?? "", [...(groups.get(fact.group ?? "") ?? []), fact]);
  const rows = [...groups].map(([group, members]) => {
    const head = group === "" ? NOTHING : html`<tr class="group"><th colspan="2" scope="colgroup">${group}</th></tr>`;
    return html`<tbody>${head}${members.map(({ label, value, unit = "" }) => {
      const text = typeof value === "number" ? numberText(value) : value;
      return html`<tr><th scope="row">${label}</th><td>${text}${unit && ` ${unitText(unit)}`}</td></tr>`;
    })}</tbody>`;
  });
  const title = groups.has("") ? html`<h2>Settings</h2>` : NOTHING; // otherwise the groups are the titles
  return html`<section class="card">${title}<table class="facts">${rows}</table></section>`;
}

/** Maximum number of bodies shown; the rest is counted. Maximum nesting depth: a chain of a hundred links would not fit the page. */
const MAX_BODIES = 500;
const DEEPEST_NESTING = 10;

export function modelTree(tree: readonly TreeBody[]): Html {
  if (tree.length === 0) return NOTHING;
  const all = flattenTree(tree);
  const mass = all.reduce((sum, body) => sum + body.mass, 0);
  const freedoms = all.reduce((sum, { hinge }) => sum + hinge.freedoms, 0);
  let left = MAX_BODIES;
  const list = (bodies: readonly TreeBody[], depth: number): Html[] =>
    bodies.flatMap((body) => {
      if (left-- <= 0) return [];
      const inner =
        depth < DEEPEST_NESTING && body.children.length > 0 ? html`<ul>${list(body.children, depth + 1)}</ul>` : NOTHING;
      const outer = depth < DEEPEST_NESTING ? [] : list(body.children, depth);
      return [html`<li>${bodyLine(body)}${inner}</li>`, ...outer];
    });
  const shown = list(tree, 0);
  const rest = all.length > MAX_BODIES ? html`<p class="muted">and ${all.length - MAX_BODIES} more</p>` : NOTHING;
  return html`<section class="card"><h2>Model</h2>
<p class="muted">${countText(all.length, "body", "bodies")}, ${numberText(mass)} kg, ${countText(freedoms, "freedom")}</p>
<ul class="tree">${shown}</ul>${rest}</section>`;
}

/** All bodies, depth first. Not recursive, because chains may have thousands of bodies. */
function flattenTree(tree: readonly TreeBody[]): readonly TreeBody[] {
  const bodies: TreeBody[] = [];
  const stack = [...tree].reverse();
  for (let body = stack.pop(); body !== undefined; body = stack.pop()) {
    bodies.push(body);
    stack.push(...[...body.children].reverse());
  }
  return bodies;
}

function bodyLine({ name, mass, hinge }: TreeBody): Html {
  const freedoms = hinge.freedoms === 0 ? "" : `, ${countText(hinge.freedoms, "freedom")}`;
  const hingeName = hinge.name === name ? "" : `${hinge.name}: `;
  return html`<b>${name}</b> <span class="mass">${numberText(mass)} kg</span> <span class="hinge">${hingeName}${hinge.kind}${freedoms}</span>`;
}

/** The name with possible line breaks after its dots. */
const breakableName = (name: string): Html =>
  html`${name.split(/(?<=\.)/).map((part, i) => (i === 0 ? html`${part}` : html`<wbr>${part}`))}`;

/** Maximum number of channels in the table. With more than MAX_OPEN_CHANNELS, the table is collapsed at first. */
const MAX_CHANNELS = 500;
const MAX_OPEN_CHANNELS = 40;

/** Table of channels: value at the end and at the start, smallest and largest value. */
export function channelTable(log: Log): Html {
  const time = log.channels[0];
  if (time === undefined || log.length === 0) return NOTHING;
  const end = `${numberText(log.column(time.name)[log.length - 1]!)} ${unitText(time.unit)}`;
  const channels = log.channels.slice(1, MAX_CHANNELS + 1);
  const rows = channels.map(({ name, unit, about = "" }) => {
    const column = log.column(name);
    const [low, high] = extentOf([column]) ?? [Number.NaN, Number.NaN];
    const cells = [column[log.length - 1]!, column[0]!, low, high].map((x) => html`<td class="number">${numberText(x)}</td>`);
    return html`<tr><th scope="row" title="${about}">${breakableName(name)} <span class="unit">${unitText(unit)}</span></th>${cells}</tr>`;
  });
  const heads = ["end", "start", "smallest sample", "largest sample"].map(
    (head) => html`<th class="number" scope="col">${head}</th>`,
  );
  const table = html`<div class="scroll" tabindex="0" role="region" aria-label="Final state"><table class="state"><thead><tr><th scope="col">channel</th>${heads}</tr></thead><tbody>${rows}</tbody></table></div>`;
  const hiddenCount = log.channels.length - 1 - channels.length;
  const hiddenNote = hiddenCount > 0 ? html`<p class="muted">${hiddenCount} more channels are in the log.</p>` : NOTHING;
  const body =
    channels.length > MAX_OPEN_CHANNELS ? html`<details><summary>${channels.length} channels</summary>${table}</details>` : table;
  return html`<section class="card"><h2>State at t = ${end}</h2>${body}${hiddenNote}</section>`;
}

export function notesList(notes: readonly string[]): Html {
  if (notes.length === 0) return NOTHING;
  return html`<section class="card remarks" aria-label="Notes"><ul class="notes">${notes.map((note) => html`<li>${note}</li>`)}</ul></section>`;
}

export function pictureFigure({ title, svg, about = "", size }: Picture, index: number): Html {
  return html`<figure class="card picture ${size ?? ""}">${safePicture(svg, `picture-${index}-`)}<figcaption><b>${title}</b> ${about}</figcaption></figure>`;
}
