/** `castor modes`: natural frequencies, damping ratios and mode shapes of a model or of a scenario at its start. */
import { existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { type ModalAnalysis, modalAnalysis, modalRemarks } from "../../analysis/modes/modal-analysis.ts";
import { modePicture } from "../../analysis/modes/mode-picture.ts";
import type { Mode } from "../../analysis/modes/modes.ts";
import { kindOfFile } from "../../formats/file-kind.ts";
import { readText } from "../../formats/node-files.ts";
import { coordinateNames, homeOf, type Model } from "../../model/model.ts";
import { shortNumber } from "../../report/numbers.ts";
import { modesHtml } from "../../report/page/modes-page.ts";
import type { ForceElement } from "../../sim/system/force-element.ts";
import { listedItems } from "../arguments.ts";
import { defineCommand, UsageError } from "../command.ts";
import { EXIT } from "../failure.ts";
import { loadModelArgument } from "../files/model-argument.ts";
import { openFile } from "../files/open-file.ts";
import { builtInNames } from "../files/package-files.ts";
import { loadScenarioArgument, SCENARIO_CHANGES } from "../files/scenario-argument.ts";
import { writeFileAtomically } from "../files/write-file.ts";
import { toJson } from "../text/json.ts";
import type { Terminal } from "../text/terminal.ts";
import { formatTable } from "../text/text-table.ts";
import { wrapText } from "../text/wrap-text.ts";

const DEFAULT_COUNT = 12;

export const modesCommand = defineCommand({
  name: "modes",
  about: "natural frequencies, damping ratios and mode shapes of a model, or of a scenario at its start",
  args: {
    machine: { type: "positional", required: true, description: "a model or scenario file, or the name of a built-in scenario" },
    lock: {
      type: "string",
      valueHint: "NAME",
      list: true,
      description: "hinges to hold fixed, or single freedoms as hinge.part",
    },
    rest: { type: "boolean", description: "linearise about the equilibrium near the start, not about the start itself" },
    count: {
      type: "string",
      valueHint: "N",
      default: String(DEFAULT_COUNT),
      description: "number of modes to show, slowest first",
    },
    set: SCENARIO_CHANGES.set,
    report: { type: "string", valueHint: "FILE", description: "write an HTML page that animates the modes" },
    open: { type: "boolean", description: "open the page in a browser" },
    json: { type: "boolean", description: "print all results as JSON at full precision" },
  },
  details: [
    "For a scenario, the forces act with their state at the start; commands of",
    "controllers are zero.",
    "",
    `Exit code: 0, ${EXIT.failure} if the input has problems, ${EXIT.usage} for a wrong command line.`,
  ].join("\n"),
  examples: [
    {
      command: "castor modes flexible-two-link --lock motor-1,motor-2 --rest",
      about: "the arm with its motors held, in equilibrium under gravity",
    },
    { command: "castor modes flexible-satellite --report modes.html", about: "a page that animates the mode shapes" },
  ],
  async run(args, terminal) {
    const count = Number(args.count);
    if (!(Number.isInteger(count) && count > 0))
      throw new UsageError(`--count must be a whole number above zero, got ${args.count}`);
    const { model, forces, q, u, title } = await loadModesSubject(args.machine, args.set);
    const locked = args.lock === undefined ? [] : listedItems(args.lock);
    const analysis = modalAnalysis(model, forces, { q, u, locked, count, about: args.rest ? "rest" : "state" });
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
  },
});

interface ModesSubject {
  readonly title: string;
  readonly model: Model;
  readonly forces: readonly ForceElement[];
  readonly q: Float64Array;
  readonly u: Float64Array;
}

/** Loads a scenario by its name, folder or file; else a model. */
async function loadModesSubject(argument: string, set: string | undefined): Promise<ModesSubject> {
  if (isScenario(argument)) {
    const { scenario } = await loadScenarioArgument(argument, { set });
    const { name: title, model, forces, q, u } = scenario;
    return { title, model, forces, q, u };
  }
  if (set !== undefined) throw new UsageError("--set works only for scenarios; this is a model");
  const { model } = loadModelArgument(argument);
  return { title: model.name, model, forces: [], q: homeOf(model), u: new Float64Array(model.nu) };
}

function isScenario(argument: string): boolean {
  if (!existsSync(argument)) return builtInNames("scenario.yaml").includes(argument);
  if (statSync(argument).isDirectory()) return existsSync(join(argument, "scenario.yaml"));
  return kindOfFile(readText(argument)) === "scenario";
}

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
    ...modalRemarks(analysis, { rest: "Use --rest to find the equilibrium.", held: "Lock the hinges that they hold." }).flatMap(
      (remark) => ["", ...wrapText(remark, width, "")],
    ),
    ...(report === undefined ? [] : ["", `  ${report}   animated modes`]),
  ].join("\n");
}
