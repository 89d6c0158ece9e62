/**
 * Factors of min ½ xᵀ G x + gᵀ x on rows Nᵀ x = b that come and go one at a time: J with Jᵀ G J = 1 and Jᵀ N = [R; 0], R upper
 * triangular [Goldfarb and Idnani, 1983]. Matrices stand by columns. Allocation-free after making.
 */

export interface ActiveSet {
  /** Number of rows in the set. */
  readonly count: number;
  /** What the caller calls them, in the order of the columns of R. */
  readonly members: Int32Array;
  /** No rows; J from the lower half of G + shift. The column whose pivot is not positive, or -1. */
  start(G: Float64Array, shift: number): number;
  /** d = Jᵀ a for a normal a. The part of its length that the set does not span, from 0 to 1. */
  project(a: Float64Array): number;
  /** z: how x moves per unit of the multiplier of the projected normal while the set holds. Returns z · a. */
  direction(z: Float64Array): number;
  /** r: how much the multipliers of the set fall meanwhile; the projected normal is N r if the set spans it. */
  dependence(r: Float64Array): void;
  /** Takes the projected normal into the set; it must not depend on it. */
  add(member: number): void;
  /** The member in this place leaves. */
  drop(place: number): void;
  /** Minimum on the set: x and multipliers, G x + g = N multipliers. */
  minimum(b: Float64Array, g: Float64Array, x: Float64Array, multipliers: Float64Array): void;
}

/** A pivot below this part of its diagonal entry is too near to rounding: what it divides would have no digits left. */
const PIVOT_TOLERANCE = 1e-12;

export function activeSet(n: number): ActiveSet {
  const L = new Float64Array(n * n); // by rows
  const J = new Float64Array(n * n);
  const R = new Float64Array(n * n);
  const members = new Int32Array(n);
  const d = new Float64Array(n);
  const v = new Float64Array(n);
  const w = new Float64Array(n);
  let count = 0;

  return {
    members,
    get count() {
      return count;
    },
    start(G, shift) {
      count = 0;
      for (let i = 0; i < n; i++) {
        for (let j = 0; j <= i; j++) {
          let sum = G[i * n + j]! + (i === j ? shift : 0);
          const diagonal = sum;
          for (let k = 0; k < j; k++) sum -= L[i * n + k]! * L[j * n + k]!;
          if (j < i) L[i * n + j] = sum / L[j * n + j]!;
          else if (sum > PIVOT_TOLERANCE * diagonal) L[i * n + i] = Math.sqrt(sum);
          else return i;
        }
      }
      // Column c of J = L⁻ᵀ is row c of L⁻¹.
      for (let j = 0; j < n; j++) {
        for (let c = 0; c < j; c++) J[c * n + j] = 0;
        J[j * n + j] = 1 / L[j * n + j]!;
        for (let c = j + 1; c < n; c++) {
          let sum = 0;
          for (let k = j; k < c; k++) sum -= L[c * n + k]! * J[k * n + j]!;
          J[c * n + j] = sum / L[c * n + c]!;
        }
      }
      return -1;
    },
    project(a) {
      let inside = 0;
      let outside = 0;
      for (let c = 0; c < n; c++) {
        let sum = 0;
        for (let i = 0; i < n; i++) sum += J[c * n + i]! * a[i]!;
        d[c] = sum;
        if (c < count) inside += sum * sum;
        else outside += sum * sum;
      }
      return outside > 0 ? Math.sqrt(outside / (inside + outside)) : 0;
    },
    direction(z) {
      z.fill(0);
      let size = 0;
      for (let c = count; c < n; c++) {
        const part = d[c]!;
        size += part * part;
        for (let i = 0; i < n; i++) z[i]! += part * J[c * n + i]!;
      }
      return size;
    },
    dependence(r) {
      for (let k = 0; k < count; k++) r[k] = d[k]!;
      backSubstitute(r);
    },
    add(member) {
      // One reflection takes d's part outside the set to its first entry.
      let size = 0;
      for (let c = count; c < n; c++) {
        v[c] = d[c]!;
        size += d[c]! * d[c]!;
      }
      const first = d[count]!;
      const pivot = first > 0 ? -Math.sqrt(size) : Math.sqrt(size);
      v[count] = first - pivot;
      const beta = 1 / (size - first * pivot);
      if (count < n - 1) {
        w.fill(0); // J v
        for (let c = count; c < n; c++) {
          const part = beta * v[c]!;
          for (let i = 0; i < n; i++) w[i]! += J[c * n + i]! * part;
        }
        for (let c = count; c < n; c++) {
          const part = v[c]!;
          for (let i = 0; i < n; i++) J[c * n + i]! -= w[i]! * part;
        }
        R[count * n + count] = pivot;
      } else R[count * n + count] = first;
      for (let k = 0; k < count; k++) R[count * n + k] = d[k]!;
      members[count++] = member;
    },
    drop(place) {
      count--;
      for (let c = place; c < count; c++) {
        members[c] = members[c + 1]!;
        for (let k = 0; k <= c + 1; k++) R[c * n + k] = R[(c + 1) * n + k]!;
      }
      for (let c = place; c < count; c++) {
        const a = R[c * n + c]!;
        const b = R[c * n + c + 1]!;
        const size = Math.sqrt(a * a + b * b);
        const cosine = a / size;
        const sine = b / size;
        R[c * n + c] = size;
        for (let k = c + 1; k < count; k++) rotatePair(R, k * n + c, k * n + c + 1, cosine, sine);
        for (let i = 0; i < n; i++) rotatePair(J, c * n + i, (c + 1) * n + i, cosine, sine);
      }
    },
    minimum(b, g, x, multipliers) {
      // y = J⁻¹ x: y1 = R⁻ᵀ b, y2 = -J2ᵀ g; and R multipliers = y1 + J1ᵀ g.
      x.fill(0);
      for (let c = 0; c < n; c++) {
        let slope = 0;
        for (let i = 0; i < n; i++) slope += J[c * n + i]! * g[i]!;
        let y = -slope;
        if (c < count) {
          y = b[c]!;
          for (let k = 0; k < c; k++) y -= R[c * n + k]! * v[k]!;
          y /= R[c * n + c]!;
          v[c] = y;
          multipliers[c] = y + slope;
        }
        for (let i = 0; i < n; i++) x[i]! += y * J[c * n + i]!;
      }
      backSubstitute(multipliers);
    },
  };

  /** R y = b in place. */
  function backSubstitute(b: Float64Array): void {
    for (let k = count - 1; k >= 0; k--) {
      const value = b[k]! / R[k * n + k]!;
      b[k] = value;
      for (let i = 0; i < k; i++) b[i]! -= R[k * n + i]! * value;
    }
  }
}

function rotatePair(A: Float64Array, i: number, j: number, cosine: number, sine: number): void {
  const a = A[i]!;
  const b = A[j]!;
  A[i] = cosine * a + sine * b;
  A[j] = cosine * b - sine * a;
}
