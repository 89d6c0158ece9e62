/** What controllers of hinges share: which freedom, by which actuator, along which reference. */

import type { Freedom } from "../../../declare/freedom.ts";
import { FREEDOM_UNITS, type Table } from "../../../declare/parameters.ts";
import { throughKnots } from "../../../plan/knots.ts";
import type { Trajectory } from "../../../plan/trajectory.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";

export const DRIVEN_HINGE = {
  hinge: { type: "freedom", needs: "coordinate", about: "Hinge, or freedom of a hinge, to control." },
  actuator: { type: "name", about: "Name of the actuator that drives it." },
  reference: {
    type: "trajectory",
    unit: FREEDOM_UNITS.coordinate,
    default: 0,
    about: "Where it shall be: a constant, or rows [time, position], from rest to rest by quintics in between.",
  },
} as const;

interface DrivenHinge {
  readonly hinge: Freedom;
  readonly actuator: string;
}

/** The held input of the actuator that drives a freedom. */
export const commandName = ({ hinge, actuator }: DrivenHinge): string =>
  `${actuator}.${hinge.motion === "turn" ? "torque" : "force"}`;

/** The references as trajectories of one coordinate. */
export const referenceTrajectories = (hinges: readonly { readonly reference: Table }[]): Trajectory[] =>
  hinges.map(({ reference: { x, y } }) =>
    throughKnots(
      x,
      y.map((position) => [position]),
    ),
  );

/** Notes what cannot be controlled twice. */
export function checkDrivenHinges(hinges: readonly DrivenHinge[], note: NoteProblem): void {
  if (hinges.length === 0) note("hinges", "must list at least one hinge");
  const twice = <T>(items: readonly T[]): T | undefined => items.find((item, i) => items.indexOf(item) !== i);
  const hinge = twice(hinges.map((h) => h.hinge.name));
  if (hinge !== undefined) note("hinges", `${hinge} is listed twice`);
  const actuator = twice(hinges.map((h) => h.actuator));
  if (actuator !== undefined) note("hinges", `the actuator ${actuator} is listed twice`, "Each hinge needs its own");
}
