/**
 * Chains of passive joints: accelerations by the algorithm of Yoshikawa and Hosoda (1991), corrected. All three moments in every joint are
 * known from its springs, so only the forces f_a between links are not. With s from a link's joint to its mass centre, p to the next
 * joint, Y = I⁻¹, all in world axes,
 *
 *   m s̈_a = f_a - f_{a+1} + m g,      I ω̇ + ω × I ω = n_a - n_{a+1} - s × f_a - (p - s) × f_{a+1},
 *
 * and that the links meet in joint a is a block of three equations with f_{a-1}, f_a, f_{a+1}: block tridiagonal, symmetric, positive
 * definite, and solved at a cost linear in the number of links. It shares nothing with the other formulations, and applies to a chain
 * of spherical hinges on a body that is fixed to the world, every link with mass and inertia.
 */
import { ModelError } from "../model/errors.ts";
import type { Body, Model } from "../model/model.ts";
import { apply, compose, fromQuaternion, IDENTITY, type Mat3, type Quaternion, transpose } from "../spatial/rotation.ts";
import { cross, minus, plus, scale, type Vec3, ZERO3 } from "../spatial/vec3.ts";

type V3 = Vec3<number>;
type M3 = Mat3<number>;

export interface PassiveChain {
  /** u̇ under torques tau in the joints, in F axes. */
  accelerations(q: Float64Array, u: Float64Array, tau: Float64Array, udot: Float64Array): void;
}

/** @throws ModelError that says why the algorithm does not apply. */
export function passiveChain(model: Model): PassiveChain {
  const refuse = (message: string): never => {
    throw new ModelError(model.name, [{ path: "bodies", message: `no chain of passive joints: ${message}` }]);
  };
  if (model.loops.length > 0) refuse("it has loops");
  const root = model.bodies[0]!;
  if (root.hinge.nu !== 0) refuse(`${root.name} must be fixed to the world`);
  const links = model.bodies.slice(1);
  for (const [i, body] of links.entries()) {
    if (body.hinge.kind !== "spherical") refuse(`the hinge of ${body.name} is ${body.hinge.kind}, not spherical`);
    if (body.parent !== i) refuse(`${body.name} does not hang on ${model.bodies[i]!.name}`);
    if (!(body.mass > 0 && determinant(body.inertia) > 0)) refuse(`${body.name} has no mass or inertia`);
  }
  if (links.length === 0) refuse("there is no joint");
  return { accelerations: (q, u, tau, udot) => solveChain(model, root, links, q, u, tau, udot) };
}

interface MovingLink {
  readonly R: M3;
  readonly R_WF: M3;
  readonly w: V3;
  readonly s: V3;
  /** To the next joint from the mass centre. */
  readonly e: V3;
  readonly Y: M3;
  /** ω × I ω */
  readonly g: V3;
  /** Moment in its joint. */
  readonly n: V3;
  readonly mass: number;
}

