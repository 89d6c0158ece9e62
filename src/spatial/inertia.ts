/** Inertia of a rigid body, and articulated-body inertia. */
import { add, mul, type Scalar, sub } from "../kernel/trace/scalar.ts";
import { type AxisIndex, type PoseTransformable, requireSameFrame } from "./pose.ts";
import { apply, compose, type Mat3, transpose } from "./rotation.ts";
import {
  addMatrices,
  inverseSymmetric,
  rotateSymmetric,
  rotateTensor,
  subtractOuterProduct,
  subtractSymmetricOuterProduct,
  symmetricMatrix,
  turnGeneral,
  turnSymmetric,
} from "./symmetric.ts";
import { cross, dot, minus, plus, scale, turnVector, type Vec3, ZERO3 } from "./vec3.ts";
import { Force, Motion } from "./vectors.ts";

const ZERO33: Mat3<number> = [ZERO3, ZERO3, ZERO3];

/** p̃ M, with p̃ v = p × v: the cross product with each column. */
const skewTimes = (p: Vec3, M: Mat3): Mat3 => {
  const [a, b, c] = transpose(M);
  return transpose([cross(p, a), cross(p, b), cross(p, c)]);
};

/** Inertia of a rigid body: mass, first moment h = m c, and J about the origin of the frame. */
export class Inertia implements PoseTransformable<Inertia> {
  constructor(
    readonly frame: string,
    readonly mass: Scalar,
    readonly h: Vec3,
    readonly J: Mat3,
  ) {}

  static zero(frame: string): Inertia {
    return new Inertia(frame, 0, ZERO3, ZERO33);
  }

  /** From the inertia I_c about the mass centre: J = I_c + m (c·c 1 - c cᵀ). */
  static ofBody(frame: string, mass: Scalar, com: Vec3, inertia: Mat3): Inertia {
    return new Inertia(frame, mass, ZERO3, inertia).shifted(com);
  }

  /** The same components, labelled with another frame. */
  withFrame(frame: string): Inertia {
    return new Inertia(frame, this.mass, this.h, this.J);
  }

  plus(other: Inertia): Inertia {
    requireSameFrame(this.frame, other.frame, "sum of inertias");
    return new Inertia(this.frame, add(this.mass, other.mass), plus(this.h, other.h), addMatrices(this.J, other.J));
  }

  /** Force of an acceleration, or momentum of a velocity: n = J α + h × a, f = m a - h × α. */
  times(A: Motion): Force {
    requireSameFrame(this.frame, A.frame, "inertia times motion");
    return new Force(
      this.frame,
      plus(apply(this.J, A.angular), cross(this.h, A.linear)),
      plus(scale(this.mass, A.linear), cross(A.angular, this.h)),
    );
  }

  turned(axis: AxisIndex, c: Scalar, s: Scalar): Inertia {
    return new Inertia(this.frame, this.mass, turnVector(this.h, axis, c, s), turnSymmetric(this.J, axis, c, s));
  }

  rotated(R: Mat3): Inertia {
    return new Inertia(this.frame, this.mass, apply(R, this.h), rotateSymmetric(this.J, R));
  }

  /** With g = 2 h + m p: J + (p·g 1 - sym(p gᵀ)), by components. */
  shifted(p: Vec3): Inertia {
    const h = plus(this.h, scale(this.mass, p));
    const g = plus(this.h, h);
    const px = [mul(p[0], g[0]), mul(p[1], g[1]), mul(p[2], g[2])] as const;
    const off = (i: AxisIndex, j: AxisIndex): Scalar => sub(this.J[i][j], add(mul(p[i], h[j]), mul(p[j], this.h[i])));
    return new Inertia(
      this.frame,
      this.mass,
      h,
      symmetricMatrix(
        add(this.J[0][0], add(px[1], px[2])),
        add(this.J[1][1], add(px[0], px[2])),
        add(this.J[2][2], add(px[0], px[1])),
        off(0, 1),
        off(0, 2),
        off(1, 2),
      ),
    );
  }

  /** The same inertia in the form of an articulated-body inertia. */
  get articulated(): ArticulatedInertia {
    const [x, y, z] = this.h;
    const B: Mat3 = transpose([cross(this.h, [1, 0, 0]), cross(this.h, [0, 1, 0]), cross([x, y, z], [0, 0, 1])]);
    const m = this.mass;
    return new ArticulatedInertia(this.frame, this.J, B, symmetricMatrix(m, m, m, 0, 0, 0));
  }
}

