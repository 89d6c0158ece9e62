/**
 * The drive of a docking mechanism, in one coordinate x with speed v. Legs have it along their slide, differentials on a combination of
 * hinges:
 *
 *   φ(x, v) = -clip(k (x - r) + c (v - ṙ), ±clutch) - friction v / √(v² + frictionSpeed²) - brake + end stops.
 *
 * The motor behind the slip clutch provides spring and damper, so their power counts as supplied. Friction, brake and stops are passive. The
 * inertia of the rotor is the `armature` of the hinge.
 */

import type { Freedom } from "../../../declare/freedom.ts";
import { FREEDOM_UNITS, type ParameterValues } from "../../../declare/parameters.ts";
import { unitForFreedom } from "../../../declare/parse-parameters.ts";
import { abs, add, div, max, min, mul, neg, type Scalar, select, sqrt, square, sub, sum } from "../../../kernel/trace/scalar.ts";
import type { NoteProblem } from "../../../sim/system/create-checked.ts";
import type { TracedLoads, TracedMotion } from "../../../sim/system/force-element.ts";
import { clamp, clampSymmetric } from "../clamp.ts";
import { FLOW_RANGE } from "../friction/bristle.ts";

/** Time constant with which the ramp of the reference settles at its end, s. */
const RAMP_TIME_CONSTANT = 0.01;
/** Time constant with which an opened brake loses its deflection, s. */
const BRAKE_RELEASE_TIME = 0.01;

export const DRIVE_PARAMETERS = {
  stiffness: {
    type: "number",
    unit: FREEDOM_UNITS.stiffness,
    least: 0,
    default: 0,
    about: "Initial stiffness; events may change it.",
  },
  damping: { type: "number", unit: FREEDOM_UNITS.damping, least: 0, default: 0, about: "Initial damping; events may change it." },
  position: {
    type: "number",
    unit: FREEDOM_UNITS.coordinate,
    default: 0,
    about: "Initial reference position; events may change it.",
  },
  ramp: {
    type: "number",
    unit: FREEDOM_UNITS.speed,
    above: 0,
    optional: true,
    about:
      "Speed at which the reference moves to a new position; events may change it. Without it the reference jumps. At the distance " +
      `speed × ${RAMP_TIME_CONSTANT} s from the position the reference slows down, and settles there with the time constant ` +
      `${RAMP_TIME_CONSTANT} s.`,
  },
  references: {
    type: "choice",
    of: ["shared", "each"],
    default: "shared",
    about:
      "Whether all freedoms share one reference (shared) or each has its own (each). Each starts at `position` and needs a `ramp`, and there is the input " +
      "`follow`. While `follow` is 1, each reference follows its freedom and only the damping acts, against the speed; when it becomes 0, the " +
      `references move to the position from the present coordinates. They follow with the time constant ${RAMP_TIME_CONSTANT} s.`,
  },
  clutch: {
    type: "number",
    unit: FREEDOM_UNITS.force,
    above: 0,
    optional: true,
    about: "Force at which the clutch slips: the largest force of spring and damper together; unlimited if not given.",
  },
  friction: {
    type: "number",
    unit: FREEDOM_UNITS.force,
    least: 0,
    default: 0,
    about: "Friction of the drive, smooth through zero speed.",
  },
  frictionSpeed: {
    type: "number",
    unit: FREEDOM_UNITS.speed,
    above: 0,
    default: 0.002,
    about: "Speed at which friction has 0.71 of its full value.",
  },
  brake: {
    type: "number",
    unit: FREEDOM_UNITS.force,
    above: 0,
    optional: true,
    about:
      "Force at which the closed brake slips; no brake if not given. Below it the brake holds without creep, also under a load that vibrates. " +
      "The input `brake` is 1 to close it and 0 to open it. The closed brake holds at once; the force of an opened one decays with the time " +
      `constant ${BRAKE_RELEASE_TIME} s.`,
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
    about: "Damping of the end stops, which never pull.",
  },
} as const;

export type DriveSettings = ParameterValues<typeof DRIVE_PARAMETERS>;

