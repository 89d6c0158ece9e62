import type { Docking } from "../docking.ts";
import { DOCKING_ENERGY, DOCKING_REAL_TIME, judge, judgeLeast, scientific, shown } from "../run/limits.ts";
import type { Section } from "../run/section.ts";
import { apart } from "../run/separate-process.ts";
import { table } from "../run/table.ts";

export const docking: Section = {
  name: "docking",
  about: "soft capture of two spacecraft: 15 s against processor time, and 16 corners of the initial contact conditions",
  run({ effort }) {
    const measured = apart("docking", effort === "full");
    const verdicts = judged(measured);
    return { results: { ...measured, verdicts }, verdicts: Object.values(verdicts), text: textOf(measured) };
  },
};

function judged({ realTime, corners }: Docking) {
  return {
    realTime: judgeLeast(realTime, DOCKING_REAL_TIME),
    failures: judge(corners.filter((c) => c.failure !== undefined).length, 0),
    energy: judge(Math.max(0, ...corners.map((c) => c.energy)), DOCKING_ENERGY),
  };
}

function textOf(measured: Docking): string {
  const { compile, run, corners } = measured;
  const { realTime, failures, energy } = judged(measured);
  const cells = corners.map((c) => ({
    "closing, m/s": c.closing,
    "off, deg": c.lateral,
    "tilt, deg": c.tilt,
    roll: c.roll,
    "captured, s": c.failure ?? c.captured?.toFixed(3) ?? `missed, ${c.latches} of 3 latches`,
    "energy, J": c.energy.toExponential(1),
  }));
  return [
    "Soft capture: 36 speeds, six loops, dopri5 at 1e-8 with a sample each ms, least processor time of three runs.",
    `${run.toFixed(2)} s, ${shown(realTime, 1)} times real time, after ${compile.toFixed(1)} s of compiling.`,
    ...(corners.length === 0
      ? []
      : [
          table(cells),
          `Corners that did not end: ${shown(failures, 0)}. Largest change of the energy balance: ${scientific(energy)} J.`,
        ]),
  ].join("\n");
}
