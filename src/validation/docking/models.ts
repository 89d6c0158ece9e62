/**
 * Docking mechanisms, generated [docking study 3]: a ring on six legs (R2P1R3, R2C2R2) or on cranks and rods (R1R2R3), fixed or on a free
 * vehicle, with loops inside loops. The docking axis is x of the base, outwards; azimuths count from y to z.
 */

import type { LoopDescription } from "../../model/description.ts";
import type { NumericMat3 } from "../../spatial/rotation.ts";
import { transpose } from "../../spatial/rotation.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { cross, scale } from "../../spatial/vec3.ts";
import { axesOf, type ElementaryMotion, less, type Mechanism, type MechanismPart, sum, unit, X, Z_THEN_Y } from "./mechanism.ts";
import { alongX, atAzimuth, ringShapes, vehicleShapes } from "./shapes.ts";

/** Attachment points of the legs on the base and on the ring. */
export interface RingGeometry {
  readonly baseRadius: number;
  readonly ringRadius: number;
  /** Azimuths of the legs, degrees. */
  readonly baseAzimuths: readonly number[];
  readonly ringAzimuths: readonly number[];
  /** Initial distance of the ring frame from the base along the docking axis. */
  readonly height: number;
}

export const RING_GEOMETRY: RingGeometry = {
  baseRadius: 0.6,
  ringRadius: 0.6,
  baseAzimuths: [-10, 10, 110, 130, 230, 250],
  ringAzimuths: [-50, 50, 70, 170, 190, 290],
  height: 0.4,
};

export interface RingOptions {
  readonly name?: string;
  readonly geometry?: RingGeometry;
  /** Indices of the legs, from 0. */
  readonly legs?: readonly number[];
  /** "floating": the base is the frame of a free vehicle of 12 t. */
  readonly base?: "fixed" | "floating";
  /** Reflected inertia of each drive: kg for a leg, kg m² for a crank. */
  readonly armature?: number;
  readonly gravity?: NumericVec3;
  /** Polar inertia of a leg's rod, kg m². */
  readonly rodPolarInertia?: number;
  readonly looks?: "none" | "shapes";
}

/** Vehicle, ring, and the end points of the legs. */
export function ringOf({ geometry = RING_GEOMETRY, base = "fixed", legs, looks = "none" }: RingOptions) {
  const { baseRadius, ringRadius, baseAzimuths, ringAzimuths, height } = geometry;
  const carrier = base === "floating" ? { parent: "vehicle" } : {};
  const vehicle: MechanismPart = {
    name: "vehicle",
    motions: "free",
    mass: 12000,
    com: [-3.5, 0.05, -0.03],
    inertia: [
      [20000, 150, -80],
      [150, 45000, 60],
      [-80, 60, 46500],
    ],
    ...(looks === "shapes" && { shapes: vehicleShapes }),
  };
  const ring: MechanismPart = {
    name: "ring",
    ...carrier,
    at: [height, 0, 0],
    motions: ["Px", "Py", "Pz", "Rz", "Ry", "Rx"],
    mass: 40,
    com: [0.02, 0, 0],
    inertia: [14.4, 7.6, 7.6],
    frames: { "ring-com": { at: [0.02, 0, 0] } },
    ...(looks === "shapes" && { shapes: ringShapes(ringRadius) }),
  };
  const all = legs ?? baseAzimuths.map((_, i) => i);
  return {
    carrier,
    looks,
    parts: base === "floating" ? [vehicle, ring] : [ring],
    /** Index of the leg, its end points on base and ring, and the vector between them in the initial position. */
    legs: all.map((i) => {
      const [from, to] = [atAzimuth(baseAzimuths[i]!, baseRadius), atAzimuth(ringAzimuths[i]!, ringRadius)];
      return { number: i + 1, from, to, along: less(sum(to, [height, 0, 0]), from) };
    }),
  };
}

type Leg = ReturnType<typeof ringOf>["legs"][number];

/** The hinge frame of a leg: x along the leg, y perpendicular to the leg and to the docking axis. */
export const legAxes = ({ along }: Leg): NumericMat3 => {
  const x = unit(along);
  return axesOf(x, unit(cross(X, x) as NumericVec3));
};
export const legLength = ({ along }: Leg): number => Math.hypot(...along);

