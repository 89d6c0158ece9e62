/**
 * Summary of a rover's drive from the log of its run: distance, energy, slip, sinkage, wheel loads, and intervals in which it was stuck. Wheels
 * are the elements that report `load` and `slip`; motors are those that report `power`. Quantities that were not recorded are left out.
 */
import { checkList, checkNames, checkOptions } from "../arguments.ts";
import { checkLog, type Log } from "../log/log.ts";
import { checkModel, type Model } from "../model/model.ts";
import type { Peak, PeakOptions } from "../sim/record/peaks/peak-options.ts";
import type { ForceElement } from "../sim/system/force-element.ts";
import { checkElements } from "../sim/system/system.ts";
import { DriveLog, isComplete, wheelsAmong } from "./drive-log.ts";
import { type StuckInterval, stuckIntervals } from "./stuck-intervals.ts";

/** A value, its wheel and its time. */
export interface WheelExtreme {
  readonly value: number;
  readonly wheel: string;
  readonly t: number;
}

export interface Driving {
  /** Length of the path of the rover's body, m, and the time during which wheels turned, s. */
  readonly distance?: number;
  readonly time?: number;
  /** Work of the motors, and work returned to them by braking, J; largest total power, W. */
  readonly work?: number;
  readonly returned?: number;
  readonly peakPower?: number;
  /** Work per metre, J/m. */
  readonly perMetre?: number;
  /** Absolute slip while wheels turned: mean over wheels and time, and the largest. */
  readonly meanSlip?: number;
  readonly mostSlip?: WheelExtreme;
  readonly deepest?: WheelExtreme;
  readonly leastLoad?: WheelExtreme;
  readonly mostLoad?: WheelExtreme;
  readonly stuck: readonly StuckInterval[];
}

export interface DrivingOptions {
  /** Mean slip above which the rover is stuck, and the shortest duration of that, s. */
  readonly slip?: number;
  readonly patience?: number;
  /** Peaks of the run (see `drivingPeaks`). Extremes of loads and sinkage are then those of the continuous motion, not of the samples. */
  readonly peaks?: readonly Peak[];
}

/** The peaks that a run must follow for its extremes of wheel loads and sinkage, if these are recorded. */
export function drivingPeaks(elements: readonly ForceElement[], recorded: readonly string[]): readonly PeakOptions[] {
  checkElements("elements", elements);
  checkNames("recorded", recorded, "names of channels");
  const channelsOf = (part: string): string[] =>
    wheelsAmong(elements)
      .map(({ name }) => `${name}.${part}`)
      .filter((channel) => recorded.includes(channel));
  const [loads, sinkages] = [channelsOf("load"), channelsOf("sinkage")];
  return [
    ...(loads.length > 0 ? [{ channels: loads }] : []),
    ...(sinkages.length > 0 ? [{ channels: sinkages, bound: "most" as const }] : []),
  ];
}

/** Shortest distance for which work per metre is given, m. */
const SHORTEST_DISTANCE = 1e-3;

/** Undefined if the model has no wheels, or the log is empty. */
export function drivingOf(
  model: Model,
  elements: readonly ForceElement[],
  log: Log,
  options: DrivingOptions = {},
): Driving | undefined {
  checkModel(model);
  checkElements("elements", elements);
  checkLog(log);
  checkOptions("options", options, ["slip", "patience", "peaks"]);
  const { slip = 0.8, patience = 5, peaks = [] } = options;
  checkList("options.peaks", peaks, "peaks, as a run returns them");
  const drive = new DriveLog(model, elements, log);
  if (drive.wheels.length === 0 || log.length === 0) return undefined;
  const { slips, loads } = drive;
  const distance = drive.distance();
  const time = isComplete(drive.rates) ? drive.integral((k) => drive.turns[k]!) : undefined;
  const { work, returned, peakPower } = motorWork(drive);
  const slipsWhileTurning = slips.map((s) => s?.map((value, k) => (drive.turns[k] === 0 ? 0 : value)));
  return {
    ...optionalField("distance", distance),
    ...optionalField("time", time),
    ...optionalField("work", work),
    ...optionalField("returned", returned),
    ...optionalField("peakPower", peakPower),
    ...optionalField(
      "perMetre",
      work !== undefined && distance !== undefined && distance > SHORTEST_DISTANCE ? work / distance : undefined,
    ),
    ...optionalField("meanSlip", meanSlip(drive, time)),
    ...optionalField("mostSlip", extreme(drive, slipsWhileTurning, Math.abs)),
    ...optionalField(
      "deepest",
      peakOf(drive, peaks, "sinkage", "most") ?? extreme(drive, drive.wheelColumns("sinkage"), (x) => x),
    ),
    ...optionalField("leastLoad", peakOf(drive, peaks, "load", "least") ?? extreme(drive, loads, (x) => -x)),
    ...optionalField("mostLoad", peakOf(drive, peaks, "load", "most") ?? extreme(drive, loads, (x) => x)),
    stuck: isComplete(slips) && isComplete(drive.rates) ? stuckIntervals(drive, slip, patience) : [],
  };
}

/** Work and power of all motors; undefined if no motor power was recorded. */
function motorWork(drive: DriveLog): Pick<Driving, "work" | "returned" | "peakPower"> {
  const { powers, t } = drive;
  if (powers.length === 0) return {};
  const totalPower = (k: number): number => powers.reduce((sum, p) => sum + Math.max(0, p[k]!), 0);
  return {
    work: powers.reduce((sum, p) => sum + drive.integral((k) => Math.max(0, p[k]!)), 0),
    returned: powers.reduce((sum, p) => sum + drive.integral((k) => Math.max(0, -p[k]!)), 0),
    peakPower: t.reduce((most, _, k) => Math.max(most, totalPower(k)), 0),
  };
}

const meanSlip = (drive: DriveLog, time: number | undefined): number | undefined =>
  time !== undefined && time > 0 && isComplete(drive.slips)
    ? drive.integral((k) => drive.turns[k]! * drive.meanSlipAt(k)) / time
    : undefined;

/** The value with the largest `rank` of all wheels and times; undefined if a wheel was not recorded. */
function extreme(
  { t, bodies }: DriveLog,
  columns: readonly (Float64Array | undefined)[],
  rank: (value: number) => number,
): WheelExtreme | undefined {
  if (!isComplete(columns)) return undefined;
  let best: WheelExtreme = { value: Number.NaN, wheel: "", t: 0 };
  for (const [i, values] of columns.entries())
    for (let k = 0; k < values.length; k++)
      if (!(rank(values[k]!) <= rank(best.value))) best = { value: values[k]!, wheel: bodies[i]!.name, t: t[k]! };
  return best;
}

/** The largest or smallest peak of a channel of all wheels; undefined if a wheel was not followed. */
function peakOf(
  { wheels, bodies }: DriveLog,
  peaks: readonly Peak[],
  part: string,
  bound: Peak["bound"],
): WheelExtreme | undefined {
  let best: WheelExtreme | undefined;
  for (const [i, { name }] of wheels.entries()) {
    const peak = peaks.find((p) => p.channel === `${name}.${part}` && p.bound === bound && p.mean === undefined);
    if (!peak || Number.isNaN(peak.value)) return undefined;
    const isBeyond = best === undefined || (bound === "most" ? peak.value > best.value : peak.value < best.value);
    if (isBeyond) best = { value: peak.value, wheel: bodies[i]!.name, t: peak.at };
  }
  return best;
}

const optionalField = <K extends string, V>(key: K, value: V | undefined): { readonly [key in K]?: V } =>
  (value === undefined ? {} : { [key]: value }) as { readonly [key in K]?: V };
