/** Shapes of bodies as three.js objects. */
import type { Body, Model } from "castor";
import { type BodyShape, equivalentShape, type MaterialName, shapeInstances } from "castor/model";
import {
  type BufferGeometry,
  EdgesGeometry,
  Group,
  LineBasicMaterial,
  LineSegments,
  type Material,
  Mesh,
  type Object3D,
  Vector3,
} from "three";
import type { LayerContext } from "../layer.ts";
import { materialColour, surfaceMaterial } from "../materials.ts";
import { bodyPoints, jointPoints } from "./body-points.ts";
import { setPlacement } from "./drawing.ts";
import type { MachineExtent } from "./machine-extent.ts";
import { loadMesh } from "./mesh-files.ts";
import { shapeContains } from "./shape-extent.ts";
import { SurfaceCollector } from "./surfaces.ts";

/** Radius of point masses, relative to the size of the bodies. */
const POINT_SIZE = 0.06;

/** The shapes to draw for each body: those of the model, or else the uniform solid with its inertia. */
export function displayShapes(model: Model): readonly (readonly BodyShape[])[] {
  const radius = POINT_SIZE * typicalSize(model);
  return model.bodies.map((body) => {
    if (body.shapes.length > 0) return body.shapes.flatMap(shapeInstances);
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
  if (shape.material !== undefined) return 1; // the author of the model has decided how it looks
  if (oversized.has(shape)) return 0.2;
  if (occluding.has(shape)) return 0.3;
  if (body.shapes.length > 0) return 1;
  if (enclosing.has(shape)) return 0.16;
  return jointPoints(model, body).some((point) => shapeContains(shape, point, HIDDEN_SCALE)) ? 0.42 : 1;
}

/** The solid with the inertia of a body, for one whose meshes cannot be drawn. */
export const substituteShape = (model: Model, body: Body): BodyShape | undefined =>
  equivalentShape(body, POINT_SIZE * typicalSize(model));

interface Look {
  readonly material: MaterialName;
  readonly colour: string;
  readonly opacity: number;
}

/**
 * The shapes of a body as meshes, one for each look. A mesh from a file is added when it has been loaded: `userData.loaded` of its
 * group resolves to false if that fails.
 * @param opacityOf opacity of a shape, 0 to 1
 * @param materials of bodies that were drawn before. Bodies share them, because a change of the material between two meshes takes time.
 */
export function shapeMeshes(
  shapes: readonly BodyShape[],
  bodyColour: string,
  opacityOf: (shape: BodyShape) => number,
  context: LayerContext,
  materials = new Map<string, Material>(),
): Object3D[] {
  const surfaces = new SurfaceCollector<Look>(context.extent.radius);
  const lookOf = (shape: BodyShape, own?: string): Look => {
    const material = (own ?? shape.material ?? "paint") as MaterialName;
    return { material, colour: materialColour(material, own ? undefined : shape.colour, bodyColour), opacity: opacityOf(shape) };
  };
  const keyOf = ({ material, colour, opacity }: Look): string => `${material} ${colour} ${opacity}`;
  const materialOf = (look: Look): Material => {
    const known = materials.get(keyOf(look));
    if (known) return known;
    const material = surfaceMaterial(look.material, look.colour, look.opacity, context.extent.radius);
    materials.set(keyOf(look), material);
    return material;
  };
  for (const shape of shapes)
    surfaces.add(shape, (part) => {
      const look = lookOf(shape, part.material);
      return { key: keyOf(look), look };
    });
  const meshes = surfaces.geometries().map(({ look, geometry }) => {
    const mesh = new Mesh(geometry, materialOf(look));
    setShadows(mesh, look.opacity);
    return look.opacity < 1 ? new Group().add(mesh, edgesOf(geometry, context)) : mesh;
  });
  const files = shapes.flatMap((shape) =>
    shape.kind === "mesh" ? [meshFromFile(shape, materialOf(lookOf(shape)), context)] : [],
  );
  return [...meshes, ...files];
}

const setShadows = (mesh: Mesh, opacity: number): void => {
  mesh.castShadow = opacity === 1;
  mesh.receiveShadow = opacity === 1;
};

/** The edges of a translucent shape, which would otherwise have no outline. */
function edgesOf(geometry: BufferGeometry, { palette }: LayerContext): LineSegments {
  const material = new LineBasicMaterial({ color: palette.dark ? palette.link : palette.edge, transparent: true, opacity: 0.45 });
  return new LineSegments(new EdgesGeometry(geometry, 30), material);
}

function meshFromFile(shape: Extract<BodyShape, { readonly kind: "mesh" }>, material: Material, context: LayerContext): Group {
  const group = new Group();
  setPlacement(group, shape.placement);
  const hasLook = shape.colour !== undefined || shape.material !== undefined;
  group.userData.loaded = loadMesh(shape.file, context.source)
    .then((object) => {
      object.scale.multiply(new Vector3(...shape.scale));
      object.traverse((part) => {
        if (!(part instanceof Mesh)) return;
        if (hasLook || part.userData.plain) part.material = material;
        setShadows(part, 1);
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
