/** Eigenvalues (descending) and unit eigenvectors (rows of `vectors`, same order) of a symmetric matrix. */
export interface SymmetricEigen {
  readonly values: Float64Array;
  readonly vectors: Float64Array;
}

/**
 * Cyclic Jacobi rotations, stopped when the off-diagonal part is below 1e-10 of the matrix or after 12 sweeps. `matrix` holds n x n values
 * and is overwritten.
 */
export function symmetricEigen(matrix: Float64Array, n: number): SymmetricEigen {
  const vectors = new Float64Array(n * n);
  for (let index = 0; index < n; index += 1) vectors[index * n + index] = 1;
  let total = 0;
  for (const value of matrix) total += value * value;
  for (let sweep = 0; sweep < 12; sweep += 1) {
    let off = 0;
    for (let p = 0; p < n; p += 1) for (let q = p + 1; q < n; q += 1) off += matrix[p * n + q]! ** 2;
    if (off <= 1e-20 * total) break;
    for (let p = 0; p < n; p += 1) for (let q = p + 1; q < n; q += 1) rotate(matrix, vectors, n, p, q);
  }
  const order = Array.from({ length: n }, (_, index) => index).sort(
    (a, b) => matrix[b * n + b]! - matrix[a * n + a]! || a - b,
  );
  const sorted = new Float64Array(n * n);
  for (const [place, index] of order.entries()) sorted.set(vectors.subarray(index * n, (index + 1) * n), place * n);
  return { values: Float64Array.from(order, (index) => matrix[index * n + index]!), vectors: sorted };
}

/** One rotation that clears entry (p, q); eigenvectors are kept as rows. */
function rotate(a: Float64Array, v: Float64Array, n: number, p: number, q: number): void {
  const off = a[p * n + q]!;
  if (off === 0) return;
  const theta = (a[q * n + q]! - a[p * n + p]!) / (2 * off);
  const t = Math.sign(theta || 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1));
  const c = 1 / Math.sqrt(t * t + 1);
  const s = t * c;
  for (let k = 0; k < n; k += 1) {
    const kp = a[k * n + p]!;
    const kq = a[k * n + q]!;
    a[k * n + p] = c * kp - s * kq;
    a[k * n + q] = s * kp + c * kq;
  }
  for (let k = 0; k < n; k += 1) {
    const pk = a[p * n + k]!;
    const qk = a[q * n + k]!;
    a[p * n + k] = c * pk - s * qk;
    a[q * n + k] = s * pk + c * qk;
    const vp = v[p * n + k]!;
    const vq = v[q * n + k]!;
    v[p * n + k] = c * vp - s * vq;
    v[q * n + k] = s * vp + c * vq;
  }
}
