/**
 * Approach of one vehicle to another: initial pose and velocity shortly before contact, described as in docking standards. A frame of the
 * vehicle, the port, is placed in front of a frame of the target, whose x axis points inwards:
 *
 *   p = p_T + R_T (-gap, y, z),   R = R_T Rz(yaw) Ry(pitch) Rx(roll),   v = v_T + R_T (closing, vy, vz),   ω = ω_T + R rates,
 *
 * where v_T is the velocity of the target at p. If the gap is not given, it is searched: from far away inwards in small steps until bodies
 * touch. The gap is that of the step before, plus a clearance.
 */

import type { Parameters, ParameterValues } from "../../declare/parameters.ts";
import { readParameters } from "../../declare/parse-parameters.ts";
import { childPath, type Fields } from "../../declare/plain-data.ts";
import { readQuantityInUnit } from "../../declare/units.ts";
import { framePose, placementsOfLinks } from "../../dynamics/tree/kinematics.ts";
import { linkTreeOf } from "../../dynamics/tree/link-tree.ts";
import { type Problem, valueText } from "../../errors.ts";
import { knownNames } from "../../model/freedoms.ts";
import { type Frame, frameOf, type Model, type Placement } from "../../model/model.ts";
import type { ForceElement } from "../../sim/system/force-element.ts";
import { PER_FRAME } from "../../sim/system/numeric-elements.ts";
import { movingFrames } from "../../sim/system/trace-elements.ts";
import type { NumericMat3 } from "../../spatial/rotation.ts";
import { apply, compose, rotationAboutAxis, toQuaternion, transpose } from "../../spatial/rotation.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { cross, minus, plus } from "../../spatial/vec3.ts";
import { IDSS_CONDITIONS } from "./docking-standard.ts";

const zeroByDefault = (unit: string, about: string) => ({ type: "number", unit, default: 0, about }) as const;

export const APPROACH = {
  port: { type: "frame", about: "Frame at the centre of the docking port of the approaching vehicle; x points outwards." },
  target: { type: "frame", about: "Frame at the centre of the docking port of the target; x points inwards." },
  closing: { type: "number", unit: "m/s", default: 0.08, about: "Closing speed along x of the target. IDSS: 0.05 to 0.10 m/s." },
  y: zeroByDefault("m", "Lateral misalignment along y of the target. IDSS: y and z together up to 0.10 m."),
  z: zeroByDefault("m", "Lateral misalignment along z of the target."),
  vy: zeroByDefault("m/s", "Lateral speed along y of the target. IDSS: vy and vz together up to 0.04 m/s."),
  vz: zeroByDefault("m/s", "Lateral speed along z of the target."),
  roll: zeroByDefault("rad", "Rotation about x of the port. IDSS: up to 4 deg."),
  pitch: zeroByDefault("rad", "Rotation about y of the port. IDSS: pitch and yaw together up to 4 deg."),
  yaw: zeroByDefault("rad", "Rotation about z of the port: R = Rz(yaw) Ry(pitch) Rx(roll)."),
  rollRate: zeroByDefault("rad/s", "Angular rate about x of the port, in axes of the port. IDSS: up to 0.20 deg/s."),
  pitchRate: zeroByDefault("rad/s", "Angular rate about y of the port. IDSS: pitch and yaw rate together up to 0.20 deg/s."),
  yawRate: zeroByDefault("rad/s", "Angular rate about z of the port."),
  gap: {
    type: "number",
    unit: "m",
    optional: true,
    about: "Initial distance along x of the target. Default: the smallest gap without contact, found by search.",
  },
  clearance: { type: "number", unit: "m", least: 0, default: 0.001, about: "Added to the gap that the search finds." },
  leastGap: { type: "number", unit: "m", least: 0, default: 0.03, about: "Lower bound of the gap that the search finds." },
} as const satisfies Parameters;

/** First gap of the search, m, and number of search steps per metre. */
const FARTHEST_GAP = 1;
const STEPS_PER_METRE = 2000;

/** The initial conditions of an approach. */
export interface Approach {
  /** Free hinge of the approaching vehicle. */
  readonly hinge: string;
  /** Frames of the docking ports. */
  readonly port: string;
  readonly target: string;
  readonly gap: number;
  /** True if the gap was found by search, false if it was given. */
  readonly found: boolean;
}

