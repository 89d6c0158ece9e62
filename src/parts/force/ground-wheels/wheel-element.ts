/** Common part of all kinds of wheels: parameters, contact with the ground, channels and energy. */

import type { Parameter } from "../../../declare/parameters.ts";
import { FLAT, type Terrain } from "../../../ground/terrain.ts";
import type { ForceElement, NumericLoads, Snapshot } from "../../../sim/system/force-element.ts";
import {
  CONTACT_CHANNELS,
  type DampingVelocity,
  DRAWN_CONTACT,
  WheelContact,
  wrenchPower,
  writeContactChannels,
} from "./wheel-contact.ts";
import { WheelSearch } from "./wheel-search.ts";

export const GROUND_WHEEL = {
  wheel: { type: "frame", about: "Frame or body of the wheel; its origin is the wheel's centre." },
  axle: {
    type: "direction",
    default: "z",
    about: "Axle in axes of that frame; positive rotation about it rolls forward along axle × up.",
  },
  radius: { type: "number", unit: "m", above: 0, about: "Radius of the wheel." },
  dampedBy: {
    type: "choice",
    of: ["rim", "centre"],
    default: "rim",
    about:
      "Velocity that damps the normal force: the rate of the depth of the lowest rim point, or the normal velocity of the wheel's centre, " +
      "which neglects changes of the lean, as some published programs do.",
  },
} as const satisfies Readonly<Record<string, Parameter>>;

/** Load of the ground on a wheel, as its law writes it: torque about the centre and force in world axes, and recorded values. */
export class WheelLoad {
  readonly torque = new Float64Array(3);
  readonly force = new Float64Array(3);
  /** Force along the normal, ahead and to the left, and slip. */
  load = 0;
  pull = 0;
  side = 0;
  slip = 0;

  clear(): void {
    this.torque.fill(0);
    this.force.fill(0);
    this.load = this.pull = this.side = this.slip = 0;
  }
}

interface GroundWheel {
  readonly wheel: string;
  readonly axle: readonly number[];
  readonly radius: number;
  readonly dampedBy: DampingVelocity;
}

export interface WheelLaw extends Pick<ForceElement, "z0" | "memory"> {
  /** Channels in addition to those of every wheel; their values begin at FIRST_LAW_CHANNEL. */
  readonly channels?: ForceElement["channels"];
  /** Writes the load at a contact, and the rates and channels of the law. Returns false if the ground is not known. */
  writeLoad(contact: WheelContact, load: WheelLoad, s: Snapshot, out: NumericLoads): boolean;
  /** Called after an accepted step, with the contact at its end. */
  accept?(contact: WheelContact, s: Snapshot): void;
}

const WHEEL_CHANNELS = [
  { name: "load", unit: "N" },
  { name: "pull", unit: "N" },
  { name: "side", unit: "N" },
  { name: "slip", unit: "" },
  { name: "sinkage", unit: "m" },
] as const;
const FIRST_CONTACT_CHANNEL = WHEEL_CHANNELS.length;
export const FIRST_LAW_CHANNEL = FIRST_CONTACT_CHANNEL + CONTACT_CHANNELS.length;

/** The force element of a wheel with a law, on the terrain of the scenario. */
export function wheelElement(
  { wheel, axle, radius, dampedBy }: GroundWheel,
  terrain: Terrain = FLAT,
  { writeLoad: act, accept, channels = [], ...rest }: WheelLaw,
): Omit<ForceElement, "name" | "kind"> {
  const contact = new WheelContact(radius, axle, dampedBy);
  const search = new WheelSearch(new WheelContact(radius, axle, dampedBy), radius, terrain);
  const load = new WheelLoad();
  const unknownMessage = (x: number, y: number): string =>
    `the ground under ${wheel} is not known at x = ${x.toPrecision(4)} m, y = ${y.toPrecision(4)} m: beyond the border of a map, or in a hole of it`;
  return {
    ...rest,
    frames: [wheel],
    needsWorldOrigin: "the ground is fixed in the world",
    channels: [...WHEEL_CHANNELS, ...CONTACT_CHANNELS, ...channels],
    drawn: DRAWN_CONTACT,
    events: [{ name: "touch", value: () => 1, firstIn: (motion) => search.firstIn(motion) }],
    apply(s, out) {
      if (!contact.locate(s.frames, 0, terrain) || !act(contact, load, s, out)) {
        out.wrenches[0] = Number.NaN; // the run must not continue as if there were no ground
        const [x, y] = [s.frames[9]!, s.frames[10]!];
        if (Number.isFinite(x + y)) out.failure = unknownMessage(x, y);
        return;
      }
      const { torque, force } = load;
      for (let i = 0; i < 3; i++) {
        out.wrenches[i]! += torque[i]!;
        out.wrenches[3 + i]! += force[i]!;
      }
      out.dissipated -= wrenchPower(s.frames, 0, torque, force);
      out.channels[0] = load.load;
      out.channels[1] = load.pull;
      out.channels[2] = load.side;
      out.channels[3] = load.slip;
      out.channels[4] = contact.sinkage;
      writeContactChannels(out.channels, FIRST_CONTACT_CHANNEL, s.frames, contact.arm, force);
    },
    ...(accept && {
      accept(s) {
        if (contact.locate(s.frames, 0, terrain)) accept(contact, s);
      },
    }),
    startProblems(s) {
      const [x, y] = [s.frames[9]!, s.frames[10]!];
      if (!contact.locate(s.frames, 0, terrain))
        return [{ message: `at the start ${unknownMessage(x, y)}`, advice: "Start elsewhere, or use a larger map" }];
      if (contact.sinkage <= radius) return [];
      const message = `at the start the centre of ${wheel} is ${(contact.sinkage - radius).toPrecision(3)} m below the ground`;
      return [
        { message, advice: `Raise the body that carries it by ${(contact.sinkage / contact.n[2]!).toPrecision(3)} m: state.q` },
      ];
    },
  };
}
