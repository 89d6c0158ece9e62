/**
 * Factors of min ½ xᵀ G x + gᵀ x subject to Nᵀ x = b, updated as rows enter and leave the active set N one at a time: J with Jᵀ G J = 1 and
 * Jᵀ N = [R; 0], R upper triangular [Goldfarb and Idnani, 1983]. J and R are stored by columns. Methods allocate nothing.
 */

/** A pivot below this fraction of its diagonal entry has no reliable digits. */
const PIVOT_TOLERANCE = 1e-12;

export class ActiveSetFactors {
  readonly #n: number;
  /** Cholesky factor of G, by rows. */
  readonly #L: Float64Array;
  readonly #J: Float64Array;
  readonly #R: Float64Array;
  /** Caller's number of each active row, in the order of the columns of R. */
  readonly members: Int32Array;
  /** d = Jᵀ a of the normal that was projected last. */
  readonly #d: Float64Array;
  readonly #v: Float64Array;
  readonly #w: Float64Array;
  #count = 0;

  constructor(n: number) {
    this.#n = n;
    this.#L = new Float64Array(n * n);
    this.#J = new Float64Array(n * n);
    this.#R = new Float64Array(n * n);
    this.members = new Int32Array(n);
    this.#d = new Float64Array(n);
    this.#v = new Float64Array(n);
    this.#w = new Float64Array(n);
  }

  /** Number of active rows. */
  get count(): number {
    return this.#count;
  }

  has(member: number): boolean {
    for (let c = 0; c < this.#count; c++) if (this.members[c] === member) return true;
    return false;
  }

  /** Empties the set and computes J from the lower half of G + shift 1. Returns the first column whose pivot is not positive, or -1. */
  reset(G: Float64Array, shift: number): number {
    const n = this.#n;
    const L = this.#L;
    const J = this.#J;
    this.#count = 0;
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
  }

  /** Computes d = Jᵀ a for a normal a. Returns the share of its length outside the span of the set, from 0 to 1. */
  project(a: Float64Array): number {
    const n = this.#n;
    const J = this.#J;
    const d = this.#d;
    const count = this.#count;
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
  }

  /** z = dx/dλ for the multiplier λ of the projected normal a, with the set active. Returns z · a. */
  writePrimalDirection(z: Float64Array): number {
    const n = this.#n;
    const J = this.#J;
    const d = this.#d;
    z.fill(0);
    let length = 0;
    for (let c = this.#count; c < n; c++) {
      const component = d[c]!;
      length += component * component;
      for (let i = 0; i < n; i++) z[i]! += component * J[c * n + i]!;
    }
    return length;
  }

  /** r = -d(multipliers of the set)/dλ; if the set spans the projected normal, that normal is N r. */
  writeDualDirection(r: Float64Array): void {
    for (let k = 0; k < this.#count; k++) r[k] = this.#d[k]!;
    this.#backSubstitute(r);
  }

  /** Adds the projected normal to the set. It must not depend on the rows of the set. */
  add(member: number): void {
    const n = this.#n;
    const J = this.#J;
    const R = this.#R;
    const d = this.#d;
    const v = this.#v;
    const w = this.#w;
    const count = this.#count;
    // A Householder reflection maps the components of d outside the set onto the first of them.
    let squares = 0;
    for (let c = count; c < n; c++) {
      v[c] = d[c]!;
      squares += d[c]! * d[c]!;
    }
    const first = d[count]!;
    const pivot = first > 0 ? -Math.sqrt(squares) : Math.sqrt(squares);
    v[count] = first - pivot;
    const beta = 1 / (squares - first * pivot);
    if (count < n - 1) {
      w.fill(0); // J v
      for (let c = count; c < n; c++) {
        const factor = beta * v[c]!;
        for (let i = 0; i < n; i++) w[i]! += J[c * n + i]! * factor;
      }
      for (let c = count; c < n; c++) {
        const factor = v[c]!;
        for (let i = 0; i < n; i++) J[c * n + i]! -= w[i]! * factor;
      }
      R[count * n + count] = pivot;
    } else R[count * n + count] = first;
    for (let k = 0; k < count; k++) R[count * n + k] = d[k]!;
    this.members[count] = member;
    this.#count = count + 1;
  }

  /** Removes the member at a position of the set. Givens rotations restore the triangular form. */
  drop(position: number): void {
    const n = this.#n;
    const J = this.#J;
    const R = this.#R;
    const members = this.members;
    const count = this.#count - 1;
    this.#count = count;
    for (let c = position; c < count; c++) {
      members[c] = members[c + 1]!;
      for (let k = 0; k <= c + 1; k++) R[c * n + k] = R[(c + 1) * n + k]!;
    }
    for (let c = position; c < count; c++) {
      const a = R[c * n + c]!;
      const b = R[c * n + c + 1]!;
      const length = Math.sqrt(a * a + b * b);
      const cosine = a / length;
      const sine = b / length;
      R[c * n + c] = length;
      for (let k = c + 1; k < count; k++) rotatePair(R, k * n + c, k * n + c + 1, cosine, sine);
      for (let i = 0; i < n; i++) rotatePair(J, c * n + i, (c + 1) * n + i, cosine, sine);
    }
  }

  /** Minimum on the active rows, Nᵀ x = b: x and multipliers with G x + g = N multipliers. */
  writeMinimum(b: Float64Array, g: Float64Array, x: Float64Array, multipliers: Float64Array): void {
    const n = this.#n;
    const J = this.#J;
    const R = this.#R;
    const v = this.#v;
    const count = this.#count;
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
    this.#backSubstitute(multipliers);
  }

  /** b := R⁻¹ b */
  #backSubstitute(b: Float64Array): void {
    const n = this.#n;
    const R = this.#R;
    for (let k = this.#count - 1; k >= 0; k--) {
      const value = b[k]! / R[k * n + k]!;
      b[k] = value;
      for (let i = 0; i < k; i++) b[i]! -= R[k * n + i]! * value;
    }
  }
}

/** Rotates the entries i and j of an array. */
function rotatePair(A: Float64Array, i: number, j: number, cosine: number, sine: number): void {
  const a = A[i]!;
  const b = A[j]!;
  A[i] = cosine * a + sine * b;
  A[j] = cosine * b - sine * a;
}
