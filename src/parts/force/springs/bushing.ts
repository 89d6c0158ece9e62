/** An elastic joint of six stiffnesses between two frames. */
import { add, mul, type Scalar, square, sub, sum } from "../../../kernel/trace/scalar.ts";
import { apply, compose, type Mat3, transpose } from "../../../spatial/rotation.ts";
import { cross, minus, negate, plus, type Vec3 } from "../../../spatial/vec3.ts";
import { forceKind } from "../kind.ts";

const timesEach = (k: Vec3<number>, v: Vec3): Vec3 => [mul(k[0], v[0]), mul(k[1], v[1]), mul(k[2], v[2])];
const weightedSquares = (k: Vec3<number>, v: Vec3): Scalar => sum(v.map((component, i) => mul(k[i]!, square(component))));

export const bushing = forceKind({
  name: "bushing",
  about:
    "Six springs and dampers between frames A (`from`) and B (`to`), in the axes of A: along x, y, z for the position of B in A, and " +
    "about x, y, z for its rotation. The rotation may be large: the potential is trace(G (1 - R_AB)) with G = ½ trace(K) - K, which is " +
    "½ φ·K φ for small angles φ.",
  acts: "between bodies",
  parameters: {
    from: { type: "frame", about: "Frame A, in whose axes the springs lie." },
    to: { type: "frame", about: "Frame B." },
    stiffness: { type: "vector", unit: "N/m", least: 0, default: [0, 0, 0], about: "Stiffness along x, y, z of A." },
    damping: { type: "vector", unit: "N s/m", least: 0, default: [0, 0, 0], about: "Damping along x, y, z of A." },
    angularStiffness: { type: "vector", unit: "N m/rad", least: 0, default: [0, 0, 0], about: "Stiffness about x, y, z of A." },
    angularDamping: { type: "vector", unit: "N m s/rad", least: 0, default: [0, 0, 0], about: "Damping about x, y, z of A." },
  },
  examples: [
    {
      from: "dock",
      to: "hand-tip",
      stiffness: [100, 200, 300],
      damping: [1, 2, 3],
      angularStiffness: [5, 6, 8],
      angularDamping: [0.1, 0.2, 0.3],
    },
    { from: "hull", to: "upper", angularStiffness: [10, 10, 10] },
  ],
  element(_name, { from, to, stiffness, damping, angularStiffness, angularDamping }, note) {
    if (from === to) note("to", "both ends are at the same frame");
    return {
      frames: [from, to],
      trace(s, out) {
        const A = s.frame(from);
        const B = s.frame(to);
        const inA = (v: Vec3): Vec3 => apply(transpose(A.R), v);
        // Position of B in A and its rate relative to A. The forces on A and B act at the same point, the origin of B.
        const d = minus(B.p, A.p);
        const x = inA(d);
        const rate = inA(minus(minus(B.v, A.v), cross(A.w, d)));
        const force = apply(A.R, negate(plus(timesEach(stiffness, x), timesEach(damping, rate))));
        const w = inA(minus(B.w, A.w));
        const R = compose(transpose(A.R), B.R);
        const turn = rotationSpring(angularStiffness, R);
        const torque = apply(A.R, minus(turn.torque, timesEach(angularDamping, w)));
        out.wrench(to, torque, force);
        out.wrench(from, negate(plus(torque, cross(d, force))), negate(force));
        out.potential(add(mul(0.5, weightedSquares(stiffness, x)), turn.potential));
        out.dissipated(add(weightedSquares(damping, rate), weightedSquares(angularDamping, w)));
      },
    };
  },
});

/** V = tr(G (1 - R)), V̇ = -tr(G ω̃ R) = -ω·a with a the axis of the skew part of P = R G: the torque on B in A axes is a. */
function rotationSpring([kx, ky, kz]: Vec3<number>, R: Mat3): { readonly potential: Scalar; readonly torque: Vec3 } {
  const half = (kx + ky + kz) / 2;
  const g: Vec3<number> = [half - kx, half - ky, half - kz];
  const P = R.map((row) => timesEach(g, row)) as unknown as Mat3;
  return {
    // 1 - R_ii is half the squared distance of row i from the unit vector, so no digits are lost at small angles.
    potential: sum(g.map((gi, i) => mul(gi / 2, sum(R[i]!.map((v, j) => square(i === j ? sub(1, v) : v)))))),
    torque: [sub(P[1][2], P[2][1]), sub(P[2][0], P[0][2]), sub(P[0][1], P[1][0])],
  };
}
