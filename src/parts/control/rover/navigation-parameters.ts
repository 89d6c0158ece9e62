/** Parameters and checks that the controllers `guide` and `operator` share. */
import type { Parameters, ParameterValues } from "../../../declare/parameters.ts";
import type { Terrain } from "../../../ground/terrain.ts";
import { cellsAlong } from "../../../plan/ground-paths/survey.ts";
import { DEFAULT_TRAVERSABILITY } from "../../../plan/ground-paths/traversability.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import { COMMAND_INTERPOLATION } from "../command-interpolation.ts";
import { DRIVEN_WHEEL } from "./drive.ts";
import type { NavigationOptions } from "./navigation-law.ts";
import { DEGREE } from "./path-pursuit.ts";

/** Largest number of cells of the map. */
const MOST_CELLS = 4e6;
/** Steady slip on Earth in lunar simulant at 0, 5, ... 20 degrees, from the equilibrium of the rocker rover. */
const ROCKER_ROVER_SLIP = { x: [0, 5, 10, 15, 20].map((a) => a * DEGREE), y: [0.002725, 0.09681, 0.210052, 0.35613, 0.56674] };

export const NAVIGATION = {
  period: { type: "number", unit: "s", above: 0, default: 0.02, about: "Time between updates." },
  between: COMMAND_INTERPOLATION,
  body: { type: "frame", about: "Frame of the rover's body: x ahead, z up." },
  wheels: { type: "list", about: "The wheels.", of: DRIVEN_WHEEL },
  goalX: { type: "number", unit: "m", about: "Coordinate x of the goal." },
  goalY: { type: "number", unit: "m", about: "Coordinate y of the goal." },
  speed: { type: "number", unit: "m/s", above: 0, about: "Speed straight ahead on level ground." },
  begin: {
    type: "number",
    unit: "s",
    least: 0,
    default: 0.5,
    about: "Time at which the rover sets off; it stands until then.",
  },
  x: { type: "number", unit: "m", default: 0, about: "Coordinate x of the corner of the mapped field." },
  y: { type: "number", unit: "m", default: 0, about: "Coordinate y of the corner of the mapped field." },
  length: { type: "number", unit: "m", above: 0, most: 1e4, about: "Side of the field along x." },
  width: { type: "number", unit: "m", above: 0, most: 1e4, about: "Side of the field along y." },
  cell: { type: "number", unit: "m", above: 0.01, default: 0.25, about: "Side of a cell of the map." },
  sensor: {
    type: "number",
    unit: "m",
    above: 0,
    default: 3,
    about: "Radius within which the rover sees the ground: all cells whose centre is within it.",
  },
  clearance: {
    type: "number",
    unit: "m",
    least: 0,
    default: 0.5,
    about: "Distance of the planned way from the centres of cells that the rover cannot cross.",
  },
  slope: {
    type: "number",
    unit: "rad",
    above: 0,
    most: 1,
    default: DEFAULT_TRAVERSABILITY.slope,
    about: "Steepest slope that the rover crosses.",
  },
  step: {
    type: "number",
    unit: "m",
    above: 0,
    default: DEFAULT_TRAVERSABILITY.step,
    about: "Largest roughness that the rover crosses.",
  },
  slip: {
    type: "table",
    columns: ["slope", "slip"],
    units: { x: "rad", y: "" },
    rows: 1,
    optional: true,
    about: "Expected slip when climbing, for the travel times of ways; that of the rocker rover on lunar simulant if not given.",
  },
  lookahead: {
    type: "number",
    unit: "m",
    above: 0,
    default: 0.6,
    about: "Distance to the point of the path toward which the rover steers.",
  },
  mostSteering: { type: "number", unit: "rad", above: 0, most: 1.6, default: 1.1, about: "Largest steering angle." },
  mostTilt: { type: "number", unit: "rad", above: 0, most: 1.5, default: 0.5, about: "Tilt at which the rover stops." },
  mostSlip: {
    type: "number",
    unit: "",
    above: 0,
    most: 1,
    default: 0.8,
    about: "Slip above which the rover makes no progress.",
  },
  patience: {
    type: "number",
    unit: "s",
    above: 0,
    default: 10,
    about: "Time without progress after which the rover counts as stuck.",
  },
  near: { type: "number", unit: "m", above: 0, default: 0.2, about: "Distance to the goal at which the rover has arrived." },
} as const satisfies Parameters;

/** A rover on a field of 12 m. */
export const NAVIGATION_EXAMPLE = {
  body: "hull",
  wheels: [{ drive: "shoulder-servo", steer: "elbow-servo", x: 0.3, y: 0.2, radius: 0.1 }],
  goalX: 8,
  goalY: 8,
  speed: 0.05,
  x: -2,
  y: -2,
  length: 12,
  width: 12,
} as const;

/** Options of the law from parameters, which are checked. */
export function navigationOptions(
  values: ParameterValues<typeof NAVIGATION>,
  terrain: Terrain,
  note: NoteProblem,
): NavigationOptions {
  const { wheels, speed, x, y, length, width, cell, goalX, goalY, sensor, clearance } = values;
  const slip = values.slip ?? ROCKER_ROVER_SLIP;
  if (wheels.length === 0) note("wheels", "a rover needs a wheel");
  checkGoal("goalX", goalX, x, length, cell, note);
  checkGoal("goalY", goalY, y, width, cell, note);
  if ((length / cell) * (width / cell) > MOST_CELLS)
    note("cell", `the map would have more than ${MOST_CELLS} cells`, "Make them larger");
  if (!slip.y.every((s) => s < 1 && s > -1)) note("slip", "slip must be between -1 and 1");
  return {
    ...values,
    terrain,
    goal: [goalX, goalY],
    exploration: {
      ...{ x, y, length, width, cell, sensor, clearance },
      limits: { slope: values.slope, step: values.step },
      travel: { speed, slip: { angles: slip.x, values: slip.y } },
    },
  };
}

/** The goal must lie inside the field. Cells are judged by their neighbours, so cells at the border cannot be goals. */
function checkGoal(key: "goalX" | "goalY", goal: number, low: number, side: number, cell: number, note: NoteProblem): void {
  const border = DEFAULT_TRAVERSABILITY.window * cell;
  const high = low + cellsAlong(side, cell) * cell;
  if (goal >= low + border && goal <= high - border) return;
  note(
    key,
    goal >= low && goal <= high ? "the goal is at the border of the field" : "the goal is outside of the field",
    `The planner covers ${key === "goalX" ? "x" : "y"} from ${low + border} to ${high - border}`,
  );
}
