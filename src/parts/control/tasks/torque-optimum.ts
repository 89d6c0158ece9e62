/**
 * Alternative methods for the torque optimum, registered by their name in `method` of the controller `least-torque`. The printed form of
 * the paper is registered by `validation`, so that the library does not contain it.
 */

/** φ̈ of least |cost φ̈ + bias| with J φ̈ = rhs. `cost` is W^½ H*, `bias` W^½ C*, all by rows. */
export type TorqueOptimum = (
  J: Float64Array,
  rhs: Float64Array,
  cost: Float64Array,
  bias: Float64Array,
  phidd: Float64Array,
) => void;

/** Makes the optimum for `rows` rows of tasks and `hinges` hinges. */
export type TorqueOptimumFactory = (rows: number, hinges: number) => TorqueOptimum;

const factories = new Map<string, TorqueOptimumFactory>();

/** Makes `method: NAME` of the controller `least-torque` available. */
export function registerTorqueOptimum(name: "literal", factory: TorqueOptimumFactory): void {
  factories.set(name, factory);
}

/** The registered factory, or undefined. */
export const torqueOptimumFactory = (name: string): TorqueOptimumFactory | undefined => factories.get(name);
