/**
 * Probabilities of rare events by subset simulation [Au and Beck 2001]. The event g(z) >= limit, z standard normal, is reached through levels of
 * conditional probability 0.1; samples of a level come from Markov chains that start in the samples of the level before. The chains propose
 * z' = r z + √(1 - r²) ξ, which keeps the normal distribution, and reject what leaves the level [Papaioannou et al. 2015]. The width of the steps
 * follows the acceptance.
 */
import { normalQuantile } from "../random/normal.ts";
import { RandomStream } from "../random/philox.ts";

export interface SubsetOptions {
  readonly dimensions: number;
  /** The event is a value of at least this. */
  readonly limit: number;
  /** Cases of a level. Default 1000. */
  readonly cases?: number;
  readonly seed?: number;
  /** Conditional probability of a level. Default 0.1. */
  readonly fraction?: number;
  /** Largest number of levels. Default 20. */
  readonly levels?: number;
}

export interface SubsetResult {
  readonly probability: number;
  /** Estimated coefficient of variation of the probability; correlations of the chains are included. */
  readonly variation: number;
  /** Thresholds of the levels; the last one is the limit. */
  readonly levels: readonly number[];
  readonly evaluations: number;
  /** False if the limit was not reached within the largest number of levels: the probability is then an upper estimate. */
  readonly reached: boolean;
}

interface Sample {
  readonly z: Float64Array;
  readonly value: number;
}

/** The event of all samples of a batch are evaluated together, so that the caller can run them in parallel. */
export type Evaluate = (batch: readonly Float64Array[]) => Promise<readonly number[]>;

/** Acceptance that the steps aim at. */
const WANTED_ACCEPTANCE = 0.44;

export async function subsetSimulation(evaluate: Evaluate, options: SubsetOptions): Promise<SubsetResult> {
  const { dimensions, limit, cases = 1000, seed = 1, fraction = 0.1, levels: mostLevels = 20 } = options;
  const stream = new RandomStream(seed, "subset simulation");
  let counter = 0;
  const normal = (): Float64Array => {
    const index = counter++;
    return Float64Array.from({ length: dimensions }, (_, d) => normalQuantile(stream.uniform(index, d)));
  };
  const seeds = Math.max(1, Math.round(fraction * cases));
  const length = Math.floor(cases / seeds);
  const first = Array.from({ length: seeds * length }, normal);
  const values = await evaluate(first);
  let samples: Sample[] = first.map((z, i) => ({ z, value: values[i]! }));
  let chains = 1; // of the first level: independent samples
  let [probability, squared, evaluations, spread] = [1, 0, first.length, 0.8];
  const thresholds: number[] = [];
  for (let level = 0; level < mostLevels; level++) {
    const sorted = samples.map((s) => s.value).sort((a, b) => b - a);
    const threshold = Math.min(limit, (sorted[seeds - 1]! + sorted[Math.min(seeds, sorted.length - 1)]!) / 2);
    const isLast = threshold >= limit;
    const inside = samples.map((s) => (s.value >= threshold ? 1 : 0));
    const p = inside.reduce<number>((sum, x) => sum + x, 0) / samples.length;
    thresholds.push(threshold);
    probability *= p;
    squared += conditionalVariation(inside, p, chains === 1 ? 1 : length);
    if (isLast || p === 0)
      return { probability, variation: Math.sqrt(squared), levels: thresholds, evaluations, reached: isLast && p > 0 };
    let states = samples.filter((s) => s.value >= threshold).slice(0, seeds);
    while (states.length < seeds) states = [...states, ...states].slice(0, seeds);
    const next: Sample[][] = states.map((state) => [state]);
    for (let step = 1; step < length; step++) {
      const r = Math.sqrt(1 - spread * spread);
      const proposals = next.map((chain) => {
        const from = chain.at(-1)!.z;
        const noise = normal();
        return Float64Array.from(from, (z, d) => r * z + spread * noise[d]!);
      });
      const results = await evaluate(proposals);
      evaluations += proposals.length;
      let accepted = 0;
      for (const [c, chain] of next.entries()) {
        const isAccepted = results[c]! >= threshold;
        if (isAccepted) accepted++;
        chain.push(isAccepted ? { z: proposals[c]!, value: results[c]! } : chain.at(-1)!);
      }
      spread = Math.min(
        0.999,
        Math.max(0.05, spread * Math.exp((accepted / next.length - WANTED_ACCEPTANCE) / Math.sqrt(step + 1))),
      );
    }
    samples = next.flat();
    chains = seeds;
  }
  return { probability, variation: Math.sqrt(squared), levels: thresholds, evaluations, reached: false };
}

/** Squared coefficient of variation of a conditional probability: (1 - p) / (p N) (1 + γ), γ from the correlation along the chains. */
function conditionalVariation(inside: readonly number[], p: number, length: number): number {
  const n = inside.length;
  if (p === 0) return Number.POSITIVE_INFINITY;
  if (p === 1) return 0;
  let gamma = 0;
  for (let lag = 1; lag < length; lag++) {
    let [sum, count] = [0, 0];
    for (let start = 0; start + length <= n; start += length)
      for (let i = start; i + lag < start + length; i++) {
        sum += inside[i]! * inside[i + lag]!;
        count++;
      }
    const rho = (sum / count - p * p) / (p * (1 - p));
    gamma += 2 * (1 - lag / length) * rho;
  }
  return ((1 - p) / (p * n)) * (1 + Math.max(0, gamma));
}
