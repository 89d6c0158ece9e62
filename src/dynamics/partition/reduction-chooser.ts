/** Keeps a reduction from one state to the next, and chooses its dependents again if they have become ill conditioned. */
import { SingularError } from "../../errors.ts";
import type { Model } from "../../model/model.ts";
import { checkSavedInteger, savedEntries, takeSaved } from "../../saved-data.ts";
import { choosePartition } from "./choose-dependents.ts";
import type { PartitionEvaluation } from "./partition-evaluation.ts";
import type { PartitionChoice } from "./partition-stages.ts";
import { createReduction, type Reduction } from "./reduction.ts";
import { restoredChoice, savedChoice } from "./saved-choice.ts";

/** Dependents are chosen again if others move them more than this many times their own motion, measured by kinetic energy. */
const SWITCH_GROWTH = 8;
/** A new choice must be better by this factor. */
export const MIN_IMPROVEMENT = 2;
/** Factor by which preferred independents are scaled down as candidates for dependents. */
const PREFERRED_SCALE = 1e-2;
/** Rank tolerance if no choice keeps the rank of the present one: only rounding counts as zero. */
const FORCED_TOLERANCE = 1e-12;

const NO_SPEEDS: ReadonlySet<number> = new Set();

interface ChooserOptions {
  readonly independents?: readonly number[];
  readonly rechoose?: "where needed" | "never";
  readonly switchGrowth?: number;
}

export class ReductionChooser {
  /** The present reduction; undefined before the first state. */
  current: Reduction | undefined;
  /** Growth of the present reduction, and number of changes of the choice. */
  growth = 0;
  switches = 0;
  readonly #model: Model;
  readonly #values: PartitionEvaluation;
  readonly #preferred: ReadonlySet<number>;
  readonly #mayRechoose: boolean;
  readonly #switchGrowth: number;
  #switchAt: number;
  /** Preferences of the model and the caller count for the first choice only. Later choices replace one that has become ill conditioned. */
  #isFirstChoice = true;

  constructor(model: Model, values: PartitionEvaluation, { independents, rechoose, switchGrowth }: ChooserOptions) {
    this.#model = model;
    this.#values = values;
    this.#preferred = new Set(independents ?? []);
    this.#mayRechoose = rechoose !== "never";
    this.#switchGrowth = switchGrowth ?? SWITCH_GROWTH;
    this.#switchAt = this.#switchGrowth;
  }

  /** A reduction for the last evaluation. @throws SingularError if its rank is below `leastRank`. */
  choose(t: number, leastRank = 0, preferred: ReadonlySet<number> = NO_SPEEDS): Reduction {
    const scaled = this.#values.scaledJacobian();
    const { columnScale } = scaled;
    const preferenceScaled = { ...scaled, columnScale: columnScale.map((s, u) => (preferred.has(u) ? PREFERRED_SCALE * s : s)) };
    const declared = this.#isFirstChoice ? "kept" : "weighed";
    let choice: PartitionChoice = choosePartition(this.#model, preferenceScaled, this.#values.rankTolerance(), declared);
    if (choice.rank < leastRank) choice = choosePartition(this.#model, preferenceScaled, FORCED_TOLERANCE);
    if (choice.rank < leastRank)
      throw new SingularError(
        `${this.#model.name}: at t = ${t} the loops have rank ${choice.rank} instead of ${leastRank}: the motion is not determined`,
      );
    return createReduction(this.#values.structure, scaled, choice, this.#model.nu);
  }

  /** H and h for the right-hand side g, with new dependents if the present ones have become ill conditioned. */
  close(t: number, g: Float64Array): Reduction {
    const { J } = this.#values;
    this.current ??= this.choose(t, 0, this.#isFirstChoice ? this.#preferred : NO_SPEEDS);
    this.#isFirstChoice = false;
    this.growth = this.current.close(J, g);
    if (this.growth <= this.#switchGrowth) this.#switchAt = this.#switchGrowth;
    else if (!(this.growth <= this.#switchAt) && this.#mayRechoose) {
      const other = this.choose(t, this.current.choice.rank);
      const otherGrowth = other.close(J, g);
      if (MIN_IMPROVEMENT * otherGrowth <= this.growth || Number.isNaN(this.growth)) {
        this.current = other;
        this.growth = otherGrowth;
        this.switches++;
      }
      this.#switchAt = Math.max(this.#switchGrowth, MIN_IMPROVEMENT * this.growth);
    }
    return this.current;
  }

  /** Discards the choice: the next state chooses again. */
  discard(): void {
    this.current = undefined;
  }

  /** The choice with its scales and its last closure, and the limits of the next change, as plain data. */
  save(): unknown {
    const { current, growth, switches } = this;
    return {
      choice: current ? savedChoice(current.choice, this.#model.nu) : null,
      scales: current ? { rowScale: current.scales.rowScale.slice(), columnScale: current.scales.columnScale.slice() } : null,
      last: current ? { inconsistency: current.inconsistency, orientation: current.orientation } : null,
      limits: { growth, switches, switchAt: this.#switchAt, isFirstChoice: this.#isFirstChoice },
    };
  }

  restore(saved: unknown, path: string): void {
    const entries = savedEntries(saved, ["choice", "scales", "last", "limits"], path);
    const limits = { growth: 0, switches: 0, switchAt: 0, isFirstChoice: false };
    takeSaved(limits, entries.limits, `${path}.limits`);
    checkSavedInteger(limits.switches, 0, Number.MAX_SAFE_INTEGER, `${path}.limits.switches`);
    this.current = this.#restoredReduction(entries, path);
    this.growth = limits.growth;
    this.switches = limits.switches;
    this.#switchAt = limits.switchAt;
    this.#isFirstChoice = limits.isFirstChoice;
  }

  #restoredReduction(
    { choice, scales, last }: Readonly<Record<"choice" | "scales" | "last", unknown>>,
    path: string,
  ): Reduction | undefined {
    if (choice === null) {
      takeSaved({ scales: null, last: null }, { scales, last }, path);
      return undefined;
    }
    const { nu } = this.#model;
    const { structure, m, rowsOfLoop } = this.#values;
    const restored = {
      scales: { rowScale: new Float64Array(m), columnScale: new Float64Array(nu) },
      last: { inconsistency: 0, orientation: 0 },
    };
    takeSaved(restored, { scales, last }, path);
    const pattern = { J: structure.J, rowsOfLoop };
    return createReduction(
      structure,
      restored.scales,
      restoredChoice(this.#model, pattern, choice, `${path}.choice`),
      nu,
      restored.last,
    );
  }
}
