/** Helpers for three.js objects: poses, cylinders, arrows, disposal. */
import type { NumericVec3 } from "castor/model";
import type { Material, Object3D } from "three";
import { BufferGeometry, ConeGeometry, CylinderGeometry, Group, Mesh, MeshLambertMaterial, Quaternion, Vector3 } from "three";
import type { SceneLabel } from "../layer.ts";
import { POSE_SIZE } from "../motion/run-motion.ts";

/** Sets the pose of an object to that of a body. */
export function setBodyPose(object: Object3D, poses: Float64Array, body: number, origin: Float64Array): void {
  const offset = POSE_SIZE * body;
  const v = (k: number): number => poses[offset + k]!;
  object.matrix.set(
    ...([v(0), v(1), v(2), v(9) - origin[0]!, v(3), v(4), v(5), v(10) - origin[1]!] as const),
    ...([v(6), v(7), v(8), v(11) - origin[2]!, 0, 0, 0, 1] as const),
  );
  object.matrixWorldNeedsUpdate = true;
}

/** Sets a fixed placement of an object relative to its parent. */
export function setPlacement(
  object: Object3D,
  { R, p }: { readonly R: readonly (readonly number[])[]; readonly p: NumericVec3 },
): void {
  object.matrixAutoUpdate = false;
  const [[a, b, c], [d, e, f], [g, h, i]] = R as unknown as [NumericVec3, NumericVec3, NumericVec3];
  object.matrix.set(a, b, c, p[0], d, e, f, p[1], g, h, i, p[2], 0, 0, 0, 1);
}

/** A group for `setBodyPose`. */
export function poseGroup(): Group {
  const group = new Group();
  group.matrixAutoUpdate = false;
  return group;
}

const Y = new Vector3(0, 1, 0);

/** A cylinder between two points. */
export function cylinderBetween(from: NumericVec3, to: NumericVec3, radius: number, material: Material): Mesh {
  const [a, b] = [new Vector3(...from), new Vector3(...to)];
  const along = b.clone().sub(a);
  const mesh = new Mesh(new CylinderGeometry(radius, radius, along.length(), 12, 1), material);
  mesh.position.copy(a.add(b).multiplyScalar(0.5));
  mesh.quaternion.setFromUnitVectors(Y, along.normalize());
  return mesh;
}

/** An arrow. It has two heads for torques and angular momenta; with `onTop` it is drawn over everything else. */
export class Arrow {
  readonly object = poseGroup();
  readonly #shaft: Mesh;
  readonly #tips: readonly Mesh[];
  readonly #width: number;
  static readonly #turn = new Quaternion();
  static readonly #direction = new Vector3();
  static readonly #one = new Vector3(1, 1, 1);

  constructor(colour: string, width: number, { heads = 1, onTop = false } = {}) {
    const material = new MeshLambertMaterial({ color: colour, emissive: colour, emissiveIntensity: 0.35 });
    material.depthTest = !onTop;
    material.transparent = onTop;
    this.#width = width;
    this.#shaft = new Mesh(new CylinderGeometry(1, 1, 1, 10).translate(0, 0.5, 0), material);
    this.#tips = Array.from({ length: heads }, () => new Mesh(new ConeGeometry(1, 1, 14).translate(0, -0.5, 0), material));
    this.object.add(this.#shaft, ...this.#tips);
    if (onTop) for (const child of this.object.children) child.renderOrder = 1;
  }

  /** Draws the arrow from a point along a vector, both in the scene. An arrow that is too short is hidden. */
  set(x: number, y: number, z: number, vx: number, vy: number, vz: number): void {
    const length = Math.hypot(vx, vy, vz);
    const width = this.#width;
    this.object.visible = length > 0.5 * width;
    if (!this.object.visible) return;
    const tip = Math.min(length, 5 * width);
    this.#shaft.scale.set(width, Math.max(1e-9, length - tip * 0.9), width);
    for (const [i, cone] of this.#tips.entries()) {
      cone.scale.set(2.4 * width, tip, 2.4 * width);
      cone.position.y = length - i * 0.6 * tip;
    }
    Arrow.#direction.set(vx / length, vy / length, vz / length);
    Arrow.#turn.setFromUnitVectors(Y, Arrow.#direction);
    this.object.matrix.compose(new Vector3(x, y, z), Arrow.#turn, Arrow.#one);
    this.object.matrixWorldNeedsUpdate = true;
  }
}

/** Frees the graphics memory of an object and its children. */
export function disposeObject(object: Object3D): void {
  object.traverse((child) => {
    const { geometry, material } = child as Partial<Mesh>;
    if (geometry instanceof BufferGeometry) geometry.dispose();
    for (const m of Array.isArray(material) ? material : material ? [material] : []) m.dispose();
  });
}

/** The largest number not above x of the form 1, 2 or 5 times a power of ten. */
export function roundNumberBelow(x: number): number {
  const power = 10 ** Math.floor(Math.log10(x));
  const mantissa = x / power;
  return power * (mantissa >= 5 ? 5 : mantissa >= 2 ? 2 : 1);
}

/** A number with at most three significant digits. */
export const threeDigits = (x: number): string => String(Number(x.toPrecision(3)));

/** Most arrows with a value beside them; more would cover the scene. */
const MAX_VALUES = 12;

/** Values of arrows of one kind, N. The small ones of many arrows have none. */
export function arrowLabels(
  arrows: readonly { readonly tip: readonly [number, number, number]; readonly size: number }[],
): readonly SceneLabel[] {
  const sorted = [...arrows].sort((a, b) => b.size - a.size).slice(0, MAX_VALUES);
  const least = 0.02 * (sorted[0]?.size ?? 0);
  return sorted
    .filter(({ size }) => size > least)
    .map(({ tip, size }) => ({ text: `${threeDigits(size)} N`, at: tip, kind: "value" }));
}
