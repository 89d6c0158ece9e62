/** Hard ground all around the rim of a wheel: the law of one point (wheel-on-ground.ts) for every part of the rim that is in the ground. */
import { FLAT, type Terrain } from "../../../ground/terrain.ts";
import { RimContact, type RimPointLaw } from "./rim-contact.ts";
import { cross } from "./wheel-contact.ts";
import { type WheelLaw, WheelLoad } from "./wheel-element.ts";

interface RimLawParameters {
  readonly radius: number;
  readonly width: number;
  readonly stiffness: number;
  readonly damping: number;
  readonly friction: number;
  readonly creep: number;
}

/** Discs across the width and their shares: Simpson's rule. */
const DISCS_ACROSS = [
  [-0.5, 1 / 6],
  [0, 4 / 6],
  [0.5, 1 / 6],
] as const;

export function rimLaw(
  { radius, width, stiffness, damping, friction, creep }: RimLawParameters,
  terrain: Terrain = FLAT,
): WheelLaw {
  const discs = (width > 0 ? DISCS_ACROSS : ([[0, 1]] as const)).map(([at, share]) => ({
    offset: at * width,
    rim: new RimContact(radius, share * stiffness),
  }));
  const vector = (): Float64Array => new Float64Array(3);
  const [centre, velocity, spin, axle, hold, sliding, ahead, force, moment, mean] = Array.from(
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
  const press: RimPointLaw = (n, arm, pressed, pressing) => {
    const sinking = -dot(velocity, n);
    const damped = Math.max(0, 1 + damping * sinking);
    const load = pressing * damped;
    if (load === 0) return;
    // The arm of one point: against the normal, in the plane of the wheel.
    const along = dot(n, axle);
    const size = -radius / Math.sqrt(1 - along * along);
    for (let i = 0; i < 3; i++) hold[i] = size * (n[i]! - along * axle[i]!) + offset * axle[i]!;
    cross(spin, hold, sliding);
    const normal = dot(sliding, n) - sinking;
    for (let i = 0; i < 3; i++) sliding[i]! += velocity[i]! - normal * n[i]!;
    const give = (-friction * load) / Math.sqrt(dot(sliding, sliding) + creep * creep);
    for (let i = 0; i < 3; i++) force[i] = give * sliding[i]!;
    cross(hold, force, moment);
    add();
    cross(axle, n, ahead);
    const pull = dot(force, ahead) / Math.sqrt(dot(ahead, ahead));
    sum.load += load;
    sum.pull += pull;
    cross(n, ahead, moment);
    sum.side += dot(force, moment) / Math.sqrt(dot(ahead, ahead));
    for (let i = 0; i < 3; i++) {
      force[i] = damped * pressed[i]!;
      hold[i] = arm[i]! + offset * axle[i]!;
      mean[i]! += load * hold[i]!;
    }
    cross(hold, force, moment);
    // Normal forces do not turn a round wheel: over a contact this adds up to zero, and is left out of every part.
    const turning = dot(moment, axle);
    for (let i = 0; i < 3; i++) moment[i]! -= turning * axle[i]!;
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
        deepest = Math.max(deepest, disc.rim.largestOverlap);
      }
      out.force.set(sum.force);
      out.torque.set(sum.torque);
      out.load = sum.load;
      out.pull = sum.pull;
      out.side = sum.side;
      out.slip = (contact.rimSpeed - contact.vx) / Math.max(Math.abs(contact.rimSpeed), Math.abs(contact.vx), creep);
      if (sum.load === 0) return true;
      // What is drawn and recorded: where the load is, and how deep the rim is anywhere.
      for (let i = 0; i < 3; i++) contact.arm[i] = mean[i]! / sum.load;
      contact.sinkage = deepest;
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
