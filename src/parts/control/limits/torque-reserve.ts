/** Smallest share of a torque limit that remains along a motion: 1 - |τ_i| / limit_i, over all hinges and nodes. */
export class TorqueReserve {
  /** Smallest share, with an allowance for what happens between nodes; negative where a limit is exceeded. */
  smallest = 0;
  /** Smallest share at the nodes themselves, without the allowance. */
  smallestAtNodes = 0;
  /** Hinge with the smallest share, and its torque there. */
  weakestHinge = 0;
  neededTorque = 0;
  /** Indices of hinges whose torque is limited. */
  readonly limitedHinges: Int32Array;
  readonly limits: Float64Array;

  /** @param limits per hinge speed, infinite where there is none */
  constructor(limits: Float64Array) {
    this.limits = limits;
    this.limitedHinges = Int32Array.from([...limits.keys()].filter((i) => limits[i]! < Number.POSITIVE_INFINITY));
  }

  reset(): void {
    this.smallest = this.smallestAtNodes = Number.POSITIVE_INFINITY;
  }

  /** Includes torque i at a node. `allowance`: by how much it may be larger between nodes. */
  include(i: number, torque: number, allowance: number): void {
    const atNode = 1 - Math.abs(torque) / this.limits[i]!;
    if (atNode < this.smallestAtNodes) this.smallestAtNodes = atNode;
    const share = atNode - allowance / this.limits[i]!;
    if (share >= this.smallest) return;
    this.smallest = share;
    this.weakestHinge = i;
    this.neededTorque = torque;
  }
}
