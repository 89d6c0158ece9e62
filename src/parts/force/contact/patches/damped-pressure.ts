/**
 * Sums of pressure and damping over a contact patch, [1] of patch-law.ts: load, torque, and the power that damping dissipates. The speed of approach a and the
 * factor f = max(0, 1 + c a) are linear in the position wherever f is positive.
 *
 * Round solids give points with weights. Polytopes give triangles: the three weights of a triangle are ∫ p λ_k dA with its barycentric coordinates λ_k.
 * With w_k = p_k A / 12 they are w_k + Σ w, so the w follow from them, and the damped weights are
 *
 *   ∫ p f λ_k dA = (Σw Σf + w_k Σf + f_k Σw + Σ w_i f_i + 2 w_k f_k) / 5.                                                            [2]
 *
 * A triangle in which f changes its sign is cut at f = 0. So sums do not depend on how a patch is divided into triangles: with weights at fixed
 * points, forces would jump where the division changes, and an integrator would take tiny steps.
 */
import { type PatchStore, PER_FACE, PER_NODE } from "../pressure/patch-store.ts";

/** Numbers of a corner: position, w, f, a. */
const PER_CORNER = 6;

/** Indices of numbers: size of the force, with damping and without, power dissipated; -v·n at the origin, and of the face the load without and with damping. */
const LOAD = 0;
const STATIC_LOAD = 1;
const LOST = 2;
const RATE = 3;
const STILL = 4;
const DAMPED = 5;

export class DampedPressure {
  /** Of the last patch with a modulus of 1, in axes of the elastic solid: torque about its origin, then force. */
  readonly sum = new Float64Array(6);
  /** Numbers below, by index: as fields they would be allocated whenever they change. */
  readonly #numbers = new Float64Array(6);
  readonly #damping: number;
  /** Of the face: n × ω. */
  readonly #slope = new Float64Array(3);
  /** Moments of the face. */
  readonly #moment = new Float64Array(3);
  /** Corners of the triangle, and of the part that f = 0 cuts off. */
  readonly #corners = new Float64Array(3 * PER_CORNER);
  readonly #tip = new Float64Array(3 * PER_CORNER);

  constructor(damping: number) {
    this.#damping = damping;
  }

  /** Size of the force, with damping and without; power dissipated. */
  get load(): number {
    return this.#numbers[LOAD]!;
  }
  get staticLoad(): number {
    return this.#numbers[STATIC_LOAD]!;
  }
  get lost(): number {
    return this.#numbers[LOST]!;
  }

  /** Sums the faces from `first` to `end` of a store; V is the relative twist of the elastic solid. */
  add(store: PatchStore, first: number, end: number, form: "points" | "triangles", V: Float64Array): void {
    const { faces } = store;
    const { sum } = this;
    const m = this.#moment;
    let sx = 0;
    let sy = 0;
    let sz = 0;
    sum.fill(0);
    this.#numbers[LOST] = 0;
    let node = first === 0 ? 0 : faces[PER_FACE * first - 1]!;
    for (let f = PER_FACE * first; f < PER_FACE * end; f += PER_FACE) {
      const nx = faces[f]!;
      const ny = faces[f + 1]!;
      const nz = faces[f + 2]!;
      const last = faces[f + 3]!;
      this.#beginFace(nx, ny, nz, V);
      if (form === "points") this.#addPoints(store.nodes, node, last);
      else this.#addTriangles(store.nodes, node, last);
      node = last;
      sx += this.#numbers[STILL]! * nx;
      sy += this.#numbers[STILL]! * ny;
      sz += this.#numbers[STILL]! * nz;
      sum[0]! += m[1]! * nz - m[2]! * ny;
      sum[1]! += m[2]! * nx - m[0]! * nz;
      sum[2]! += m[0]! * ny - m[1]! * nx;
      sum[3]! += this.#numbers[DAMPED]! * nx;
      sum[4]! += this.#numbers[DAMPED]! * ny;
      sum[5]! += this.#numbers[DAMPED]! * nz;
    }
    this.#numbers[LOAD] = Math.sqrt(sum[3]! * sum[3]! + sum[4]! * sum[4]! + sum[5]! * sum[5]!);
    this.#numbers[STATIC_LOAD] = Math.sqrt(sx * sx + sy * sy + sz * sz);
  }

