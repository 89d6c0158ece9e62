/**
 * Integrates over a convex polygon within the section of a ball or cylinder: |(v, a + k u)| <= radius, in coordinates v and u of its plane. With
 * v = radius sin t the ends of the section are smooth. Panels in t end at corners of the polygon and where its sides cross the section; there are
 * up to 18 points of Gauss per panel, and three along u, which are exact for the polynomials of degree 5 there.
 */
import { arctangent } from "../../../../math/elementary/arctangent.ts";
import { gaussLegendre } from "../../../../math/elementary/gauss-legendre.ts";
import { sineAndCosine } from "../../../../math/elementary/sincos.ts";

/** Points along t in panels up to a width: where the section ends in a tip, integrands are like (t₁² - t²)⁶. */
const WIDEST_PANEL = Math.PI / 2 + 1e-9;
const RULES = [
  { width: 0.3, rule: gaussLegendre(8) },
  { width: 0.8, rule: gaussLegendre(12) },
  { width: WIDEST_PANEL, rule: gaussLegendre(18) },
];
const ACROSS = gaussLegendre(3);

/** Takes the points of the quadrature, and points among which the deepest is. */
export interface SectionSink {
  addPoint(v: number, u: number, area: number): void;
  takeDepthAt(v: number, u: number): void;
}

export class SectionQuadrature {
  /** The polygon, counterclockwise. */
  readonly v: Float64Array;
  readonly u: Float64Array;
  count = 0;
  a = 0;
  k = 0;
  radius = 0;
  /** The value of u in the middle plane of the cylinder. */
  middle = 0;
  /** Ends of panels. */
  readonly #ends: Float64Array;
  #endCount = 0;
  readonly #sincos = new Float64Array(2);

  /** @param corners the largest number of corners of a polygon */
  constructor(corners: number) {
    this.v = new Float64Array(corners);
    this.u = new Float64Array(corners);
    this.#ends = new Float64Array(3 * corners + 8);
  }

  /** Integrates the polygon within the section. */
  integrate(sink: SectionSink): void {
    const rho = this.radius;
    if (!this.#findPanels()) return;
    const ends = this.#ends;
    this.#addDeepest(sink);
    let from = ends[0]!;
    let t0 = arctangent(from, Math.sqrt(Math.max(0, (rho - from) * (rho + from))));
    for (let i = 1; i < this.#endCount; i++) {
      const to = ends[i]!;
      const t1 = arctangent(to, Math.sqrt(Math.max(0, (rho - to) * (rho + to))));
      if (t1 > t0) {
        if (t1 - t0 > WIDEST_PANEL) {
          const middle = 0.5 * (t0 + t1);
          this.#addPanel(t0, middle, sink);
          this.#addPanel(middle, t1, sink);
        } else this.#addPanel(t0, t1, sink);
      }
      from = to;
      t0 = t1;
    }
  }

  /** Collects the ends of panels in order. Returns false if there is no panel. */
  #findPanels(): boolean {
    const v = this.v;
    const u = this.u;
    const a = this.a;
    const k = this.k;
    const rho = this.radius;
    const { count } = this;
    this.#endCount = 0;
    let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
    for (let i = 0; i < count; i++) {
      if (v[i]! < low) low = v[i]!;
      if (v[i]! > high) high = v[i]!;
    }
    // Where the face is parallel to the axis, the section is a strip.
    const width = k === 0 ? Math.sqrt(Math.max(0, (rho - a) * (rho + a))) : rho;
    low = Math.max(low, -width);
    high = Math.min(high, width);
    if (!(low < high)) return false;
    this.#addEnd(low, low, high);
    this.#addEnd(high, low, high);
    for (let i = 0; i < count; i++) {
      const j = i + 1 === count ? 0 : i + 1;
      this.#addEnd(v[i]!, low, high);
      // Crossings of the side i with the section: |(v, a + k u)|² = ρ².
      const dv = v[j]! - v[i]!;
      const w = a + k * u[i]!;
      const dw = k * (u[j]! - u[i]!);
      const A = dv * dv + dw * dw;
      const B = v[i]! * dv + w * dw;
      const C = v[i]! * v[i]! + w * w - rho * rho;
      const D = B * B - A * C;
      if (!(D > 0)) continue;
      const q = B > 0 ? -B - Math.sqrt(D) : -B + Math.sqrt(D);
      const s0 = q / A;
      const s1 = C / q;
      if (s0 > 0 && s0 < 1) this.#addEnd(v[i]! + s0 * dv, low, high);
      if (s1 > 0 && s1 < 1) this.#addEnd(v[i]! + s1 * dv, low, high);
    }
    return true;
  }

