/**
 * Principal moments and axes of an inertia by Jacobi rotations, to machine precision. Older versions of MuJoCo stop their own diagonalisation
 * of `fullinertia` early, which changes accelerations by 1e-8. They use given moments and axes unchanged.
 */
import { product, type Rotation, transpose, type Vector } from "./peer-rotations.ts";

export interface PrincipalInertia {
  readonly moments: Vector;
  /** R_BP: its columns are the principal axes in body axes, right-handed. */
  readonly axes: Rotation;
}

type JacobiIndex = 0 | 1 | 2;
const PAIRS: readonly (readonly [JacobiIndex, JacobiIndex])[] = [
  [0, 1],
  [0, 2],
  [1, 2],
];

/** xx yy zz xy xz yz */
export function principalInertia([xx = 0, yy = 0, zz = 0, xy = 0, xz = 0, yz = 0]: readonly number[]): PrincipalInertia {
  let I: Rotation = [
    [xx, xy, xz],
    [xy, yy, yz],
    [xz, yz, zz],
  ];
  let axes: Rotation = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  // Convergence is quadratic: five sweeps are enough for any 3x3 matrix; eight do no harm.
  for (let sweep = 0; sweep < 8; sweep++)
    for (const [i, j] of PAIRS) {
      if (I[i][j] === 0) continue;
      const J = planeRotation(i, j, 0.5 * Math.atan2(2 * I[i][j], I[j][j] - I[i][i]));
      I = product(product(transpose(J), I), J);
      axes = product(axes, J);
    }
  return { moments: [I[0][0], I[1][1], I[2][2]], axes };
}

function planeRotation(i: JacobiIndex, j: JacobiIndex, angle: number): Rotation {
  const R = [
    [1, 0, 0],
    [0, 1, 0],
    [0, 0, 1],
  ];
  R[i]![i] = R[j]![j] = Math.cos(angle);
  R[i]![j] = Math.sin(angle);
  R[j]![i] = -Math.sin(angle);
  return R as unknown as Rotation;
}
