/** Arnoldi's iteration: projects a matrix, given only by its products with vectors, onto a Krylov space. */

/**
 * H = Vᵀ A V, m by m, by rows, for an orthonormal basis V of the Krylov space of a fixed pseudo-random vector. The eigenvalues of H
 * approximate the outer eigenvalues of A. `multiply` writes A v. m is at most `maxDimension`.
 */
export function arnoldi(
  multiply: (v: Float64Array, out: Float64Array) => void,
  n: number,
  maxDimension: number,
): { readonly H: Float64Array; readonly m: number } {
  const size = Math.min(n, maxDimension);
  const H = new Float64Array(size * size);
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
  for (let k = 0; k < size; k++) {
    multiply(V[k]!, w);
    const lengthBefore = vectorLength(w);
    for (let pass = 0; pass < 2; pass++)
      for (let j = 0; j <= k; j++) {
        const v = V[j]!;
        let projection = 0;
        for (let i = 0; i < n; i++) projection += w[i]! * v[i]!;
        H[j * size + k]! += projection;
        for (let i = 0; i < n; i++) w[i]! -= projection * v[i]!;
      }
    const remainder = vectorLength(w);
    if (k + 1 === size) break;
    if (!(remainder > 1e-14 * lengthBefore)) return { H: leadingBlock(H, size, k + 1), m: k + 1 }; // the space is invariant
    H[(k + 1) * size + k] = remainder;
    V.push(normalised(w));
  }
  return { H, m: size };
}

const vectorLength = (v: Float64Array): number => Math.sqrt(v.reduce((sum, x) => sum + x * x, 0));

function normalised(v: Float64Array): Float64Array {
  const length = vectorLength(v);
  return v.map((x) => x / length);
}

/** The leading m by m block of an n by n matrix. */
function leadingBlock(H: Float64Array, n: number, m: number): Float64Array {
  const C = new Float64Array(m * m);
  for (let i = 0; i < m; i++) for (let j = 0; j < m; j++) C[i * m + j] = H[i * n + j]!;
  return C;
}
