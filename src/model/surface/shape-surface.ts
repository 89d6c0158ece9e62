/** The surface of a shape in its own frame. */
import type { NumericVec3 } from "../../spatial/vec3.ts";
import type { BodyShape, ShapeGeometry } from "../body-shape.ts";
import { addPrism } from "./extrude.ts";
import type { MaterialName } from "./materials.ts";
import { arc, counterclockwise, doubleArea, type Point2, roundedRectangle } from "./polygon.ts";
import { addRevolution } from "./revolve.ts";
import { emptySurface, type Surface, unit } from "./surface.ts";
import { addTube, bentPath } from "./tube.ts";

/** A part of a surface with a material of its own, whatever the material of the shape. */
export interface SurfacePart extends Surface {
  readonly material?: MaterialName;
}

/** The corners of the smallest box around a shape in its own frame; a point for a mesh. */
export function shapeBounds(shape: BodyShape): { readonly low: NumericVec3; readonly high: NumericVec3 } {
  const low: [number, number, number] = [1 / 0, 1 / 0, 1 / 0];
  const high: [number, number, number] = [-1 / 0, -1 / 0, -1 / 0];
  for (const { positions } of shapeSurface(shape, 12))
    for (let i = 0; i < positions.length; i++) {
      const k = (i % 3) as 0 | 1 | 2;
      low[k] = Math.min(low[k], positions[i]!);
      high[k] = Math.max(high[k], positions[i]!);
    }
  return low[0] <= high[0] ? { low, high } : { low: [0, 0, 0], high: [0, 0, 0] };
}

const WHOLE_TURN = 2 * Math.PI;

/** Parts of the surface; none for a mesh, which is in a file. @param sides facets of a whole turn of a large round shape */
export function shapeSurface(shape: BodyShape, sides = 48): readonly SurfacePart[] {
  if (shape.kind === "mesh") return [];
  if (shape.kind === "panel") return panelParts(shape);
  const surface = emptySurface();
  addSolid(surface, shape, sides);
  return [surface];
}

function addSolid(surface: Surface, shape: Exclude<ShapeGeometry, { readonly kind: "mesh" | "panel" }>, sides: number): void {
  const turn = (profile: readonly Point2[], isClosed = false, angle = WHOLE_TURN): void =>
    addRevolution(surface, { profile, isClosed, angle, sides });
  switch (shape.kind) {
    case "box": {
      const [x, y, z] = shape.size;
      const outline = roundedRectangle([-x / 2, -y / 2], [x / 2, y / 2], shape.rim ?? 0);
      addPrism(surface, outline, z, shape.rim);
      break;
    }
    case "sphere":
      turn(ballProfile(0, shape.radius, -Math.PI / 2, Math.ceil(sides / 2)));
      break;
    case "ellipsoid": {
      const half = shape.size.map((x) => x / 2) as unknown as NumericVec3;
      turn(ballProfile(0, 1, -Math.PI / 2, Math.ceil(sides / 2)));
      stretch(surface, half);
      break;
    }
    case "cylinder": {
      const { radius, length, rim = 0 } = shape;
      turn([[0, -length / 2], ...roundedEdge(radius, length / 2, rim), [0, length / 2]]);
      break;
    }
    case "capsule": {
      const { radius, length } = shape;
      const top = ballProfile(length / 2, radius, 0, Math.ceil(sides / 4));
      turn([...top.map(([r, z]): Point2 => [r, -z]).reverse(), ...top]);
      break;
    }
    case "extrude":
      addPrism(surface, counterclockwise(shape.outline), shape.length, shape.rim);
      break;
    case "revolve": {
      const isClosed = isClosedProfile(shape.profile);
      const profile = isClosed ? counterclockwise(shape.profile.slice(0, -1)) : risingProfile(shape.profile);
      const isSolid = profile[0]![0] === 0 && profile.at(-1)![0] === 0 && shape.angle === WHOLE_TURN;
      addRevolution(surface, { profile, isClosed, angle: shape.angle, sides, isThin: !isClosed && !isSolid });
      break;
    }
    case "ring": {
      const { radius, inner, height, rim, angle } = shape;
      turn(roundedRectangle([inner, -height / 2], [radius, height / 2], rim), true, angle);
      break;
    }
    case "tube":
      addTube(surface, bentPath(shape.path, shape.bend), shape.radius, Math.max(8, Math.round(sides / 3)));
      break;
  }
}

/** Stretches a surface along the axes. Normals are divided by the factors. */
function stretch({ positions, normals }: Surface, factors: NumericVec3): void {
  for (let i = 0; i < positions.length; i += 3) {
    for (const k of [0, 1, 2] as const) positions[i + k]! *= factors[k];
    const n = unit([normals[i]! / factors[0], normals[i + 1]! / factors[1], normals[i + 2]! / factors[2]]);
    for (const k of [0, 1, 2] as const) normals[i + k] = n[k];
  }
}

/** True if the last point of a profile is the first one. */
export const isClosedProfile = (profile: readonly Point2[]): boolean =>
  profile.length > 3 && profile[0]![0] === profile.at(-1)![0] && profile[0]![1] === profile.at(-1)![1];

/** An open profile in the direction that has the outside on its right: with the axis it encloses an area counterclockwise. */
function risingProfile(profile: readonly Point2[]): readonly Point2[] {
  const [first, last] = [profile[0]!, profile.at(-1)!];
  return doubleArea([...profile, [0, last[1]], [0, first[1]]]) < 0 ? [...profile].reverse() : profile;
}

/** The profile of a ball or half a ball; its ends are exactly on the axis. */
const ballProfile = (z: number, radius: number, from: number, steps: number): readonly Point2[] =>
  arc([0, z], radius, from, Math.PI / 2, steps).map(([r, height]) => [r < 1e-9 * radius ? 0 : r, height]);

/** The outline of a cylinder from its lower to its upper edge, both rounded. */
function roundedEdge(radius: number, half: number, rim: number): readonly Point2[] {
  if (rim === 0)
    return [
      [radius, -half],
      [radius, half],
    ];
  return [
    ...arc([radius - rim, rim - half], rim, -Math.PI / 2, 0, 4),
    ...arc([radius - rim, half - rim], rim, 0, Math.PI / 2, 4),
  ];
}

/** Width of the frame around the solar cells, relative to the shorter side. */
const FRAME_SHARE = 0.025;

/** A solar panel: cells in front (z), a plate with a frame behind them. */
function panelParts({
  size: [x, y, z],
  cells: [nx, ny],
}: Extract<ShapeGeometry, { readonly kind: "panel" }>): readonly SurfacePart[] {
  const plate = emptySurface();
  addPrism(plate, roundedRectangle([-x / 2, -y / 2], [x / 2, y / 2], 0), z);
  const frame = FRAME_SHARE * Math.min(x, y);
  const [a, b] = [x / 2 - frame, y / 2 - frame];
  const front: SurfacePart = {
    material: "solar-cells",
    positions: [-a, -b, z / 2, a, -b, z / 2, a, b, z / 2, -a, b, z / 2].map((v, i) =>
      i % 3 === 2 ? v + 0.05 * Math.min(z, frame) : v,
    ),
    normals: [0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0, 1],
    uvs: [0, 0, nx, 0, nx, ny, 0, ny],
    triangles: [0, 1, 2, 0, 2, 3],
  };
  return [plate, front];
}
