/**
 * Vehicles that attach to each other and detach: fixed loops that engage with a plastic impact and release. The verification runs of JEOD place
 * a vehicle that is not where it has to be, when it attaches: without a change of its linear momentum, and with the angular momentum that it
 * had about the common mass centre.
 */

import { createModel } from "../../model/build/create-model.ts";
import type { LoopDescription } from "../../model/description.ts";
import { createSystem } from "../../sim/create-system.ts";
import { simulate } from "../../sim/run/simulate.ts";
import { apply, fromQuaternion, type Mat3, type Quaternion, transpose } from "../../spatial/rotation.ts";
import { cross, dot, minus, type NumericVec3, plus, scale } from "../../spatial/vec3.ts";
import type { LogSample } from "./log.ts";

/** Of a vehicle whose body frame has its origin in the mass centre. */
export interface VehicleState {
  readonly attitude: Quaternion<number>;
  readonly p: NumericVec3;
  /** In world axes. */
  readonly w: NumericVec3;
  readonly v: NumericVec3;
}

/** Moments of inertia are the same about all axes: ten times the mass. */
const MASSES = [1, 2, 3];
const INERTIAS = [10, 20, 30];

const LOOPS: readonly LoopDescription[] = [
  { name: "1-2", kind: "fixed", from: { body: "vehicle1", at: [10, 0, 0] }, to: { body: "vehicle2" } },
  { name: "2-3", kind: "fixed", from: { body: "vehicle3", at: [5, 0, 10] }, to: { body: "vehicle2" } },
];
/** Mass centre of the first vehicle in axes of the third one, while they are attached. */
const FIRST_ON_THIRD: NumericVec3 = [-5, 0, 10];
const FIRST_ON_SECOND: NumericVec3 = [-10, 0, 0];

export type LoopName = "1-2" | "2-3";

/** A stretch of a run. */
export interface Stretch {
  readonly until: number;
  /** Loops that are engaged at its start. */
  readonly engage?: LoopName;
  /** Loops that stay engaged from the stretch before. */
  readonly engaged?: readonly LoopName[];
  /** Vehicles that are placed at its start, with the vehicle to which they attach. */
  readonly place?: "first on second" | "first and second on third";
}

const TOLERANCES = { relativeTolerance: 1e-13, absoluteTolerance: 1e-13 };

/** Samples of a run at the times of a log. At a change they are those after it. */
export function attachmentRun(
  start: readonly VehicleState[],
  stretches: readonly Stretch[],
  times: readonly number[],
): readonly LogSample[] {
  const samples = new Map<number, LogSample>();
  let [t, states] = [0, start];
  for (const { until, engage, engaged = [], place } of stretches) {
    if (place !== undefined) states = placed(states, place);
    const model = createModel({
      name: "vehicles",
      bodies: states.map((_, i) => ({
        ...{ name: `vehicle${i + 1}`, mass: MASSES[i]!, inertia: [INERTIAS[i]!, INERTIAS[i]!, INERTIAS[i]!] },
        hinge: { kind: "free" },
      })),
      loops: LOOPS.slice(0, states.length - 1).map((loop) => ({ ...loop, engaged: engaged.includes(loop.name as LoopName) })),
    });
    const system = createSystem(model, []);
    const q = states.flatMap(({ attitude, p }) => [...attitude, ...p]);
    const u = states.flatMap(({ w, v }) => [...w, ...v]);
    const wanted = times.filter((time) => time >= t && time <= until);
    const { log } = simulate(system, system.start({ q, u }), {
      duration: until - t,
      sample: [...new Set([0, ...wanted.map((time) => time - t), until - t])],
      settings: TOLERANCES,
      channels: ["q.*", "u.*"],
      plan: engage === undefined ? [] : [{ name: "attach", at: 0, actions: { engage: [engage] } }],
    });
    const stateAt = (sample: number): readonly VehicleState[] =>
      states.map((_, i) => {
        const values = (prefix: string, ...parts: readonly string[]): number[] =>
          parts.map((part) => log.column(`${prefix}.vehicle${i + 1}.${part}`)[sample]!);
        return {
          attitude: values("q", "qw", "qx", "qy", "qz") as unknown as Quaternion<number>,
          p: values("q", "x", "y", "z") as unknown as NumericVec3,
          w: values("u", "wx", "wy", "wz") as unknown as NumericVec3,
          v: values("u", "vx", "vy", "vz") as unknown as NumericVec3,
        };
      });
    const at = log.column("t");
    for (const time of wanted)
      samples.set(time, {
        t: time,
        vehicles: stateAt(at.findLastIndex((value) => Math.abs(value - (time - t)) < 1e-9)).map(logged),
      });
    states = stateAt(log.length - 1);
    t = until;
  }
  return times.map((time) => samples.get(time)!);
}

