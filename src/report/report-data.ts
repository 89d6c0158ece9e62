/** Content of a report as plain data. All texts are plain text; the page escapes them. */
import type { Log } from "../log/log.ts";
import type { ReplayData } from "./replay/replay-format.ts";

export interface RunReport {
  readonly title: string;
  /** One paragraph: what was simulated, and the result. */
  readonly summary: string;
  /** Name or file of the scenario, as for `castor run`. */
  readonly scenario: string;
  /** How the run ended: complete, interrupted by the user, or failed by the audit or an error. */
  readonly outcome: RunOutcome;
  /** Settings and results, one line each, in order. */
  readonly facts: readonly Fact[];
  readonly audit: readonly AuditLine[];
  /** Events that happened, in order of time, then events that did not happen. */
  readonly timeline: readonly EventLine[];
  /** Largest values compared with the limits. */
  readonly limits?: readonly LimitLine[];
  readonly plots: readonly Plot[];
  /** The first channel is time. */
  readonly log: Log;
  /** Root bodies with their children: see `bodyTree`. */
  readonly tree: readonly TreeBody[];
  /** Warnings and remarks. */
  readonly notes: readonly string[];
  readonly pictures: readonly Picture[];
  /** The motion, which the page plays. */
  readonly replay?: ReplayData;
  readonly provenance?: Provenance;
}

/** Where a report comes from. */
export interface Provenance {
  /** Date and time, ISO 8601. */
  readonly date: string;
  /** Version of Castor. */
  readonly version: string;
  /** The command that makes the same run. */
  readonly command: string;
  /** SHA-256 of the scenario with its model, as `scenario.yaml` contains it. */
  readonly scenarioHash: string;
  /** Address that opens the run in the studio. */
  readonly link?: string;
}

export type RunOutcome = "complete" | "interrupted" | "failed";

export interface Fact {
  readonly label: string;
  /** Numbers are shown with six digits, texts unchanged. */
  readonly value: number | string;
  readonly unit?: string;
  /** Heading under which the facts of one group are shown. */
  readonly group?: string;
}

/** Audit result of one conserved quantity. */
export interface AuditLine {
  /** Name of the quantity, e.g. "energy". */
  readonly channel: string;
  /** Largest drift, relative to the scale of the quantity unless a unit is given. */
  readonly worst: number;
  /** Time of the largest drift, s. */
  readonly at: number;
  readonly tolerance: number;
  readonly pass: boolean;
  /** Unit of an absolute drift. */
  readonly unit?: string;
}

/** One bound of a limit, and the value that came closest to it. */
export interface LimitLine {
  readonly name: string;
  readonly bound: "least" | "most";
  readonly value: number;
  readonly limit: number;
  readonly unit: string;
  readonly at: number;
  readonly channel: string;
  readonly within: boolean;
  /** If given, the value is the mean over this time, s. */
  readonly mean?: number;
  readonly source?: string;
  readonly confidence?: string;
}

/** A planned event. */
export interface EventLine {
  readonly name: string;
  /** Time, s; undefined if the event did not happen. */
  readonly t?: number;
  /** Actions, as text. */
  readonly done: string;
  /** Largest impulse (N s) and angular impulse (N m s) of the engaged or bumped loops, or from outside. */
  readonly force?: number;
  readonly torque?: number;
  /** Energy lost in the impact, J. */
  readonly lost?: number;
}

/** Channels over time. */
export interface Plot {
  readonly title: string;
  /** Unit of the axis. A channel in another unit needs the factor `times` in its series. */
  readonly unit: string;
  readonly series: readonly Series[];
  /** A logarithmic axis shows magnitudes; zeros are left out. */
  readonly scale?: "linear" | "log";
}

export interface Series {
  readonly channel: string;
  readonly label: string;
  /** Factor from the unit of the channel to that of the plot, e.g. 180/π for degrees. */
  readonly times?: number;
  /** Values at the times of the log that are drawn instead of the channel, in its unit: a measured history. NaN is a gap. */
  readonly values?: Float64Array;
}

export interface TreeBody {
  readonly name: string;
  /** kg */
  readonly mass: number;
  readonly hinge: { readonly name: string; readonly kind: string; readonly freedoms: number };
  readonly children: readonly TreeBody[];
}

/** A drawing as SVG text. The page removes scripts, links and foreign content; `currentColor` follows the theme. */
export interface Picture {
  readonly title: string;
  readonly svg: string;
  readonly about?: string;
  /** A large picture has the width of the page; others share a row. */
  readonly size?: "large";
}
