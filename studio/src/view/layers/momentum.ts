/** Momentum at the mass centre: linear momentum, and angular momentum about the mass centre (arrow with two heads). */
import { Group } from "three";
import type { RunLog } from "../../run/run-log.ts";
import { Arrow, threeDigits } from "../geometry/drawing.ts";
import { massCentre } from "../geometry/mass-centre.ts";
import type { Layer } from "../layer.ts";
import { channelVectorAt, longestVector, XYZ } from "../motion/channel-values.ts";

const LINEAR = XYZ.map((axis) => `momentum.linear.${axis}`);
const ANGULAR = XYZ.map((axis) => `momentum.angular.${axis}`);
const CENTRE = XYZ.map((axis) => `centre.${axis}`);
/** A momentum below this fraction of its typical size is round-off. */
const ROUNDING = 1e-9;
/** Relative round-off in the difference of two large numbers. */
const CANCELLATION = 1e-12;

export const momentumLayer: Layer = {
  id: "momentum",
  title: "Momentum",
  shownByDefault: false,
  onlyWith: "run",
  create({ scenario: { model }, extent, palette }) {
    const width = 0.014 * extent.radius;
    const linear = new Arrow(palette.linear, width);
    const angular = new Arrow(palette.angular, width, { heads: 2 });
    const reach = 0.8 * extent.radius;
    let [largestLinear, largestAngular] = [0, 0];
    return {
      object: new Group().add(linear.object, angular.object),
      legend: () =>
        [
          largestLinear > 0 ? `linear momentum up to ${threeDigits(largestLinear)} N s` : "no linear momentum",
          largestAngular > 0 ? `angular (two heads) up to ${threeDigits(largestAngular)} N m s` : "no angular momentum",
        ].join(", "),
      update({ t, poses, origin, log, logChanged }) {
        const centre = massCentre(model, poses);
        const p = log && channelVectorAt(log, LINEAR, t);
        const L = log && channelVectorAt(log, ANGULAR, t);
        if (logChanged && log) {
          const mass = model.bodies.reduce((sum, body) => sum + body.mass, 0);
          const scale = mass * extent.radius * Math.max(1e-3, 1 / Math.max(1e-9, log.endTime));
          largestLinear = zeroBelow(longestVector(log, LINEAR), ROUNDING * scale);
          const floor = Math.max(ROUNDING * scale * extent.radius, CANCELLATION * longestVector(log, ANGULAR));
          largestAngular = zeroBelow(largestAngularMomentum(log), floor);
        }
        const at = [0, 1, 2].map((k) => centre[k]! - origin[k]!) as [number, number, number];
        const setArrow = (arrow: Arrow, v: readonly number[] | undefined, largest: number): void => {
          const s = v && largest > 0 ? reach / largest : 0;
          arrow.set(...at, ...((v ?? [0, 0, 0]).map((x) => s * x) as [number, number, number]));
        };
        setArrow(linear, p, largestLinear);
        setArrow(angular, p && L && aboutCentre(L, centre, p), largestAngular);
      },
    };
  },
};

/** Angular momentum about the mass centre c: L - c × p. */
const aboutCentre = (L: ArrayLike<number>, c: ArrayLike<number>, p: ArrayLike<number>): [number, number, number] => [
  L[0]! - (c[1]! * p[2]! - c[2]! * p[1]!),
  L[1]! - (c[2]! * p[0]! - c[0]! * p[2]!),
  L[2]! - (c[0]! * p[1]! - c[1]! * p[0]!),
];

/** Largest angular momentum about the mass centre, over the samples that have all channels. */
export function largestAngularMomentum(log: RunLog): number {
  const [L, c, p] = [ANGULAR, CENTRE, LINEAR].map((names) => names.map((name) => log.column(name)));
  const length = Math.min(...[L, c, p].flatMap((columns) => columns!.map((column) => column.length)));
  if (length === 0) return longestVector(log, ANGULAR); // the log does not contain the mass centre
  const at = (columns: readonly Float64Array[] | undefined, i: number): number[] => columns!.map((column) => column[i]!);
  let largest = 0;
  for (let i = 0; i < length; i++) largest = Math.max(largest, Math.hypot(...aboutCentre(at(L, i), at(c, i), at(p, i))));
  return largest;
}

const zeroBelow = (x: number, floor: number): number => (x > floor ? x : 0);
