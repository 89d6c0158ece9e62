/**
 * Soil that wheels have compacted before, down to z_u, with the pressure p_u = K z_uⁿ, K = kc/b + kφ. Its surface, the ground of the rut, is at
 * z_p = z_u - p_u / k_u. Below it the soil is elastic up to z_u, and deeper it is fresh [Wong 2010, repetitive loading]:
 *
 *   p(z) = max(k_u (z - z_p), K (z - z_p)ⁿ)  for z_p <= z <= z_u,    p(z) = K zⁿ  for z >= z_u                                  [1]
 *   k_u = max(A_u z_u, max(1, n) p_u / z_u)                                                                                  [2]
 *
 * Both parts of [1] are p_u at z_u, so the pressure is continuous in z and in z_u. By [2] reloading is at least as stiff as fresh soil is at z_u
 * (n p_u / z_u), and a rut does not spring back above the ground (p_u / z_u). Therefore z_p and p go to those of fresh soil as z_u goes to zero,
 * and at the same depth below its surface compacted soil never carries less than fresh soil. The second term of the maximum matters for
 * n < 1 only, where fresh soil is infinitely stiff at its surface.
 */
import { arcCosine } from "../math/elementary/arctangent.ts";
import { power } from "../math/elementary/power.ts";
import { cosine } from "../math/elementary/sincos.ts";
import type { ContactPatch } from "./contact-patch.ts";
import type { Soil } from "./soil.ts";

/** Ruts shallower than this, m, are none: the load is the same to the last bit, and no power of the depth underflows. */
const LEAST_DEPTH = 1e-30;

export class CompactedSoil {
  /** K rⁿ, Pa: pressure at a depth of one radius. */
  readonly pressureScale: number;
  /** Stiffness of reloading k_u r, Pa. Lengths are in radii here and below. */
  reloadStiffness = 0;
  /** Depth z_p of the rut. */
  rut = 0;
  /** Elastic rebound z_u - z_p: the range of reloading below the ground of the rut. 0 on fresh soil. */
  rebound = 0;
  readonly #soil: Soil;
  readonly #radius: number;

  constructor(soil: Soil, radius: number, width: number) {
    this.#soil = soil;
    this.#radius = radius;
    this.pressureScale = (soil.kc / width + soil.kphi) * power(radius, soil.exponent);
  }

  /** Sets the depth that wheels reached before, m; 0 on fresh soil. */
  setEarlierDepth(depth: number): void {
    this.reloadStiffness = this.rut = this.rebound = 0;
    if (!(depth > LEAST_DEPTH)) return;
    const deepest = depth / this.#radius;
    const { exponent, reload } = this.#soil;
    const steepest = Math.max(1, exponent);
    const secant = (this.pressureScale * power(deepest, exponent)) / deepest;
    const measured = reload * depth * this.#radius;
    this.reloadStiffness = Math.max(measured, steepest * secant);
    // p_u / k_u. A quotient of the pressures would leave a rut of rounding errors, also a negative one, where the share is 1.
    this.rebound = deepest * Math.min(1 / steepest, secant / measured);
    this.rut = deepest - this.rebound;
  }

  /** Adds the depths at which the pressure [1] has a corner to the breaks of the contact patch. */
  addBreaks(patch: ContactPatch): void {
    if (this.rebound === 0) return;
    this.#addBreakAtDepth(patch, this.rebound);
    const { exponent } = this.#soil;
    // k_u z = K zⁿ
    if (exponent < 1) this.#addBreakAtDepth(patch, power(this.pressureScale / this.reloadStiffness, 1 / (1 - exponent)));
  }

  /** Adds a depth below the ground of the rut. */
  #addBreakAtDepth(patch: ContactPatch, depth: number): void {
    const { cosFront, front, middle } = patch;
    const cos = cosFront + depth;
    if (cos < cosine(middle)) patch.addBreak((front - arcCosine(cos)) / (front - middle));
  }
}
