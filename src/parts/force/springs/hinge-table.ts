/** Forces in one freedom by tables: over its coordinate, with exact potential, and resistance over its speed. */

import { FREEDOM_UNITS, type Table } from "../../../declare/parameters.ts";
import { unitForFreedom } from "../../../declare/parse-parameters.ts";
import { mul, neg, sub } from "../../../kernel/trace/scalar.ts";
import { forceKind } from "../kind.ts";
import { polyline } from "./polyline.ts";

export const hingeTable = forceKind({
  name: "hinge-table",
  about:
    "Force in one freedom, piecewise linear over its coordinate (`force`, extrapolated beyond the ends), minus a resistance over its " +
    "speed (`resistance`, constant beyond the ends).",
  acts: "between bodies",
  parameters: {
    hinge: { type: "freedom", needs: "coordinate", about: "Hinge, or freedom of a hinge." },
    force: {
      type: "table",
      columns: ["coordinate", "force"],
      units: { x: FREEDOM_UNITS.coordinate, y: FREEDOM_UNITS.force },
      rows: 2,
      about: "Force over the coordinate; for a spring it decreases.",
    },
    resistance: {
      type: "table",
      columns: ["speed", "resistance"],
      units: { x: FREEDOM_UNITS.speed, y: FREEDOM_UNITS.force },
      rows: 2,
      optional: true,
      about: "Force against the motion over the speed; zero at rest, with the sign of the speed.",
    },
  },
  examples: [
    {
      hinge: "elbow",
      force: [
        [-1, 20],
        [-0.2, 1],
        [0.3, -1],
        [1.2, -30],
      ],
      resistance: [
        [-1, -2],
        [0, 0],
        [0.2, 1],
        [1, 3],
      ],
    },
    {
      hinge: "slider",
      force: [
        [0, 5],
        [0.2, 0],
      ],
    },
  ],
  element(_name, { hinge: freedom, force, resistance }, note) {
    if (resistance && !opposesMotion(resistance))
      note("resistance", "would add energy: it must be zero at rest and have the sign of the speed", "Add the row [0, 0]");
    const { hinge, speedInHinge, coordinateInHinge } = freedom;
    const spring = polyline(force, "continues");
    const damper = resistance && polyline(resistance, "holds");
    return {
      trace(s, out) {
        const { q, u } = s.hinge(hinge);
        const resistanceForce = damper?.value(u[speedInHinge]!) ?? 0;
        const total = sub(spring.value(q[coordinateInHinge!]!), resistanceForce);
        out.hinge(hinge, speedInHinge, total);
        out.potential(neg(spring.integral(q[coordinateInHinge!]!)));
        out.dissipated(mul(resistanceForce, u[speedInHinge]!));
        out.channel("force", unitForFreedom(FREEDOM_UNITS.force, freedom), total);
      },
    };
  },
});

/** True if the resistance is zero at rest, up to rounding, and never along the motion. */
const opposesMotion = (table: Table): boolean =>
  Math.abs(polyline(table, "holds").value(0) as number) <= 1e-12 * Math.max(...table.y.map(Math.abs)) &&
  table.x.every((x, i) => x * table.y[i]! >= 0);
