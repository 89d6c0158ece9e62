/**
 * Closed loops of hinge angles, and the rotation of a floating base that they cause. The loop φ_i(p) = φ0_i + Σ_k a_ik (cos kp - 1) +
 * b_ik sin kp, p from 0 to 2π, ends where it starts, for any coefficients. Without momentum the base turns with ω = J_w(φ) φ' in its own
 * axes, at any speed. ω is not the rate of a function of φ, so after the loop the base is rotated.
 */

import type { Freedom } from "../declare/freedom.ts";
import { freeFlyer } from "../dynamics/free-flying/free-flyer.ts";
import { multiplyQuaternions, quaternionFromRotationVector } from "../math/elementary/rotation-vector.ts";
import { cosine, sine } from "../math/elementary/sincos.ts";
import type { Model } from "../model/model.ts";

export interface ShapeLoop {
  /** Number of coefficients: a and b of each harmonic of each hinge. */
  readonly size: number;
  /** The basis functions at p and their first and second derivatives by p, `2 × harmonics` each. */
  basis(p: number, values: Float64Array, rates: Float64Array, seconds: Float64Array): void;
  /** Quaternion of the rotation of the base after one loop, in the axes that it had before. */
  turn(coefficients: Float64Array, steps: number, out: Float64Array): void;
}

export function shapeLoop(
  model: Model,
  base: string | undefined,
  hinges: readonly Freedom[],
  q0: Float64Array,
  harmonics: number,
): ShapeLoop {
  const flyer = freeFlyer(model, { ...(base !== undefined && { base }), outputs: ["Jb"] });
  const { Jb } = flyer.values;
  const { n } = flyer;
  const coordinates = hinges.map((hinge) => hinge.q!);
  const columns = hinges.map(({ u }) => flyer.robot.speeds.indexOf(u));
  const speeds = new Float64Array(hinges.length);
  const width = 2 * harmonics;
  const q = Float64Array.from(q0);
  const at = flyer.robot.base.hinge.q;
  q.set([1, 0, 0, 0, 0, 0, 0], at); // axes of the world are those of the base
  const u = new Float64Array(model.nu);
  const [values, rates, seconds] = [new Float64Array(width), new Float64Array(width), new Float64Array(width)];
  const [first, second, step] = [new Float64Array(3), new Float64Array(3), new Float64Array(3)];
  const [increment, product] = [new Float64Array(4), new Float64Array(4)];

  function basis(p: number, value: Float64Array, rate: Float64Array, acceleration: Float64Array): void {
    for (let k = 1; k <= harmonics; k++) {
      const [c, s] = [cosine(k * p), sine(k * p)];
      value[2 * k - 2] = c - 1;
      value[2 * k - 1] = s;
      rate[2 * k - 2] = -k * s;
      rate[2 * k - 1] = k * c;
      acceleration[2 * k - 2] = -k * k * c;
      acceleration[2 * k - 1] = -k * k * s;
    }
  }

  /** Basis functions and their derivatives at the two Gauss points of each step, point by point; cached by the number of steps. */
  const tables = new Map<number, { readonly values: Float64Array; readonly rates: Float64Array }>();
  function tableOf(steps: number) {
    let table = tables.get(steps);
    if (!table) {
      table = { values: new Float64Array(2 * steps * width), rates: new Float64Array(2 * steps * width) };
      for (let point = 0; point < 2 * steps; point++) {
        const x = (point >> 1) + 0.5 + ((point & 1 ? 1 : -1) * Math.sqrt(3)) / 6;
        basis((x * 2 * Math.PI) / steps, values, rates, seconds);
        table.values.set(values, point * width);
        table.rates.set(rates, point * width);
      }
      tables.set(steps, table);
    }
    return table;
  }

  /** ω = J_w φ' at a point. */
  function omega(c: Float64Array, basisValues: Float64Array, basisRates: Float64Array, point: number, out: Float64Array): void {
    const at = point * width;
    for (let i = 0; i < coordinates.length; i++) {
      let angle = 0;
      let speed = 0;
      for (let k = 0; k < width; k++) {
        angle += c[i * width + k]! * basisValues[at + k]!;
        speed += c[i * width + k]! * basisRates[at + k]!;
      }
      q[coordinates[i]!] = q0[coordinates[i]!]! + angle;
      speeds[i] = speed;
    }
    flyer.evaluate(q, u);
    for (let r = 0; r < 3; r++) {
      let sum = 0;
      for (let i = 0; i < columns.length; i++) sum += Jb[r * n + columns[i]!]! * speeds[i]!;
      out[r] = sum;
    }
  }

  return {
    size: width * hinges.length,
    basis,
    turn(c, steps, out) {
      // R' = R ω̃ by Magnus' series of fourth order: exp(h (ω1 + ω2) / 2 + √3 h² (ω1 × ω2) / 12) at the two Gauss points.
      out[0] = 1;
      out.fill(0, 1);
      const table = tableOf(steps);
      const h = (2 * Math.PI) / steps;
      for (let i = 0; i < steps; i++) {
        omega(c, table.values, table.rates, 2 * i, first);
        omega(c, table.values, table.rates, 2 * i + 1, second);
        for (let r = 0; r < 3; r++) {
          const s = (r + 1) % 3;
          const t = (r + 2) % 3;
          const crossProduct = first[s]! * second[t]! - first[t]! * second[s]!;
          step[r] = (h * (first[r]! + second[r]!)) / 2 + (Math.sqrt(3) / 12) * h * h * crossProduct;
        }
        quaternionFromRotationVector(step, increment);
        multiplyQuaternions(out, increment, product);
        out.set(product);
      }
    },
  };
}
