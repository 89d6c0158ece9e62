/** The Verify dialog: runs the motion with every formulation, in a separate worker, and shows the largest differences. */
import { h, replaceContent } from "../elements/dom.ts";
import type { Panel } from "../panels/panel.ts";
import { numberText, unitText } from "../plots/text.ts";
import { JobRunner } from "../worker/job-runner.ts";
import type { VerifySummary } from "../worker/protocol.ts";

const MAX_ROWS = 12;

export const verifyPanel: Panel = {
  id: "verify",
  title: "Verify",
  region: "bar",
  mount(host, studio) {
    const runner = new JobRunner();
    let cancel: (() => void) | undefined;
    const content = h("div", { class: "dialog-body", "aria-live": "polite" });
    const close = h("button", { type: "button", class: "plain", onclick: () => dialog.close() }, "Close");
    const dialog = h(
      "dialog",
      { class: "window", "aria-label": "Verification" },
      h("h2", {}, "Verify"),
      content,
      h("div", { class: "dialog-foot" }, close),
    );
    dialog.addEventListener("close", () => {
      cancel?.();
      cancel = undefined;
    });
    const start = (): void => {
      const { source, overrides, library } = studio.state;
      if (source === undefined) return;
      const bar = h("progress", { max: "1", value: "0", "aria-label": "Progress" });
      const activity = h("p", {}, "compiling");
      replaceContent(
        content,
        h(
          "p",
          {},
          "Every formulation computes the same motion with the same steps. They share no recursion, so their agreement is evidence.",
        ),
        activity,
        bar,
      );
      dialog.showModal();
      cancel = runner.start("verify", { source, overrides, library }, (answer) => {
        if (answer.type === "progress") {
          bar.value = answer.part;
          activity.textContent = `running ${answer.doing}`;
        } else if (answer.type === "verified") replaceContent(content, ...verificationElements(answer.summary));
        else if (answer.type === "failed")
          replaceContent(content, h("p", { class: "verdict bad", role: "alert" }, answer.failure.message));
      });
    };
    const button = h("button", { type: "button", class: "plain", onclick: start }, "Verify");
    button.title = "Run the motion with every formulation and compare the results";
    replaceContent(host, button, dialog);
    studio.store.watch(["page", "source", "scenario"], ({ page, source, scenario }) => {
      host.hidden = page !== "scenario" || source === undefined;
      button.disabled = scenario === undefined; // the scenario could not be read
    });
  },
};

export function verificationElements({
  agree,
  differences,
  tolerance,
  formulations,
  notApplicable,
  failures,
  interrupted,
}: VerifySummary): HTMLElement[] {
  const sortedDifferences = [...differences].sort((a, b) => relative(b) - relative(a));
  const [largest] = sortedDifferences;
  const verdict = interrupted
    ? "The comparison was cancelled."
    : agree
      ? "All formulations agree."
      : "The formulations do not agree.";
  const rows = sortedDifferences
    .slice(0, MAX_ROWS)
    .map((d) =>
      h(
        "tr",
        { class: d.pass ? "" : "broken" },
        h("th", { scope: "row" }, d.channel.name),
        h("td", {}, `${numberText(d.difference, 2)} ${unitText(d.channel.unit)}`),
        h("td", {}, `${numberText(d.size, 3)} ${unitText(d.channel.unit)}`),
        h("td", {}, `${numberText(d.at, 4)} s`),
        h("td", {}, d.between.join(", ")),
      ),
    );
  const headers = ["channel", "difference", "largest value", "at time", "between"].map((text) => h("th", { scope: "col" }, text));
  return [
    h("p", { class: `verdict ${agree ? "good" : "bad"}`, "data-verdict": agree ? "agree" : "differ" }, verdict),
    h("p", {}, `Formulations: ${formulations.join(", ")}.`),
    ...notApplicable.map(({ formulation, reason }) => h("p", { class: "muted" }, `${formulation} does not apply: ${reason}`)),
    ...failures.map(({ formulation, message }) => h("p", { class: "verdict bad" }, `${formulation}: ${message}`)),
    ...(largest
      ? [
          h(
            "p",
            {},
            "Largest difference ",
            h("b", { class: "largest" }, `${numberText(largest.difference, 2)} ${unitText(largest.channel.unit)}`),
            ` in ${largest.channel.name}; tolerance ${numberText(tolerance, 2)}.`,
          ),
        ]
      : []),
    h("div", { class: "table" }, h("table", {}, h("thead", {}, h("tr", {}, ...headers)), h("tbody", {}, ...rows))),
  ];
}

/** Difference as the verdict uses it: relative for values above 1, absolute otherwise. */
const relative = ({ difference, size }: VerifySummary["differences"][number]): number => difference / Math.max(1, size);