/** Reads the approach and writes pose and velocity of the vehicle into q and u. Returns undefined without an approach or after a problem. */
export function readApproach(
  value: unknown,
  model: Model,
  forces: readonly ForceElement[],
  { q, u }: { readonly q: Float64Array; readonly u: Float64Array },
  state: unknown,
  warn: (warning: Problem) => void,
  problems: Problem[],
): Approach | undefined {
  if (value === undefined) return undefined;
  const values = readParameters(APPROACH, value, knownNames(model), problems, { path: "approach", quantity: readQuantityInUnit });
  if (values === undefined) return undefined;
  const rootBodyOf = (frame: Frame): number => {
    let body = frame.body;
    while (body >= 0 && model.bodies[body]!.parent >= 0) body = model.bodies[body]!.parent;
    return body;
  };
  const [port, target] = [frameOf(model, values.port), frameOf(model, values.target)];
  const vehicle = rootBodyOf(port);
  const reportProblem = (key: string, message: string, advice?: string): undefined => {
    problems.push({
      path: childPath("approach", key),
      message,
      value: valueText((value as Fields)[key]),
      ...(advice !== undefined && { advice }),
    });
  };
  if (vehicle < 0 || model.bodies[vehicle]!.hinge.kind !== "free")
    return reportProblem("port", "must be on a free-floating vehicle", "Give the root body of this vehicle a free hinge");
  if (rootBodyOf(target) === vehicle) return reportProblem("target", "must not be on the same vehicle as the port");
  const { hinge, name } = model.bodies[vehicle]!;
  for (const part of ["q", "u"] as const)
    if ((state as Fields | undefined)?.[part] !== undefined && Object.hasOwn((state as Fields)[part] as object, hinge.name))
      problems.push({
        path: `state.${part}.${hinge.name}`,
        message: "is given twice: `approach` sets this hinge too",
        advice: "Remove one of the two",
      });

  for (const warning of idssWarnings(values)) warn(warning);

  // Pose of the port P relative to the vehicle V, and motion of the target T, in the given state.
  const tree = linkTreeOf(model);
  const pose = (frame: Frame): { R: NumericMat3; p: NumericVec3 } =>
    framePose(tree, placementsOfLinks(tree, [...q]), frame) as { R: NumericMat3; p: NumericVec3 };
  const [V, P] = [pose(frameOf(model, name)), pose(port)];
  const R_VP = compose(transpose(V.R), P.R) as NumericMat3;
  const p_VP = apply(transpose(V.R), minus(P.p, V.p)) as NumericVec3;
  const [T] = movingFrames(model, [...q], [...u], [target]) as unknown as [
    { R: NumericMat3; p: NumericVec3; w: NumericVec3; v: NumericVec3 },
  ];
  const R = compose(T.R, misalignmentRotation(values)) as NumericMat3;
  const R_V = compose(R, transpose(R_VP)) as NumericMat3;

  const placeAtGap = (gap: number): void => {
    const p = plus(T.p, apply(T.R, [-gap, values.y, values.z])) as NumericVec3;
    const w = plus(T.w, apply(R, [values.rollRate, values.pitchRate, values.yawRate])) as NumericVec3;
    const v = plus(plus(T.v, cross(T.w, minus(p, T.p))), apply(T.R, [values.closing, values.vy, values.vz])) as NumericVec3;
    const arm = apply(R_V, p_VP) as NumericVec3;
    setFreeHinge(hinge, { R: R_V, p: minus(p, arm) as NumericVec3 }, { w, v: minus(v, cross(w, arm)) as NumericVec3 }, q, u);
  };
  if (values.gap !== undefined) placeAtGap(values.gap);
  else {
    placeAtGap(0);
    const isCarried = (frame: Frame): boolean => rootBodyOf(frame) === vehicle;
    const gap = smallestClearGap(model, forces, { q, u }, T.R.map((row) => row[0]) as unknown as NumericVec3, isCarried);
    if (gap === undefined)
      return reportProblem(
        "gap",
        `bodies touch even at a gap of ${FARTHEST_GAP} m`,
        "Give the gap, or turn the x axis of the target inwards",
      );
    placeAtGap(Math.max(values.leastGap, gap + values.clearance));
    return {
      hinge: hinge.name,
      port: values.port,
      target: values.target,
      gap: Math.max(values.leastGap, gap + values.clearance),
      found: true,
    };
  }
  return { hinge: hinge.name, port: values.port, target: values.target, gap: values.gap, found: false };
}

