/**
 * The drive of a docking mechanism, in one coordinate x with speed v: what a leg does along its slide, and what a differential does on a
 * combination of hinges,
 *
 *   φ(x, v) = -clip(k (x - r) + c (v - ṙ), ±clutch) - friction v / √(v² + frictionSpeed²) - brake + end stops.
 *
 * Spring and damper are made by the motor, behind the slip clutch, so their power counts as supplied; friction, brake and stops are
 * passive. Inertia of the rotor is the `armature` of the hinge.
 */

import type { Freedom } from "../../../declare/freedom.ts";
import { FREEDOM_UNITS, type ParameterValues } from "../../../declare/parameters.ts";
import { unitForFreedom } from "../../../declare/parse-parameters.ts";
import { abs, add, div, max, mul, neg, type Scalar, select, sqrt, square, sub, sum } from "../../../kernel/trace/scalar.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import type { TracedLoads, TracedMotion } from "../../../sim/system/force-element.ts";
import { clamp, clampSymmetric } from "../clamp.ts";

export const DRIVE_PARAMETERS = {
  stiffness: { type: "number", unit: FREEDOM_UNITS.stiffness, least: 0, default: 0, about: "Stiffness until it is set anew." },
  damping: { type: "number", unit: FREEDOM_UNITS.damping, least: 0, default: 0, about: "Damping until it is set anew." },
  position: { type: "number", unit: FREEDOM_UNITS.coordinate, default: 0, about: "Reference position until it is set anew." },
  ramp: {
    type: "number",
    unit: FREEDOM_UNITS.speed,
    above: 0,
    optional: true,
    about: "Speed at which the reference goes to a new position, until it is set anew; it jumps there if not given.",
  },
  clutch: {
    type: "number",
    unit: FREEDOM_UNITS.force,
    above: 0,
    optional: true,
    about: "Force at which the clutch slips: spring and damper together give no more. None if not given.",
  },
  friction: {
    type: "number",
    unit: FREEDOM_UNITS.force,
    least: 0,
    default: 0,
    about: "Friction of the drive, smooth through rest.",
  },
  frictionSpeed: {
    type: "number",
    unit: FREEDOM_UNITS.speed,
    above: 0,
    default: 0.002,
    about: "Speed at which friction has 0.71 of its size.",
  },
  brake: {
    type: "number",
    unit: FREEDOM_UNITS.force,
    above: 0,
    optional: true,
    about: "Force at which the closed brake slips; no brake if not given. The input `brake` closes it: 1, and 0 opens it.",
  },
  brakeStiffness: {
    type: "number",
    unit: FREEDOM_UNITS.stiffness,
    above: 0,
    default: 1e5,
    about: "Stiffness of the closed brake before it slips.",
  },
  lower: { type: "number", unit: FREEDOM_UNITS.coordinate, optional: true, about: "Lower end stop; none if not given." },
  upper: { type: "number", unit: FREEDOM_UNITS.coordinate, optional: true, about: "Upper end stop; none if not given." },
  stopStiffness: { type: "number", unit: FREEDOM_UNITS.stiffness, above: 0, default: 1e5, about: "Stiffness of the end stops." },
  stopDamping: {
    type: "number",
    unit: FREEDOM_UNITS.damping,
    least: 0,
    default: 1e3,
    about: "Damping of the end stops, which push and never pull.",
  },
} as const;

export type DriveSettings = ParameterValues<typeof DRIVE_PARAMETERS>;

/** Near its end the ramp of the reference settles with this time constant, s. */
const RAMP_TIME_CONSTANT = 0.01;
/** An opened brake loses its deflection with this time constant, s. */
const BRAKE_RELEASE_TIME = 0.01;

export function checkDrive({ lower, upper, position }: DriveSettings, freedoms: readonly Freedom[], note: NoteProblem): void {
  if (lower !== undefined && upper !== undefined && lower >= upper) note("upper", `must be above lower, ${lower}`);
  else if ((lower !== undefined && position < lower) || (upper !== undefined && position > upper))
    note("position", "lies beyond an end stop, where it can never be reached");
  if (freedoms.some((f) => f.ball)) note("hinge", "a turn of a ball has no coordinate of its own", "Name turns and slides");
  if (new Set(freedoms.map((f) => f.motion)).size > 1)
    note("hinge", "turns and slides have different units", "Make one element for the turns and one for the slides");
}

