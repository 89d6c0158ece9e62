/** Where the motion begins, as settings: coordinates and speeds of each hinge that has any. */

import { childPath } from "../../declare/plain-data.ts";
import { hingeCoordinateNames } from "../../model/model.ts";
import type { Scenario } from "../scenario.ts";
import { fieldsOf, type Setting } from "./setting.ts";

const ABOUT = { q: "Coordinates at the start.", u: "Speeds at the start." } as const;

export function stateSettings(scenario: Scenario): readonly Setting[] {
  const written = fieldsOf(scenario.document.state);
  return (["q", "u"] as const).flatMap((which) =>
    scenario.model.bodies.flatMap(({ hinge }): Setting[] => {
      const units = hinge.elements.flatMap((e) => e.units[which]);
      if (units.length === 0 || hinge.name === scenario.approach?.hinge) return []; // the approach places it
      const names = hingeCoordinateNames(hinge, which);
      const entries = units.map((unit, i) => ({ label: units.length === 1 ? "" : names[i]!.slice(hinge.name.length + 1), unit }));
      const given = fieldsOf(written[which])[hinge.name];
      const start = which === "q" ? hinge.q : hinge.u;
      const taken = Array.from(scenario[which].subarray(start, start + units.length));
      const isList = Array.isArray(given) || units.length > 1;
      return [
        {
          path: childPath(`state.${which}`, hinge.name),
          group: ["state", which],
          label: hinge.name,
          about: ABOUT[which],
          type: isList ? "numbers" : "number",
          value: given ?? (isList ? taken : taken[0]),
          written: given !== undefined,
          optional: true,
          entries,
        },
      ];
    }),
  );
}
