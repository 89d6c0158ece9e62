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
          const ground = new Mesh(surfaceOf(patch, height, spacing, middle), surface);
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

function surfaceOf({ x, y }: Patch, height: Height, spacing: number, middle: NumericVec3): BufferGeometry {
  const count = ([a, b]: readonly [number, number]): number =>
    Math.min(MAX_SQUARES, Math.max(1, Math.round(((b - a) / spacing) * SQUARES_PER_CELL)));
  const [nx, ny] = [count(x), count(y)];
  const points = new Float32Array(3 * (nx + 1) * (ny + 1));
  for (let j = 0; j <= ny; j++)
    for (let i = 0; i <= nx; i++) {
      const at = [x[0] + ((x[1] - x[0]) * i) / nx, y[0] + ((y[1] - y[0]) * j) / ny] as const;
      points.set([at[0] - middle[0], at[1] - middle[1], height(...at) - middle[2]], 3 * (j * (nx + 1) + i));
    }
  const corners: number[] = [];
  for (let j = 0; j < ny; j++)
    for (let i = 0; i < nx; i++) {
      const a = j * (nx + 1) + i;
      const [b, c, d] = [a + 1, a + nx + 1, a + nx + 2];
      // Squares with an unknown height are left out.
      const isKnown = [a, b, c, d].every((p) => Number.isFinite(points[3 * p + 2]));
      if (isKnown) corners.push(a, b, d, a, d, c);
    }
  const geometry = new BufferGeometry();
  geometry.setAttribute(
    "position",
    new BufferAttribute(
      points.map((p) => (Number.isFinite(p) ? p : 0)),
      3,
    ),
  );
  geometry.setAttribute(
    "uv",
    new BufferAttribute(
      points.filter((_, i) => i % 3 !== 2).map((p) => (Number.isFinite(p) ? p : 0)),
      2,
    ),
  );
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