/** Articulated-body inertia, of a body with others on its hinges: n = A α + B a, f = Bᵀ α + M a. */
export class ArticulatedInertia implements PoseTransformable<ArticulatedInertia> {
  constructor(
    readonly frame: string,
    readonly A: Mat3,
    readonly B: Mat3,
    readonly M: Mat3,
  ) {}

  /** The same components, labelled with another frame. */
  withFrame(frame: string): ArticulatedInertia {
    return new ArticulatedInertia(frame, this.A, this.B, this.M);
  }

  plus(other: ArticulatedInertia): ArticulatedInertia {
    requireSameFrame(this.frame, other.frame, "sum of articulated inertias");
    return new ArticulatedInertia(
      this.frame,
      addMatrices(this.A, other.A),
      addMatrices(this.B, other.B),
      addMatrices(this.M, other.M),
    );
  }

  times(X: Motion): Force {
    requireSameFrame(this.frame, X.frame, "articulated inertia times motion");
    return new Force(
      this.frame,
      plus(apply(this.A, X.angular), apply(this.B, X.linear)),
      plus(apply(transpose(this.B), X.angular), apply(this.M, X.linear)),
    );
  }

  /** I - U gᵀ with g = U / D: the inertia felt through the free hinge axis with force column U. */
  reducedByHinge(U: Force, g: Force): ArticulatedInertia {
    return new ArticulatedInertia(
      this.frame,
      subtractSymmetricOuterProduct(this.A, U.torque, g.torque),
      subtractOuterProduct(this.B, U.torque, g.force),
      subtractSymmetricOuterProduct(this.M, U.force, g.force),
    );
  }

  /**
   * The acceleration caused by a force. With Y = B M⁻¹, the angular part is (A - Y Bᵀ)⁻¹ (n - Y f). Two 3x3 inverses by cofactors take 50
   * operations more than one elimination of six columns, but only two dependent divisions instead of six, and divisions limit the speed of
   * a short kernel.
   */
  solve({ torque, force }: Force): Motion {
    const inverseM = inverseSymmetric(this.M);
    const Y = compose(this.B, inverseM);
    const entry = (i: AxisIndex, j: AxisIndex): Scalar => sub(this.A[i][j], dot(Y[i], this.B[j]));
    const schurComplement = symmetricMatrix(entry(0, 0), entry(1, 1), entry(2, 2), entry(0, 1), entry(0, 2), entry(1, 2));
    const angular = apply(inverseSymmetric(schurComplement), minus(torque, apply(Y, force)));
    return new Motion(this.frame, angular, apply(inverseM, minus(force, apply(transpose(this.B), angular))));
  }

  turned(axis: AxisIndex, c: Scalar, s: Scalar): ArticulatedInertia {
    return new ArticulatedInertia(
      this.frame,
      turnSymmetric(this.A, axis, c, s),
      turnGeneral(this.B, axis, c, s),
      turnSymmetric(this.M, axis, c, s),
    );
  }

  rotated(R: Mat3): ArticulatedInertia {
    return new ArticulatedInertia(this.frame, rotateSymmetric(this.A, R), rotateTensor(this.B, R), rotateSymmetric(this.M, R));
  }

  /** C = B + p̃ M and A + p̃ Cᵀ - B p̃. On the diagonal the last two terms share their factors. */
  shifted(p: Vec3): ArticulatedInertia {
    const { A, B, M } = this;
    const C = addMatrices(B, skewTimes(p, M));
    const BplusC = addMatrices(B, C);
    const diagonal = (i: AxisIndex): Scalar => {
      const j = ((i + 1) % 3) as AxisIndex;
      const k = ((i + 2) % 3) as AxisIndex;
      return add(A[i][i], sub(mul(p[j], BplusC[i][k]), mul(p[k], BplusC[i][j])));
    };
    // (p̃ Cᵀ)_ij = (p × row j of C)_i and (B p̃)_ij = -(p × row i of B)_j, grouped by the shared component of p
    const upper = (i: AxisIndex, j: AxisIndex): Scalar => {
      const k = (3 - i - j) as AxisIndex;
      const sign = (i + 1) % 3 === j ? 1 : -1;
      const term = sub(mul(p[k], sub(B[i][i], C[j][j])), sub(mul(p[i], B[i][k]), mul(p[j], C[j][k])));
      return sign > 0 ? add(A[i][j], term) : sub(A[i][j], term);
    };
    const xy = upper(0, 1);
    const xz = upper(0, 2);
    const yz = upper(1, 2);
    return new ArticulatedInertia(this.frame, symmetricMatrix(diagonal(0), diagonal(1), diagonal(2), xy, xz, yz), C, M);
  }
}
