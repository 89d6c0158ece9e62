/**
 * `partition` as in the paper: only the independent coordinates and speeds are integrated. The dependents follow from them at every
 * evaluation, by closed forms of their chains or by Newton. This closes the loops; there is no projection.
 */
import type { Model } from "../../model/model.ts";
import { savedEntries } from "../../saved-data.ts";
import type { DeriveOptions, Equations, Formulation } from "../formulation.ts";
import { type DependentCoordinates, dependentCoordinates, restoredCoordinates } from "./dependent-coordinates.ts";
import { partition } from "./partition.ts";

export const minimal: Formulation = {
  name: "minimal",
  derive(model: Model, options: DeriveOptions = {}): Equations {
    const equations = partition.derive(model, options);
    let coordinates: DependentCoordinates | undefined;
    return {
      ...equations,
      formulation: "minimal",
      save: () => ({ partition: equations.save(), coordinates: coordinates?.save() ?? null }),
      restore(saved) {
        const entries = savedEntries(saved, ["partition", "coordinates"], "equations");
        equations.restore(entries.partition);
        const path = "equations.coordinates";
        if (entries.coordinates === null) coordinates = undefined;
        else if (coordinates) coordinates.restore(entries.coordinates, path);
        else coordinates = restoredCoordinates(model, entries.coordinates, options, path);
      },
      ...(model.loops.length > 0 && {
        dependents: {
          complete(q, u, t) {
            coordinates ??= dependentCoordinates(model, t, q, options);
            coordinates.solve(t, q);
            coordinates.solveSpeeds(t, q, u);
          },
          rechoose(q, t) {
            coordinates?.rechoose(t, q);
          },
        },
      }),
    };
  },
};
