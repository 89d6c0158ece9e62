/** Shapes of docking mechanisms for pictures, and points around the docking axis x. Azimuths count from y to z. */

import type { ShapeDescription } from "../../model/description.ts";
import type { NumericMat3 } from "../../spatial/rotation.ts";
import { transpose } from "../../spatial/rotation.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { cross } from "../../spatial/vec3.ts";
import { X } from "./mechanism.ts";

/** A point of radius 1 at an azimuth in degrees. */
export const atAzimuth = (degrees: number, radius = 1): NumericVec3 => [
  0,
  radius * Math.cos((degrees * Math.PI) / 180),
  radius * Math.sin((degrees * Math.PI) / 180),
];

/** Cylinders along x of a body, centred at `middle`. */
export const alongX = (radius: number, length: number, middle: number, colour: string): ShapeDescription => ({
  kind: "cylinder",
  radius,
  length,
  at: [middle, 0, 0],
  rotation: {
    matrix: [
      [0, 0, 1],
      [0, 1, 0],
      [-1, 0, 0],
    ],
  },
  colour,
});

const SEGMENTS = 24;
/** A ring of capsules in the plane perpendicular to x. */
export const ringShapes = (radius: number): ShapeDescription[] =>
  Array.from({ length: SEGMENTS }, (_, i): ShapeDescription => {
    const degrees = (360 * i) / SEGMENTS;
    const z = atAzimuth(degrees + 90);
    return {
      kind: "capsule",
      radius: 0.035,
      length: 2 * radius * Math.tan(Math.PI / SEGMENTS),
      at: atAzimuth(degrees, radius),
      rotation: { matrix: transpose([X, cross(z, X), z] as unknown as NumericMat3) as NumericMat3 },
      colour: "#c58f3a",
    };
  });

/** The body of the vehicle and the tunnel that carries the mechanism. */
export const vehicleShapes: readonly ShapeDescription[] = [alongX(1.6, 5, -3.2, "#b9c2cf"), alongX(0.75, 0.7, -0.35, "#6d7788")];
