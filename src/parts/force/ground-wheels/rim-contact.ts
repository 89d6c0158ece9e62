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
 * from the centre; as the centre comes near to the ground, the law of one point takes over.
 */
import type { Terrain } from "../../../ground/terrain.ts";
import { cosine, sine } from "../../../math/elementary/sincos.ts";
import { pressureSeries, SERIES_TERMS } from "./pressure-series.ts";
import { RimGeometry } from "./rim-geometry.ts";

/** Number of rim points at which contacts are searched, and the angle to both sides of the lowest point. */
const SCAN_POINTS = 65;
const SCAN_REACH = (3 * Math.PI) / 4;
/**
 * Quadrature points of a contact (Gauss-Chebyshev of the second kind, because the integrand ends as square roots), and largest number of contacts.
 * An odd number has a point in the middle, which is the deepest on a plane.
 */
const QUADRATURE_POINTS = 17;
const MOST_CONTACTS = 8;
/** Radii that meet the ground at less than this sine count less and less, so that the force stays finite. */
const GRAZING = 0.05;
/**
 * Overlaps, in radii, between which [1] changes to the law of one point: with the centre in the ground, radii do not meet it any more. A wheel that
 * lies on its side gets there soon.
 */
const [RIM_UP_TO, POINT_FROM] = [0.7, 0.9];
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
  readonly #stiffness: number;
  readonly #kappa: number;
  readonly #c = pressureSeries();
  /** Coefficients of W(e) / (κ e^(3/2)). */
  readonly #energySeries = this.#c.map((c, i) => c / (i + 1.5));
  readonly #scanDepths = new Float64Array(SCAN_POINTS);
  readonly #scanSlopes = new Float64Array(SCAN_POINTS);
  readonly #rim: RimGeometry;
  readonly #n = new Float64Array(3);
  readonly #points = new Float64Array(POINT_SIZE * QUADRATURE_POINTS * MOST_CONTACTS);
  readonly #force = new Float64Array(3);
  readonly #couple = new Float64Array(3);
  #count = 0;
  /** Largest overlap in radii. */
  #overlap = 0;

  /** @param stiffness k on a plane under the lowest point, N/m */
  constructor(radius: number, stiffness: number) {
    this.#r = radius;
    this.#stiffness = stiffness;
    this.#rim = new RimGeometry(radius);
    this.#kappa = (Math.SQRT2 / Math.PI) * (stiffness / Math.sqrt(radius));
  }

  /** Calls `press` for every rim point in the ground. Returns false if the ground is not known. */
  visitContacts(centre: Float64Array, axle: Float64Array, terrain: Terrain, press: RimPointLaw): boolean {
    this.largestDepth = 0;
    this.#count = 0;
    this.#overlap = 0;
    if (!this.#rim.orient(centre, axle)) return true; // a wheel that lies flat has no lowest point
    for (let i = 0; i < SCAN_POINTS; i++) {
      this.#scanDepths[i] = this.#rim.depthAt(SCAN_SINES[i]!, SCAN_COSINES[i]!, terrain);
      this.#scanSlopes[i] = this.#rim.slope;
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
        const end = this.#rim.crossing(a, b, terrain);
        if (inB) from = end;
        else {
          this.#integrate(from, end, terrain);
          from = Number.NaN;
        }
      } else if (!inA && this.#scanSlopes[i]! > 0 && this.#scanSlopes[i + 1]! < 0) {
        // A contact smaller than the scan, if its deepest point is in the ground.
        const top = this.#rim.extremum(a, b, terrain);
        if (this.#rim.depth(top, terrain) > 0)
          this.#integrate(this.#rim.crossing(a, top, terrain), this.#rim.crossing(top, b, terrain), terrain);
      } else if (inA && this.#scanSlopes[i]! < 0 && this.#scanSlopes[i + 1]! > 0) {
        // A gap smaller than the scan.
        const low = this.#rim.extremum(a, b, terrain);
        if (!(this.#rim.depth(low, terrain) < 0)) continue;
        this.#integrate(from, this.#rim.crossing(a, low, terrain), terrain);
        from = this.#rim.crossing(low, b, terrain);
      }
    }
    if (!Number.isNaN(from)) this.#integrate(from, SCAN_REACH, terrain);
    const blend = Math.max(0, Math.min(1, (this.#overlap - RIM_UP_TO) / (POINT_FROM - RIM_UP_TO)));
    const pointShare = blend * blend * (3 - 2 * blend);
    if (pointShare < 1) this.#applyLaw(press, 1 - pointShare);
    if (pointShare > 0) this.#pressLowestPoint(press, pointShare, terrain);
    return true;
  }

  /** Adds the quadrature points of a contact. */
  #integrate(from: number, to: number, terrain: Terrain): void {
    const half = (to - from) / 2;
    const middle = (to + from) / 2;
    if (!(half > 0) || this.#count === QUADRATURE_POINTS * MOST_CONTACTS) return;
    const r = this.#r;
    const arm = this.#rim.arm;
    const axle = this.#rim.axle;
    const ground = this.#rim.ground;
    const points = this.#points;
    for (let m = 0; m < QUADRATURE_POINTS; m++) {
      const x = CHEBYSHEV[m]!;
      const angle = middle + half * x;
      if (!(this.#rim.depth(angle, terrain) > 0)) continue;
      const share = this.#rim.groundDistance(terrain);
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
      this.#overlap = Math.max(this.#overlap, overlap);
      this.largestDepth = Math.max(this.largestDepth, overlap * r * Math.sqrt(upright));
      // cos φ of a plane, and 1 / cos φ up to GRAZING.
      const facing = incidence / Math.sqrt(steepness * upright + Number.MIN_VALUE);
      const inverse = facing > GRAZING ? 1 / facing : facing / (GRAZING * GRAZING);
      const pressing = Math.sqrt(upright / steepness) * scale * series * inverse;
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

  /** Calls `press` for every rim point with the normal of the forces around it, and a share of its force. */
  #applyLaw(press: RimPointLaw, part: number): void {
    const points = this.#points;
    const n = this.#n;
    const arm = this.#rim.arm;
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
        force[i] = part * points[POINT_SIZE * j + 4 + i]!;
        couple[i] = part * points[POINT_SIZE * j + 7 + i]!;
        pressing += n[i]! * force[i]!;
      }
      if (pressing > 0) press(n, arm, force, couple, pressing);
    }
  }
  /** Calls `press` for the lowest point, with a share of the law of one point. */
  #pressLowestPoint(press: RimPointLaw, part: number, terrain: Terrain): void {
    const n = this.#n;
    const depth = this.#rim.lowestPoint(n, terrain);
    if (!(depth > 0)) return;
    this.largestDepth = Math.max(this.largestDepth, depth);
    const pressing = part * this.#stiffness * depth;
    for (let i = 0; i < 3; i++) this.#force[i] = pressing * n[i]!;
    this.#couple.fill(0);
    press(n, this.#rim.arm, this.#force, this.#couple, pressing);
  }
}

const SCAN = Float64Array.from({ length: SCAN_POINTS }, (_, i) => SCAN_REACH * ((2 * i) / (SCAN_POINTS - 1) - 1));
const SCAN_SINES = SCAN.map(sine);
const SCAN_COSINES = SCAN.map(cosine);
const CHEBYSHEV = Float64Array.from({ length: QUADRATURE_POINTS }, (_, m) =>
  cosine(((m + 1) * Math.PI) / (QUADRATURE_POINTS + 1)),
);
