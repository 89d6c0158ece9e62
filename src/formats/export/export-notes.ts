/** Collects what a writer finds: problems that stop it, and features that the target does not have. */
import { ModelError, type Problem } from "../../errors.ts";
import type { MissingFeature } from "./exported-robot.ts";

export class ExportNotes {
  readonly missing: MissingFeature[] = [];
  private readonly problems: Problem[] = [];

  constructor(
    readonly source: string,
    /** "URDF", for messages. */
    readonly target: string,
  ) {}

  /** Something without which the motion would be that of another machine. */
  problem(path: string, message: string, advice: string): void {
    this.problems.push({ path, message, advice });
  }

  miss(feature: string, effect: string): void {
    if (!this.missing.some((other) => other.feature === feature)) this.missing.push({ feature, effect });
  }

  /** @throws ModelError if there are problems */
  throwProblems(): void {
    if (this.problems.length > 0) throw new ModelError(this.source, this.problems);
  }
}
