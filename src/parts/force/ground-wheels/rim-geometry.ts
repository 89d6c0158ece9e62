/** Rim of a wheel over the ground: depths along the rim, and where radii meet the ground. Angles are counted from the lowest point. */
import type { Terrain } from "../../../ground/terrain.ts";
import { sineAndCosine } from "../../../math/elementary/sincos.ts";

/** Largest number of iterations for the end of a contact, and for the point where a radius meets the ground. */
const MOST_ITERATIONS = 40;
/** Iterations of the normal at the lowest point, as for a wheel with one contact point. */
const NORMAL_ITERATIONS = 4;

export class RimGeometry {
  readonly axle = new Float64Array(3);
  readonly centre = new Float64Array(3);
  /** Arm from the centre to the rim, and height and slopes of the ground, at the last angle. */
  readonly arm = new Float64Array(3);
  readonly ground = new Float64Array(3);
  /** Slope of the depth over the angle, at the last angle. */
  slope = 0;
  readonly #r: number;
  readonly #down = new Float64Array(3);
  readonly #ahead = new Float64Array(3);
  readonly #pair = new Float64Array(2);

  constructor(radius: number) {
    this.#r = radius;
  }

  /** Directions to the lowest point and ahead, in the plane of the wheel. Returns false if the wheel lies flat. */
  orient(centre: Float64Array, axle: Float64Array): boolean {
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
    this.centre.set(centre);
    this.axle.set(axle);
    return true;
  }

  /** Vertical depth of the rim below the ground at an angle. Sets the slope of the depth and the arm. */
  depth(angle: number, terrain: Terrain): number {
    sineAndCosine(angle, this.#pair);
    return this.depthAt(this.#pair[0]!, this.#pair[1]!, terrain);
  }

  depthAt(sinAngle: number, cosAngle: number, terrain: Terrain): number {
    const sin = this.#r * sinAngle;
    const cos = this.#r * cosAngle;
    const arm = this.arm;
    const down = this.#down;
    const ahead = this.#ahead;
    const ground = this.ground;
    for (let i = 0; i < 3; i++) arm[i] = cos * down[i]! + sin * ahead[i]!;
    terrain.sample(this.centre[0]! + arm[0]!, this.centre[1]! + arm[1]!, ground);
    this.slope =
      ground[1]! * (cos * ahead[0]! - sin * down[0]!) +
      ground[2]! * (cos * ahead[1]! - sin * down[1]!) -
      (cos * ahead[2]! - sin * down[2]!);
    return ground[0]! - this.centre[2]! - arm[2]!;
  }

  /** The angle between a and b at which the rim crosses the surface. */
  crossing(a: number, b: number, terrain: Terrain): number {
    let low = a;
    let high = b;
    const from = this.depth(a, terrain);
    const below = from > 0;
    const to = this.depth(b, terrain);
    let x = from === to ? (a + b) / 2 : a + ((b - a) * from) / (from - to);
    for (let k = 0; k < MOST_ITERATIONS; k++) {
      const value = this.depth(x, terrain);
      if (value > 0 === below) low = x;
      else high = x;
      // Newton's step, or bisection if it leaves the interval.
      const step = x - value / this.slope;
      const next = step > low && step < high ? step : (low + high) / 2;
      if (Math.abs(next - x) < 1e-13) return next;
      x = next;
    }
    return x;
  }

  /** The angle between a and b at which the depth has an extremum. */
  extremum(a: number, b: number, terrain: Terrain): number {
    let low = a;
    let high = b;
    this.depth(a, terrain);
    const isRising = this.slope > 0;
    for (let k = 0; k < MOST_ITERATIONS && high - low > 1e-9; k++) {
      const middle = (low + high) / 2;
      this.depth(middle, terrain);
      if (this.slope > 0 === isRising) low = middle;
      else high = middle;
    }
    return (low + high) / 2;
  }

  /** Distance from the centre to the ground along `arm`, whose end is in the ground, as a share of the radius. Sets the ground there. */
  groundDistance(terrain: Terrain): number {
    const arm = this.arm;
    const ground = this.ground;
    const x = this.centre[0]!;
    const y = this.centre[1]!;
    const z = this.centre[2]!;
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

  /** Sets `arm` to the lowest point of the rim along the normal of the ground, and n to that normal. Returns the depth along it. */
  lowestPoint(n: Float64Array, terrain: Terrain): number {
    const { arm, axle, centre, ground } = this;
    terrain.sample(centre[0]!, centre[1]!, ground);
    for (let k = 0; k < NORMAL_ITERATIONS; k++) {
      const along = axle[2]! - ground[1]! * axle[0]! - ground[2]! * axle[1]!;
      const ux = -ground[1]! - along * axle[0]!;
      const uy = -ground[2]! - along * axle[1]!;
      const uz = 1 - along * axle[2]!;
      const size = -this.#r / Math.sqrt(ux * ux + uy * uy + uz * uz);
      arm[0] = size * ux;
      arm[1] = size * uy;
      arm[2] = size * uz;
      terrain.sample(centre[0]! + arm[0]!, centre[1]! + arm[1]!, ground);
    }
    n[2] = 1 / Math.sqrt(1 + ground[1]! * ground[1]! + ground[2]! * ground[2]!);
    n[0] = -ground[1]! * n[2]!;
    n[1] = -ground[2]! * n[2]!;
    return (ground[0]! - centre[2]! - arm[2]!) * n[2]!;
  }
}