function solveChain(
  model: Model,
  root: Body,
  links: readonly Body[],
  q: Float64Array,
  u: Float64Array,
  tau: Float64Array,
  udot: Float64Array,
): void {
  const moving: MovingLink[] = [];
  let carrier = { R: compose(root.hinge.onParent.R, transpose(root.hinge.onBody.R)) as M3, w: ZERO3 as V3 };
  for (const [i, { hinge, com, inertia, mass }] of links.entries()) {
    const R_WF = compose(carrier.R, hinge.onParent.R) as M3;
    const three = (from: Float64Array): V3 => apply(R_WF, [from[hinge.u]!, from[hinge.u + 1]!, from[hinge.u + 2]!]) as V3;
    const turned = fromQuaternion(Array.from(q.subarray(hinge.q, hinge.q + 4)) as unknown as Quaternion) as M3;
    const R = compose(compose(R_WF, turned), transpose(hinge.onBody.R)) as M3;
    const w = plus(carrier.w, three(u)) as V3;
    const inWorld = compose(compose(R, inertia), transpose(R)) as M3;
    const next = links[i + 1];
    moving.push({
      R,
      R_WF,
      w,
      s: apply(R, minus(com, hinge.onBody.p)) as V3,
      e: (next ? apply(R, minus(next.hinge.onParent.p, com)) : ZERO3) as V3,
      Y: inverse(inWorld),
      g: cross(w, apply(inWorld, w)) as V3,
      n: three(tau),
      mass,
    });
    carrier = { R, w };
  }
  const c = moving.map(({ n }, a) => minus(n, moving[a + 1]?.n ?? ZERO3) as V3);
  const D: M3[] = [];
  const U: M3[] = []; // between joints a and a + 1
  const r: V3[] = [];
  for (const [a, link] of moving.entries()) {
    const before = moving[a - 1];
    const own = sum(diagonal(1 / link.mass), around(link.s, link.Y, link.s));
    D.push(before ? sum(own, sum(diagonal(1 / before.mass), around(before.e, before.Y, before.e))) : own);
    U.push(sum(diagonal(-1 / link.mass), around(link.s, link.Y, link.e)));
    // What the two sides would do to the joint without forces: it must not part.
    const behind = plus(model.gravity, pulled(link, c[a]!, scale(-1, link.s) as V3)) as V3;
    const ahead = before ? (plus(model.gravity, pulled(before, c[a - 1]!, before.e)) as V3) : ZERO3;
    r.push(minus(ahead, behind) as V3);
  }
  const f = blockThomas(D, U, r);
  let last = { alpha: ZERO3 as V3, w: ZERO3 as V3 };
  for (const [a, { s, e, Y, g, w, R_WF }] of moving.entries()) {
    const force = plus(cross(s, f[a]!), cross(e, f[a + 1] ?? ZERO3)) as V3;
    const alpha = apply(Y, minus(minus(c[a]!, force), g)) as V3;
    const relative = minus(minus(alpha, last.alpha), cross(last.w, minus(w, last.w))) as V3;
    const own = apply(transpose(R_WF), relative) as V3;
    for (const k of [0, 1, 2] as const) udot[links[a]!.hinge.u + k] = own[k];
    last = { alpha, w };
  }
}

/** Acceleration of a point of a link at d from its mass centre by its moments and its spin alone: α × d + ω × (ω × d). */
const pulled = ({ Y, g, w }: MovingLink, c: V3, d: V3): V3 => plus(cross(apply(Y, minus(c, g)), d), cross(w, cross(w, d))) as V3;

const diagonal = (v: number): M3 => IDENTITY.map((row) => row.map((x) => (x as number) * v)) as unknown as M3;
const sum = (A: M3, B: M3): M3 => A.map((row, i) => row.map((v, j) => v + B[i]![j]!)) as unknown as M3;
const skew = ([x, y, z]: V3): M3 => [
  [0, -z, y],
  [z, 0, -x],
  [-y, x, 0],
];

/** -[a]× Y [b]×: how a force at b pulls a point at a. */
const around = (a: V3, Y: M3, b: V3): M3 =>
  (compose(compose(skew(a), Y), skew(b)) as M3).map((row) => row.map((v) => -v)) as unknown as M3;

/** Solves U_{a-1}ᵀ f_{a-1} + D_a f_a + U_a f_{a+1} = r_a. */
function blockThomas(D: readonly M3[], U: readonly M3[], r: readonly V3[]): V3[] {
  const n = D.length;
  const inverses: M3[] = [];
  const b: V3[] = [];
  for (let a = 0; a < n; a++) {
    let [diag, rhs] = [D[a]!, r[a]!];
    if (a > 0) {
      const L = compose(transpose(U[a - 1]!), inverses[a - 1]!) as M3;
      diag = sum(diag, (compose(L, U[a - 1]!) as M3).map((row) => row.map((v) => -v)) as unknown as M3);
      rhs = minus(rhs, apply(L, b[a - 1]!)) as V3;
    }
    inverses.push(inverse(diag));
    b.push(rhs);
  }
  const f: V3[] = new Array(n);
  for (let a = n - 1; a >= 0; a--) f[a] = apply(inverses[a]!, a + 1 < n ? minus(b[a]!, apply(U[a]!, f[a + 1]!)) : b[a]!) as V3;
  return f;
}

function determinant(A: M3): number {
  const [a, b, c] = A;
  return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) + a[2] * (b[0] * c[1] - b[1] * c[0]);
}

function inverse(A: M3): M3 {
  const [a, b, c] = A;
  const d = 1 / determinant(A);
  const columns = [cross(b, c), cross(c, a), cross(a, b)] as V3[];
  return [0, 1, 2].map((i) => columns.map((column) => (column[i]! as number) * d)) as unknown as M3;
}
