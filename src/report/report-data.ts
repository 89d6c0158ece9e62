/** What a report shows: plain data, filled from a run. All text is plain text; the report escapes it. */
import type { Log } from "../log/log.ts";

export interface RunReport {
  readonly title: string;
  /** One paragraph: what was simulated and what came out. */
  readonly summary: string;
  /** The scenario's name or file, as the user would give it to `castor run`. */
  readonly scenario: string;
  /** How the run ended: to its end, by the user, or by the audit or an error. */
  readonly outcome: Outcome;
  /** Settings and results worth a line each, in order. */
  readonly facts: readonly Fact[];
  readonly audit: readonly AuditLine[];
  /** What was planned: what has happened, in order, and then what has not. */
  readonly timeline: readonly EventLine[];
  /** How near the run came to its limits. */
  readonly limits?: readonly LimitLine[];
  readonly plots: readonly Plot[];
  /** Its first channel is time. */
  readonly log: Log;
  /** The bodies that hang on the world, with what hangs on them: see `treeOf`. */
  readonly tree: readonly TreeBody[];
  /** Warnings and remarks. */
  readonly notes: readonly string[];
  readonly pictures: readonly Picture[];
}

export type Outcome = "complete" | "interrupted" | "failed";

export interface Fact {
  readonly label: string;
  /** A number is shown with six digits, text as it is. */
  readonly value: number | string;
  readonly unit?: string;
  /** Facts of one group stand together under its name. */
  readonly group?: string;
}

/** One conserved quantity that the audit watched. */
export interface AuditLine {
  /** What is watched, e.g. "energy". */
  readonly channel: string;
  /** The largest drift, relative to the scale of the quantity unless a unit is given. */
  readonly worst: number;
  /** When it was the largest, s. */
  readonly at: number;
  readonly tolerance: number;
  readonly pass: boolean;
  /** Given where the drift is absolute. */
  readonly unit?: string;
}

/** One bound of a limit. */
export interface LimitLine {
  readonly name: string;
  readonly bound: "least" | "most";
  readonly value: number;
  readonly limit: number;
  readonly unit: string;
  readonly at: number;
  readonly channel: string;
  readonly within: boolean;
  /** Of the mean over so many seconds. */
  readonly mean?: number;
  readonly source?: string;
  readonly confidence?: string;
}

/** A planned event. */
export interface EventLine {
  readonly name: string;
  /** Seconds; nothing if it has not happened. */
  readonly t?: number;
  /** What was done, in words. */
  readonly done: string;
  /** Of the loops that took hold or were bumped: sizes of their force (N s) and torque impulses (N m s). */
  readonly force?: number;
  readonly torque?: number;
  /** Energy lost in the impact, J. */
  readonly lost?: number;
}

/** Some channels against time. */
export interface Plot {
  readonly title: string;
  /** The unit of the axis: every channel has it, or its series says by what to multiply. */
  readonly unit: string;
  readonly series: readonly Series[];
  /** A logarithmic axis shows magnitudes; zeros are left out. */
  readonly scale?: "linear" | "log";
}

export interface Series {
  readonly channel: string;
  readonly label: string;
  /** From the channel's unit to the plot's, e.g. 180/π for degrees. */
  readonly times?: number;
}

export interface TreeBody {
  readonly name: string;
  /** kg */
  readonly mass: number;
  readonly hinge: { readonly name: string; readonly kind: string; readonly freedoms: number };
  readonly children: readonly TreeBody[];
}

/** A drawing as SVG text. Scripts, links and foreign content are taken out; `currentColor` follows the theme. */
export interface Picture {
  readonly title: string;
  readonly svg: string;
  readonly about?: string;
  /** A large picture has the width of the page; others stand beside something. */
  readonly size?: "large";
}
