import type { PlanningRow } from "../../measurements/rovers/path-planning.ts";
import type { RoverRow } from "../../measurements/rovers/rovers-on-soil.ts";
import {
  checkAtLeast,
  checkAtMost,
  PLAN_MS,
  RELATIVE_DIFFERENCE,
  REPLAN_MS,
  ROVER_REAL_TIME,
  verdictText,
} from "../../run/limits.ts";
import type { BenchSection } from "../../run/section.ts";
import { measureSeparately } from "../../run/separate-process.ts";
import { textTable } from "../../run/table.ts";

const MILLISECONDS = { quick: 500, full: 8000 } as const;
const SIDE = 1000;
const REPLANS = { quick: 15, full: 60 } as const;
/** The limit applies to a rover with 16 freedoms on open ground. There is no limit with guidance or with six wheels. */
const realTimeLimit = ({ name }: RoverRow): number | undefined =>
  name === "four wheels, level soil" || name === "four wheels in a curve" ? ROVER_REAL_TIME : undefined;

export const rover: BenchSection = {
  name: "rover",
  about: "rovers on soil against real time; path planning and replanning over a million cells, compared with A*",
  run({ effort }) {
    const rovers = measureSeparately("rover", MILLISECONDS[effort]);
    const planning = measureSeparately("planning", SIDE, REPLANS[effort]);
    const verdicts = [
      ...rovers.map((row) => checkAtLeast(row.ratio, realTimeLimit(row))),
      checkAtMost(planning.first, PLAN_MS),
      checkAtMost(planning.again, REPLAN_MS),
      checkAtMost(planning.difference, RELATIVE_DIFFERENCE),
    ];
    return { results: { rovers, planning, verdicts }, verdicts, text: textOf(rovers, planning) };
  },
};

function textOf(rovers: readonly RoverRow[], planning: PlanningRow): string {
  const { map, aStar, first, again, slowest, aStarAgain, replans, difference } = planning;
  const driving = rovers.map((row) => ({
    rover: row.name,
    freedoms: String(row.freedoms),
    "times real time": verdictText(checkAtLeast(row.ratio, realTimeLimit(row)), 1),
  }));
  const planTimes = [
    { "ms of processor time": "slopes and roughness of all cells", "D* Lite": "", "A*": "", map: map.toFixed(0) },
    {
      "ms of processor time": "first plan",
      "D* Lite": verdictText(checkAtMost(first, PLAN_MS), 0),
      "A*": aStar.toFixed(0),
      map: "",
    },
    {
      "ms of processor time": "replanning, median",
      "D* Lite": verdictText(checkAtMost(again, REPLAN_MS), 1),
      "A*": aStarAgain.toFixed(0),
      map: "",
    },
    { "ms of processor time": "replanning, slowest", "D* Lite": slowest.toFixed(1), "A*": "", map: "" },
  ];
  return [
    "Rovers on soil, rk4 with steps of 0.5 ms, samples and audit: simulated time divided by processor time, the fastest of several runs.",
    textTable(driving),
    "",
    `A map of ${SIDE} x ${SIDE} cells with craters, corner to corner; ${replans} times 25 new cells on the path are blocked. Path costs differ by ${difference.toExponential(1)}.`,
    textTable(planTimes),
  ].join("\n");
}
