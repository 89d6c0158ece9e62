/**
 * Soil that wheels have compacted before, down to z_u. Its surface is p_u / k_u above that depth, and it carries along the unloading line
 * until the wheel is as deep again [Wong 2010, repetitive loading]:
 *
 *   p(z) = min(k_u (z - z_p), (kc/b + kφ) zⁿ),  k_u = A_u z_u,  z_p = z_u - p_u / k_u
 */
import { arcCosine } from "../math/elementary/arctangent.ts";
import { power } from "../math/elementary/power.ts";
import { cosine } from "../math/elementary/sincos.ts";
import type { ContactPatch } from "./contact-patch.ts";
import type { Soil } from "./soil.ts";

export class CompactedSoil {
  /** (kc/b + kφ) rⁿ, Pa: pressure at a depth of one radius. */
  readonly pressureScale: number;
  /** Stiffness of reloading k_u r, Pa. Lengths are in radii here and below. */
  reloadStiffness = 0;
  /** Depth z_p of the rut. */
  rut = 0;
  /** Depth z_u that was reached before. */
  #deepest = 0;
  readonly #soil: Soil;
  readonly #radius: number;

  constructor(soil: Soil, radius: number, width: number) {
    this.#soil = soil;
    this.#radius = radius;
    this.pressureScale = (soil.kc / width + soil.kphi) * power(radius, soil.exponent);
  }

  /** Sets the depth that wheels reached before, m; 0 on fresh soil. */
  setEarlierDepth(depth: number): void {
    this.reloadStiffness = this.rut = this.#deepest = 0;
    if (!(depth > 0)) return;
    const deepest = depth / this.#radius;
    this.#deepest = deepest;
    const largestPressure = this.pressureScale * power(deepest, this.#soil.exponent);
    // At least the stiffness of the line from the surface to the deepest point: otherwise a shallow rut would spring back above the ground.
    this.reloadStiffness = Math.max(this.#soil.reload * depth * this.#radius, largestPressure / deepest);
    this.rut = deepest - largestPressure / this.reloadStiffness;
  }

  /** Point where reloading ends and sinking continues, as a fraction of the way from the stress-free end to θm; 0 on fresh soil. */
  reloadEnd({ cosFront, front, middle }: ContactPatch): number {
    if (this.rut === 0) return 0;
    const cos = cosFront + this.#deepest - this.rut;
    return cos >= cosine(middle) ? 1 : (front - arcCosine(cos)) / (front - middle);
  }
}
