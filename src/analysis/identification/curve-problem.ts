/** Measured curves, the unknowns of a simulation that must follow them, and the result of the fit. */

/** A parameter to find. */
export interface Unknown {
  readonly name: string;
  readonly start: number;
  /** Typical size, for steps of the search. Default: the size of the start. */
  readonly scale?: number;
  readonly least?: number;
  readonly most?: number;
}

/** The measured history of one channel. */
export interface MeasuredCurve {
  readonly name: string;
  readonly values: Float64Array;
  /** Standard deviation of the noise, if it is known. */
  readonly noise?: number;
}

export interface CurveProblem {
  readonly unknowns: readonly Unknown[];
  readonly curves: readonly MeasuredCurve[];
  /**
   * The simulated curves at the measured times; undefined if these values give no motion. Only the first part of the samples of every curve
   * is used if `portion` is below 1.
   */
  readonly simulate: (values: readonly number[], portion: number) => readonly Float64Array[] | undefined;
  /** Relative accuracy of the simulated curves; the steps of the differences follow from it. */
  readonly accuracy: number;
  /** Number of searches: the first from the given start, the others from random ones near it. */
  readonly starts?: number;
  readonly maxSteps?: number;
}

export interface FoundUnknown {
  readonly name: string;
  readonly start: number;
  readonly value: number;
  /** Standard error; infinite if the curves do not determine it, zero at a bound. */
  readonly error: number;
  /** The interval that contains the true value with a probability of 95 %, if the noise is white. */
  readonly interval: readonly [number, number];
  readonly bound?: "least" | "most";
}

export interface FittedCurve {
  readonly name: string;
  readonly samples: number;
  /** Simulated less measured values. */
  readonly residuals: Float64Array;
  /** Root mean square of the residuals, and of the measured values about their mean. */
  readonly rms: number;
  readonly spread: number;
  /** Standard deviation of the noise: as given, or estimated from the residuals. */
  readonly noise: number;
  readonly isNoiseGiven: boolean;
  /** Correlation of each residual with the one before it; near 0 for white noise. */
  readonly autocorrelation: number;
}

export interface CurveFit {
  readonly unknowns: readonly FoundUnknown[];
  readonly curves: readonly FittedCurve[];
  /** Correlations of the errors; NaN for values that are undetermined or at a bound. */
  readonly correlations: readonly (readonly number[])[];
  /** Changes of the unknowns, each relative to its scale, that change no measured curve. */
  readonly undetermined: readonly (readonly number[])[];
  /** Sum of the squared residuals in units of the noise, and the number of samples less that of unknowns. */
  readonly criterion: number;
  readonly freedoms: number;
  /** Half width of the interval in standard errors: Student's t. */
  readonly t: number;
  readonly converged: boolean;
  /** Other minima that were found, and how much less likely they are: twice the logarithm of the ratio of the likelihoods. */
  readonly others: readonly { readonly values: readonly number[]; readonly unlikelihood: number }[];
  /** Number of simulations. */
  readonly runs: number;
}
