/** The stopping rule: how many cases a campaign needs. It depends on the rows in the order of cases only, not on who computed them when. */
import type { StoppingRule } from "./campaign.ts";
import type { CaseStatus } from "./run-case.ts";
import { wilsonInterval } from "./statistics/wilson.ts";

export class StopCheck {
  readonly #rule: StoppingRule;
  #count = 0;
  #passed = 0;
  #failed = 0;
  /** Number of cases after which the rule was met; undefined while it is not. */
  met: number | undefined;

  constructor(rule: StoppingRule) {
    this.#rule = rule;
  }

  /** Takes the next case into account. */
  add(status: CaseStatus): void {
    if (this.met !== undefined) return;
    this.#count++;
    if (status === "passed") this.#passed++;
    if (status === "failed") this.#failed++;
    const { width, confidence, batch } = this.#rule;
    if (this.#count % batch !== 0 || this.#passed + this.#failed === 0) return;
    const { low, high } = wilsonInterval(this.#passed, this.#passed + this.#failed, confidence);
    if (high - low <= width) this.met = this.#count;
  }
}
