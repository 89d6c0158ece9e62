/** Vehicles that attach and detach, against logs of NASA's JSC Engineering Orbital Dynamics. */
import type { Quaternion } from "../../spatial/rotation.ts";
import type { Validation, ValidationRow, ValidationTable } from "../validation.ts";
import { COMPLEX_LOG, type LogSample, SIMPLE_LOG } from "./log.ts";
import { attachmentRun, type Stretch, type VehicleState } from "./vehicles.ts";

const aboutZ = (angle: number): Quaternion<number> => [Math.cos(angle / 2), 0, 0, Math.sin(angle / 2)];

const VEHICLES: readonly VehicleState[] = [
  { attitude: aboutZ(0), p: [-5, 0, 0], w: [0, 0, 0], v: [0, 1, 0] },
  { attitude: aboutZ(-2), p: [5, 10, 0], w: [0, 0, 0.2], v: [0, 0, 0] },
  { attitude: aboutZ(-15.8), p: [0.063, 13.787, -25], w: [0, 0, 1], v: [0, 0, 1] },
];

const SIMPLE: readonly Stretch[] = [{ until: 10 }, { until: 20, engage: "1-2" }, { until: 30 }];

/** The log has the second attachment at the first update after the time 32.777 s of its input. */
const COMPLEX: readonly Stretch[] = [
  { until: 10 },
  { until: 32.78, engage: "1-2" },
  { until: 50, place: "first and second on third", engaged: ["1-2"], engage: "2-3" },
  { until: 55, engaged: ["2-3"] },
  { until: 60, place: "first on second", engaged: ["2-3"], engage: "1-2" },
  { until: 65, engaged: ["1-2"] },
];

const QUANTITIES = [
  ["mass centre", "m"],
  ["velocity of the mass centre", "m/s"],
  ["angular velocity in body axes", "rad/s"],
] as const;

function rowsOf(log: readonly LogSample[], ours: readonly LogSample[], tolerance: number): readonly ValidationRow[] {
  return log[0]!.vehicles.flatMap((_, vehicle) =>
    QUANTITIES.map(([quantity, unit], k): ValidationRow => {
      const values = (samples: readonly LogSample[]): number[] =>
        samples.flatMap(({ vehicles }) => vehicles[vehicle]!.slice(3 * k, 3 * k + 3));
      return {
        ...{ quantity: `vehicle ${vehicle + 1}: ${quantity} at ${log.length} times`, unit, tolerance },
        ...{ expected: values(log), ours: values(ours) },
      };
    }),
  );
}

function table(title: string, stretches: readonly Stretch[], log: readonly LogSample[], tolerance: number): ValidationTable {
  const start = VEHICLES.slice(0, log[0]!.vehicles.length);
  const ours = attachmentRun(
    start,
    stretches,
    log.map(({ t }) => t),
  );
  return { title, origin: "other tool", rows: rowsOf(log, ours, tolerance) };
}

export const attachment: Validation = {
  name: "attachment",
  title: "Vehicles attach and detach",
  source: "verification logs of NASA's JEOD, attach and detach (fourth-order Runge-Kutta, steps of 10 ms)",
  remark:
    "When vehicles attach at 32.78 and 55 s, JEOD first places them on each other, from up to 18 m away, and keeps the linear momentum and the angular " +
    "momentum about the common mass centre that they had before. The validation does the same; the impacts, the motion and the releases are Castor's.",
  tables: () =>
    Promise.resolve([
      table("Two vehicles attach at 10 s and detach at 20 s", SIMPLE, SIMPLE_LOG, 1e-11),
      table("Three vehicles attach at 10, 32.78 and 55 s and detach at 50 and 60 s", COMPLEX, COMPLEX_LOG, 2e-11),
    ]),
};
