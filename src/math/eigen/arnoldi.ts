/** Arnoldi's iteration: a matrix that is known by its products alone, seen in the space that a vector and its images span. */

/** H = Vᵀ A V, m by m by rows, of an orthonormal V whose first column is always the same vector; its eigenvalues near the outer ones of A. */
export function arnoldi(
  times: (v: Float64Array, out: Float64Array) => void,
  n: number,
  directions: number,
): { readonly H: Float64Array; readonly m: number } {
  const most = Math.min(n, directions);
  const H = new Float64Array(most * most);
  let state = 12345;
  const V = [
    normalised(
      Float64Array.from({ length: n }, () => {
        state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
        return state / 0x80000000 - 0.5;
      }),
    ),
  ];
  const w = new Float64Array(n);
  for (let k = 0; k < most; k++) {
    times(V[k]!, w);
    const before = vectorLength(w);
    for (let round = 0; round < 2; round++)
      for (let j = 0; j <= k; j++) {
        const v = V[j]!;
        let d = 0;
        for (let i = 0; i < n; i++) d += w[i]! * v[i]!;
        H[j * most + k]! += d;
        for (let i = 0; i < n; i++) w[i]! -= d * v[i]!;
      }
    const rest = vectorLength(w);
    if (k + 1 === most) break;
    if (!(rest > 1e-14 * before)) return { H: leadingBlock(H, most, k + 1), m: k + 1 }; // the space holds its own images
    H[(k + 1) * most + k] = rest;
    V.push(normalised(w));
  }
  return { H, m: most };
}

const vectorLength = (v: Float64Array): number => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));

function normalised(v: Float64Array): Float64Array {
  const size = vectorLength(v);
  return v.map((x) => x / size);
}

function leadingBlock(H: Float64Array, n: number, m: number): Float64Array {
  const C = new Float64Array(m * m);
  for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) C[i * m + j] = H[i * n + j]!;
  return C;
}
