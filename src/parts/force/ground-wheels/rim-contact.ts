/**
 * Contact of hard ground anywhere on the rim of a wheel, with steps and stones of the size of the wheel. Along the radius at an angle φ the
 * ground begins at a distance ρ from the centre and overlaps the wheel by e = r - ρ. The overlap has a potential V, and the loads are its
 * gradient; n / |n·u| is the gradient of -ρ (u the radius, n the normal where it meets the ground, a the axle):
 *
 *   V = ∫ (1 - (n·a)²) W(e) r dφ,   dW/de = w(e) = κ √e (1 + c1 e/r + c2 (e/r)² + ...)
 *   F = ∫ (1 - (n·a)²) w(e) n / |n·u| r dφ at the ground,   with the couples ∫ 2 (n·a) W(e) a × n r dφ                         [1]
 *
 * So without friction and damping, energy is conserved as contacts move, separate and join, and no torque acts about the axle. On a plane
 * e = r - (r - h/|a × n|) / cos φ, and κ and c are chosen so that V = ½ k h² and F = k h n at the lowest point of the rim: the law of one
 * point, for every lean. [1] neglects how 1 - (n·a)² changes with the place, so a leaning wheel on ground that is curved across it conserves
 * energy only up to (n·a)².
 *
 * Friction and damping follow the law of one point for each rim point, with the normal of all forces nearby: at a sharp edge the normals
 * differ strongly, and only their sum, which passes through the centre, is meaningful. The ground inside the wheel is assumed to be visible
 * from the centre.
 */
import type { Terrain } from "../../../ground/terrain.ts";
import { cosine, sine, sineAndCosine } from "../../../math/elementary/sincos.ts";
import { pressureSeries, SERIES_TERMS } from "./pressure-series.ts";

/** Number of rim points at which contacts are searched, and the angle to both sides of the lowest point. */
const SCAN_POINTS = 65;
const SCAN_REACH = (3 * Math.PI) / 4;
/**
 * Quadrature points of a contact (Gauss-Chebyshev of the second kind, because the integrand ends as square roots), and largest number of contacts.
 * An odd number has a point in the middle, which is the deepest on a plane.
 */
const QUADRATURE_POINTS = 17;
const MOST_CONTACTS = 8;
/** Largest number of iterations for the end of a contact, and for the point where a radius meets the ground. */
const MOST_ITERATIONS = 40;
/** Forces within this angle are averaged for the normal, rad. */
const NORMAL_RANGE = 0.35;

/** Force law of a rim point: its normal, the arm to it, its force and couple without damping, and the component of the force along the normal. */
export type RimPointLaw = (
  n: Float64Array,
  arm: Float64Array,
  force: Float64Array,
  couple: Float64Array,
  pressing: number,
) => void;
/** Numbers of a rim point in the ground: angle, arm, force, couple. */
const POINT_SIZE = 10;

export class RimContact {
  /** Largest depth of the rim along the normal of the ground, m. */
  largestDepth = 0;
  readonly #r: number;
  readonly #kappa: number;
  readonly #c = pressureSeries();
  /** Coefficients of W(e) / (κ e^(3/2)). */
  readonly #energySeries = this.#c.map((c, i) => c / (i + 1.5));
  readonly #scanDepths = new Float64Array(SCAN_POINTS);
  readonly #scanSlopes = new Float64Array(SCAN_POINTS);
  readonly #axle = new Float64Array(3);
  readonly #down = new Float64Array(3);
  readonly #ahead = new Float64Array(3);
  readonly #centre = new Float64Array(3);
  readonly #arm = new Float64Array(3);
  readonly #n = new Float64Array(3);
  readonly #ground = new Float64Array(3);
  readonly #pair = new Float64Array(2);
  readonly #points = new Float64Array(POINT_SIZE * QUADRATURE_POINTS * MOST_CONTACTS);
  readonly #force = new Float64Array(3);
  readonly #couple = new Float64Array(3);
  #count = 0;
  #slope = 0;

  /** @param stiffness k on a plane under the lowest point, N/m */
  constructor(radius: number, stiffness: number) {
    this.#r = radius;
    this.#kappa = (Math.SQRT2 / Math.PI) * (stiffness / Math.sqrt(radius));
  }

