/** Picture of a mode: the shapes of the bodies as curves, elastic bodies bent, and the motion of their points. */

import { frameJacobian, framePose, placementsOfLinks } from "../../dynamics/tree/kinematics.ts";
import { linkTreeOf } from "../../dynamics/tree/link-tree.ts";
import { cosine, sine } from "../../math/elementary/sincos.ts";
import { type BodyShape, shapeInstances } from "../../model/body-shape.ts";
import { type Body, frameOf, type Model } from "../../model/model.ts";
import { shapeBounds } from "../../model/surface/shape-surface.ts";
import { apply, type Mat3 } from "../../spatial/rotation.ts";
import type { NumericVec3 } from "../../spatial/vec3.ts";
import { cross, plus } from "../../spatial/vec3.ts";
import type { BodyCurve, BodyPoint } from "../body-curve.ts";
import { elasticCurves } from "../elastic-curves.ts";
import type { Linearisation } from "../linearise.ts";
import type { Mode } from "./modes.ts";

export interface ModePicture {
  /** Points in the world, m. */
  readonly points: readonly NumericVec3[];
  readonly curves: readonly { readonly kind: BodyCurve["kind"]; readonly elastic: boolean; readonly points: readonly number[] }[];
  /** For each mode and point: real and imaginary part of its motion. */
  readonly motions: readonly (readonly { readonly re: NumericVec3; readonly im: NumericVec3 }[])[];
}

export function modePicture({ model, q }: Linearisation, modes: readonly Mode[]): ModePicture {
  const machine = linkTreeOf(model);
  const placements = placementsOfLinks(machine, Array.from(q));
  const frames = model.bodies.map((body) => {
    const frame = frameOf(model, body.name);
    const { R, p } = framePose(machine, placements, frame) as { R: Mat3<number>; p: NumericVec3 };
    const J = frameJacobian(machine, placements, frame) as number[][];
    const frameMotion = (shape: Float64Array): number[] => J.map((row) => row.reduce((sum, v, j) => sum + v * shape[j]!, 0));
    return { R, p, motions: modes.map((mode) => ({ re: frameMotion(mode.shape), im: frameMotion(mode.shapeIm) })) };
  });
  const points: NumericVec3[] = [];
  const motions: { re: NumericVec3; im: NumericVec3 }[][] = modes.map(() => []);
  const mean = (all: readonly NumericVec3[], digits: number): NumericVec3 =>
    [0, 1, 2].map((k) => +(all.reduce((sum, v) => sum + v[k]!, 0) / all.length).toPrecision(digits)) as unknown as NumericVec3;
  const add = (bodyPoints: readonly BodyPoint[]): number => {
    const arms = bodyPoints.map(({ body, at }) => apply(frames[body]!.R, at) as NumericVec3);
    const pointMotion = (part: "re" | "im", mode: number): NumericVec3 => {
      const each = bodyPoints.map(({ body }, k) => {
        const [wx, wy, wz, vx, vy, vz] = frames[body]!.motions[mode]![part] as [number, number, number, number, number, number];
        return plus([vx, vy, vz], cross([wx, wy, wz], arms[k]!)) as NumericVec3;
      });
      return mean(each, 6);
    };
    const positions = bodyPoints.map(({ body }, k) => plus(frames[body]!.p, arms[k]!) as NumericVec3);
    points.push(mean(positions, 8));
    for (const i of modes.keys()) motions[i]!.push({ re: pointMotion("re", i), im: pointMotion("im", i) });
    return points.length - 1;
  };
  const curves = modelCurves(model).map(({ kind, elastic, points: bodyPoints }) => ({
    kind,
    elastic,
    points: bodyPoints.map(add),
  }));
  return { points, curves, motions };
}

/** Curves of a model: elastic bodies along their edges; other bodies by their shapes, or without shapes by lines to their hinges and frames. */
export function modelCurves(model: Model): readonly BodyCurve[] {
  const { curves, drawn } = elasticCurves(model);
  return [...curves, ...model.bodies.filter((b) => !drawn.has(b.index)).flatMap((body) => bodyCurves(model, body))];
}

function bodyCurves(model: Model, body: Body): BodyCurve[] {
  const straight = (points: readonly NumericVec3[]): BodyCurve => ({
    kind: "straight",
    elastic: false,
    points: points.map((at) => [{ body: body.index, at }]),
  });
  const visible = body.shapes.filter((s) => s.kind !== "mesh");
  if (visible.length > 0) return visible.flatMap(shapeInstances).flatMap((shape) => shapeOutlines(shape).map(straight));
  const carried: NumericVec3[] = [
    ...model.bodies.filter((b) => b.parent === body.index).map((b) => b.hinge.onParent.p),
    ...model.frames.filter((f) => f.body === body.index).map((f) => f.placement.p),
  ];
  if (carried.length === 0) carried.push(body.com.map((c) => 2 * c) as unknown as NumericVec3); // the far end of a symmetric body
  return carried.filter((p) => p.some((v) => v !== 0)).map((p) => straight([[0, 0, 0], p]));
}

const CIRCLE_ANGLES = Array.from({ length: 17 }, (_, k) => (2 * Math.PI * k) / 16);

/** Outlines of a shape, in axes of its body. */
function shapeOutlines(shape: BodyShape): readonly (readonly NumericVec3[])[] {
  const put = (v: NumericVec3): NumericVec3 => plus(shape.placement.p, apply(shape.placement.R, v)) as NumericVec3;
  switch (shape.kind) {
    case "box": {
      const [x, y, z] = shape.size.map((s) => s / 2) as [number, number, number];
      return boxEdges([-x, -y, -z], [x, y, z]).map((edge) => edge.map(put));
    }
    case "sphere":
    case "ellipsoid": {
      const [x, y, z] = shape.kind === "sphere" ? [shape.radius, shape.radius, shape.radius] : shape.size.map((s) => s / 2);
      const ring = (at: (c: number, s: number) => NumericVec3): NumericVec3[] =>
        CIRCLE_ANGLES.map((a) => {
          const [u, v, w] = at(cosine(a), sine(a));
          return put([x! * u, y! * v, z! * w]);
        });
      return [ring((c, s) => [c, s, 0]), ring((c, s) => [c, 0, s]), ring((c, s) => [0, c, s])];
    }
    case "cylinder":
    case "capsule": {
      const h = shape.length / 2;
      const ring = (z: number): NumericVec3[] =>
        CIRCLE_ANGLES.map((a): NumericVec3 => put([shape.radius * cosine(a), shape.radius * sine(a), z]));
      const side = (k: number): NumericVec3[] => [ring(-h)[k]!, ring(h)[k]!];
      return [ring(-h), ring(h), side(0), side(4), side(8), side(12)];
    }
    case "tube":
      return [shape.path.map(put)];
    case "mesh":
      return [];
    default: {
      const { low, high } = shapeBounds(shape);
      return boxEdges(low, high).map((edge) => edge.map(put));
    }
  }
}

/** Edges of a box with these corners: two faces, and the four lines between them. */
function boxEdges([x0, y0, z0]: NumericVec3, [x1, y1, z1]: NumericVec3): readonly (readonly NumericVec3[])[] {
  const face = (z: number): NumericVec3[] => [[x0, y0, z], [x1, y0, z], [x1, y1, z], [x0, y1, z], [x0, y0, z]]; // biome-ignore format: corners
  return [face(z0), face(z1), ...face(z0).slice(0, 4).map(([x, y]): NumericVec3[] => [[x, y, z0], [x, y, z1]])]; // biome-ignore format: edges
}