/** Cylinder on the base with its rod. The origin of the rod is its end. */
export function legParts(
  leg: Leg,
  { carrier, looks }: ReturnType<typeof ringOf>,
  options: RingOptions,
  rod: readonly ElementaryMotion[],
): MechanismPart[] {
  const { number, from } = leg;
  const { armature, rodPolarInertia = 0.0006 } = options;
  return [
    {
      name: `cyl${number}`,
      ...carrier,
      at: from,
      axes: legAxes(leg),
      motions: ["Ry", "Rz"],
      mass: 4,
      com: [0.14, 0, 0],
      inertia: [0.006, 0.035, 0.035],
      ...(looks === "shapes" && { shapes: [alongX(0.035, 0.3, 0.15, "#8a94a6")] }),
    },
    {
      name: `rod${number}`,
      parent: `cyl${number}`,
      at: [legLength(leg), 0, 0],
      motions: rod,
      mass: 1.5,
      com: [-0.16, 0, 0],
      inertia: [rodPolarInertia, 0.013, 0.013],
      ...(armature !== undefined && { armature }),
      ...(looks === "shapes" && { shapes: [alongX(0.02, 0.34, -0.17, "#d6dbe4")] }),
    },
  ];
}

/** A ring on legs of two rotations and a slide, closed by a ball on the ring: models b and the docking scenarios. */
export function ringOnLegs(options: RingOptions = {}): Mechanism {
  const ring = ringOf(options);
  const { name = `docking ring on ${ring.legs.length} legs`, gravity } = options;
  return {
    name,
    ...(gravity && { gravity }),
    parts: [...ring.parts, ...ring.legs.flatMap((leg) => legParts(leg, ring, options, ["Px"]))],
    loops: ring.legs.map((leg) => ballOn("ring", leg)),
  };
}

export const ballOn = (body: string, { number, to }: Leg, at: NumericVec3 = to): LoopDescription => ({
  name: `leg${number}`,
  kind: "spherical",
  from: { body, at },
  to: { body: `rod${number}` },
});

/** The same with rods that rotate in their cylinders, closed by universal hinges: R2C2R2, four dependents per leg. */
export function ringOnSpinningRods(options: RingOptions = {}): Mechanism {
  const ring = ringOf(options);
  const { name = `docking ring on ${ring.legs.length} legs R2C2R2`, gravity } = options;
  return {
    name,
    ...(gravity && { gravity }),
    parts: [...ring.parts, ...ring.legs.flatMap((leg) => legParts(leg, ring, options, ["Px", "Rx"]))],
    loops: ring.legs.map((leg): LoopDescription => {
      const { number, to } = leg;
      // the cross is along y of the rod and, on the ring, along z of the leg's initial frame
      const [x, y, z] = transpose(legAxes(leg)) as unknown as readonly [NumericVec3, NumericVec3, NumericVec3];
      return {
        name: `leg${number}`,
        kind: "universal",
        from: {
          body: "ring",
          at: to,
          rotation: { matrix: transpose([z, y, scale(-1, x)] as unknown as NumericMat3) as NumericMat3 },
        },
        to: { body: `rod${number}`, rotation: { matrix: Z_THEN_Y } },
      };
    }),
  };
}

/** Length of crank and rod, m, and initial angles of the cranks for the standard ring, rad. */
export const CRANK = { crank: 0.25, rod: 0.58, initial: 0.5977879382186106 } as const;

/** A ring on cranks and rods as in APAS, elbows outwards: models c. */
export function ringOnCranks(options: RingOptions = {}): Mechanism {
  const ring = ringOf(options);
  const { name = "docking ring on cranks", gravity, armature } = options;
  const shapes = (radius: number, length: number, colour: string) =>
    ring.looks === "shapes" && { shapes: [alongX(radius, length, length / 2, colour)] };
  return {
    name,
    ...(gravity && { gravity }),
    parts: [
      ...ring.parts,
      ...ring.legs.flatMap(({ number, from }): MechanismPart[] => [
        {
          name: `crank${number}`,
          ...ring.carrier,
          at: from,
          axes: axesOf(unit(from), X),
          motions: ["Rz"],
          mass: 2.2,
          com: [0.1, 0, 0.01],
          inertia: [0.003, 0.012, 0.012],
          ...(armature !== undefined && { armature }),
          ...shapes(0.03, CRANK.crank, "#8a94a6"),
        },
        {
          name: `rod${number}`,
          parent: `crank${number}`,
          at: [CRANK.crank, 0, 0],
          motions: ["Rz", "Ry"],
          mass: 1.3,
          com: [0.29, 0, 0],
          inertia: [0.0008, 0.036, 0.036],
          ...shapes(0.02, CRANK.rod, "#d6dbe4"),
        },
      ]),
    ],
    loops: ring.legs.map(
      ({ number, to }): LoopDescription => ({
        name: `leg${number}`,
        kind: "spherical",
        from: { body: "ring", at: to },
        to: { body: `rod${number}`, at: [CRANK.rod, 0, 0] },
      }),
    ),
  };
}
