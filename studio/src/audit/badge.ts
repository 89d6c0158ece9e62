/** The audit badge in the bar: drift of energy, momentum and loop closure. A click shows all rows. */
import type { AuditRow } from "castor/sim";
import { h, icon, replaceContent } from "../elements/dom.ts";
import { placeBeside } from "../elements/menu.ts";
import type { Panel } from "../panels/panel.ts";
import { numberText, unitText } from "../plots/text.ts";
import { currentRun, type RecordedAudit, type StudioRun } from "../state/state.ts";
import type { RunSummary } from "../worker/protocol.ts";

export const auditPanel: Panel = {
  id: "audit",
  title: "Audit",
  region: "bar",
  mount(host, studio) {
    const badge = h("button", { type: "button", class: "badge", popovertarget: "audit-details", "aria-haspopup": "dialog" });
    const details = h("div", {
      id: "audit-details",
      popover: "auto",
      class: "details",
      role: "dialog",
      "aria-label": "Audit of the run",
    });
    details.addEventListener("toggle", (event) => {
      if ((event as ToggleEvent).newState === "open") placeBeside(details, badge);
    });
    replaceContent(host, badge, details);
    studio.store.watch(["runs", "current", "page"], (state) => {
      const run = currentRun(state);
      host.hidden = state.page !== "scenario";
      const verdict = verdictOf(run);
      badge.dataset.verdict = verdict;
      badge.setAttribute("aria-label", `Audit: ${badgeText(run, verdict)}`);
      replaceContent(badge, icon(verdict === "bad" ? "cancel" : "check"), h("span", { class: "words" }, badgeText(run, verdict)));
      replaceContent(details, ...auditElements(run, verdict));
    });
  },
};

/** Audit of a run, or of the summary.json next to a recorded log. */
const auditOf = (run: StudioRun | undefined): readonly (RecordedAudit & Partial<AuditRow>)[] | undefined =>
  run?.summary?.audit ?? run?.audit;

type AuditVerdict = "good" | "bad" | "unknown";

function verdictOf(run: StudioRun | undefined): AuditVerdict {
  const audit = auditOf(run);
  if (run?.status === "failed") return "bad";
  if (audit === undefined) return "unknown";
  return audit.every(({ worst, tolerance }) => worst <= tolerance) ? "good" : "bad";
}

/** Names on the badge, and the audit channels that each one summarises. */
const BADGE_NAMES: readonly (readonly [string, readonly AuditRow["channel"][]])[] = [
  ["energy", ["energy"]],
  ["momentum", ["linear momentum", "angular momentum"]],
  ["loops", ["loop closure", "loop speed"]],
];

function badgeText(run: StudioRun | undefined, verdict: AuditVerdict): string {
  const audit = auditOf(run);
  if (audit === undefined) return run?.status === "recorded" ? "no audit" : verdict === "bad" ? "failed" : "…";
  const broken = run?.summary?.limits.filter(({ within }) => !within).length ?? 0;
  const drifts = BADGE_NAMES.flatMap(([name, channels]) => {
    const rows = audit.filter(({ channel }) => channels.includes(channel));
    const worst = Math.max(...rows.map((row) => row.worst));
    return rows.length === 0 ? [] : [`${name} ${worst === 0 ? "0" : numberText(worst, 1)}`];
  });
  return [...drifts, ...(broken > 0 ? [`${broken} ${broken === 1 ? "limit" : "limits"} broken`] : [])].join(" · ");
}

function auditElements(run: StudioRun | undefined, verdict: AuditVerdict): HTMLElement[] {
  const { summary: result, status } = run ?? {};
  const audit = auditOf(run);
  if (audit === undefined)
    return [h("p", {}, status === "running" ? "The audit is shown when the run has ended." : "This run has no audit.")];
  const rows = audit.map(({ channel, worst, absolute, unit, at, tolerance }) =>
    h(
      "tr",
      { class: worst <= tolerance ? "" : "broken" },
      h("th", { scope: "row" }, channel),
      h("td", {}, numberText(worst, 2)),
      h("td", {}, numberText(tolerance, 2)),
      h("td", {}, absolute === undefined ? "" : `${numberText(absolute, 2)} ${unitText(unit ?? "")}`),
      h("td", {}, `${numberText(at, 4)} s`),
    ),
  );
  const headers = ["quantity", "largest drift", "tolerance", "absolute drift", "at time"].map((text) =>
    h("th", { scope: "col" }, text),
  );
  const verdictText =
    verdict === "good"
      ? `Conserved within tolerance: ${audit.map(({ channel }) => channel).join(", ")}.`
      : "A drift is larger than its tolerance: the motion cannot be trusted.";
  return [
    h("p", { class: `verdict ${verdict}` }, result?.failure ? result.failure.message : verdictText),
    h("div", { class: "table" }, h("table", {}, h("thead", {}, h("tr", {}, ...headers)), h("tbody", {}, ...rows))),
    h("p", { class: "muted" }, "Drifts are relative to the largest energy or momentum exchanged in the run."),
    ...(result ? limitElements(result) : []),
    ...(result
      ? noteElements(result)
      : [h("p", { class: "muted" }, "From summary.json next to the log, as castor run wrote it.")]),
  ];
}

/** Table of the limits of the scenario, with the peaks of the continuous motion. */
function limitElements({ limits }: RunSummary): HTMLElement[] {
  if (limits.length === 0) return [];
  const broken = limits.filter(({ within }) => !within).length;
  const headers = ["limit of", "reached", "limit", "at time", "in"].map((text) => h("th", { scope: "col" }, text));
  const rows = limits.map(({ name, within, value, bound, limit, unit, at, channel }) =>
    h(
      "tr",
      { class: within ? "" : "broken" },
      h("th", { scope: "row" }, name),
      h("td", {}, numberText(value, 5)),
      h("td", {}, `${bound === "most" ? "≤" : "≥"} ${numberText(limit, 5)} ${unitText(unit)}`),
      h("td", {}, `${numberText(at, 4)} s`),
      h("td", {}, channel),
    ),
  );
  const verdictText = broken === 0 ? "All limits are kept." : `${broken} of ${limits.length} limits broken.`;
  return [
    h("p", { class: `verdict ${broken === 0 ? "good" : "bad"}` }, verdictText),
    h("div", { class: "table" }, h("table", {}, h("thead", {}, h("tr", {}, ...headers)), h("tbody", {}, ...rows))),
  ];
}

function noteElements(result: RunSummary): HTMLElement[] {
  return [
    h(
      "p",
      { class: "muted" },
      `${result.counts.steps} steps, ${result.counts.rejected} rejected, ${result.counts.evaluations} evaluations; ` +
        `simulated in ${numberText(1000 * result.seconds, 3)} ms, compiled in ${numberText(1000 * result.compileSeconds, 3)} ms.`,
    ),
    ...result.redundant.map((text) => h("p", { class: "muted" }, text)),
    ...result.events.slice(0, 5).map(({ name, t }) => h("p", { class: "muted" }, `${name} at ${numberText(t, 6)} s`)),
  ];
}
