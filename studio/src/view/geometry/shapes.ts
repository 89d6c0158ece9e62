/** Shapes of bodies as three.js objects. */
import type { Body, Model } from "castor";
import { type BodyShape, equivalentShape } from "castor/model";
import type { BufferGeometry } from "three";
import {
  BoxGeometry,
  CapsuleGeometry,
  CylinderGeometry,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  Mesh,
  MeshLambertMaterial,
  SphereGeometry,
  Vector3,
} from "three";
import type { LayerContext } from "../layer.ts";
import { bodyPoints, jointPoints } from "./body-points.ts";
import { setPlacement } from "./drawing.ts";
import type { MachineExtent } from "./machine-extent.ts";
import { loadMesh } from "./mesh-files.ts";
import { shapeContains } from "./shape-extent.ts";

/** Radius of point masses, relative to the size of the bodies. */
const POINT_SIZE = 0.06;

/** The shapes to draw for each body: those of the model, or else the uniform solid with its inertia. */
export function displayShapes(model: Model): readonly (readonly BodyShape[])[] {
  const radius = POINT_SIZE * typicalSize(model);
  return model.bodies.map((body) => {
    if (body.shapes.length > 0) return body.shapes;
    const solid = equivalentShape(body, radius);
    return solid ? [solid] : [];
  });
}

/** Typical distance between the points of a body, which sets the drawn size of point masses. */
function typicalSize(model: Model): number {
  const largest = Math.max(...model.bodies.map((body) => bodySize(model, body)));
  return largest > 0 ? largest : 1;
}

function bodySize(model: Model, body: Body): number {
  const points = bodyPoints(model, body);
  const hinge = body.hinge.kind === "free" ? body.com : body.hinge.onBody.p;
  return Math.max(...points.map((p) => Math.hypot(p[0] - hinge[0], p[1] - hinge[1], p[2] - hinge[2])));
}

const geometries: { readonly [K in BodyShape["kind"]]?: (shape: BodyShape & { readonly kind: K }) => BufferGeometry } = {
  box: ({ size: [x, y, z] }) => new BoxGeometry(x, y, z),
  sphere: ({ radius }) => new SphereGeometry(radius, 32, 20),
  ellipsoid: ({ size: [x, y, z] }) => new SphereGeometry(0.5, 32, 20).scale(x, y, z),
  cylinder: ({ radius, length }) => new CylinderGeometry(radius, radius, length, 32).rotateX(Math.PI / 2),
  capsule: ({ radius, length }) => new CapsuleGeometry(radius, length, 8, 24).rotateX(Math.PI / 2),
};

/** A joint inside the solid scaled by this factor counts as hidden by it. */
const HIDDEN_SCALE = 0.85;

/**
 * Opacity of a shape, 0 to 1. Shapes that would hide the mechanism are translucent: oversized and occluding ones, and equivalent solids that
 * contain joints of their body or other bodies.
 */
export function shapeOpacity(
  model: Model,
  body: Body,
  shape: BodyShape,
  { oversized, enclosing, occluding }: MachineExtent,
): number {
  if (oversized.has(shape)) return 0.2;
  if (occluding.has(shape)) return 0.3;
  if (body.shapes.length > 0) return 1;
  if (enclosing.has(shape)) return 0.16;
  return jointPoints(model, body).some((point) => shapeContains(shape, point, HIDDEN_SCALE)) ? 0.42 : 1;
}

/** The solid with the inertia of a body, for one whose meshes cannot be drawn. */
export const substituteShape = (model: Model, body: Body): BodyShape | undefined =>
  equivalentShape(body, POINT_SIZE * typicalSize(model));

/** A shape at its placement on the body. A mesh is added when its file has been loaded; `userData.loaded` is false if that fails. */
export function shapeObject(shape: BodyShape, colour: string, opacity: number, context: LayerContext): Group {
  const group = new Group();
  setPlacement(group, shape.placement);
  const translucency = opacity < 1 ? { transparent: true, opacity, depthWrite: false } : {};
  const material = new MeshLambertMaterial({ color: shape.colour ?? colour, ...translucency });
  if (shape.kind === "mesh") {
    group.userData.loaded = loadMesh(shape.file, context.source)
      .then((object) => {
        object.scale.multiply(new Vector3(...shape.scale));
        object.traverse((part) => {
          if (part instanceof Mesh && (shape.colour !== undefined || part.userData.plain)) part.material = material;
          part.userData.body = group.userData.body;
        });
        group.add(object);
        context.redraw();
        return true;
      })
      .catch((error: Error) => {
        context.remark(error.message);
        return false;
      });
    return group;
  }
  const geometry = (geometries[shape.kind] as (shape: BodyShape) => BufferGeometry)(shape);
  const { dark, link, edge } = context.palette;
  // The edges of translucent shapes must be visible, also on a dark background.
  const edgeColour = dark && opacity < 1 ? link : edge;
  const edges = new LineBasicMaterial({ color: edgeColour, transparent: true, opacity: 0.45 });
  group.add(new Mesh(geometry, material), new LineSegments(new EdgesGeometry(geometry, 30), edges));
  return group;
}
