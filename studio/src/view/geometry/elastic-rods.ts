/**
 * Elastic bodies as bent rods: a smooth curve through the middles of their links, tangent to the axis of each link there. The virtual joints
 * represent a distributed curvature, so the rod is drawn without corners.
 */
import type { Body, Model } from "castor";
import type { BodyShape, NumericVec3 } from "castor/model";
import { POSE_SIZE } from "../motion/run-motion.ts";

/** A support point of the curve: a point on a link, with its cross-section. */
export interface DrawnRodStation {
  readonly body: number;
  readonly x: number;
  /** Widths along y and z. */
  readonly size: readonly [number, number];
}

export interface ElasticRod {
  readonly name: string;
  /** Links, root first. Some may have no length. */
  readonly links: readonly Body[];
  readonly stations: readonly DrawnRodStation[];
  readonly round: boolean;
}

/** The elastic bodies of a model: links NAME, NAME-2, ... that are connected by springs with the same name. */
export function elasticRods(model: Model): readonly ElasticRod[] {
  return model.springs.flatMap(({ name, joints }): ElasticRod[] => {
    const first = model.bodies.find((body) => body.name === name);
    if (first === undefined) return [];
    const links = [first];
    for (const { hinge } of joints) {
      const next = model.bodies.find((body) => body.hinge.name === hinge);
      if (next === undefined || next.parent !== links.at(-1)!.index) return [];
      links.push(next);
    }
    const segments = links.map((body) => ({ body, section: sectionOf(body) }));
    const drawnLinks = segments.flatMap(({ body, section }) => (section ? [{ body, ...section }] : []));
    if (drawnLinks.length === 0 || segments.some(({ body, section }) => body.shapes.length > 0 && !section)) return [];
    const [root, tip] = [drawnLinks[0]!, drawnLinks.at(-1)!];
    const stations = [
      { body: first.index, x: 0, size: root.size },
      ...drawnLinks.map(({ body, length, size }) => ({ body: body.index, x: length / 2, size })),
      { body: tip.body.index, x: tip.length, size: tip.size },
    ];
    return [{ name, links, stations, round: root.round }];
  });
}

/** Length and cross-section of a link with a single straight shape along x. */
function sectionOf({ shapes }: Body): { length: number; size: readonly [number, number]; round: boolean } | undefined {
  const shape: BodyShape | undefined = shapes.length === 1 ? shapes[0] : undefined;
  if (shape?.kind === "box") return { length: shape.size[0], size: [shape.size[1], shape.size[2]], round: false };
  if (shape?.kind === "cylinder") return { length: shape.length, size: [2 * shape.radius, 2 * shape.radius], round: true };
  return undefined;
}

/** Cross-sections between two stations. */
export const SECTIONS_PER_SPAN = 6;

/** A cross-section: its centre, and its axes y and z. */
export interface DrawnRodSection {
  readonly at: NumericVec3;
  readonly y: NumericVec3;
  readonly z: NumericVec3;
  readonly size: readonly [number, number];
}

/** The cross-sections of a bent rod, root first. Between stations the curve is a Hermite cubic tangent to the axes of both [1]. */
export function rodSections({ stations }: ElasticRod, poses: Float64Array): readonly DrawnRodSection[] {
  const supports = stations.map(({ body, x, size }) => {
    const v = (k: number): number => poses[POSE_SIZE * body + k]!;
    const axis = (k: number): NumericVec3 => [v(k), v(3 + k), v(6 + k)];
    const along = axis(0);
    return { at: [0, 1, 2].map((k) => v(9 + k) + x * along[k]!) as unknown as NumericVec3, along, y: axis(1), size };
  });
  const sections: DrawnRodSection[] = [];
  for (let i = 0; i + 1 < supports.length; i++) {
    const [a, b] = [supports[i]!, supports[i + 1]!];
    const h = Math.hypot(b.at[0] - a.at[0], b.at[1] - a.at[1], b.at[2] - a.at[2]);
    for (let k = i === 0 ? 0 : 1; k <= SECTIONS_PER_SPAN; k++) {
      const s = k / SECTIONS_PER_SPAN;
      const r = 1 - s;
      const vector = (f: (k: 0 | 1 | 2) => number): NumericVec3 => [f(0), f(1), f(2)];
      const at = vector(
        (c) => a.at[c] * r * r * (1 + 2 * s) + b.at[c] * s * s * (3 - 2 * s) + h * s * r * (a.along[c] * r - b.along[c] * s), // [1]
      );
      const tangent = unit(
        vector((c) => 6 * s * r * (b.at[c] - a.at[c]) + h * (a.along[c] * r * (1 - 3 * s) + b.along[c] * s * (3 * s - 2))),
      );
      const blendedAxis = vector((c) => a.y[c] * r + b.y[c] * s);
      const alongTangent = blendedAxis[0] * tangent[0] + blendedAxis[1] * tangent[1] + blendedAxis[2] * tangent[2];
      const y = unit(vector((c) => blendedAxis[c] - alongTangent * tangent[c]));
      const z: NumericVec3 = [
        tangent[1] * y[2] - tangent[2] * y[1],
        tangent[2] * y[0] - tangent[0] * y[2],
        tangent[0] * y[1] - tangent[1] * y[0],
      ];
      sections.push({ at, y, z, size: [a.size[0] * r + b.size[0] * s, a.size[1] * r + b.size[1] * s] });
    }
  }
  return sections;
}

function unit(v: NumericVec3): NumericVec3 {
  const size = Math.hypot(...v) || 1;
  return [v[0] / size, v[1] / size, v[2] / size];
}
