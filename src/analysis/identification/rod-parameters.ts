/** The unknowns of virtual links as a vector. */
import { exponential } from "../../math/elementary/exponential.ts";
import { type RodUnknowns, unknownPositions } from "./check-measurements.ts";
import { freedomOf, type Measurement, modelValue } from "./measurement.ts";
import type { RodData, RodFreedom } from "./rod-model.ts";

/** Smallest distance of neighbouring cuts or joints, relative to the length. */
const GAP = 1e-4;

/** The parameters of the search as a vector: positions relative to the length, then logarithms of stiffnesses by freedom. */
export class RodParameters {
  readonly positions: readonly ("cut" | "joint")[];

  constructor(
    readonly rod: RodData,
    readonly unknowns: RodUnknowns,
    readonly shortestStub: number,
  ) {
    this.positions = unknownPositions(unknowns);
  }

  cuts(x: Float64Array): readonly number[] {
    return this.unknowns.cuts ?? this.#positionsAt(x, 0);
  }

  joints(x: Float64Array): readonly number[] {
    return this.unknowns.freeJoints ? this.#positionsAt(x, this.positions.indexOf("joint")) : this.cuts(x);
  }

  stiffnesses(x: Float64Array, freedom: RodFreedom): readonly number[] {
    const first = this.firstStiffness(freedom);
    return Array.from(x.subarray(first, first + this.unknowns.n), exponential);
  }

  firstStiffness(freedom: RodFreedom): number {
    const { n, freedoms } = this.unknowns;
    return (this.positions.length + freedoms.indexOf(freedom)) * n;
  }

  names(): readonly string[] {
    const { n, freedoms } = this.unknowns;
    const numbered = (name: string, more = ""): string[] => Array.from({ length: n }, (_, j) => `${name} ${j + 1}${more}`);
    const about = (f: RodFreedom): string =>
      freedoms.length === 1 ? "" : f === "rz" ? " about z" : f === "ry" ? " about y" : " of twist";
    return [...this.positions.flatMap((name) => numbered(name)), ...freedoms.flatMap((f) => numbered("stiffness", about(f)))];
  }

  /** Keeps the positions in order, between root and tip. */
  confine(x: Float64Array): void {
    const { n, freeJoints } = this.unknowns;
    for (const [p, name] of this.positions.entries()) {
      const least = name === "joint" || !freeJoints ? this.shortestStub : 0;
      const at = x.subarray(p * n, (p + 1) * n);
      for (let j = 0; j < n; j++) at[j] = Math.max(at[j]!, j === 0 ? least : at[j - 1]! + GAP);
      for (let j = n - 1; j >= 0; j--) at[j] = Math.min(at[j]!, j === n - 1 ? 1 - GAP : at[j + 1]! - GAP);
    }
  }

  model(x: Float64Array, measurement: Measurement): number {
    return modelValue(this.rod, this.joints(x), this.stiffnesses(x, freedomOf(measurement)), measurement, this.cuts(x));
  }

  #positionsAt(x: Float64Array, group: number): readonly number[] {
    const { n } = this.unknowns;
    return Array.from(x.subarray(group * n, (group + 1) * n), (v) => v * this.rod.length);
  }
}
