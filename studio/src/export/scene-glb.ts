/**
 * The motion of a run as a glTF file (.glb): one node per body with its shapes, and an animation whose time is that of the simulation, s. Far
 * from the world's origin positions are relative to the mass centre, as in the scene.
 */
import {
  AnimationClip,
  BufferGeometry,
  Group,
  type Material,
  Matrix4,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  Quaternion,
  QuaternionKeyframeTrack,
  Scene,
  Vector3,
  VectorKeyframeTrack,
} from "three";
import { GLTFExporter } from "three/addons/exporters/GLTFExporter.js";
import { disposeObject, setBodyPose } from "../view/geometry/drawing.ts";
import { bodyGroups, worldShapes } from "../view/layers/bodies.ts";
import type { SceneModel } from "../view/scene-model.ts";

/** Most pictures of the animation. Viewers interpolate between them. */
const MAX_KEYS = 3000;
const KEYS_PER_SECOND_OF_PLAYBACK = 30;

/** Times of the animation, s: enough for smooth playback at a speed. */
export function keyTimes([from, to]: readonly [number, number], speed: number): Float64Array {
  const count = Math.min(MAX_KEYS, Math.max(2, Math.ceil(((to - from) / speed) * KEYS_PER_SECOND_OF_PLAYBACK) + 1));
  return Float64Array.from({ length: count }, (_, k) => from + ((to - from) * k) / (count - 1));
}

export async function sceneGlb(model: SceneModel, times: Float64Array): Promise<Blob> {
  const { scenario } = model.context;
  const scene = new Scene();
  scene.name = scenario.name;
  // glTF has y upwards; a node turns the machine from its own vertical.
  const machine = new Group();
  machine.name = "machine";
  machine.quaternion.setFromUnitVectors(new Vector3(...model.extent.up), new Vector3(0, 1, 0));
  scene.add(machine);
  const shapes = bodyGroups(model.context);
  await Promise.all(shapes.flatMap((group) => group.children.map(({ userData }) => userData.loaded)));
  const nodes = shapes.map((group, i) => {
    const node = new Group();
    node.name = scenario.model.bodies[i]!.name;
    node.add(...group.children.map(exportable).filter((part) => part !== undefined));
    machine.add(node);
    return node;
  });
  const world = worldShapes(model.context);
  const foundation = world && exportable(world);
  if (foundation) {
    foundation.name = "world";
    foundation.position.set(...(model.posesAt(times[0]!).origin.map((x) => -x) as unknown as [number, number, number]));
    machine.add(foundation);
  }
  const ground = model.staticObject("terrain");
  const terrain = ground && exportable(ground);
  if (terrain) machine.add(Object.assign(terrain, { name: "terrain" }));
  const animation = animationOf(model, nodes, times);
  try {
    const glb = await new GLTFExporter().parseAsync(scene, { binary: true, animations: [animation], onlyVisible: false });
    return new Blob([glb as ArrayBuffer], { type: "model/gltf-binary" });
  } finally {
    disposeObject(scene);
    for (const group of shapes) disposeObject(group);
    if (world) disposeObject(world);
  }
}

/** A copy of an object with its triangles only and with materials that glTF has. Undefined if it has no triangles. */
function exportable(object: Object3D): Object3D | undefined {
  const parts = object.children.map(exportable).filter((part) => part !== undefined);
  const isMesh = object instanceof Mesh && object.geometry instanceof BufferGeometry;
  if (!isMesh && parts.length === 0) return undefined;
  const copy = isMesh ? new Mesh(object.geometry.clone(), standardMaterial(object.material)) : new Group();
  if (object.matrixAutoUpdate) object.updateMatrix();
  object.matrix.decompose(copy.position, copy.quaternion, copy.scale);
  if (parts.length > 0) copy.add(...parts);
  return copy;
}

function standardMaterial(material: Material | Material[]): Material {
  const first = Array.isArray(material) ? material[0]! : material;
  if (first instanceof MeshStandardMaterial) return first.clone();
  const { color, opacity, transparent, side, vertexColors } = first as MeshStandardMaterial;
  return new MeshStandardMaterial({ color, opacity, transparent, side, vertexColors, metalness: 0.1, roughness: 0.7 });
}

function animationOf(model: SceneModel, nodes: readonly Group[], times: Float64Array): AnimationClip {
  const positions = nodes.map(() => new Float32Array(3 * times.length));
  const turns = nodes.map(() => new Float32Array(4 * times.length));
  const previous = nodes.map(() => new Quaternion());
  const holder = new Group();
  const [p, q, s] = [new Vector3(), new Quaternion(), new Vector3()];
  const matrix = new Matrix4();
  for (const [k, t] of times.entries()) {
    const { poses, origin } = model.posesAt(t);
    for (const body of nodes.keys()) {
      setBodyPose(holder, poses, body, origin);
      matrix.copy(holder.matrix).decompose(p, q, s);
      if (q.dot(previous[body]!) < 0) q.set(-q.x, -q.y, -q.z, -q.w); // the same rotation, on the near side of the last one
      previous[body]!.copy(q);
      p.toArray(positions[body]!, 3 * k);
      q.toArray(turns[body]!, 4 * k);
    }
  }
  for (const [body, node] of nodes.entries()) {
    node.position.fromArray(positions[body]!);
    node.quaternion.fromArray(turns[body]!);
  }
  const keys = [...times].map((t) => t - times[0]!);
  const tracks = nodes.flatMap((node, body) => [
    new VectorKeyframeTrack(`${node.uuid}.position`, keys, [...positions[body]!]),
    new QuaternionKeyframeTrack(`${node.uuid}.quaternion`, keys, [...turns[body]!]),
  ]);
  return new AnimationClip("run", keys.at(-1)!, tracks);
}
