/** Driving statistics of a rover as lines of the report. */
import type { Driving, WheelExtreme } from "../analysis/driving.ts";
import { numberText } from "./numbers.ts";
import type { Fact } from "./report-data.ts";

export function drivingFacts(driving: Driving): Fact[] {
  const { distance, time, work, returned, peakPower, perMetre, meanSlip, mostSlip, deepest, leastLoad, mostLoad, stuck } =
    driving;
  const number = (label: string, value: number | undefined, unit = ""): Fact[] =>
    value === undefined ? [] : [{ label, value: +value.toPrecision(4), unit }];
  const extreme = (label: string, extremeValue: WheelExtreme | undefined, unit: string, times = 1): Fact[] =>
    extremeValue === undefined ? [] : [{ label, value: extremeText(extremeValue, unit, times) }];
  return [
    ...number("distance", distance, "m"),
    ...number("time with turning wheels", time, "s"),
    ...number("work of the motors", work, "J"),
    ...(returned !== undefined && returned > 1e-3 * (work ?? 0) ? number("energy returned in braking", returned, "J") : []),
    ...number("largest power", peakPower, "W"),
    ...number("energy per metre", perMetre, "J/m"),
    ...number("mean slip", meanSlip),
    ...extreme("largest slip", mostSlip, ""),
    ...extreme("largest sinkage", deepest, " mm", 1000),
    ...extreme("smallest wheel load", leastLoad, " N"),
    ...extreme("largest wheel load", mostLoad, " N"),
    ...stuck.map(({ since, until, why }) => ({
      label: "stuck",
      value: `since t = ${numberText(since, 4)} s${until === undefined ? "" : ` until ${numberText(until, 4)} s`}: ${why}`,
    })),
  ];
}

const extremeText = ({ value, wheel, t }: WheelExtreme, unit: string, times: number): string =>
  `${numberText(times * value, 4)}${unit}, ${wheel}, t = ${numberText(t, 4)} s`;
