/** Staircases in time: the values of a held input that are known in advance. */

import type { Table } from "../../../declare/parameters.ts";
import type { ForceElement } from "../../../sim/system/force-element.ts";

/** The table as the schedule of one held input: from each time on, its value. */
export const stepSchedule = (table: Table | undefined): Pick<ForceElement, "schedule"> =>
  table ? { schedule: table.x.map((t, i) => ({ t, held: [table.y[i]!] })) } : {};
