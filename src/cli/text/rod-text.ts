/** Virtual links that were identified from measurements of a rod, as text. */
import type { IdentifiedDamping } from "../../analysis/identification/damping.ts";
import type { IdentifiedFreedom, IdentifiedRod } from "../../analysis/identification/identify.ts";
import type { IdentifyFile } from "../../analysis/identification/identify-file.ts";
import { measurementName, measurementsWithoutWeight } from "../../analysis/identification/measurement.ts";
import { shortNumber } from "../../report/numbers.ts";
import type { TextFormat } from "./terminal.ts";
import { formatTable, type TextColumn } from "./text-table.ts";
import { wrapText } from "./wrap-text.ts";

export type DampedFreedom = IdentifiedFreedom & { readonly damping: IdentifiedDamping | null };

const FREEDOM_NAMES = { rz: "about z", ry: "about y", rx: "twist" } as const;
const BASIS = {
  errors: "from the measurement errors",
  fit: "from the quality of the fit",
  none: "unknown: no measurement errors are given",
};

export function rodText(
  { name, rod, ratios, decays }: IdentifyFile,
  result: IdentifiedRod,
  freedoms: readonly DampedFreedom[],
  plot: string | undefined,
  { style, width }: TextFormat,
): string {
  const contradictions = [...result.contradictions, ...freedoms.flatMap(({ damping }) => damping?.contradictions ?? [])];
  return [
    style.bold(name),
    `criterion ${shortNumber(result.criterion, 6)}; standard errors ${BASIS[result.basis]}`,
    "",
    ...formatTable(
      [...positionColumns(rod.length, result), ...freedoms.flatMap((f) => freedomColumns(f, freedoms.length > 1))],
      style,
    ),
    "",
    ...formatTable(
      [
        { head: "", cells: result.rows.map(({ measurement }) => measurementName(measurement)) },
        { head: "measured", cells: result.rows.map(({ measurement }) => shortNumber(measurement.value, 6)), align: "right" },
        { head: "model", cells: result.rows.map(({ model }) => shortNumber(model, 6)), align: "right" },
        { head: "misfit", cells: result.rows.map(({ misfit }) => `${shortNumber(100 * misfit, 3)} %`), align: "right" },
      ],
      style,
    ),
    ...decays.flatMap((d) => [
      "",
      `Decay of mode ${d.mode}: ${shortNumber(d.frequency, 6)} Hz ± ${shortNumber(d.frequencyError, 2)}, damping ratio ${shortNumber(d.dampingRatio, 4)} ± ${shortNumber(d.dampingRatioError, 2)}`,
    ]),
    ...freedoms.flatMap(({ freedom, damping }) => {
      if (damping === null) return [];
      const own = ratios.filter((r) => (r.freedom ?? "rz") === freedom);
      return ["", ...wrapText(dampingText(own, damping, freedoms.length > 1 ? ` ${FREEDOM_NAMES[freedom]}` : ""), width, "")];
    }),
    ...unweightedRemark(result).flatMap((line) => ["", ...wrapText(line, width, "")]),
    ...result.open.map((what) => `\n${style.warn("Undetermined")}  the measurements do not determine ${what}`),
    ...(contradictions.length > 0
      ? ["", style.warn("Contradictions"), ...contradictions.flatMap((line) => wrapText(line, width, "  "))]
      : []),
    ...(plot === undefined ? [] : ["", `  ${plot}   bar chart of the misfits`]),
  ].join("\n");
}

const errorText = (sigma: number): string =>
  sigma === 0 || Number.isNaN(sigma) ? "" : Number.isFinite(sigma) ? `± ${shortNumber(sigma, 2)}` : "undetermined";

/** Positions of the joints; and of the cuts, if they are elsewhere. */
function positionColumns(length: number, { cuts, joints, uncertainty: u }: IdentifiedRod): TextColumn[] {
  const isFree = joints.some((x, j) => x !== cuts[j]);
  return [
    { head: "joint", cells: joints.map((_, j) => `${j + 1}`), align: "right" },
    { head: "at, m", cells: joints.map((x) => shortNumber(x, 6)), align: "point" },
    { head: "", cells: u.joints.map(errorText) },
    { head: "of the length", cells: joints.map((x) => shortNumber(x / length, 5)), align: "point" },
    ...(isFree
      ? [
          { head: "cut, m", cells: cuts.map((x) => shortNumber(x, 6)), align: "point" as const },
          { head: "", cells: u.cuts.map(errorText) },
        ]
      : []),
  ];
}

function freedomColumns({ freedom, stiffnesses, errors, damping }: DampedFreedom, isNamed: boolean): TextColumn[] {
  const head = (unit: string): string => (isNamed ? `${FREEDOM_NAMES[freedom]}, ${unit}` : unit);
  return [
    { head: head("N m/rad"), cells: stiffnesses.map((k) => shortNumber(k, 6)), align: "point" },
    { head: "", cells: errors.map(errorText) },
    ...(damping
      ? [
          { head: head("N m s/rad"), cells: damping.dampers.values.map((d) => shortNumber(d, 5)), align: "point" as const },
          { head: "", cells: damping.dampers.errors.map(errorText) },
        ]
      : []),
  ];
}

const ratioText = ({ mode, ratio, tipMass = 0 }: IdentifyFile["ratios"][number]): string =>
  `${shortNumber(ratio, 4)} (mode ${mode}${tipMass > 0 ? ` with ${shortNumber(tipMass, 4)} kg` : ""})`;

const dampingText = (ratios: IdentifyFile["ratios"], damping: IdentifiedDamping, freedom: string): string =>
  `Damping ratios${freedom} ${ratios.map(ratioText).join(", ")}: stiffness-proportional damping has a time constant of ${shortNumber(damping.proportional.time, 4)} s; ` +
  (damping.dampers.feasible
    ? "the dampers above reproduce all of them."
    : `no joint dampers reproduce all of them. Those above give ${damping.dampers.ratios.map((z) => shortNumber(z, 3)).join(", ")}. The damping matrix of --json does: use damping: { ratios: ... } in an elastic body.`);

function unweightedRemark({ rows }: IdentifiedRod): readonly string[] {
  const names = measurementsWithoutWeight(rows.map((row) => row.measurement));
  return names.length === 0
    ? []
    : [
        `These measurements have no error, but others do. They count as if their error were 100 %: ${names.join(", ")}. Give errors or weights.`,
      ];
}
