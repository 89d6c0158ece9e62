/** The terrain of the scenario, around the path of the machine. */
import type { NumericVec3 } from "castor/model";
import { BufferAttribute, BufferGeometry, DoubleSide, Group, LineBasicMaterial, LineSegments, Mesh } from "three";
import { bodyPointToWorld } from "../../geometry/body-points.ts";
import { roundNumberBelow, threeDigits } from "../../geometry/drawing.ts";
import type { Layer, LayerContext, SceneFrame } from "../../layer.ts";
import { surfaceMaterial } from "../../materials.ts";

/** Maximum number of squares and of grid lines along an edge. */
const MAX_SQUARES = 160;
const SQUARES_PER_CELL = 4;
/** Around the patch the ground goes on for this many radii of the machine, in coarser squares, and fades out. */
const [BORDER_RADII, BORDER_SQUARES] = [14, 14];
/** The patch grows in steps of this many grid cells, so that it is rarely rebuilt during a run. */
const PATCH_CELLS = 8;

interface Patch {
  readonly x: readonly [number, number];
  readonly y: readonly [number, number];
}

export const terrainLayer: Layer = {
  id: "terrain",
  title: "Terrain",
  shownByDefault: true,
  create(context) {
    const { terrain } = context.scenario;
    if (terrain === undefined) return undefined;
    const object = new Group();
    const spacing = roundNumberBelow(context.extent.radius / 2.5);
    const surface = surfaceMaterial("regolith", context.palette.terrain, 1, context.extent.radius);
    Object.assign(surface, { side: DoubleSide, polygonOffset: true, polygonOffsetFactor: 1, polygonOffsetUnits: 1 });
    Object.assign(surface, { vertexColors: true, transparent: true }); // the border fades out
    const ink = new LineBasicMaterial({ color: context.palette.grid, transparent: true, opacity: 0.2 });
    const groundSample = new Float64Array(3);
    const height = (x: number, y: number): number => {
      terrain.sample(x, y, groundSample);
      return groundSample[0]!;
    };
    let widest: Patch | undefined;
    let drawn: Patch | undefined;
    return {
      object,
      legend: () => `grid ${threeDigits(spacing)} m`,
      update(frame) {
        if (frame.logChanged || widest === undefined) widest = union(widest, pathPatch(context, frame, spacing));
        if (widest !== drawn) {
          const patch = widest;
          drawn = widest;
          for (const part of object.children) (part as Mesh).geometry.dispose();
          object.clear();
          const { middle } = context.extent;
          const ground = new Mesh(
            surfaceOf(patch, height, { spacing, middle, border: BORDER_RADII * context.extent.radius }),
            surface,
          );
          ground.renderOrder = -2; // before everything else that is transparent
          ground.receiveShadow = true;
          ground.castShadow = true;
          object.add(ground, new LineSegments(linesOf(patch, height, spacing, middle), ink));
        }
        const { middle } = context.extent;
        object.position.set(middle[0] - frame.origin[0]!, middle[1] - frame.origin[1]!, middle[2] - frame.origin[2]!);
      },
    };
  },
};

/** The rectangle that contains the path of the machine, with a margin. */
function pathPatch({ scenario, motion, extent }: LayerContext, { log, poses }: SceneFrame, spacing: number): Patch {
  const low = [1 / 0, 1 / 0];
  const high = [-1 / 0, -1 / 0];
  const add = (at: Float64Array): void => {
    for (const { index, com } of scenario.model.bodies) {
      const p = bodyPointToWorld(at, index, com);
      for (const k of [0, 1]) {
        low[k] = Math.min(low[k]!, p[k]!);
        high[k] = Math.max(high[k]!, p[k]!);
      }
    }
  };
  add(poses);
  const samples = log?.length ?? 0;
  for (let k = 0; k < Math.min(samples, 60); k++)
    add(motion.atSample(Math.floor((k * (samples - 1)) / Math.min(samples, 60))).poses);
  const margin = 2 * extent.radius;
  const step = PATCH_CELLS * spacing;
  const edge = (k: 0 | 1): readonly [number, number] => [
    step * Math.floor((low[k]! - margin) / step),
    step * Math.ceil((high[k]! + margin) / step),
  ];
  return { x: edge(0), y: edge(1) };
}

/** The union of two patches: `a` itself if it contains `b`. */
function union(a: Patch | undefined, b: Patch): Patch {
  if (a === undefined) return b;
  const join = (p: Patch["x"], q: Patch["x"]): Patch["x"] =>
    q[0] >= p[0] && q[1] <= p[1] ? p : [Math.min(p[0], q[0]), Math.max(p[1], q[1])];
  const both = { x: join(a.x, b.x), y: join(a.y, b.y) };
  return both.x === a.x && both.y === a.y ? a : both;
}

