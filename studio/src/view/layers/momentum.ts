/** Momentum: linear at the mass centre, angular about the mass centre with two heads. */
import { Group } from "three";
import { longest, vectorAt, XYZ } from "../channels.ts";
import { Arrow, short } from "../drawing.ts";
import type { Layer } from "../layer.ts";
import { centreOf } from "../mass-centre.ts";

const LINEAR = XYZ.map((axis) => `momentum.linear.${axis}`);
const ANGULAR = XYZ.map((axis) => `momentum.angular.${axis}`);
/** Below this part of the largest numbers that make it up it is rounding. */
const ROUNDING = 1e-9;

export const momentumLayer: Layer = {
  id: "momentum",
  title: "Momentum",
  shown: false,
  of: "run",
  create({ scenario: { model }, extent, palette }) {
    const width = 0.014 * extent.radius;
    const linear = new Arrow(palette.linear, width);
    const angular = new Arrow(palette.angular, width, { heads: 2 });
    const reach = 0.8 * extent.radius;
    let [mostLinear, mostAngular] = [0, 0];
    return {
      object: new Group().add(linear.object, angular.object),
      legend: () =>
        [
          mostLinear > 0 ? `linear momentum up to ${short(mostLinear)} N s` : "no linear momentum",
          mostAngular > 0 ? `angular (two heads) up to ${short(mostAngular)} N m s` : "no angular momentum",
        ].join(", "),
      update({ t, poses, origin, log, grown }) {
        const centre = centreOf(model, poses);
        const p = log && vectorAt(log, LINEAR, t);
        const L = log && vectorAt(log, ANGULAR, t);
        if (grown && log) {
          const mass = model.bodies.reduce((sum, body) => sum + body.mass, 0);
          const scale = mass * extent.radius * Math.max(1e-3, 1 / Math.max(1e-9, log.end));
          mostLinear = above(longest(log, LINEAR), ROUNDING * scale);
          mostAngular = above(longest(log, ANGULAR), ROUNDING * scale * extent.radius);
        }
        const at = [0, 1, 2].map((k) => centre[k]! - origin[k]!) as [number, number, number];
        const arrow = (one: Arrow, v: readonly number[] | undefined, most: number): void => {
          const s = v && most > 0 ? reach / most : 0;
          one.set(...at, ...((v ?? [0, 0, 0]).map((x) => s * x) as [number, number, number]));
        };
        arrow(linear, p, mostLinear);
        const [cx, cy, cz] = centre as unknown as [number, number, number];
        const about = p && L && [L[0] - (cy * p[2] - cz * p[1]), L[1] - (cz * p[0] - cx * p[2]), L[2] - (cx * p[1] - cy * p[0])];
        arrow(angular, about, mostAngular);
      },
    };
  },
};

const above = (x: number, floor: number): number => (x > floor ? x : 0);
