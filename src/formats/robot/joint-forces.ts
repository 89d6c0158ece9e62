/** Force elements for what the joints of a robot file resist: springs, damping, dry friction and limits. */
import type { Fields } from "../../declare/plain-data.ts";
import { carriedMasses, movedInertia } from "./carried-inertia.ts";
import { hasOneFreedom, type RobotLink } from "./robot-draft.ts";
import type { Namer } from "./safe-names.ts";

/**
 * Robot files give the limit of a joint, but not the stiffness of the stop there. Castor's stops have the stiffness with which the inertia
 * that the joint moves, with all joints beyond it at home, swings at this frequency, Hz.
 */
const STOP_FREQUENCY = 20;
/** Relative damping of the stops, s/rad or s/m: a restitution of about one half at 1 rad/s or 1 m/s. */
const STOP_DAMPING = 0.75;
/** Least inertia for the stiffness of a stop, kg m² or kg. */
const LEAST_INERTIA = 1e-9;

/** Force elements by name, as a scenario writes them. @param names of forces that the file gives itself */
export function jointForces(links: readonly RobotLink[], names: Namer): Readonly<Record<string, Fields>> {
  const forces: Record<string, Fields> = {};
  const joints = links.filter(({ hinge }) => hasOneFreedom(hinge.kind));
  const sprung = joints.filter(({ traits }) => traits.damping !== undefined || traits.stiffness !== undefined);
  if (sprung.length > 0) forces[names.claim(undefined, "joint-springs")] = springs(sprung);
  for (const { hinge, traits } of joints)
    if (traits.friction !== undefined)
      forces[names.claim(undefined, `${hinge.name}-friction`)] = {
        kind: "friction",
        hinge: hinge.name,
        coulomb: traits.friction,
      };
  const carried = carriedMasses(links);
  for (const [i, link] of links.entries()) {
    const { lower, upper } = link.traits;
    if (!joints.includes(link) || (lower === undefined && upper === undefined)) continue;
    const inertia = Math.max(movedInertia(link, carried[i]!), LEAST_INERTIA);
    forces[names.claim(undefined, `${link.hinge.name}-stop`)] = {
      kind: "stop",
      hinge: link.hinge.name,
      ...(lower !== undefined && { lower: withUnit(lower, link.hinge.kind) }),
      ...(upper !== undefined && { upper: withUnit(upper, link.hinge.kind) }),
      stiffness: roundTo3Digits(inertia * (2 * Math.PI * STOP_FREQUENCY) ** 2),
      damping: STOP_DAMPING,
    };
  }
  return forces;
}

function springs(links: readonly RobotLink[]): Fields {
  const hinge = links.map((link) => link.hinge.name);
  const values = (key: "stiffness" | "damping" | "rest"): Fields => {
    if (links.every(({ traits }) => (traits[key] ?? 0) === 0)) return {};
    return { [key]: links.map(({ traits, hinge }) => withUnit(traits[key] ?? 0, key === "rest" ? hinge.kind : "prismatic")) };
  };
  return { kind: "hinge-spring", hinge, ...values("stiffness"), ...values("damping"), ...values("rest") };
}

/** Angles beyond a full turn are written with their unit: without one they would be taken for degrees by mistake. */
export const withUnit = (value: number, kind: string): number | string =>
  kind !== "prismatic" && Math.abs(value) > 2 * Math.PI ? `${value} rad` : value;

const roundTo3Digits = (value: number): number => Number(value.toPrecision(3));
