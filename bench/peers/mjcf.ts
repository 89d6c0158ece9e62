/**
 * Converts a model to MJCF, MuJoCo's model format. MuJoCo numbers bodies depth first, Castor in the order of the list, so each joint has its
 * offsets in both orders.
 */
import { type BodyDescription, createModel, type HingeDescription, type ModelDescription } from "castor";
import type { PeerPlacement, Rotation, Vector } from "./peer-rotations.ts";
import { peerPlacement, product, rotate, toQuat, transpose } from "./peer-rotations.ts";
import { principalInertia } from "./principal-axes.ts";

type JointType = "free" | "ball" | "hinge" | "slide";

/** A joint of MuJoCo with the offsets of its coordinates and speeds. */
export interface MujocoJoint {
  readonly type: JointType;
  /** First coordinate and first speed in Castor's q and u. */
  readonly q: number;
  readonly u: number;
  /** First coordinate and first speed in MuJoCo's qpos and qvel. */
  readonly qpos: number;
  readonly dof: number;
  /** Axes of the hinge frame on the body. */
  readonly R_BM: Rotation;
}

export interface Mjcf {
  readonly xml: string;
  readonly joints: readonly MujocoJoint[];
  readonly nq: number;
  readonly nu: number;
}

export interface MjcfOptions {
  /** A spring and damper in every hinge joint. */
  readonly spring?: { readonly stiffness: number; readonly damping: number };
}

interface JointShape {
  readonly type: JointType;
  /** Axis in the hinge frame F on the parent. */
  readonly axis?: Vector;
}

const COORDINATES: Readonly<Record<JointType, number>> = { free: 7, ball: 4, hinge: 1, slide: 1 };
const FREEDOMS: Readonly<Record<JointType, number>> = { free: 6, ball: 3, hinge: 1, slide: 1 };

export function toMjcf(description: ModelDescription, { spring }: MjcfOptions = {}): Mjcf {
  const passive = spring ? ` stiffness="${spring.stiffness}" damping="${spring.damping}"` : "";
  const { gravity, name } = createModel(description);
  const bodies = description.bodies.filter((b): b is BodyDescription => !("elastic" in b));
  const offsets = castorOffsets(bodies);
  const joints: MujocoJoint[] = [];
  let nq = 0;
  let nu = 0;

  const bodyElement = (body: BodyDescription): string => {
    const onBody = peerPlacement(body.hinge.onBody);
    let { q, u } = offsets.get(body.name)!;
    const jointElements = jointsOf(body).map((shape) => {
      joints.push({ type: shape.type, q, u, qpos: nq, dof: nu, R_BM: onBody.R });
      q += COORDINATES[shape.type];
      u += FREEDOMS[shape.type];
      nq += COORDINATES[shape.type];
      nu += FREEDOMS[shape.type];
      return jointElement(shape, onBody, shape.type === "hinge" ? passive : "");
    });
    const children = bodies.filter((b) => b.parent === body.name).map(bodyElement);
    return [
      `<body name="${body.name}" ${homePoseAttributes(body)}>`,
      inertialElement(body),
      ...jointElements,
      ...children,
      "</body>",
    ].join("\n");
  };

  const roots = bodies.filter((b) => b.parent === undefined).map(bodyElement);
  const xml = [
    `<mujoco model="${name}">`,
    `<compiler angle="radian" balanceinertia="false" boundmass="0" boundinertia="0" inertiafromgeom="false"/>`,
    `<option gravity="${gravity.join(" ")}"/>`,
    "<worldbody>",
    ...roots,
    "</worldbody>",
    "</mujoco>",
  ].join("\n");
  return { xml, joints, nq, nu };
}

/** Offsets of each body's coordinates and speeds in Castor's q and u. */
function castorOffsets(bodies: readonly BodyDescription[]): Map<string, { readonly q: number; readonly u: number }> {
  const places = new Map<string, { q: number; u: number }>();
  let q = 0;
  let u = 0;
  for (const body of bodies) {
    places.set(body.name, { q, u });
    for (const { type } of jointsOf(body)) {
      q += COORDINATES[type];
      u += FREEDOMS[type];
    }
  }
  return places;
}

const UNIT: Readonly<Record<"x" | "y" | "z", Vector>> = { x: [1, 0, 0], y: [0, 1, 0], z: [0, 0, 1] };
const axisOf = ({ axis = "z" }: HingeDescription): Vector => (typeof axis === "string" ? UNIT[axis] : axis);

function jointsOf({ name, hinge }: BodyDescription): readonly JointShape[] {
  switch (hinge.kind) {
    case "fixed":
      return [];
    case "revolute":
      return [{ type: "hinge", axis: axisOf(hinge) }];
    case "prismatic":
      return [{ type: "slide", axis: axisOf(hinge) }];
    case "cylindrical":
      return [
        { type: "slide", axis: axisOf(hinge) },
        { type: "hinge", axis: axisOf(hinge) },
      ];
    case "universal":
      return [
        { type: "hinge", axis: UNIT.x },
        { type: "hinge", axis: UNIT.y },
      ];
    case "spherical":
      return [{ type: "ball" }];
    case "free":
      return [{ type: "free" }];
    default:
      throw new Error(
        `hinge of "${name}": MuJoCo has no ${hinge.kind} joint here; use free, spherical, revolute, prismatic or fixed`,
      );
  }
}

function jointElement({ type, axis }: JointShape, { R, p }: PeerPlacement, passive: string): string {
  if (type === "free") return `<joint type="free"/>`;
  const direction = axis ? ` axis="${rotate(R, axis).join(" ")}"` : "";
  return `<joint type="${type}" pos="${p.join(" ")}"${direction}${passive}/>`;
}

/** X_PB with the hinge at home: X_PF X_MB. */
function homePoseAttributes({ name, parent, hinge }: BodyDescription): string {
  const F = peerPlacement(hinge);
  const M = peerPlacement(hinge.onBody);
  if (hinge.kind === "free" && !(parent === undefined && isIdentity(F) && isIdentity(M)))
    throw new Error(
      `free hinge of "${name}": in MuJoCo it must connect the world frame with the body frame; remove parent, at, rotation and onBody`,
    );
  const R = product(F.R, transpose(M.R));
  const offset = rotate(R, M.p);
  const p = F.p.map((x, i) => x - offset[i]!);
  return `pos="${p.join(" ")}" quat="${toQuat(R).join(" ")}"`;
}

const isIdentity = ({ R, p }: PeerPlacement): boolean => p.every((x) => x === 0) && R.every((row, i) => row[i] === 1);

function inertialElement({ mass, com = [0, 0, 0], inertia }: BodyDescription): string {
  const { moments, axes } = principalInertia(inertiaEntries(inertia));
  const frame = `pos="${com.join(" ")}" quat="${toQuat(axes).join(" ")}"`;
  return `<inertial ${frame} mass="${mass}" diaginertia="${moments.join(" ")}"/>`;
}

/** xx yy zz xy xz yz */
function inertiaEntries(inertia: BodyDescription["inertia"]): readonly number[] {
  if (inertia === "none") return [0, 0, 0, 0, 0, 0];
  if (typeof inertia[0] === "number") return [...(inertia as readonly number[]), 0, 0, 0].slice(0, 6);
  const [x, y, z] = inertia as readonly (readonly number[])[];
  return [x![0]!, y![1]!, z![2]!, x![1]!, x![2]!, y![2]!];
}
