/** Butcher tableaus by rows, and the linear combination that all explicit methods consist of. */

/** Nonzero coefficients of a row and their stages, padded with zeros to a multiple of four. */
export interface TableauRow {
  readonly stage: Int32Array;
  readonly coefficient: Float64Array;
}

/** Stages in order: 1 to s by `stages`, s + 1 is the derivative at the end of the step, then those of `outputStages`. */
export interface EmbeddedMethod {
  readonly name: string;
  readonly times: readonly number[];
  /** Rows of stages 2 to s. */
  readonly stages: readonly TableauRow[];
  readonly solution: TableauRow;
  readonly error: TableauRow;
  /** A second estimate of lower order: error = e^2 / sqrt(e^2 + 0.01 second^2) [HNW I, II.10]. */
  readonly secondError?: TableauRow;
  /** Power of h in the error estimate. */
  readonly errorOrder: number;
  /** Evaluated only if output inside the step is requested. */
  readonly outputStages: readonly TableauRow[];
  /** Terms F3 and following of the nested polynomial, divided by h. */
  readonly outputTerms: readonly TableauRow[];
}

const PASS = 4;

/** A row from its coefficients by stage number. Stages are counted from 1 as in the literature. */
export function tableauRow(coefficients: Readonly<Record<number, number>>): TableauRow {
  const entries = Object.entries(coefficients);
  const length = Math.ceil(entries.length / PASS) * PASS;
  const stage = new Int32Array(length);
  const coefficient = new Float64Array(length);
  entries.forEach(([number, value], i) => {
    stage[i] = Number(number) - 1;
    coefficient[i] = value;
  });
  return { stage, coefficient };
}

/** out = base + h Σ coefficient × stage derivative, with four stages per pass over the components. */
export function combineStages(
  out: Float64Array,
  base: Float64Array,
  h: number,
  K: readonly Float64Array[],
  row: TableauRow,
): void {
  const { stage, coefficient } = row;
  const n = out.length;
  let from = base;
  for (let c = 0; c < stage.length; c += PASS) {
    const k0 = K[stage[c]!]!;
    const k1 = K[stage[c + 1]!]!;
    const k2 = K[stage[c + 2]!]!;
    const k3 = K[stage[c + 3]!]!;
    const a0 = h * coefficient[c]!;
    const a1 = h * coefficient[c + 1]!;
    const a2 = h * coefficient[c + 2]!;
    const a3 = h * coefficient[c + 3]!;
    for (let i = 0; i < n; i++) out[i] = from[i]! + (a0 * k0[i]! + a1 * k1[i]! + a2 * k2[i]! + a3 * k3[i]!);
    from = out;
  }
}
