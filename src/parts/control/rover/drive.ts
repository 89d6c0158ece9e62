/** Open-loop driving of a rover: wheel speeds and steering angles from the motion of the body. */
import type { Table } from "../../../declare/parameters.ts";
import { arctangent } from "../../../math/elementary/arctangent.ts";
import { cosine, sine } from "../../../math/elementary/sincos.ts";
import type { Controller } from "../../../sim/run/controller.ts";
import { controllerKind } from "../kind.ts";

/** A wheel of a rover: its servos, and its position under the body. */
export const DRIVEN_WHEEL = {
  drive: { type: "name", about: "Servo that turns the wheel; its held input `speed` is commanded." },
  steer: { type: "name", optional: true, about: "Servo that steers the wheel; its held input `position` is commanded." },
  x: { type: "number", unit: "m", about: "Position of the wheel ahead of the body's middle." },
  y: { type: "number", unit: "m", about: "Position of the wheel to the left of the body's middle." },
  radius: { type: "number", unit: "m", above: 0, about: "Radius of the wheel." },
} as const;

export interface DrivenWheel {
  readonly drive: string;
  readonly steer: string | undefined;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
}

/** Names of the held inputs: all speeds, then all steering angles. */
export const wheelCommandNames = (wheels: readonly DrivenWheel[]): string[] => [
  ...wheels.map((w) => `${w.drive}.speed`),
  ...wheels.flatMap((w) => (w.steer === undefined ? [] : [`${w.steer}.position`])),
];

/**
 * Writes wheel speeds and steering angles for a body that moves at speed v along a curve, under the crab angle γ. The velocity at a wheel is
 * v (cos γ - κ y, sin γ + κ x), so the steering angles depend on the curve only: a rover that stands has them already, and they are the same
 * backward.
 */
export function writeCurveCommands(
  wheels: readonly DrivenWheel[],
  v: number,
  crab: number,
  curvature: number,
  command: Float64Array,
): void {
  writeWheelCommands(wheels, v, cosine(crab), sine(crab), curvature, command);
}

/** Writes wheel speeds and steering angles for a body that turns on the spot: the velocity at a wheel is ω (-y, x). */
export function writeSpotTurnCommands(wheels: readonly DrivenWheel[], yawRate: number, command: Float64Array): void {
  writeWheelCommands(wheels, yawRate, 0, 0, 1, command);
}

/**
 * The velocity at a wheel is rate (ahead - turn y, left + turn x). A wheel that would have to be steered by more than 90° rolls backward
 * instead: a wheel on the inner side of the turning centre.
 */
function writeWheelCommands(
  wheels: readonly DrivenWheel[],
  rate: number,
  ahead: number,
  left: number,
  turn: number,
  command: Float64Array,
): void {
  let steeringCommand = wheels.length;
  for (let i = 0; i < wheels.length; i++) {
    const { x, y, radius, steer } = wheels[i]!;
    const vx = ahead - turn * y;
    const vy = left + turn * x;
    const direction = vx < 0 ? -1 : 1;
    if (steer === undefined) command[i] = (rate * vx) / radius;
    else {
      command[i] = (rate * direction * Math.sqrt(vx * vx + vy * vy)) / radius;
      command[steeringCommand++] = vx === 0 && vy === 0 ? 0 : arctangent(direction * vy, direction * vx);
    }
  }
}

/** Linear interpolation between rows, constant beyond them. */
export function valueAtTime({ x, y }: Table, t: number): number {
  const last = x.length - 1;
  if (t <= x[0]!) return y[0]!;
  for (let k = 1; k <= last; k++) if (t < x[k]!) return y[k - 1]! + ((t - x[k - 1]!) / (x[k]! - x[k - 1]!)) * (y[k]! - y[k - 1]!);
  return y[last]!;
}

const timeTable = (unit: string, columns: readonly [string, string], about: string) =>
  ({ type: "table", columns, units: { x: "s", y: unit }, rows: 1, optional: true, about }) as const;

const ZERO_TABLE: Table = { x: [0], y: [0] };

export const drive = controllerKind({
  name: "drive",
  about:
    "Drives a rover by tables over time, linear between rows. With `parallel` steering, all wheels ahead of the middle have the angle " +
    "`front`, all behind it the angle `rear`, and all have the same speed. With `ackermann` steering, every wheel follows the velocity " +
    "of the body at its position, while the body moves along a curve of the given curvature under the crab angle. The steering angles " +
    "do not depend on the speed: a rover that stands steers for its next curve. A wheel on the inner side of the turning centre rolls " +
    "backward.",
  parameters: {
    wheels: { type: "list", about: "The wheels.", of: DRIVEN_WHEEL },
    steering: {
      type: "choice",
      of: ["parallel", "ackermann"],
      default: "ackermann",
      about: "Steering of the wheels; see above.",
    },
    speed: timeTable("m/s", ["time", "speed"], "Speed of the body; zero if not given."),
    curvature: timeTable("1/m", ["time", "curvature"], "Curvature of the path, positive to the left; ackermann only."),
    crab: timeTable("rad", ["time", "angle"], "Angle between the body and its velocity, positive to the left; ackermann only."),
    front: timeTable("rad", ["time", "angle"], "Steering angle of the wheels ahead, positive to the left; parallel only."),
    rear: timeTable("rad", ["time", "angle"], "Steering angle of the wheels behind; parallel only."),
  },
  examples: [
    {
      wheels: [{ drive: "shoulder-servo", steer: "elbow-servo", x: 0.3, y: 0.2, radius: 0.1 }],
      speed: [
        [0.5, 0],
        [1.5, 0.05],
      ],
      curvature: [[0, 0.4]],
    },
  ],
  controller(
    name,
    { wheels, steering, speed = ZERO_TABLE, curvature = ZERO_TABLE, crab = ZERO_TABLE, front = ZERO_TABLE, rear = ZERO_TABLE },
    note,
  ): Controller<undefined> {
    if (wheels.length === 0) note("wheels", "a rover needs a wheel");
    const tables = { speed, curvature, crab, front, rear };
    for (const key of steering === "parallel" ? (["curvature", "crab"] as const) : (["front", "rear"] as const))
      if (tables[key] !== ZERO_TABLE)
        note(key, `has no meaning with ${steering} steering`, "Leave it out, or choose the other steering");
    const writeParallel = (t: number, command: Float64Array): void => {
      let steeringCommand = wheels.length;
      for (const [i, { x, radius, steer }] of wheels.entries()) {
        command[i] = valueAtTime(speed, t) / radius;
        if (steer !== undefined) command[steeringCommand++] = valueAtTime(x >= 0 ? front : rear, t);
      }
    };
    return {
      name,
      period: 0,
      commands: wheelCommandNames(wheels),
      breaks: [...new Set(Object.values(tables).flatMap((table) => table.x))].filter((t) => t > 0).sort((a, b) => a - b),
      start: () => undefined,
      update({ t }, memory, command) {
        if (steering === "parallel") writeParallel(t, command);
        else writeCurveCommands(wheels, valueAtTime(speed, t), valueAtTime(crab, t), valueAtTime(curvature, t), command);
        return memory;
      },
    };
  },
});
