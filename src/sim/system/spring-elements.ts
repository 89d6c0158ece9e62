/** The springs of a model as force elements, so that a model with elastic bodies is simulated, audited and analysed like any other. */

import type { Freedom } from "../../declare/freedom.ts";
import { abs, add, div, mul, neg, type Scalar, select, sqrt, square, sub, sum } from "../../kernel/trace/scalar.ts";
import type { Springs } from "../../model/elastic/springs.ts";
import { freedomsOf } from "../../model/freedoms.ts";
import type { Model } from "../../model/model.ts";
import { cross, dot, plus, scale, type Vec3 } from "../../spatial/vec3.ts";
import type { ForceElement, TracedLoads, TracedMotion } from "./force-element.ts";

export function springElements(model: Model): readonly ForceElement[] {
  if (model.springs.length === 0) return [];
  const freedoms = new Map<string, Freedom[]>();
  for (const f of freedomsOf(model)) freedoms.set(f.hinge, [...(freedoms.get(f.hinge) ?? []), f]);
  return model.springs.map((springs) => springElement(springs, freedoms));
}

function springElement({ name, joints, coupling }: Springs, freedoms: ReadonlyMap<string, readonly Freedom[]>): ForceElement {
  return {
    name,
    kind: "springs",
    trace(s, out) {
      let stored: Scalar = 0;
      const speeds: { readonly hinge: string; readonly part: number; readonly u: Scalar }[] = [];
      for (const { hinge, stiffness, damping } of joints) {
        const hingeFreedoms = freedoms.get(hinge)!;
        const { q, u } = s.hinge(hinge);
        for (const [part, d] of damping.entries()) {
          out.hinge(hinge, part, neg(mul(d, u[part]!)));
          out.dissipated(mul(d, square(u[part]!)));
          speeds.push({ hinge, part, u: u[part]! });
        }
        for (const { speedInHinge: part, coordinateInHinge: coordinate, ball } of hingeFreedoms) {
          if (ball?.axis === 0) stored = add(stored, ballSpring(out, hinge, part, ball.quaternion, stiffness, q));
          if (ball) continue;
          out.hinge(hinge, part, neg(mul(stiffness[part]!, q[coordinate!]!)));
          stored = add(stored, mul(stiffness[part]! / 2, square(q[coordinate!]!)));
        }
      }
      for (const [i, row] of (coupling ?? []).entries()) {
        const { hinge, part, u } = speeds[i]!;
        const resistance = sum(row.map((d, j) => mul(d, speeds[j]!.u)));
        out.hinge(hinge, part, neg(resistance));
        out.dissipated(mul(resistance, u));
      }
      out.potential(stored);
      out.channel("energy", "J", stored);
    },
  };
}

/**
 * Spring of a ball hinge: V = ½ φ·K φ of its rotation vector φ. With u = Jl(φ) φ̇ in F axes the torque is -Jl⁻ᵀ K φ, where
 * Jl⁻ᵀ v = v + ½ φ × v + g φ × (φ × v) and g = (1 - (θ/2) cot(θ/2)) / θ². Returns V.
 */
function ballSpring(
  out: TracedLoads,
  hinge: string,
  part: number,
  quaternion: number,
  stiffness: readonly number[],
  q: ReturnType<TracedMotion["hinge"]>["q"],
): Scalar {
  const w = q[quaternion]!;
  const { f, g } = rotationFactors(abs(w));
  const phi = scale(select(w, f, neg(f)), q.slice(quaternion + 1, quaternion + 4) as unknown as Vec3);
  const moment = phi.map((v, k) => mul(stiffness[part + k]!, v)) as unknown as Vec3;
  const once = cross(phi, moment);
  const torque = plus(moment, plus(scale(0.5, once), scale(g, cross(phi, once))));
  for (const [k, t] of torque.entries()) out.hinge(hinge, part + k, neg(t));
  return mul(0.5, dot(phi, moment));
}

/** Series of asin(s) / s and (1 - y cot y) / y² at s = sin y in powers of s², with enough terms for s² below 0.04. */
const ASIN = seriesOf((n) => (n === 0 ? 1 : ((2 * n - 1) * (2 * n - 1)) / (2 * n * (2 * n + 1))));
const COT = cotangentSeries(ASIN.length);
const HALVINGS = 3;

/** Series coefficients from the ratio of each to the one before. */
function seriesOf(ratio: (n: number) => number): readonly number[] {
  const c: number[] = [];
  for (let n = 0; n < 12; n++) c.push((c[n - 1] ?? 1) * ratio(n));
  return c;
}

/** (1 - y cot y) / y² in powers of s²: with A = (y / s) and C = cos y = √(1 - s²), it is (1 - A C) / (A² s²). */
function cotangentSeries(count: number): readonly number[] {
  const A = seriesOf((n) => (n === 0 ? 1 : ((2 * n - 1) * (2 * n - 1)) / (2 * n * (2 * n + 1)))).concat(0);
  const C: number[] = [1];
  for (let n = 1; n <= count; n++) C.push((C[n - 1]! * (n - 1.5)) / n);
  const times = (a: readonly number[], b: readonly number[]): number[] =>
    Array.from({ length: count + 1 }, (_, n) => a.slice(0, n + 1).reduce((s, v, i) => s + v * (b[n - i] ?? 0), 0));
  const top = times(A, C)
    .map((v) => -v)
    .slice(1); // 1 - A C without its zero constant, over s²
  const bottom = times(A, A);
  const G: number[] = [];
  for (let n = 0; n < count - 1; n++) {
    let value = top[n]!;
    for (let i = 0; i < n; i++) value -= G[i]! * bottom[n - i]!;
    G.push(value);
  }
  return G;
}

const series = (coefficients: readonly number[], x: Scalar): Scalar =>
  coefficients.reduceRight<Scalar>((value, c) => add(c, mul(x, value)), 0);

/**
 * f = θ / sin x and g = (1 - x cot x) / θ² of the half angle x = θ/2 with cosine c ≥ 0. The angle is halved a few times, so that short
 * series are enough: with y = x/2, f(x) = f(y) / cos y and G(x) = (1 - x cot x) / x² = ¼ (G(y) + tan y / y). Smooth up to half a turn.
 */
function rotationFactors(c: Scalar): { readonly f: Scalar; readonly g: Scalar } {
  const cosines: Scalar[] = [];
  let last = c;
  for (let i = 0; i < HALVINGS; i++) {
    last = sqrt(mul(0.5, add(1, last)));
    cosines.push(last);
  }
  const s2 = sub(1, square(last));
  let F = series(ASIN, s2); // y / sin y
  let G = series(COT, s2);
  for (const cosine of [...cosines].reverse()) {
    const inverse = div(1, cosine);
    G = mul(0.25, add(G, div(inverse, F)));
    F = mul(F, inverse);
  }
  return { f: mul(2, F), g: mul(0.25, G) };
}
