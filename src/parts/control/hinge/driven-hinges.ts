/** Hinges of controllers: freedom, actuator and reference. */
import type { Freedom } from "../../../declare/freedom.ts";
import { FREEDOM_UNITS, type Table } from "../../../declare/parameters.ts";
import { throughKnots } from "../../../plan/knots.ts";
import type { Trajectory } from "../../../plan/trajectory.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";

export const DRIVEN_HINGE = {
  hinge: { type: "freedom", needs: "coordinate", about: "Hinge, or freedom of a hinge, to control." },
  actuator: { type: "name", about: "Name of the actuator that drives the hinge." },
  reference: {
    type: "trajectory",
    unit: FREEDOM_UNITS.coordinate,
    default: 0,
    about: "Reference position: a constant, or rows [time, position] with quintics from rest to rest in between.",
  },
} as const;

interface DrivenHinge {
  readonly hinge: Freedom;
  readonly actuator: string;
}

/** Name of the held input of the actuator that drives a freedom. */
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

/** Every hinge and every actuator may be listed only once. */
export function checkDrivenHinges(hinges: readonly DrivenHinge[], note: NoteProblem): void {
  if (hinges.length === 0) note("hinges", "must list at least one hinge");
  const firstDuplicate = <T>(items: readonly T[]): T | undefined => items.find((item, i) => items.indexOf(item) !== i);
  const hinge = firstDuplicate(hinges.map((h) => h.hinge.name));
  if (hinge !== undefined) note("hinges", `${hinge} is listed twice`);
  const actuator = firstDuplicate(hinges.map((h) => h.actuator));
  if (actuator !== undefined) note("hinges", `the actuator ${actuator} is listed twice`, "Each hinge needs its own");
}
