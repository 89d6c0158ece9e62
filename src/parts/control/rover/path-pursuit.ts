/** Pure pursuit of a path by a rover, with turns on the spot, and the hazards that a rover notices by itself: tilt and slip. */
import { arcCosine, arctangent } from "../../../math/elementary/arctangent.ts";
import { hypotenuse } from "../../../math/elementary/hypotenuse.ts";
import { cosine, sine } from "../../../math/elementary/sincos.ts";
import { type GroundPath, type PathProjection, pathLength, pointAtLength } from "../../../plan/ground-paths/ground-path.ts";
import type { Snapshot } from "../../../sim/system/force-element.ts";
import { type DrivenWheel, writeCurveCommands, writeSpotTurnCommands } from "./drive.ts";
import { headingOf, LEAST_DISTANCE, wrapAngle } from "./follow-path.ts";

export interface PursuitOptions {
  readonly wheels: readonly DrivenWheel[];
  readonly speed: number;
  readonly lookahead: number;
  readonly mostSteering: number;
  readonly mostTilt: number;
  readonly mostSlip: number;
  readonly patience: number;
}

export interface PursuitMemory {
  /** Position of the rover along its path. */
  readonly place: PathProjection;
  /** Time since which the rover has been slipping. */
  slippingSince: number;
  /** True if the rover is turning on the spot. */
  turning: boolean;
  tilt: number;
  /** Commanded steering angles. */
  readonly steering: Float64Array;
  /** Commanded speed, and the share of it that is lost. */
  speed: number;
  slip: number;
}

export const DEGREE = Math.PI / 180;
/** Bearings of the target at which turning on the spot begins and ends, rad, and the radius on which the wheels then run, m. */
const SPOT_TURN_START = 0.9;
const SPOT_TURN_END = 0.15;
const SPOT_TURN_RADIUS = 0.5;
/** Largest curvature, 1/m, slowdown in curves, m, and time of the speed ramp after setting off, s. */
const MOST_CURVATURE = 1.5;
const CURVE_SLOWDOWN = 0.4;
const START_RAMP = 1;

const degrees = (angle: number): string => (angle / DEGREE).toFixed(1);

export class PathPursuit {
  readonly #options: PursuitOptions;
  /** A point on the path. */
  readonly #target = new Float64Array(2);

  constructor(options: PursuitOptions) {
    this.#options = options;
  }

  /** The memory of a rover that stands at time t. */
  start(t: number): PursuitMemory {
    const { wheels } = this.#options;
    return {
      place: { arcLength: 0, crossTrackError: 0, heading: 0 },
      slippingSince: t,
      turning: false,
      tilt: 0,
      steering: new Float64Array(wheels.filter(({ steer }) => steer !== undefined).length),
      speed: 0,
      slip: 0,
    };
  }

  /** Updates tilt and slip. Only the velocity ahead counts: a rover that slides back down a slope makes no progress. */
  observe(s: Snapshot, memory: PursuitMemory): void {
    memory.tilt = arcCosine(Math.max(-1, Math.min(1, s.frames[8]!)));
    const speedAhead = s.frames[15]! * s.frames[0]! + s.frames[16]! * s.frames[3]! + s.frames[17]! * s.frames[6]!;
    memory.slip = memory.speed > 0 ? 1 - speedAhead / memory.speed : 0;
    if (!(memory.slip > this.#options.mostSlip)) memory.slippingSince = s.t;
  }

  /** Why a rover that is tilted too far stops; undefined if it is not. */
  tiltedReason({ tilt }: PursuitMemory): string | undefined {
    const { mostTilt } = this.#options;
    return tilt > mostTilt ? `tilted by ${degrees(tilt)} deg, more than ${degrees(mostTilt)} deg` : undefined;
  }

  /** Why a rover that has made no progress for too long stops; undefined if it goes. */
  stuckReason(t: number, { slippingSince, slip, tilt }: PursuitMemory): string | undefined {
    if (!(t - slippingSince > this.#options.patience)) return undefined;
    return (
      `stuck since t = ${slippingSince.toFixed(1)} s: the wheels turn and the rover does not go, ` +
      `slip ${slip.toFixed(2)} at a tilt of ${degrees(tilt)} deg`
    );
  }

  /** Stops the wheels; the steering angles stay. */
  stand(memory: PursuitMemory, command: Float64Array): void {
    const { wheels } = this.#options;
    memory.speed = 0;
    for (let i = 0; i < wheels.length; i++) command[i] = 0;
    for (let i = 0; i < memory.steering.length; i++) command[wheels.length + i] = memory.steering[i]!;
  }

  /**
   * Curvature 2 sin(bearing) / distance toward the point of the path one lookahead ahead. A target far to the side is approached by turning on
   * the spot. The speed rises for a second after the rover has set off.
   */
  pursue(s: Snapshot, memory: PursuitMemory, path: GroundPath, setOffAt: number, command: Float64Array): void {
    const { wheels } = this.#options;
    this.#steer(s, memory, path, setOffAt, command);
    for (let i = 0; i < memory.steering.length; i++) memory.steering[i] = command[wheels.length + i]!;
  }

  #steer(s: Snapshot, memory: PursuitMemory, path: GroundPath, setOffAt: number, command: Float64Array): void {
    const { wheels, speed, lookahead, mostSteering } = this.#options;
    const target = this.#target;
    pointAtLength(path, Math.min(memory.place.arcLength + lookahead, pathLength(path)), target);
    const [dx, dy] = [target[0]! - s.frames[9]!, target[1]! - s.frames[10]!];
    const distance = Math.max(hypotenuse(dx, dy), LEAST_DISTANCE);
    const bearing = wrapAngle(arctangent(dy, dx) - headingOf(s));
    if (Math.abs(bearing) > (memory.turning ? SPOT_TURN_END : SPOT_TURN_START)) {
      memory.turning = true;
      memory.speed = 0;
      writeSpotTurnCommands(wheels, (Math.sign(bearing) * speed) / SPOT_TURN_RADIUS, command);
      return;
    }
    memory.turning = false;
    const curvature = Math.max(-MOST_CURVATURE, Math.min(MOST_CURVATURE, (2 * sine(bearing)) / distance));
    const ramp = Math.min(1, (s.t - setOffAt) / START_RAMP);
    memory.speed = (speed * ramp * cosine(memory.tilt)) / (1 + Math.abs(curvature) * CURVE_SLOWDOWN);
    writeCurveCommands(wheels, memory.speed, 0, curvature, command);
    for (let i = wheels.length; i < command.length; i++)
      command[i] = Math.max(-mostSteering, Math.min(mostSteering, command[i]!));
  }
}
