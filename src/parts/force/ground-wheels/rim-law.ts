/** Hard ground around the rim of a wheel: the law of one point (wheel-on-ground.ts) for every rim point in the ground. */
import { FLAT, type Terrain } from "../../../ground/terrain.ts";
import { RimContact, type RimPointLaw } from "./rim-contact.ts";
import { cross, type DampingVelocity } from "./wheel-contact.ts";
import { type WheelLaw, WheelLoad } from "./wheel-element.ts";

interface RimLawParameters {
  readonly radius: number;
  readonly width: number;
  readonly dampedBy: DampingVelocity;
  readonly stiffness: number;
  readonly damping: number;
  readonly friction: number;
  readonly creep: number;
}

/** Offsets of discs across the width, in widths, and their weights: Simpson's rule. */
const DISCS_ACROSS = [
  [-0.5, 1 / 6],
  [0, 4 / 6],
  [0.5, 1 / 6],
] as const;

export function rimLaw(
  { radius, width, dampedBy, stiffness, damping, friction, creep }: RimLawParameters,
  terrain: Terrain = FLAT,
): WheelLaw {
  const discs = (width > 0 ? DISCS_ACROSS : ([[0, 1]] as const)).map(([at, share]) => ({
    offset: at * width,
    rim: new RimContact(radius, share * stiffness),
  }));
  const vector = (): Float64Array => new Float64Array(3);
  const [centre, velocity, spin, axle, frictionArm, sliding, ahead, force, moment, mean] = Array.from(
    { length: 10 },
    vector,
  ) as RimVectors;
  const sum = new WheelLoad();
  let offset = 0;

  const add = (): void => {
    for (let i = 0; i < 3; i++) {
      sum.force[i]! += force[i]!;
      sum.torque[i]! += moment[i]!;
    }
  };
  const press: RimPointLaw = (n, arm, pressed, couple, pressing) => {
    // Arm as in the law of one point: against the normal, in the plane of the wheel.
    const along = dot(n, axle);
    const size = -radius / Math.sqrt(1 - along * along);
    for (let i = 0; i < 3; i++) frictionArm[i] = size * (n[i]! - along * axle[i]!) + offset * axle[i]!;
    cross(spin, frictionArm, sliding);
    for (let i = 0; i < 3; i++) sliding[i]! += velocity[i]!;
    const sinkRate = -dot(sliding, n);
    const dampingFactor = Math.max(0, 1 + damping * (dampedBy === "rim" ? sinkRate : -dot(velocity, n)));
    const load = pressing * dampingFactor;
    if (load === 0) return;
    for (let i = 0; i < 3; i++) sliding[i]! += sinkRate * n[i]!;
    const factor = (-friction * load) / Math.sqrt(dot(sliding, sliding) + creep * creep);
    for (let i = 0; i < 3; i++) force[i] = factor * sliding[i]!;
    cross(frictionArm, force, moment);
    add();
    cross(axle, n, ahead);
    const pull = dot(force, ahead) / Math.sqrt(dot(ahead, ahead));
    sum.load += load;
    sum.pull += pull;
    for (let i = 0; i < 3; i++) mean[i]! += load * frictionArm[i]!;
    cross(n, ahead, moment);
    sum.side += dot(force, moment) / Math.sqrt(dot(ahead, ahead));
    for (let i = 0; i < 3; i++) {
      force[i] = dampingFactor * pressed[i]!;
      frictionArm[i] = arm[i]! + offset * axle[i]!;
    }
    cross(frictionArm, force, moment);
    // Normal forces exert no torque about the axle of a round wheel: the sum over a contact is zero, so the torque of each point is left out.
    const aboutAxle = dot(moment, axle);
    for (let i = 0; i < 3; i++) moment[i]! += dampingFactor * couple[i]! - aboutAxle * axle[i]!;
    add();
  };

  return {
    writeLoad(contact, out, s) {
      const { frames } = s;
      axle.set(contact.axle);
      for (let i = 0; i < 3; i++) {
        spin[i] = frames[12 + i]!;
        velocity[i] = frames[15 + i]!;
      }
      sum.clear();
      mean.fill(0);
      let deepest = 0;
      for (const disc of discs) {
        offset = disc.offset;
        for (let i = 0; i < 3; i++) centre[i] = frames[9 + i]! + offset * axle[i]!;
        if (!disc.rim.visitContacts(centre, axle, terrain, press)) return false;
        deepest = Math.max(deepest, disc.rim.largestDepth);
      }
      out.force.set(sum.force);
      out.torque.set(sum.torque);
      out.load = sum.load;
      out.pull = sum.pull;
      out.side = sum.side;
      out.slip = (contact.rimSpeed - contact.vx) / Math.max(Math.abs(contact.rimSpeed), Math.abs(contact.vx), creep);
      // Depth of the deepest disc, also above the ground.
      contact.sinkage = deepest > 0 ? deepest : contact.sinkage + 0.5 * width * Math.abs(dot(contact.n, axle));
      if (sum.load === 0) return true;
      // Drawn: the mean of the lowest points of the discs along the normals.
      for (let i = 0; i < 3; i++) contact.arm[i] = mean[i]! / sum.load;
      return true;
    },
  };
}

type RimVectors = [
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
  Float64Array,
];

const dot = (a: Float64Array, b: Float64Array): number => a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
