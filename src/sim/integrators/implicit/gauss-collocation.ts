/** Gauss-Legendre collocation with any number of stages [HNW I, II.7]: nodes on [0, 1] and integrals of their Lagrange polynomials. */
import { cosine } from "../../../math/elementary/sincos.ts";
import { lagrangeWeights } from "./lagrange.ts";

export interface GaussCollocation {
  readonly nodes: Float64Array;
  /** Writes the integrals of the Lagrange polynomials from 0 to x to `out`. They are the weights of the stage derivatives in y(x). */
  weights(x: number, out: Float64Array): void;
}

export function gaussCollocation(stages: number): GaussCollocation {
  const nodes = new Float64Array(stages);
  const quadrature = new Float64Array(stages);
  for (let k = 0; k < stages; k++) {
    let x = cosine((Math.PI * (k + 0.75)) / (stages + 0.5)); // near the root, from 1 down
    let slope = 0;
    for (let step = 0; step < 10; step++) {
      const [value, before] = legendre(stages, x);
      slope = (stages * (before - x * value)) / (1 - x * x);
      x -= value / slope;
    }
    nodes[stages - 1 - k] = (1 + x) / 2;
    quadrature[stages - 1 - k] = 1 / ((1 - x * x) * slope * slope);
  }
  const values = new Float64Array(stages);
  return {
    nodes,
    weights(x, out) {
      out.fill(0);
      for (let k = 0; k < stages; k++) {
        lagrangeWeights(nodes, stages, x * nodes[k]!, values, 0); // the quadrature is exact for them
        for (let j = 0; j < stages; j++) out[j]! += x * quadrature[k]! * values[j]!;
      }
    },
  };
}

/** Legendre polynomials of degrees n and n - 1 at x. */
function legendre(n: number, x: number): readonly [number, number] {
  let [before, value] = [1, x];
  for (let k = 2; k <= n; k++) [before, value] = [value, ((2 * k - 1) * x * value - (k - 1) * before) / k];
  return [value, before];
}
