/** Internal states that take part in small motions. */
import type { Linearisation } from "./linearise.ts";

/** Part of a linearisation: M σ̈ + D σ̇ + K σ + B ζ = 0, ζ̇ = E σ + F σ̇ + A ζ with n states ζ. */
export interface MovingStates {
  readonly n: number;
  readonly B: Float64Array;
  readonly E: Float64Array;
  readonly F: Float64Array;
  readonly A: Float64Array;
  /** Names of these states. */
  readonly names: readonly string[];
  /** ż at the state itself. */
  readonly rates: Float64Array;
}

/**
 * The internal states without those that only count (an absorbed energy: no force depends on it) and those that no small change alters (the phase
 * of a circular orbit, which grows like time).
 */
export function movingStates({ internal, m }: Linearisation): MovingStates {
  const { names, onForces, byPosition, bySpeed, byState, rates } = internal;
  const size = names.length;
  let kept = names.map((_, j) => j);
  for (let count = size + 1; kept.length < count; ) {
    count = kept.length;
    kept = kept.filter((j) => {
      const isFelt = hasEntry(onForces, size, m, j) || kept.some((i) => i !== j && byState[i * size + j] !== 0);
      const isChanged =
        hasEntry(byPosition, 1, m, j * m) || hasEntry(bySpeed, 1, m, j * m) || kept.some((i) => byState[j * size + i] !== 0);
      return isFelt && isChanged;
    });
  }
  const n = kept.length;
  const rowsOf = (A: Float64Array): Float64Array =>
    Float64Array.from({ length: n * m }, (_, k) => A[kept[Math.floor(k / m)]! * m + (k % m)]!);
  return {
    n,
    B: Float64Array.from({ length: m * n }, (_, k) => onForces[Math.floor(k / n) * size + kept[k % n]!]!),
    E: rowsOf(byPosition),
    F: rowsOf(bySpeed),
    A: Float64Array.from({ length: n * n }, (_, k) => byState[kept[Math.floor(k / n)]! * size + kept[k % n]!]!),
    names: kept.map((j) => names[j]!),
    rates: Float64Array.from(kept, (j) => rates[j]!),
  };
}

/** True if one of `count` entries from `first` on, `stride` apart, is not zero. */
function hasEntry(A: Float64Array, stride: number, count: number, first: number): boolean {
  for (let i = 0; i < count; i++) if (A[first + i * stride] !== 0) return true;
  return false;
}

/**
 * The whole of a linearisation at rest: [[K, B], [-E, -A]] for forces and the rates of states. A state that only the speed changes, such as the
 * integral of a speed error, moves with the position: its row is ζ - F σ = 0.
 */
export function staticMatrix({ stiffness, m }: Linearisation, { n, B, E, F, A }: MovingStates): Float64Array {
  const size = m + n;
  const P = new Float64Array(size * size);
  for (let i = 0; i < m; i++) {
    for (let j = 0; j < m; j++) P[i * size + j] = stiffness[i * m + j]!;
    for (let j = 0; j < n; j++) P[i * size + m + j] = B[i * n + j]!;
  }
  for (let i = 0; i < n; i++) {
    const isIntegral = !hasEntry(E, 1, m, i * m) && !hasEntry(A, 1, n, i * n);
    const first = (m + i) * size;
    for (let j = 0; j < m; j++) P[first + j] = -(isIntegral ? F : E)[i * m + j]!;
    for (let j = 0; j < n; j++) P[first + m + j] = isIntegral ? (i === j ? 1 : 0) : -A[i * n + j]!;
  }
  return P;
}
