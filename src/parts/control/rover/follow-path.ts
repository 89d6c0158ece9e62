/** Path following of a rover: pure pursuit, or line of sight with compensation of lateral slip. */
import { ArgumentError } from "../../../errors.ts";
import { arctangent } from "../../../math/elementary/arctangent.ts";
import { hypotenuse } from "../../../math/elementary/hypotenuse.ts";
import { sine } from "../../../math/elementary/sincos.ts";
import {
  groundPath,
  type PathProjection,
  pathLength,
  pointAtLength,
  projectOntoPath,
} from "../../../plan/ground-paths/ground-path.ts";
import { takeFiniteSaved } from "../../../saved-data.ts";
import type { Controller } from "../../../sim/run/controller.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";
import { COMMAND_INTERPOLATION } from "../command-interpolation.ts";
import { controllerKind } from "../kind.ts";
import { DRIVEN_WHEEL, valueAtTime, wheelCommandNames, writeCurveCommands } from "./drive.ts";

interface FollowPathMemory {
  readonly place: PathProjection;
  /** Integral part of the crab angle. */
  crab: number;
}

/** Below this speed, m/s, the course of a rover is not defined. */
const STANDING_SPEED = 1e-4;
/** The target counts as this far away at least, m: at the target itself the curvature toward it is not defined. */
export const LEAST_DISTANCE = 1e-6;
/** Length of path, in lookaheads, in which the nearest point is searched. */
const SEARCH_LOOKAHEADS = 4;

/** Heading and course of a body from its frame in a snapshot: directions of its x axis and of its velocity, seen from above. */
export const headingOf = ({ frames }: Snapshot): number => arctangent(frames[3]!, frames[0]!);
export const courseOf = ({ frames }: Snapshot): number =>
  hypotenuse(frames[15]!, frames[16]!) > STANDING_SPEED
    ? arctangent(frames[16]!, frames[15]!)
    : headingOf({ frames } as Snapshot);

/** The angle between -π and π. */
export const wrapAngle = (angle: number): number => angle - 2 * Math.PI * Math.round(angle / (2 * Math.PI));

