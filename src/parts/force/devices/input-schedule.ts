/** Schedules of held inputs: step functions of time that are known in advance. */

import type { Table } from "../../../declare/parameters.ts";
import type { ForceElement } from "../../../sim/system/force-element.ts";

/** A table as the schedule of one held input: each value is held from its time on. */
export const stepSchedule = (table: Table | undefined): Pick<ForceElement, "schedule"> =>
  table ? { schedule: table.x.map((t, i) => ({ t, held: [table.y[i]!] })) } : {};