export function checkDrive(drive: DriveSettings, freedoms: readonly Freedom[], note: NoteProblem): void {
  const { lower, upper, position, ramp, references } = drive;
  if (references === "each" && ramp === undefined) note("references", "references of each freedom need a ramp", "Give ramp");
  if (lower !== undefined && upper !== undefined && lower >= upper) note("upper", `must be above lower, ${lower}`);
  else if ((lower !== undefined && position < lower) || (upper !== undefined && position > upper))
    note("position", "lies beyond an end stop and can never be reached");
  if (freedoms.some((f) => f.ball)) note("hinge", "a rotation of a ball hinge has no coordinate", "Name turns and slides");
  if (new Set(freedoms.map((f) => f.motion)).size > 1)
    note("hinge", "turns and slides have different units", "Make one element for the turns and one for the slides");
}

const followsEach = ({ ramp, references }: DriveSettings): boolean => ramp !== undefined && references === "each";

/** Number of reference states: none without a ramp. */
const referenceCount = (drive: DriveSettings, count: number): number =>
  drive.ramp === undefined ? 0 : followsEach(drive) ? count : 1;

/**
 * Held inputs and internal states of `count` coordinates that share their settings. The states are the references (with a ramp), the
 * absorbed energy, and the brake deflections (with a brake).
 */
export function driveInputs(drive: DriveSettings, count: number) {
  const { stiffness, damping, position, ramp, brake } = drive;
  const inputs: readonly (readonly [string, number])[] = [
    ["stiffness", stiffness],
    ["damping", damping],
    ["position", position],
    ...(ramp === undefined ? [] : [["ramp", ramp] as const]),
    ...(followsEach(drive) ? [["follow", 0] as const] : []),
    ...(brake === undefined ? [] : [["brake", 0] as const]),
  ];
  return {
    held: inputs.map(([name]) => name),
    schedule: [{ t: 0, held: inputs.map(([, value]) => value) }],
    z0: [
      ...new Array<number>(referenceCount(drive, count)).fill(position),
      0,
      ...new Array<number>(brake === undefined ? 0 : count).fill(0),
    ],
  };
}

export interface DriveCoordinate {
  readonly name: string;
  readonly x: Scalar;
  readonly v: Scalar;
}

/** Traces φ of each coordinate, with its energy, and the channels of forces, reference, and number of slipping clutches. */
export function traceDrive(
  drive: DriveSettings,
  freedom: Freedom,
  coordinates: readonly DriveCoordinate[],
  s: TracedMotion,
  out: TracedLoads,
): readonly Scalar[] {
  const { clutch, friction, frictionSpeed, brake, brakeStiffness } = drive;
  const [stiffness, damping] = s.held as [Scalar, Scalar];
  const references = traceReferences(drive, coordinates, s, out);
  const energyState = referenceCount(drive, coordinates.length);
  const unit = (of: keyof typeof FREEDOM_UNITS): string => unitForFreedom(FREEDOM_UNITS[of], freedom);
  let slipping: Scalar = 0;
  const forces = coordinates.map(({ name, x, v }, i) => {
    const { reference, rate } = references[i]!;
    const demandedForce = add(mul(stiffness, sub(x, reference)), mul(damping, sub(v, rate)));
    const motor = neg(clampSymmetric(clutch, demandedForce));
    out.supplied(mul(motor, v));
    if (clutch !== undefined) slipping = add(slipping, select(sub(abs(demandedForce), clutch), 1, 0));
    const frictionForce = div(mul(friction, v), sqrt(add(square(v), frictionSpeed * frictionSpeed)));
    out.dissipated(mul(frictionForce, v));
    const brakeForce =
      brake === undefined
        ? 0
        : traceBrake(
            { capacity: brake, stiffness: brakeStiffness },
            { k: energyState + 1 + i, input: s.held.at(-1)! },
            v,
            s,
            out,
          );
    const force = sum([motor, neg(frictionForce), neg(brakeForce), traceStops(drive, x, v, out)]);
    out.channel(name, unit("force"), force);
    return force;
  });
  const power = neg(sum(forces.map((force, i) => mul(force, coordinates[i]!.v))));
  out.rate(energyState, power);
  out.channel("absorbed", "J", s.z[energyState]!);
  if (followsEach(drive))
    for (const [i, { reference }] of references.entries())
      out.channel(`reference.${coordinates[i]!.name}`, unit("coordinate"), reference);
  else out.channel("reference", unit("coordinate"), references[0]!.reference);
  if (clutch !== undefined) out.channel("slipping", "", slipping);
  return forces;
}