export const followPath = controllerKind({
  name: "follow-path",
  about:
    "Steers a rover along a path. `pure-pursuit`: along the circle through the point of the path one lookahead L ahead, with curvature " +
    "2 sin(bearing) / distance and Ackermann steering. `line-of-sight`: the front wheels are steered by gain × (ψd - ψ), with " +
    "ψd = direction of the path - atan(beside / L). With kp or ki all wheels crab by γ = kp e + ki ∫e dt, e = ψd - course, and front " +
    "against rear wheels hold the direction of the path: this compensates lateral slip. The rover stops at the end of the path.",
  parameters: {
    period: { type: "number", unit: "s", above: 0, default: 0.02, about: "Time between updates." },
    between: COMMAND_INTERPOLATION,
    body: { type: "frame", about: "Frame of the rover's body: x ahead, z up." },
    wheels: { type: "list", about: "The wheels.", of: DRIVEN_WHEEL },
    path: {
      type: "list",
      about: "Points of the path.",
      of: {
        x: { type: "number", unit: "m", about: "Coordinate x of the point." },
        y: { type: "number", unit: "m", about: "Coordinate y of the point." },
      },
    },
    law: { type: "choice", of: ["pure-pursuit", "line-of-sight"], default: "pure-pursuit", about: "Steering law; see above." },
    speed: {
      type: "table",
      columns: ["time", "speed"],
      units: { x: "s", y: "m/s" },
      rows: 1,
      about: "Speed over time, linear between rows.",
    },
    lookahead: {
      type: "number",
      unit: "m",
      above: 0,
      default: 0.6,
      about: "Distance L to the point toward which the rover steers.",
    },
    gain: {
      type: "number",
      unit: "",
      least: 0,
      default: 1,
      about: "Steering angle per rad of heading error; line-of-sight only.",
    },
    kp: { type: "number", unit: "", least: 0, default: 0, about: "Crab angle per rad of course error." },
    ki: { type: "number", unit: "1/s", least: 0, default: 0, about: "Rate of the crab angle per rad of course error." },
    authority: {
      type: "table",
      columns: ["time", "part"],
      units: { x: "s", y: "" },
      rows: 1,
      optional: true,
      about: "Share of the steering that is applied, over time: from 0 to 1 it takes over gently; line-of-sight only.",
    },
    mostSteering: { type: "number", unit: "rad", above: 0, default: 0.8, about: "Largest steering angle." },
    goal: {
      type: "number",
      unit: "m",
      least: 0,
      default: 0.05,
      about: "Distance to the end of the path at which the rover stops.",
    },
  },
  examples: [
    {
      body: "hull",
      wheels: [{ drive: "shoulder-servo", steer: "elbow-servo", x: 0.3, y: 0.2, radius: 0.1 }],
      path: [
        { x: 0, y: 0 },
        { x: 5, y: 1 },
      ],
      speed: [
        [0.5, 0],
        [1.5, 0.05],
      ],
    },
  ],
  controller(name, values, note): Controller<FollowPathMemory> {
    const { wheels, law, speed, authority, lookahead, gain, kp, ki, mostSteering, goal, period, between } = values;
    if (wheels.length === 0) note("wheels", "a rover needs a wheel");
    const path = readPath(values.path, note);
    const intent = { way: path.points };
    const target = new Float64Array(2); // point of the path toward which the rover steers
    /** Held commands are correct in the middle of a period, ramps at its end. */
    const preview = between === "ramp" ? period : period / 2;
    const clip = (angle: number): number => Math.max(-mostSteering, Math.min(mostSteering, angle));

    const writeParallel = (v: number, front: number, rear: number, command: Float64Array): void => {
      let steeringCommand = wheels.length;
      for (let i = 0; i < wheels.length; i++) {
        const { x, radius, steer } = wheels[i]!;
        command[i] = v / radius;
        if (steer !== undefined) command[steeringCommand++] = clip(x >= 0 ? front : rear);
      }
    };
    const lineOfSight = (s: Snapshot, memory: FollowPathMemory, v: number, command: Float64Array): void => {
      const { place } = memory;
      const share = authority === undefined ? 1 : valueAtTime(authority, s.t);
      const demandedHeading = place.heading - arctangent(place.crossTrackError, lookahead);
      if (kp === 0 && ki === 0) {
        writeParallel(v, share * gain * wrapAngle(demandedHeading - headingOf(s)), 0, command);
        return;
      }
      const error = wrapAngle(demandedHeading - courseOf(s));
      const crab = kp * error + memory.crab;
      if (share > 0) memory.crab += ki * error * period;
      const turn = gain * wrapAngle(place.heading - headingOf(s));
      writeParallel(v, share * (crab + turn), share * (crab - turn), command);
    };
    const pursue = (s: Snapshot, { place }: FollowPathMemory, v: number, command: Float64Array): void => {
      pointAtLength(path, place.arcLength + lookahead, target);
      const dx = target[0]! - s.frames[9]!;
      const dy = target[1]! - s.frames[10]!;
      const bearing = wrapAngle(arctangent(dy, dx) - headingOf(s));
      writeCurveCommands(wheels, v, 0, (2 * sine(bearing)) / Math.max(hypotenuse(dx, dy), LEAST_DISTANCE), command);
      for (let i = wheels.length; i < command.length; i++) command[i] = clip(command[i]!);
    };

    return {
      name,
      period,
      between,
      frames: [values.body],
      commands: wheelCommandNames(wheels),
      channels: [
        { name: "beside", unit: "m" },
        { name: "along", unit: "m" },
      ],
      intent: () => intent,
      start: memoryAtStart,
      update(s, memory, command) {
        projectOntoPath(
          path,
          s.frames[9]!,
          s.frames[10]!,
          memory.place.arcLength - lookahead,
          SEARCH_LOOKAHEADS * lookahead,
          memory.place,
        );
        const remainingLength = pathLength(path) - memory.place.arcLength;
        const v = remainingLength > goal ? valueAtTime(speed, s.t + preview) : 0;
        if (law === "pure-pursuit") pursue(s, memory, v, command);
        else lineOfSight(s, memory, v, command);
        return memory;
      },
      report({ place }, out) {
        out[0] = place.crossTrackError;
        out[1] = place.arcLength;
      },
      decode(data) {
        const memory = memoryAtStart();
        takeFiniteSaved(memory, data, name);
        return memory;
      },
    };
  },
});

const memoryAtStart = (): FollowPathMemory => ({ place: { arcLength: 0, crossTrackError: 0, heading: 0 }, crab: 0 });

function readPath(
  points: readonly { readonly x: number; readonly y: number }[],
  note: (p: string, m: string, a?: string) => void,
) {
  try {
    return groundPath(points.map(({ x, y }) => [x, y]));
  } catch (error) {
    if (!(error instanceof ArgumentError)) throw error;
    note("path", error.reason);
    return groundPath([
      [0, 0],
      [1, 0],
    ]);
  }
}
