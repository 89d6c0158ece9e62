/** Settings of the initial state: coordinates and speeds of each hinge that has any. */

import { childPath } from "../../declare/plain-data.ts";
import { hingeCoordinateNames } from "../../model/model.ts";
import { fieldsOf } from "../fields-of.ts";
import type { Scenario } from "../scenario.ts";
import type { Setting } from "./setting.ts";

const ABOUT = { q: "Initial coordinates.", u: "Initial speeds." } as const;

export function stateSettings(scenario: Scenario): readonly Setting[] {
  const stateFields = fieldsOf(scenario.document.state);
  return (["q", "u"] as const).flatMap((which) =>
    scenario.model.bodies.flatMap(({ hinge }): Setting[] => {
      const units = hinge.elements.flatMap((e) => e.units[which]);
      if (units.length === 0 || hinge.name === scenario.approach?.hinge) return []; // set by the approach
      const names = hingeCoordinateNames(hinge, which);
      const entries = units.map((unit, i) => ({ label: units.length === 1 ? "" : names[i]!.slice(hinge.name.length + 1), unit }));
      const written = fieldsOf(stateFields[which])[hinge.name];
      const start = which === "q" ? hinge.q : hinge.u;
      const initial = Array.from(scenario[which].subarray(start, start + units.length));
      const isList = Array.isArray(written) || units.length > 1;
      return [
        {
          path: childPath(`state.${which}`, hinge.name),
          group: ["state", which],
          label: hinge.name,
          about: ABOUT[which],
          type: isList ? "numbers" : "number",
          value: written ?? (isList ? initial : initial[0]),
          written: written !== undefined,
          optional: true,
          entries,
        },
      ];
    }),
  );
}