  #beginFace(nx: number, ny: number, nz: number, V: Float64Array): void {
    const g = this.#slope;
    // -v·n at the point x is rate - x·(n × ω).
    this.#numbers[RATE] = -(V[3]! * nx + V[4]! * ny + V[5]! * nz);
    g[0] = ny * V[2]! - nz * V[1]!;
    g[1] = nz * V[0]! - nx * V[2]!;
    g[2] = nx * V[1]! - ny * V[0]!;
    this.#numbers[STILL] = this.#numbers[DAMPED] = 0;
    this.#moment.fill(0);
  }

  #addPoints(nodes: Float64Array, from: number, to: number): void {
    const damping = this.#damping;
    const g = this.#slope;
    const m = this.#moment;
    for (let i = PER_NODE * from; i < PER_NODE * to; i += PER_NODE) {
      const x = nodes[i]!;
      const y = nodes[i + 1]!;
      const z = nodes[i + 2]!;
      const weight = nodes[i + 3]!;
      const approach = this.#numbers[RATE]! - (x * g[0]! + y * g[1]! + z * g[2]!);
      const damped = damping * approach > -1 ? weight * (1 + damping * approach) : 0;
      this.#numbers[LOST]! += (damped - weight) * approach;
      this.#numbers[STILL]! += weight;
      this.#numbers[DAMPED]! += damped;
      m[0]! += damped * x;
      m[1]! += damped * y;
      m[2]! += damped * z;
    }
  }

  #addTriangles(nodes: Float64Array, from: number, to: number): void {
    const damping = this.#damping;
    const g = this.#slope;
    const c = this.#corners;
    for (let i = PER_NODE * from; i < PER_NODE * to; i += 3 * PER_NODE) {
      const sum = nodes[i + 3]! + nodes[i + 7]! + nodes[i + 11]!;
      let positive = 0;
      for (let k = 0; k < 3; k++) {
        const n = i + PER_NODE * k;
        const x = nodes[n]!;
        const y = nodes[n + 1]!;
        const z = nodes[n + 2]!;
        const weight = nodes[n + 3]!;
        const approach = this.#numbers[RATE]! - (x * g[0]! + y * g[1]! + z * g[2]!);
        const factor = 1 + damping * approach;
        if (factor > 0) positive++;
        this.#numbers[LOST]! -= weight * approach;
        const e = PER_CORNER * k;
        c[e] = x;
        c[e + 1] = y;
        c[e + 2] = z;
        c[e + 3] = weight - 0.25 * sum;
        c[e + 4] = factor;
        c[e + 5] = approach;
      }
      this.#numbers[STILL]! += sum;
      if (positive === 3) this.#addTriangle(c, 1);
      else if (positive > 0) this.#addCutTriangle(positive);
    }
  }

  /** Adds the part of the triangle where f is positive. */
  #addCutTriangle(positive: number): void {
    const c = this.#corners;
    // The corner whose f has a sign of its own, and the triangle that the line f = 0 cuts off there.
    let a = 0;
    while (c[a + 4]! > 0 !== (positive === 1)) a += PER_CORNER;
    const b = a === 2 * PER_CORNER ? 0 : a + PER_CORNER;
    const share = this.#cut(a, b, 1) * this.#cut(a, 3 * PER_CORNER - a - b, 2);
    for (let i = 0; i < PER_CORNER; i++) this.#tip[i] = c[a + i]!;
    if (positive === 1) this.#addTriangle(this.#tip, share);
    else {
      this.#addTriangle(c, 1);
      this.#addTriangle(this.#tip, -share);
    }
  }

  /** Writes the point on the side from the corner at a to that at b where f is zero to corner k of the tip. Returns its distance from a, as a share. */
  #cut(a: number, b: number, k: number): number {
    const c = this.#corners;
    const share = c[a + 4]! / (c[a + 4]! - c[b + 4]!);
    for (let i = 0; i < PER_CORNER; i++) this.#tip[PER_CORNER * k + i] = c[a + i]! + share * (c[b + i]! - c[a + i]!);
    return share;
  }

  /** Adds [2] of a triangle whose area is a share of that for which the w were taken. */
  #addTriangle(c: Float64Array, share: number): void {
    const m = this.#moment;
    const w = c[3]! + c[9]! + c[15]!;
    const f = c[4]! + c[10]! + c[16]!;
    const products = c[3]! * c[4]! + c[9]! * c[10]! + c[15]! * c[16]!;
    for (let i = 0; i < 3 * PER_CORNER; i += PER_CORNER) {
      const own = c[i + 3]!;
      const damped = 0.2 * share * (w * f + own * f + c[i + 4]! * w + products + 2 * own * c[i + 4]!);
      this.#numbers[LOST]! += damped * c[i + 5]!;
      this.#numbers[DAMPED]! += damped;
      m[0]! += damped * c[i]!;
      m[1]! += damped * c[i + 1]!;
      m[2]! += damped * c[i + 2]!;
    }
  }
}