  /** Calls `press` for every rim point in the ground. Returns false if the ground is not known. */
  visitContacts(centre: Float64Array, axle: Float64Array, terrain: Terrain, press: RimPointLaw): boolean {
    this.largestDepth = 0;
    this.#count = 0;
    if (!this.#orient(centre, axle)) return true; // a wheel that lies flat has no lowest point
    for (let i = 0; i < SCAN_POINTS; i++) {
      this.#scanDepths[i] = this.#depthAt(SCAN_SINES[i]!, SCAN_COSINES[i]!, terrain);
      this.#scanSlopes[i] = this.#slope;
      if (Number.isNaN(this.#scanDepths[i]!)) return false;
    }
    let from = Number.NaN; // start of the current contact
    for (let i = 0; i + 1 < SCAN_POINTS; i++) {
      const a = SCAN[i]!;
      const b = SCAN[i + 1]!;
      const inA = this.#scanDepths[i]! > 0;
      const inB = this.#scanDepths[i + 1]! > 0;
      if (i === 0 && inA) from = a;
      if (inA !== inB) {
        const end = this.#crossing(a, b, terrain);
        if (inB) from = end;
        else {
          this.#integrate(from, end, terrain);
          from = Number.NaN;
        }
      } else if (!inA && this.#scanSlopes[i]! > 0 && this.#scanSlopes[i + 1]! < 0) {
        // A contact smaller than the scan, if its deepest point is in the ground.
        const top = this.#extremum(a, b, terrain);
        if (this.#depth(top, terrain) > 0)
          this.#integrate(this.#crossing(a, top, terrain), this.#crossing(top, b, terrain), terrain);
      } else if (inA && this.#scanSlopes[i]! < 0 && this.#scanSlopes[i + 1]! > 0) {
        // A gap smaller than the scan.
        const low = this.#extremum(a, b, terrain);
        if (!(this.#depth(low, terrain) < 0)) continue;
        this.#integrate(from, this.#crossing(a, low, terrain), terrain);
        from = this.#crossing(low, b, terrain);
      }
    }
    if (!Number.isNaN(from)) this.#integrate(from, SCAN_REACH, terrain);
    this.#applyLaw(press);
    return true;
  }

  /** Directions to the lowest point and ahead, in the plane of the wheel. Returns false if the wheel lies flat. */
  #orient(centre: Float64Array, axle: Float64Array): boolean {
    const ax = axle[0]!;
    const ay = axle[1]!;
    const az = axle[2]!;
    const size = Math.sqrt(1 - az * az);
    if (!(size > 1e-6)) return false;
    const down = this.#down;
    down[0] = (az * ax) / size;
    down[1] = (az * ay) / size;
    down[2] = (az * az - 1) / size;
    // ahead = axle × up, as in the law of one point.
    this.#ahead[0] = down[1]! * az - down[2]! * ay;
    this.#ahead[1] = down[2]! * ax - down[0]! * az;
    this.#ahead[2] = down[0]! * ay - down[1]! * ax;
    this.#centre.set(centre);
    this.#axle.set(axle);
    return true;
  }

  /** Vertical depth of the rim below the ground at an angle. Sets the slope of the depth and the arm. */
  #depth(angle: number, terrain: Terrain): number {
    sineAndCosine(angle, this.#pair);
    return this.#depthAt(this.#pair[0]!, this.#pair[1]!, terrain);
  }

  #depthAt(sinAngle: number, cosAngle: number, terrain: Terrain): number {
    const sin = this.#r * sinAngle;
    const cos = this.#r * cosAngle;
    const arm = this.#arm;
    const down = this.#down;
    const ahead = this.#ahead;
    const ground = this.#ground;
    for (let i = 0; i < 3; i++) arm[i] = cos * down[i]! + sin * ahead[i]!;
    terrain.sample(this.#centre[0]! + arm[0]!, this.#centre[1]! + arm[1]!, ground);
    this.#slope =
      ground[1]! * (cos * ahead[0]! - sin * down[0]!) +
      ground[2]! * (cos * ahead[1]! - sin * down[1]!) -
      (cos * ahead[2]! - sin * down[2]!);
    return ground[0]! - this.#centre[2]! - arm[2]!;
  }

  /** The angle between a and b at which the rim crosses the surface. */
  #crossing(a: number, b: number, terrain: Terrain): number {
    let low = a;
    let high = b;
    const from = this.#depth(a, terrain);
    const below = from > 0;
    const to = this.#depth(b, terrain);
    let x = from === to ? (a + b) / 2 : a + ((b - a) * from) / (from - to);
    for (let k = 0; k < MOST_ITERATIONS; k++) {
      const value = this.#depth(x, terrain);
      if (value > 0 === below) low = x;
      else high = x;
      // Newton's step, or bisection if it leaves the interval.
      const step = x - value / this.#slope;
      const next = step > low && step < high ? step : (low + high) / 2;
      if (Math.abs(next - x) < 1e-13) return next;
      x = next;
    }
    return x;
  }

  /** The angle between a and b at which the depth has an extremum. */
  #extremum(a: number, b: number, terrain: Terrain): number {
    let low = a;
    let high = b;
    this.#depth(a, terrain);
    const isRising = this.#slope > 0;
    for (let k = 0; k < MOST_ITERATIONS && high - low > 1e-9; k++) {
      const middle = (low + high) / 2;
      this.#depth(middle, terrain);
      if (this.#slope > 0 === isRising) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  }

  /** Adds the quadrature points of a contact. */
  #integrate(from: number, to: number, terrain: Terrain): void {
    const half = (to - from) / 2;
    const middle = (to + from) / 2;
    if (!(half > 0) || this.#count === QUADRATURE_POINTS * MOST_CONTACTS) return;
    const r = this.#r;
    const arm = this.#arm;
    const axle = this.#axle;
    const ground = this.#ground;
    const points = this.#points;
    for (let m = 0; m < QUADRATURE_POINTS; m++) {
      const x = CHEBYSHEV[m]!;
      const angle = middle + half * x;
      if (!(this.#depth(angle, terrain) > 0)) continue;
      const share = this.#groundDistance(terrain);
      const overlap = 1 - share;
      let series = 0;
      let energySeries = 0;
      for (let i = SERIES_TERMS - 1; i >= 0; i--) {
        series = this.#c[i]! + overlap * series;
        energySeries = this.#energySeries[i]! + overlap * energySeries;
      }
      // Weights π/(M+1) (1 - x²) of ∫ √(1 - x²) f, with f = w / √(1 - x²).
      const weight = (Math.PI / (QUADRATURE_POINTS + 1)) * Math.sqrt(1 - x * x) * half * r;
      const scale = weight * this.#kappa * Math.sqrt(overlap * r);
      // n / |n·u| with n along (-z_x, -z_y, 1) and u along the arm.
      const incidence = (ground[1]! * arm[0]! + ground[2]! * arm[1]! - arm[2]!) / r;
      if (!(incidence > 0)) continue;
      const first = POINT_SIZE * this.#count++;
      points[first] = angle;
      const steepness = 1 + ground[1]! * ground[1]! + ground[2]! * ground[2]!;
      const along = axle[2]! - ground[1]! * axle[0]! - ground[2]! * axle[1]!;
      const upright = Math.max(0, 1 - (along * along) / steepness);
      this.largestDepth = Math.max(this.largestDepth, overlap * r * Math.sqrt(upright));
      const pressing = (upright * scale * series) / incidence;
      const twisting = (2 * along * scale * overlap * r * energySeries) / steepness;
      for (let i = 0; i < 3; i++) points[first + 1 + i] = share * arm[i]!;
      points[first + 4] = -ground[1]! * pressing;
      points[first + 5] = -ground[2]! * pressing;
      points[first + 6] = pressing;
      points[first + 7] = twisting * (axle[1]! + axle[2]! * ground[2]!);
      points[first + 8] = twisting * (-axle[2]! * ground[1]! - axle[0]!);
      points[first + 9] = twisting * (axle[1]! * ground[1]! - axle[0]! * ground[2]!);
    }
  }

  /** Distance from the centre to the ground along `arm`, whose end is in the ground, as a share of the radius. Sets the ground there. */
  #groundDistance(terrain: Terrain): number {
    const arm = this.#arm;
    const ground = this.#ground;
    const x = this.#centre[0]!;
    const y = this.#centre[1]!;
    const z = this.#centre[2]!;
    let low = 0;
    let high = 1;
    let s = 1;
    for (let k = 0; k < MOST_ITERATIONS; k++) {
      terrain.sample(x + s * arm[0]!, y + s * arm[1]!, ground);
      const depth = ground[0]! - z - s * arm[2]!;
      if (depth > 0) high = s;
      else low = s;
      const step = s - depth / (ground[1]! * arm[0]! + ground[2]! * arm[1]! - arm[2]!);
      const next = step > low && step < high ? step : (low + high) / 2;
      if (Math.abs(depth) < 1e-15 || Math.abs(next - s) < 1e-14) return s;
      s = next;
    }
    return s;
  }

  /** Calls `press` for every rim point with the normal of the forces around it. */
  #applyLaw(press: RimPointLaw): void {
    const points = this.#points;
    const n = this.#n;
    const arm = this.#arm;
    const force = this.#force;
    const couple = this.#couple;
    for (let j = 0; j < this.#count; j++) {
      n.fill(0);
      for (let k = 0; k < this.#count; k++) {
        const offset = (points[POINT_SIZE * k]! - points[POINT_SIZE * j]!) / NORMAL_RANGE;
        const near = 1 - offset * offset;
        if (near > 0) for (let i = 0; i < 3; i++) n[i]! += near * near * points[POINT_SIZE * k + 4 + i]!;
      }
      const size = 1 / Math.sqrt(n[0]! * n[0]! + n[1]! * n[1]! + n[2]! * n[2]!);
      let pressing = 0;
      for (let i = 0; i < 3; i++) {
        n[i]! *= size;
        arm[i] = points[POINT_SIZE * j + 1 + i]!;
        force[i] = points[POINT_SIZE * j + 4 + i]!;
        couple[i] = points[POINT_SIZE * j + 7 + i]!;
        pressing += n[i]! * force[i]!;
      }
      if (pressing > 0) press(n, arm, force, couple, pressing);
    }
  }
}

const SCAN = Float64Array.from({ length: SCAN_POINTS }, (_, i) => SCAN_REACH * ((2 * i) / (SCAN_POINTS - 1) - 1));
const SCAN_SINES = SCAN.map(sine);
const SCAN_COSINES = SCAN.map(cosine);
const CHEBYSHEV = Float64Array.from({ length: QUADRATURE_POINTS }, (_, m) =>
  cosine(((m + 1) * Math.PI) / (QUADRATURE_POINTS + 1)),
);