  /** Adds an end of panels if it is within the bounds, in order. */
  #addEnd(value: number, low: number, high: number): void {
    if (!(value >= low && value <= high)) return;
    const ends = this.#ends;
    let i = this.#endCount++;
    while (i > 0 && ends[i - 1]! > value) {
      ends[i] = ends[i - 1]!;
      i--;
    }
    ends[i] = value;
  }

  #low = 0;
  #high = 0;

  /** Finds the range of u at v, where the half width of the section is c. */
  #findRange(v: number, c: number): void {
    const V = this.v;
    const U = this.u;
    const { count } = this;
    const k = this.k;
    let low = Number.NEGATIVE_INFINITY;
    let high = Number.POSITIVE_INFINITY;
    // The polygon is counterclockwise: sides in the direction of v bound u from below.
    for (let i = 0; i < count; i++) {
      const j = i + 1 === count ? 0 : i + 1;
      const dv = V[j]! - V[i]!;
      if (dv === 0) continue;
      if (dv > 0 ? v < V[i]! || v > V[j]! : v < V[j]! || v > V[i]!) continue;
      const u = U[i]! + ((U[j]! - U[i]!) / dv) * (v - V[i]!);
      if (dv > 0) low = Math.max(low, u);
      else high = Math.min(high, u);
    }
    if (k !== 0) {
      const middle = -this.a / k;
      const reach = c / Math.abs(k);
      low = Math.max(low, middle - reach);
      high = Math.min(high, middle + reach);
    }
    this.#low = low;
    this.#high = high;
  }

  #addPanel(t0: number, t1: number, sink: SectionSink): void {
    let rule = 0;
    while (rule < RULES.length - 1 && t1 - t0 > RULES[rule]!.width) rule++;
    const { points, weights } = RULES[rule]!.rule;
    const rho = this.radius;
    const sincos = this.#sincos;
    sineAndCosine(0.5 * (t0 + t1), sincos);
    this.#findRange(rho * sincos[0]!, rho * sincos[1]!);
    if (!(this.#low < this.#high)) return;
    for (let i = 0; i < points.length; i++) {
      sineAndCosine(t0 + points[i]! * (t1 - t0), sincos);
      const v = rho * sincos[0]!;
      const c = rho * sincos[1]!;
      this.#findRange(v, c);
      const width = this.#high - this.#low;
      if (!(width > 0)) continue;
      const weight = weights[i]! * (t1 - t0) * c * width;
      for (let j = 0; j < 3; j++) sink.addPoint(v, this.#low + ACROSS.points[j]! * width, weight * ACROSS.weights[j]!);
    }
  }

  /** Takes the depth at the point of the face that is nearest to the axis or centre. */
  #addDeepest(sink: SectionSink): void {
    const V = this.v;
    const U = this.u;
    const k = this.k;
    const ends = this.#ends;
    const first = ends[0]!;
    const last = ends[this.#endCount - 1]!;
    const rho = this.radius;
    this.#takeDepth(Math.max(first, Math.min(last, 0)), sink);
    for (let i = 0; i < this.#endCount; i++) this.#takeDepth(ends[i]!, sink);
    // Feet of the centre of the section on the sides of the polygon.
    for (let i = 0; i < this.count; i++) {
      const j = i + 1 === this.count ? 0 : i + 1;
      const dv = V[j]! - V[i]!;
      const dw = k * (U[j]! - U[i]!);
      const s = -(V[i]! * dv + (this.a + k * U[i]!) * dw) / (dv * dv + dw * dw);
      if (s > 0 && s < 1) this.#takeDepth(Math.max(-rho, Math.min(rho, V[i]! + s * dv)), sink);
    }
  }

  /** Takes the largest depth of the face at v. */
  #takeDepth(v: number, sink: SectionSink): void {
    const rho = this.radius;
    const k = this.k;
    this.#findRange(v, Math.sqrt(Math.max(0, (rho - v) * (rho + v))));
    if (!(this.#low <= this.#high)) return;
    const middle = 0.5 * (this.#low + this.#high);
    const nearest = k === 0 ? middle : Math.max(this.#low, Math.min(this.#high, -this.a / k));
    sink.takeDepthAt(v, nearest);
    sink.takeDepthAt(v, middle);
    sink.takeDepthAt(v, Math.max(this.#low, Math.min(this.#high, this.middle)));
  }
}
