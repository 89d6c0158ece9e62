/** Collects what an importer finds: problems that stop it, warnings, and features without an equivalent. */
import { ModelError, type Problem } from "../../errors.ts";
import type { XmlElement } from "../xml/xml-element.ts";
import type { UnsupportedFeature } from "./imported-model.ts";

const MOST_LINES = 5;
/** Most problems of one kind that are kept: a hostile file may have very many. */
const MOST_PROBLEMS = 200;
const MOST_FEATURES = 500;

type Details = Pick<Problem, "advice" | "value">;

export class ImportNotes {
  readonly problems: Problem[] = [];
  readonly warnings: Problem[] = [];
  private readonly features = new Map<string, { effect: string; count: number; lines: number[] }>();

  constructor(readonly source: string) {}

  /** A mistake in the file that stops the import. */
  problem(at: XmlElement, path: string, message: string, details: Details = {}): void {
    if (this.problems.length < MOST_PROBLEMS) this.problems.push(located(at, path, message, details));
  }

  warn(at: Pick<XmlElement, "line"> | undefined, path: string, message: string, details: Details = {}): void {
    if (this.warnings.length < MOST_PROBLEMS) this.warnings.push(located(at, path, message, details));
  }

  /** A feature without an equivalent: its name in the file, and the effect that is missing. */
  unsupported(at: Pick<XmlElement, "line">, feature: string, effect: string): void {
    const entry = this.features.get(feature) ?? { effect, count: 0, lines: [] };
    if (!this.features.has(feature) && this.features.size >= MOST_FEATURES) return;
    entry.count++;
    if (entry.lines.length < MOST_LINES) entry.lines.push(at.line);
    this.features.set(feature, entry);
  }

  unsupportedFeatures(): readonly UnsupportedFeature[] {
    return Array.from(this.features, ([feature, entry]) => ({ feature, ...entry }));
  }

  /** @throws ModelError if there are problems */
  throwProblems(): void {
    if (this.problems.length > 0) throw new ModelError(this.source, this.problems);
  }
}

const located = (at: Pick<XmlElement, "line"> | undefined, path: string, message: string, details: Details): Problem => ({
  path,
  message,
  ...details,
  ...(at && { line: at.line }),
});

/** The warning that a scenario shows for an unsupported feature. */
export function featureWarning({ feature, effect, count, lines }: UnsupportedFeature): Problem {
  const times = count > 1 ? ` (${count} times)` : "";
  return { path: "", message: `${feature}${times} is not supported: ${effect}`, ...(lines.length > 0 && { line: lines[0]! }) };
}
