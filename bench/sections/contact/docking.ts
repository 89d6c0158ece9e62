import type { DockingResult } from "../../measurements/contact/docking-capture.ts";
import {
  checkAtLeast,
  checkAtMost,
  DOCKING_ENERGY,
  DOCKING_REAL_TIME,
  scientificVerdictText,
  verdictText,
} from "../../run/limits.ts";
import type { BenchSection } from "../../run/section.ts";
import { measureSeparately } from "../../run/separate-process.ts";
import { textTable } from "../../run/table.ts";

export const docking: BenchSection = {
  name: "docking",
  about: "soft capture of two spacecraft: 15 s against processor time, and 16 corner cases of the initial contact conditions",
  run({ effort }) {
    const result = measureSeparately("docking", effort === "full");
    const verdicts = verdictsOf(result);
    return { results: { ...result, verdicts }, verdicts: Object.values(verdicts), text: textOf(result) };
  },
};

function verdictsOf({ realTime, corners }: DockingResult) {
  return {
    realTime: checkAtLeast(realTime, DOCKING_REAL_TIME),
    failures: checkAtMost(corners.filter((c) => c.failure !== undefined).length, 0),
    energy: checkAtMost(Math.max(0, ...corners.map((c) => c.energy)), DOCKING_ENERGY),
  };
}

function textOf(result: DockingResult): string {
  const { compile, run, corners } = result;
  const { realTime, failures, energy } = verdictsOf(result);
  const cells = corners.map((c) => ({
    "closing, m/s": c.closing,
    "lateral, deg": c.lateral,
    "tilt, deg": c.tilt,
    roll: c.roll,
    "captured at, s": c.failure ?? c.captured?.toFixed(3) ?? `missed, ${c.latches} of 3 latches`,
    "energy, J": c.energy.toExponential(1),
  }));
  return [
    "Soft capture: 36 speeds, six loops, dopri5 at 1e-8 with a sample each ms, least processor time of three runs.",
    `${run.toFixed(2)} s, ${verdictText(realTime, 1)} times real time, after ${compile.toFixed(1)} s to compile.`,
    ...(corners.length === 0
      ? []
      : [
          textTable(cells),
          `Corner cases that failed: ${verdictText(failures, 0)}. Largest drift of the energy balance: ${scientificVerdictText(energy)} J.`,
        ]),
  ].join("\n");
}
