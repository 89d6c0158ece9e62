/** A pool runs cases. Every kind of pool passes one contract suite (test/contracts/pools.test.ts), so the store can be filled by any of them. */
import { CastorError } from "../../errors.ts";
import type { CaseRow } from "../run-case.ts";

export interface Pool {
  /** Number of chunks that it works on at the same time. */
  readonly slots: number;
  /**
   * Runs cases and calls `finished` with the row of each, once, in any order. Problems of cases are in their rows.
   * @throws InterruptedError after `close`, CastorError if the pool itself is lost
   */
  run(cases: readonly number[], finished: (row: CaseRow) => void): Promise<void>;
  /** Abandons all work and frees everything. */
  close(): Promise<void>;
}

/** A pool cannot go on: its workers cannot start, or its queue is lost. Finished cases are in the store. */
export class PoolError extends CastorError {
  override readonly name = "PoolError";
  override readonly code = "pool";
}

/** Cases need files that were not sent with their campaign. */
export class LackingFilesError extends PoolError {
  constructor(
    /** How the campaign names them. */
    readonly keys: readonly string[],
  ) {
    super(`the workers lack files: ${keys.join(", ")}`);
  }
}
