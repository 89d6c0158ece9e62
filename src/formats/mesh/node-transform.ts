/** Affine transforms of the nodes of a glTF scene. */
import type { JsonValue } from "./json-value.ts";

/** Rows of a 3 x 4 matrix, one after the other: p ↦ A p + b. */
export type NodeTransform = readonly number[];

export const IDENTITY: NodeTransform = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

/** Largest difference of the norm of a rotation from 1. Files have single precision or few decimals. */
const ROTATION_TOLERANCE = 1e-3;

/** Transform of a node to the scene, from its matrix, or from its translation, rotation and scale. */
export function transformOf(node: JsonValue, parent: NodeTransform): NodeTransform {
  const matrix = node.key("matrix");
  const [translation, rotation, scale] = [node.key("translation"), node.key("rotation"), node.key("scale")];
  if (!matrix.isGiven && !translation.isGiven && !rotation.isGiven && !scale.isGiven) return parent;
  if (!matrix.isGiven) return product(parent, placement(translation, rotation, scale));
  if (translation.isGiven || rotation.isGiven || scale.isGiven)
    node.refuse("has a matrix and also a translation, rotation or scale", "Leave out one of them");
  const columns = matrix.numbers(new Array<number>(16).fill(0));
  if (columns[3] !== 0 || columns[7] !== 0 || columns[11] !== 0 || columns[15] !== 1)
    matrix.refuse("its last row must be 0, 0, 0, 1");
  return product(
    parent,
    IDENTITY.map((_, k) => columns[4 * (k % 4) + Math.floor(k / 4)]!),
  );
}

/** Translation times rotation times scale. The quaternion is x, y, z, w. */
function placement(translation: JsonValue, rotation: JsonValue, scale: JsonValue): NodeTransform {
  const [tx, ty, tz] = translation.numbers([0, 0, 0]) as [number, number, number];
  const [sx, sy, sz] = scale.numbers([1, 1, 1]) as [number, number, number];
  const quaternion = rotation.numbers([0, 0, 0, 1]);
  const norm = Math.sqrt(quaternion.reduce((sum, q) => sum + q * q, 0));
  if (!(Math.abs(norm - 1) <= ROTATION_TOLERANCE)) rotation.refuse("must be a quaternion of norm 1");
  const [x, y, z, w] = quaternion.map((q) => q / norm) as [number, number, number, number];
  return [
    (1 - 2 * (y * y + z * z)) * sx,
    2 * (x * y - w * z) * sy,
    2 * (x * z + w * y) * sz,
    tx,
    2 * (x * y + w * z) * sx,
    (1 - 2 * (x * x + z * z)) * sy,
    2 * (y * z - w * x) * sz,
    ty,
    2 * (x * z - w * y) * sx,
    2 * (y * z + w * x) * sy,
    (1 - 2 * (x * x + y * y)) * sz,
    tz,
  ];
}

const product = (a: NodeTransform, b: NodeTransform): NodeTransform =>
  a.map((_, k) => {
    const [row, column] = [k - (k % 4), k % 4];
    const sum = a[row]! * b[column]! + a[row + 1]! * b[4 + column]! + a[row + 2]! * b[8 + column]!;
    return column === 3 ? sum + a[row + 3]! : sum;
  });

/** True if the transform turns a right hand into a left hand, so that triangles change their orientation. */
export const isMirrored = (t: NodeTransform): boolean =>
  t[0]! * (t[5]! * t[10]! - t[6]! * t[9]!) - t[1]! * (t[4]! * t[10]! - t[6]! * t[8]!) + t[2]! * (t[4]! * t[9]! - t[5]! * t[8]!) <
  0;

/** Appends the transformed point to `result`. */
export function transformPoint(t: NodeTransform, points: Float64Array, offset: number, result: number[]): void {
  const [x, y, z] = [points[offset]!, points[offset + 1]!, points[offset + 2]!];
  for (let row = 0; row < 12; row += 4) result.push(t[row]! * x + t[row + 1]! * y + t[row + 2]! * z + t[row + 3]!);
}