const attitudeMatrix = ({ attitude }: VehicleState): Mat3<number> => fromQuaternion(attitude) as Mat3<number>;

/** Position, velocity, and angular velocity in body axes. */
const logged = (state: VehicleState): readonly number[] => [
  ...state.p,
  ...state.v,
  ...(apply(transpose(attitudeMatrix(state)), state.w) as NumericVec3),
];

/** Places vehicles on the one to which they attach. */
function placed(states: readonly VehicleState[], place: NonNullable<Stretch["place"]>): readonly VehicleState[] {
  const carrier = place === "first on second" ? states[1]! : states[2]!;
  const R = attitudeMatrix(carrier);
  const onCarrier = (r: NumericVec3): NumericVec3 => plus(carrier.p, apply(R, r) as NumericVec3) as NumericVec3;
  const first = onCarrier(place === "first on second" ? FIRST_ON_SECOND : FIRST_ON_THIRD);
  const second = minus(first, apply(R, FIRST_ON_SECOND)) as NumericVec3;
  const moved = place === "first on second" ? [first] : [first, second];
  const before = centreOf(states.slice(0, moved.length));
  const all = centreOf(states);
  const centre = mean(moved);
  // Angular momentum about the own mass centre, with what the change of place has to make up for.
  const relative = scale(before.mass, minus(before.v, all.v)) as NumericVec3;
  const momentum = plus(before.spin, cross(minus(before.p, centre) as NumericVec3, relative)) as NumericVec3;
  const w = rateOf(momentum, moved, R);
  const new_ = moved.map(
    (p): VehicleState => ({
      attitude: carrier.attitude,
      p,
      w,
      v: plus(before.v, cross(w, minus(p, centre))) as NumericVec3,
    }),
  );
  return [...new_, ...states.slice(moved.length)];
}

interface Whole {
  readonly mass: number;
  readonly p: NumericVec3;
  readonly v: NumericVec3;
  /** Angular momentum about p. */
  readonly spin: NumericVec3;
}

function mean(vectors: readonly NumericVec3[]): NumericVec3 {
  const total = vectors.reduce((sum, _, i) => sum + MASSES[i]!, 0);
  return [0, 1, 2].map((k) => vectors.reduce((sum, v, i) => sum + (MASSES[i]! / total) * v[k]!, 0)) as unknown as NumericVec3;
}

function centreOf(states: readonly VehicleState[]): Whole {
  const [p, v] = [mean(states.map((state) => state.p)), mean(states.map((state) => state.v))];
  let spin: NumericVec3 = [0, 0, 0];
  for (const [i, state] of states.entries()) {
    const orbital = cross(minus(state.p, p), scale(MASSES[i]!, minus(state.v, v)));
    spin = plus(spin, plus(scale(INERTIAS[i]!, state.w), orbital)) as NumericVec3;
  }
  return { mass: states.reduce((sum, _, i) => sum + MASSES[i]!, 0), p, v, spin };
}

/** Angular velocity of one vehicle, or of two that are rigidly attached: the inertia is that about x of the pair, or about another axis. */
function rateOf(momentum: NumericVec3, vehicles: readonly NumericVec3[], R: Mat3<number>): NumericVec3 {
  const along = INERTIAS.slice(0, vehicles.length).reduce((sum, I) => sum + I, 0);
  const [m1, m2] = MASSES as [number, number];
  const across = vehicles.length === 1 ? along : along + ((m1 * m2) / (m1 + m2)) * FIRST_ON_SECOND[0] ** 2;
  const axis = R.map((row) => row[0]) as unknown as NumericVec3;
  const component = dot(axis, momentum) as number;
  return plus(scale(1 / across, momentum), scale(component * (1 / along - 1 / across), axis)) as NumericVec3;
}