/** Held inputs and internal states of `count` coordinates that share their settings: reference, energy absorbed, deflections of brakes. */
export function driveInputs({ stiffness, damping, position, ramp, brake }: DriveSettings, count: number) {
  return {
    held: [
      "stiffness",
      "damping",
      "position",
      ...(ramp === undefined ? [] : ["ramp"]),
      ...(brake === undefined ? [] : ["brake"]),
    ],
    schedule: [
      { t: 0, held: [stiffness, damping, position, ...(ramp === undefined ? [] : [ramp]), ...(brake === undefined ? [] : [0])] },
    ],
    z0: [...(ramp === undefined ? [] : [position]), 0, ...new Array<number>(brake === undefined ? 0 : count).fill(0)],
  };
}

export interface DriveCoordinate {
  readonly name: string;
  readonly x: Scalar;
  readonly v: Scalar;
}

/** φ of each coordinate; accounts for energy, and shows forces, reference, and how many clutches slip. */
export function traceDrive(
  drive: DriveSettings,
  freedom: Freedom,
  coordinates: readonly DriveCoordinate[],
  s: TracedMotion,
  out: TracedLoads,
): readonly Scalar[] {
  const { ramp, clutch, friction, frictionSpeed, brake, brakeStiffness } = drive;
  const [stiffness, damping, position] = s.held as [Scalar, Scalar, Scalar];
  const reference = ramp === undefined ? position : s.z[0]!;
  const rate = ramp === undefined ? 0 : clampSymmetric(abs(s.held[3]!), div(sub(position, reference), RAMP_TIME_CONSTANT));
  if (ramp !== undefined) out.rate(0, rate);
  const absorbed = ramp === undefined ? 0 : 1;
  const unit = (of: keyof typeof FREEDOM_UNITS): string => unitForFreedom(FREEDOM_UNITS[of], freedom);
  let slipping: Scalar = 0;
  const forces = coordinates.map(({ name, x, v }, i) => {
    const wanted = add(mul(stiffness, sub(x, reference)), mul(damping, sub(v, rate)));
    const motor = neg(clampSymmetric(clutch, wanted));
    out.supplied(mul(motor, v));
    if (clutch !== undefined) slipping = add(slipping, select(sub(abs(wanted), clutch), 1, 0));
    const rubbing = div(mul(friction, v), sqrt(add(square(v), frictionSpeed ** 2)));
    out.dissipated(mul(rubbing, v));
    const braking =
      brake === undefined
        ? 0
        : traceBrake({ capacity: brake, stiffness: brakeStiffness }, { k: absorbed + 1 + i, input: s.held.at(-1)! }, v, s, out);
    const force = sum([motor, neg(rubbing), neg(braking), traceStops(drive, x, v, out)]);
    out.channel(name, unit("force"), force);
    return force;
  });
  const power = neg(sum(forces.map((force, i) => mul(force, coordinates[i]!.v))));
  out.rate(absorbed, power);
  out.channel("absorbed", "J", s.z[absorbed]!);
  out.channel("reference", unit("coordinate"), reference);
  if (clutch !== undefined) out.channel("slipping", "", slipping);
  return forces;
}

/**
 * A closed brake (b = 1) is a spring of deflection d that slips at its capacity [Dahl 1968]: ḋ = v - |v| d / (capacity / stiffness). Its
 * force b stiffness d stores ½ stiffness d², and the rest is heat; open (b = 0), what it has stored becomes heat.
 */
function traceBrake(
  { capacity, stiffness }: { readonly capacity: number; readonly stiffness: number },
  { k, input }: { readonly k: number; readonly input: Scalar },
  v: Scalar,
  s: TracedMotion,
  out: TracedLoads,
): Scalar {
  const d = s.z[k]!;
  const closed = clamp(0, input, 1);
  const loss = add(div(mul(closed, abs(v)), capacity / stiffness), div(sub(1, closed), BRAKE_RELEASE_TIME));
  out.rate(k, sub(mul(closed, v), mul(loss, d)));
  out.potential(mul(stiffness / 2, square(d)));
  out.dissipated(mul(mul(stiffness, loss), square(d)));
  return mul(closed, mul(stiffness, d));
}

/** max(0, stiffness depth + damping × speed inwards) where there is depth, towards the middle. */
function traceStops({ lower, upper, stopStiffness, stopDamping }: DriveSettings, x: Scalar, v: Scalar, out: TracedLoads): Scalar {
  const side = (limit: number | undefined, outward: 1 | -1): Scalar => {
    if (limit === undefined) return 0;
    const beyond = mul(outward, sub(x, limit));
    const depth = max(0, beyond);
    const elastic = mul(stopStiffness, depth);
    const inward = mul(outward, v);
    const force = select(beyond, max(0, add(elastic, mul(stopDamping, inward))), 0);
    out.potential(mul(0.5, mul(elastic, depth)));
    out.dissipated(mul(inward, sub(force, elastic)));
    return mul(-outward, force);
  };
  return add(side(lower, -1), side(upper, 1));
}
