/** Thrusters that a controller describes otherwise than the forces do: it would compute with another vehicle. */

import { readValue } from "../../declare/parse-parameters.ts";
import { childPath, type Fields, itemsOf } from "../../declare/plain-data.ts";
import { readQuantityInUnit } from "../../declare/units.ts";
import { type Problem, valueText } from "../../errors.ts";
import { knownNames } from "../../model/freedoms.ts";
import type { Model } from "../../model/model.ts";
import { TASK_THRUSTER } from "../../parts/control/foothold/task-thrusters.ts";
import { fieldsOf } from "../fields-of.ts";

/** Larger differences of the components of unit vectors are not rounding. */
const ROUNDING = 1e-9;

/** Warnings for every entry of a list `thrusters` of a controller whose frame, direction or limit is not that of the force. */
export function thrusterWarnings({ forces, controllers }: Fields, model: Model): readonly Problem[] {
  const names = knownNames(model);
  const readKey = (key: "frame" | "direction" | "limit", fields: Fields): unknown =>
    readValue(TASK_THRUSTER[key], fields[key], names, [], { quantity: readQuantityInUnit });
  return Object.entries(fieldsOf(controllers)).flatMap(([name, controller]) =>
    (itemsOf(fieldsOf(controller).thrusters) ?? []).flatMap((item, i): Problem[] => {
      const described = fieldsOf(item);
      const force = fieldsOf(fieldsOf(forces)[String(described.thruster)]);
      if (force.frame === undefined) return [];
      const path = childPath(childPath(childPath("controllers", name), "thrusters"), i);
      const advice = `Write the same as in forces.${described.thruster}, or the controller computes with another vehicle`;
      const warning = (key: string, message: string, value: unknown): Problem[] => [
        { path: childPath(path, key), message, value: valueText(value), advice },
      ];
      const [of, own] = [force, described].map((f) => ({
        frame: f.frame,
        direction: readKey("direction", f) as readonly number[] | undefined,
        limit: (readKey("limit", f) as number | undefined) ?? Number.POSITIVE_INFINITY,
      })) as [Described, Described];
      return [
        ...(of.frame === own.frame ? [] : warning("frame", `${described.thruster} pushes at ${of.frame}`, own.frame)),
        ...(areAlike(of.direction, own.direction)
          ? []
          : warning("direction", `${described.thruster} pushes along [${of.direction?.join(", ")}]`, described.direction ?? "x")),
        ...(own.limit <= of.limit
          ? []
          : warning("limit", `${described.thruster} gives at most ${of.limit} N`, described.limit ?? "none")),
      ];
    }),
  );
}

interface Described {
  readonly frame: unknown;
  readonly direction: readonly number[] | undefined;
  readonly limit: number;
}

const areAlike = (a: readonly number[] | undefined, b: readonly number[] | undefined): boolean =>
  a === undefined || b === undefined || a.every((component, i) => Math.abs(component - b[i]!) <= ROUNDING);