/**
 * The reference r of each coordinate, and the rate with which the damper compares. A reference that follows has ṙ = v + (x - r) / T. Its spring
 * exerts nothing, because it is given the coordinate itself, and its damper acts against the speed.
 */
function traceReferences(
  drive: DriveSettings,
  coordinates: readonly DriveCoordinate[],
  s: TracedMotion,
  out: TracedLoads,
): readonly { readonly reference: Scalar; readonly rate: Scalar }[] {
  const position = s.held[2]!;
  if (drive.ramp === undefined) return coordinates.map(() => ({ reference: position, rate: 0 }));
  const rampRate = (r: Scalar): Scalar => clampSymmetric(abs(s.held[3]!), div(sub(position, r), RAMP_TIME_CONSTANT));
  if (!followsEach(drive)) {
    const reference = s.z[0]!;
    const rate = rampRate(reference);
    out.rate(0, rate);
    return coordinates.map(() => ({ reference, rate }));
  }
  const follow = sub(s.held[4]!, 0.5);
  return coordinates.map(({ x, v }, i) => {
    const r = s.z[i]!;
    const rate = rampRate(r);
    out.rate(i, select(follow, add(v, div(sub(x, r), RAMP_TIME_CONSTANT)), rate));
    return { reference: select(follow, x, r), rate: select(follow, 0, rate) };
  });
}

/**
 * A closed brake (b = 1) is a bristle of deflection d that slips at its capacity (see friction/bristle.ts): it holds without creep below it. It
 * stores the energy of its spring; the rest is dissipated. When it opens (b = 0), its stored energy is dissipated.
 */
function traceBrake(
  { capacity, stiffness }: { readonly capacity: number; readonly stiffness: number },
  { k, input }: { readonly k: number; readonly input: Scalar },
  v: Scalar,
  s: TracedMotion,
  out: TracedLoads,
): Scalar {
  const d = s.z[k]!;
  const closure = clamp(0, input, 1);
  const limit = capacity / stiffness;
  const outward = select(d, max(0, v), min(0, v));
  const flow = mul(closure, mul(clamp(0, div(sub(abs(d), limit), FLOW_RANGE * limit), 1), outward));
  const release = div(mul(sub(1, closure), d), BRAKE_RELEASE_TIME);
  const force = clampSymmetric(capacity, mul(stiffness, d));
  out.rate(k, sub(sub(mul(closure, v), flow), release));
  // ½ stiffness d² up to the limit, then capacity times the rest.
  out.potential(add(mul(stiffness / 2, square(clampSymmetric(limit, d))), mul(capacity, max(0, sub(abs(d), limit)))));
  out.dissipated(mul(force, add(flow, release)));
  return mul(closure, force);
}

/** End stops: max(0, stiffness depth + damping × approach speed) beyond a limit, towards the middle. */
function traceStops({ lower, upper, stopStiffness, stopDamping }: DriveSettings, x: Scalar, v: Scalar, out: TracedLoads): Scalar {
  const side = (limit: number | undefined, outward: 1 | -1): Scalar => {
    if (limit === undefined) return 0;
    const penetration = mul(outward, sub(x, limit));
    const depth = max(0, penetration);
    const elastic = mul(stopStiffness, depth);
    const approach = mul(outward, v);
    const force = select(penetration, max(0, add(elastic, mul(stopDamping, approach))), 0);
    out.potential(mul(0.5, mul(elastic, depth)));
    out.dissipated(mul(approach, sub(force, elastic)));
    return mul(-outward, force);
  };
  return add(side(lower, -1), side(upper, 1));
}
