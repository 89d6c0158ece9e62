/** Intents of guided machines: the planned path with its goal, and the cells that were found to be obstacles. */
import type { TimedIntent } from "castor/sim";
import {
  DoubleSide,
  Group,
  InstancedMesh,
  Matrix4,
  Mesh,
  MeshBasicMaterial,
  PlaneGeometry,
  RingGeometry,
  SphereGeometry,
} from "three";
import { Line2 } from "three/addons/lines/Line2.js";
import { LineGeometry } from "three/addons/lines/LineGeometry.js";
import { LineMaterial } from "three/addons/lines/LineMaterial.js";
import type { RunLog } from "../../run/run-log.ts";
import { groundAt } from "../geometry/ground.ts";
import type { Layer, LayerContext } from "../layer.ts";

/** Step along the path, in radii of the machine: as fine as the drawn ground. */
const PATH_STEP = 0.15;

export const plannedPathLayer: Layer = {
  id: "intents",
  title: "Planned path, obstacles",
  shownByDefault: true,
  onlyWith: "run",
  create(context) {
    const { scenario, extent, palette } = context;
    if (!scenario.controllers.some(({ intent }) => intent) || extent.comoving) return undefined;
    const object = new Group();
    const obstacleMaterial = new MeshBasicMaterial({
      color: palette.obstacle,
      transparent: true,
      opacity: 0.28,
      side: DoubleSide,
    });
    obstacleMaterial.depthWrite = false;
    const paths = new Map<string, PathDrawing>();
    let cells: InstancedMesh | undefined;
    let shown: { readonly log: RunLog | undefined; readonly count: number } | undefined;
    return {
      object,
      update({ t, origin, log }) {
        const intents = log?.intents ?? [];
        if (shown?.log !== log || shown?.count !== intents.length) {
          shown = { log, count: intents.length };
          if (cells) object.remove(cells);
          cells?.dispose();
          cells = obstacleCells(intents, context, obstacleMaterial);
          if (cells) object.add(cells);
        }
        const pastIntents = intents.filter((intent) => intent.t <= t);
        if (cells) cells.count = pastIntents.reduce((sum, { obstacles }) => sum + (obstacles?.length ?? 0) / 2, 0);
        const currentIntents = new Map(pastIntents.map((intent) => [intent.controller, intent]));
        for (const name of currentIntents.keys()) {
          if (paths.has(name)) continue;
          const path = new PathDrawing(context);
          paths.set(name, path);
          object.add(path.object);
        }
        for (const [name, path] of paths) path.show(currentIntents.get(name), context);
        object.position.set(extent.middle[0] - origin[0]!, extent.middle[1] - origin[1]!, extent.middle[2] - origin[2]!);
      },
    };
  },
};

/** The planned path of one controller, with a mark at the goal. */
class PathDrawing {
  readonly object = new Group();
  readonly #line: Line2;
  readonly #goal: Mesh;
  #shown: TimedIntent | undefined;

  constructor({ extent: { radius }, palette }: LayerContext) {
    const dashes = { dashed: true, dashSize: 0.12 * radius, gapSize: 0.08 * radius };
    this.#line = new Line2(new LineGeometry(), new LineMaterial({ color: palette.plan, linewidth: 3, ...dashes }));
    this.#line.frustumCulled = false;
    const ink = new MeshBasicMaterial({ color: palette.plan, side: DoubleSide });
    this.#goal = new Mesh(new RingGeometry(0.12 * radius, 0.17 * radius, 32), ink);
    this.#goal.add(new Mesh(new SphereGeometry(0.05 * radius, 16, 10), ink));
    this.object.add(this.#line, this.#goal);
  }

  show(intent: TimedIntent | undefined, context: LayerContext): void {
    this.object.visible = intent !== undefined;
    if (!intent || intent === this.#shown) return;
    this.#shown = intent;
    const points = onGround(intent.way, context);
    this.#line.geometry.dispose();
    this.#line.geometry = new LineGeometry();
    this.#line.geometry.setPositions(points);
    this.#line.computeLineDistances();
    const [x, y, z] = points.slice(-3) as [number, number, number];
    this.#goal.position.set(x, y, z);
  }
}

/** Points of a path a little above the ground, relative to the middle of the machine at the start. */
function onGround(path: Float64Array, { scenario, extent }: LayerContext): number[] {
  const { middle, radius } = extent;
  const points: number[] = [];
  const add = (x: number, y: number): void => {
    points.push(x - middle[0], y - middle[1], groundAt(scenario, x, y)[0]! - middle[2] + 0.02 * radius);
  };
  for (let i = 0; i + 3 < path.length; i += 2) {
    const [ax, ay, bx, by] = [path[i]!, path[i + 1]!, path[i + 2]!, path[i + 3]!];
    const steps = Math.max(1, Math.min(500, Math.ceil(Math.hypot(bx - ax, by - ay) / (PATH_STEP * radius))));
    for (let k = i === 0 ? 0 : 1; k <= steps; k++) add(ax + ((bx - ax) * k) / steps, ay + ((by - ay) * k) / steps);
  }
  return points;
}

/** A square on the ground for each obstacle cell, in the order in which they were found. */
function obstacleCells(
  intents: readonly TimedIntent[],
  { scenario, extent }: LayerContext,
  material: MeshBasicMaterial,
): InstancedMesh | undefined {
  const count = intents.reduce((sum, { obstacles }) => sum + (obstacles?.length ?? 0) / 2, 0);
  if (count === 0) return undefined;
  const mesh = new InstancedMesh(new PlaneGeometry(1, 1), material, count);
  mesh.frustumCulled = false;
  const matrix = new Matrix4();
  let k = 0;
  for (const { obstacles = [], cell = 0 } of intents)
    for (let i = 0; i + 1 < obstacles.length; i += 2) {
      const [x, y] = [obstacles[i]!, obstacles[i + 1]!];
      const [z, zx, zy] = groundAt(scenario, x, y) as unknown as [number, number, number];
      const s = 0.92 * cell;
      const at = [x - extent.middle[0], y - extent.middle[1], z - extent.middle[2] + 0.012 * extent.radius] as const;
      matrix.set(s, 0, 0, at[0], 0, s, 0, at[1], s * zx, s * zy, 1, at[2], 0, 0, 0, 1);
      mesh.setMatrixAt(k++, matrix);
    }
  return mesh;
}
