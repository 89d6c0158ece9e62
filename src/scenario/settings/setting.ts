/** One value of a scenario that can be changed, and what an inspector must know to show it; see settings.ts. */
import type { Fields } from "../../declare/plain-data.ts";

/** One number of a setting. */
export interface SettingEntry {
  /** x, yaw, wz; "" where there is only one. */
  readonly label: string;
  /** SI unit; text with another unit of the same dimension is accepted as well. */
  readonly unit: string;
}

export interface Setting {
  /** As `--set` takes it. */
  readonly path: string;
  /** Where it stands in a tree: ["bodies", "hand", "hinge"]. */
  readonly group: readonly string[];
  /** What it is called there: mass, at, stiffness. */
  readonly label: string;
  /** One sentence. */
  readonly about: string;
  /** A number, a list of them with fixed length, one of the choices, true or false, or anything else that a file may say (data). */
  readonly type: "number" | "numbers" | "choice" | "boolean" | "data";
  /** As written, with its unit; what is taken if nothing is written; undefined where that is nothing. */
  readonly value: unknown;
  /** Whether the file says it. What it need not say is taken away by the value undefined. */
  readonly written: boolean;
  readonly optional: boolean;
  /** Of numbers, in order. */
  readonly entries?: readonly SettingEntry[];
  /** Limits of each number, in SI; `above` excludes its bound. */
  readonly least?: number;
  readonly above?: number;
  readonly most?: number;
  readonly choices?: readonly string[];
  /** Of a choice with which others change, as the kind of a shape: what is replaced as a whole, and by what for each choice. */
  readonly replaces?: { readonly path: string; readonly by: Readonly<Record<string, unknown>> };
}

/** The fields of what may be an object. */
export const fieldsOf = (value: unknown): Fields => (typeof value === "object" && value !== null ? (value as Fields) : {});
