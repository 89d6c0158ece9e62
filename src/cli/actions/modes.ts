/** `castor modes`: natural frequencies, damping ratios and mode shapes of a model or of a scenario at its start. */
import { type ModalAnalysis, modalAnalysis, modalRemarks } from "../../analysis/modes/modal-analysis.ts";
import { modePicture } from "../../analysis/modes/mode-picture.ts";
import type { Mode } from "../../analysis/modes/modes.ts";
import { coordinateNames } from "../../model/model.ts";
import { shortNumber } from "../../report/numbers.ts";
import { modesHtml } from "../../report/page/modes-page.ts";
import { checkWorldCoordinates } from "../../scenario/scenario.ts";
import { listedItems } from "../arguments.ts";
import { type Action, UsageError } from "../command.ts";
import type { modesCommand } from "../commands/modes.ts";
import { openFile } from "../files/open-file.ts";
import { loadScenarioArgument } from "../files/scenario-argument.ts";
import { writeFileAtomically } from "../files/write-file.ts";
import { toJson } from "../text/json.ts";
import type { Terminal } from "../text/terminal.ts";
import { formatTable } from "../text/text-table.ts";
import { wrapText } from "../text/wrap-text.ts";

export const run: Action<typeof modesCommand> = async (args, terminal) => {
  const count = Number(args.count);
  if (!(Number.isInteger(count) && count > 0))
    throw new UsageError(`--count must be a whole number above zero, got ${args.count}`);
  const { scenario } = await loadScenarioArgument(args.machine, { set: args.set });
  const { name: title, model, forces, q, u, hold, given } = scenario;
  checkWorldCoordinates(scenario, "modes");
  const locked = args.lock === undefined ? [] : listedItems(args.lock);
  const analysis = modalAnalysis(model, forces, { q, u, hold, keep: given, locked, count, about: args.rest ? "rest" : "state" });
  const { linear, modes, mostly } = analysis;
  if (args.report !== undefined) {
    const lines = modes.map((mode, i) => ({
      number: i + 1,
      frequency: frequencyText(mode),
      damping: mode.kind === "vibration" && mode.dampingRatio !== 0 ? shortNumber(mode.dampingRatio, 3) : "",
      kind: mode.kind,
      mostly: mostly[i]!,
    }));
    writeFileAtomically(
      args.report,
      modesHtml({ title, summary: modesSummary(analysis), modes: lines, picture: modePicture(linear, modes) }),
    );
    if (args.open) openFile(args.report, terminal);
  }
  if (args.json)
    terminal.print(
      toJson({
        model: model.name,
        freedoms: linear.m,
        locked,
        q: Array.from(linear.q),
        leftOut: linear.leftOut,
        imbalance: analysis.imbalance,
        remarks: modalRemarks(analysis, ADVICE),
        names: coordinateNames(model).u,
        modes: modes.map(({ shape, shapeIm, ...mode }) => ({
          ...mode,
          shape: Array.from(shape),
          shapeIm: Array.from(shapeIm),
        })),
      }),
    );
  else terminal.print(modesText(title, analysis, args.report, terminal));
  return 0;
};

const ADVICE = { rest: "Use --rest to find the equilibrium.", held: "Lock the hinges that they hold." };

const frequencyText = ({ kind, frequency, eigenvalue }: Mode): string =>
  kind === "rigid" ? "0 Hz" : kind === "vibration" ? `${shortNumber(frequency, 6)} Hz` : `${shortNumber(eigenvalue.re, 5)} 1/s`;

const modesSummary = ({ linear: { m }, modes }: ModalAnalysis): string =>
  m === 0
    ? "0 freedoms"
    : `${m} ${m === 1 ? "freedom" : "freedoms"}, the ${modes.length === 1 ? "slowest mode" : `${modes.length} slowest modes`}`;

function modesText(title: string, analysis: ModalAnalysis, report: string | undefined, { style, width }: Terminal): string {
  const { modes, mostly } = analysis;
  return [
    style.bold(title),
    modesSummary(analysis),
    ...(modes.length === 0
      ? []
      : [
          "",
          ...formatTable(
            [
              { head: "", cells: modes.map((_, i) => `${i + 1}`), align: "right" },
              { head: "Hz", cells: modes.map((m) => shortNumber(m.frequency, 6)), align: "point" },
              {
                head: "damping ratio",
                cells: modes.map((m) => (m.kind === "vibration" ? shortNumber(m.dampingRatio, 4) : "")),
                align: "point",
              },
              {
                head: "1/s",
                cells: modes.map((m) => (m.eigenvalue.re === 0 ? "0" : shortNumber(m.eigenvalue.re, 5))),
                align: "point",
              },
              { head: "", cells: modes.map((m) => m.kind) },
              { head: "mostly", cells: mostly },
            ],
            style,
          ),
        ]),
    ...modalRemarks(analysis, ADVICE).flatMap((remark) => ["", ...wrapText(remark, width, "")]),
    ...(report === undefined ? [] : ["", `  ${report}   animated modes`]),
  ].join("\n");
}