/** Rz(yaw) Ry(pitch) Rx(roll). */
const misalignmentRotation = ({ roll, pitch, yaw }: ParameterValues<typeof APPROACH>): NumericMat3 =>
  compose(
    compose(rotationAboutAxis([0, 0, 1], yaw), rotationAboutAxis([0, 1, 0], pitch)),
    rotationAboutAxis([1, 0, 0], roll),
  ) as NumericMat3;

/** Sets coordinates and speeds of a free hinge from the pose and velocity of its body: X_FM = X_PF⁻¹ X_WB X_BM, in axes of F. */
function setFreeHinge(
  {
    q: atQ,
    u: atU,
    onParent,
    onBody,
  }: { readonly q: number; readonly u: number; readonly onParent: Placement; readonly onBody: Placement },
  X: { readonly R: NumericMat3; readonly p: NumericVec3 },
  { w, v }: { readonly w: NumericVec3; readonly v: NumericVec3 },
  q: Float64Array,
  u: Float64Array,
): void {
  const toF = transpose(onParent.R as NumericMat3);
  const arm = apply(X.R, onBody.p) as NumericVec3;
  q.set(toQuaternion(compose(toF, compose(X.R, onBody.R)) as NumericMat3), atQ);
  q.set(apply(toF, minus(plus(X.p, arm), onParent.p)) as NumericVec3, atQ + 4);
  u.set(apply(toF, w) as NumericVec3, atU);
  u.set(apply(toF, plus(v, cross(w, arm))) as NumericVec3, atU + 3);
}

/**
 * Smallest gap, as a multiple of the search step, such that no bodies touch at this gap and at all larger ones. Returns 0 if they never
 * touch, undefined if they touch even at the largest gap.
 */
function smallestClearGap(
  model: Model,
  forces: readonly ForceElement[],
  { q, u }: { readonly q: Float64Array; readonly u: Float64Array },
  inwards: NumericVec3,
  isCarried: (frame: Frame) => boolean,
): number | undefined {
  const framesOf = ({ frames = [] }: ForceElement): Frame[] => frames.map((name) => frameOf(model, name));
  const elements = forces.filter((element) => element.startProblems);
  const frameMotions = movingFrames(model, [...q], [...u], elements.flatMap(framesOf)).values();
  const contactElements = elements.map((element) => {
    const frames = framesOf(element);
    const values = frames.map(() => frameMotions.next().value!).flatMap(({ R, p, w, v }) => [...R.flat(), ...p, ...w, ...v]);
    const start = Float64Array.from(values as number[]);
    return {
      element,
      carried: frames.map(isCarried),
      start,
      snapshot: { model, t: 0, q, u, z: new Float64Array(element.z0?.length ?? 0), frames: start.slice() },
    };
  });
  const touches = (gap: number): boolean =>
    contactElements.some(({ element, carried, start, snapshot }) => {
      for (const [k, moves] of carried.entries())
        for (let i = 0; moves && i < 3; i++) {
          const index = PER_FRAME * k + 9 + i; // component i of the position of frame k
          snapshot.frames[index] = start[index]! - gap * inwards[i]!;
        }
      return element.startProblems!(snapshot).length > 0;
    });
  const steps = FARTHEST_GAP * STEPS_PER_METRE;
  if (touches(FARTHEST_GAP)) return undefined;
  for (let k = steps - 1; k >= 0; k--) if (touches(k / STEPS_PER_METRE)) return (k + 1) / STEPS_PER_METRE;
  return 0;
}

/** Warnings for initial conditions outside those of the docking standard. */
const idssWarnings = (values: ParameterValues<typeof APPROACH>): readonly Problem[] =>
  IDSS_CONDITIONS.flatMap(({ label, unit, times, least = 0, most, measure }) => {
    const value = measure(values);
    if (value >= least - 1e-12 && value <= most + 1e-12) return [];
    const text = (x: number): string => `${+(x * times).toPrecision(4)}`;
    const range = `${least > 0 ? `${text(least)} to` : "up to"} ${text(most)} ${unit}`;
    return [
      { path: "approach", message: `${label} of ${text(value)} ${unit} is outside the IDSS contact conditions (${range})` },
    ];
  });
