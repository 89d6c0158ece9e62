/** `castor map`: shows the content of a digital elevation model. */
import { readMap } from "../../formats/map-file.ts";
import { readBytes } from "../../formats/node-files.ts";
import type { HoleFill, MapWindow, Raster } from "../../ground/raster.ts";
import { countHoles, heightGridFromRaster, isMapProblem } from "../../ground/raster.ts";
import { type Action, CommandError, UsageError } from "../command.ts";
import type { mapCommand } from "../commands/map.ts";
import { definitionList } from "../help.ts";
import { toJson } from "../text/json.ts";

export const run: Action<typeof mapCommand> = async (args, terminal) => {
  const window = windowArgument(args);
  const raster = await readMap(args.file, { bytes: readBytes }, window);
  const ground = window && heightGridFromRaster(raster, { ...window, fill: "nearest", height: 0 });
  if (ground && isMapProblem(ground)) throw new CommandError(`${args.file}: ${ground.message}. ${ground.advice}`);
  const summary = rasterSummary(raster);
  terminal.print(args.json ? toJson(summary) : `${terminal.style.bold(args.file)}\n${definitionList(summaryRows(summary))}`);
  return 0;
};

type WindowArguments = Readonly<Partial<Record<"x" | "y" | "length" | "width", string | undefined>>>;

function windowArgument(args: WindowArguments): MapWindow | undefined {
  const number = (key: keyof WindowArguments): number | undefined => {
    if (args[key] === undefined) return undefined;
    const value = Number(args[key]);
    if (!Number.isFinite(value)) throw new UsageError(`--${key} must be a number, got ${args[key]}`);
    return value;
  };
  const [x, y, length, width] = [number("x"), number("y"), number("length"), number("width")];
  if ([x, y, length, width].every((v) => v === undefined)) return undefined;
  if (length === undefined || width === undefined) throw new UsageError("a window needs --length and --width");
  return { x, y, length, width, fill: "nearest" satisfies HoleFill };
}

function rasterSummary(raster: Raster) {
  const { columns, rows, x, y, dx, dy, about, heights } = raster;
  const holes = countHoles(heights, columns);
  let [lowest, highest] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const h of heights) {
    if (h < lowest) lowest = h;
    if (h > highest) highest = h;
  }
  return {
    format: about,
    columns,
    rows,
    spacing: [dx, dy],
    x: [x, x + (columns - 1) * dx],
    y: [y, y + (rows - 1) * dy],
    heights: holes.count === heights.length ? [] : [lowest, highest],
    holes: { count: holes.count, ...(holes.count > 0 && { firstColumn: holes.i, firstRow: holes.j }) },
  };
}

function summaryRows(summary: ReturnType<typeof rasterSummary>): [string, string][] {
  const { format, columns, rows, spacing, x, y, heights, holes } = summary;
  const range = (values: readonly number[]): string => `${values.map((v) => +v.toPrecision(9)).join(" to ")} m`;
  const [across, along] = spacing as [number, number];
  return [
    ["format", format],
    ["posts", `${columns} x ${rows}, ${across} m${across === along ? "" : ` and ${along} m`} apart`],
    ["x", range(x)],
    ["y", range(y)],
    ["heights", heights.length > 0 ? range(heights) : "all are unknown"],
    [
      "holes",
      holes.count === 0
        ? "none"
        : `${holes.count} ${holes.count === 1 ? "height is" : "heights are"} not known, the first in column ${holes.firstColumn}, row ${holes.firstRow} counted from the south; a scenario needs fill: nearest, or a window without holes`,
    ],
  ];
}