type Height = (x: number, y: number) => number;

/** Where the columns of a surface are along an axis, and the part of the border that they are away from the patch: 0 in it, 1 at the end. */
function columnsAlong([low, high]: readonly [number, number], spacing: number, border: number): { at: number; away: number }[] {
  const count = Math.min(MAX_SQUARES, Math.max(1, Math.round(((high - low) / spacing) * SQUARES_PER_CELL)));
  const inner = Array.from({ length: count + 1 }, (_, i) => ({ at: low + ((high - low) * i) / count, away: 0 }));
  const outer = Array.from({ length: BORDER_SQUARES }, (_, i) => ((i + 1) / BORDER_SQUARES) ** 2);
  const before = outer.map((away) => ({ at: low - border * away, away })).reverse();
  return [...before, ...inner, ...outer.map((away) => ({ at: high + border * away, away }))];
}

interface SurfaceOptions {
  readonly spacing: number;
  /** Origin of the points. */
  readonly middle: NumericVec3;
  /** Width of the ground around the patch. */
  readonly border: number;
}

function surfaceOf({ x, y }: Patch, height: Height, { spacing, middle, border }: SurfaceOptions): BufferGeometry {
  const [columns, rows] = [columnsAlong(x, spacing, border), columnsAlong(y, spacing, border)];
  const count = columns.length * rows.length;
  const [points, uvs, colours] = [new Float32Array(3 * count), new Float32Array(2 * count), new Float32Array(4 * count).fill(1)];
  const isKnown = new Uint8Array(count);
  let n = 0;
  for (const row of rows)
    for (const column of columns) {
      const z = height(column.at, row.at);
      const place = [column.at - middle[0], row.at - middle[1]] as const;
      isKnown[n] = Number.isFinite(z) ? 1 : 0;
      points.set([...place, isKnown[n] ? z - middle[2] : 0], 3 * n);
      uvs.set(place, 2 * n);
      const away = Math.min(1, Math.hypot(column.away, row.away));
      colours[4 * n + 3] = (1 - away) ** 2 * (1 + 2 * away);
      n++;
    }
  const corners: number[] = [];
  for (let j = 0; j + 1 < rows.length; j++)
    for (let i = 0; i + 1 < columns.length; i++) {
      const a = j * columns.length + i;
      const [b, c, d] = [a + 1, a + columns.length, a + columns.length + 1];
      // Squares with an unknown height are left out.
      if (isKnown[a] && isKnown[b] && isKnown[c] && isKnown[d]) corners.push(a, b, d, a, d, c);
    }
  const geometry = new BufferGeometry();
  geometry.setAttribute("position", new BufferAttribute(points, 3));
  geometry.setAttribute("uv", new BufferAttribute(uvs, 2));
  geometry.setAttribute("color", new BufferAttribute(colours, 4));
  geometry.setIndex(corners);
  geometry.computeVertexNormals();
  return geometry;
}

/** Lines of constant x and of constant y, with as many points as the surface. */
function linesOf({ x, y }: Patch, height: Height, spacing: number, middle: NumericVec3): BufferGeometry {
  const points: number[] = [];
  const draw = (
    fixed: readonly [number, number],
    along: readonly [number, number],
    at: (f: number, s: number) => readonly [number, number],
  ): void => {
    const lines = Math.min(MAX_SQUARES, Math.round((fixed[1] - fixed[0]) / spacing));
    const steps = Math.min(MAX_SQUARES * SQUARES_PER_CELL, Math.round(((along[1] - along[0]) / spacing) * SQUARES_PER_CELL));
    for (let i = 0; i <= lines; i++) {
      let previous: readonly number[] | undefined;
      for (let k = 0; k <= steps; k++) {
        const [px, py] = at(fixed[0] + ((fixed[1] - fixed[0]) * i) / lines, along[0] + ((along[1] - along[0]) * k) / steps);
        const point = [px - middle[0], py - middle[1], height(px, py) - middle[2]];
        if (previous && Number.isFinite(point[2]) && Number.isFinite(previous[2])) points.push(...previous, ...point);
        previous = point;
      }
    }
  };
  draw(x, y, (f, s) => [f, s]);
  draw(y, x, (f, s) => [s, f]);
  return new BufferGeometry().setAttribute("position", new BufferAttribute(new Float32Array(points), 3));
}
