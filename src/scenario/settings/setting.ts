/** One changeable value of a scenario, with the data that an inspector needs to show it; see settings.ts. */
/** One number of a setting. */
export interface SettingEntry {
  /** x, yaw, wz; "" if there is only one. */
  readonly label: string;
  /** SI unit. Text with another unit of the same dimension is accepted too. */
  readonly unit: string;
}

export interface Setting {
  /** Path as in `--set`. */
  readonly path: string;
  /** Position in a tree of settings: ["bodies", "hand", "hinge"]. */
  readonly group: readonly string[];
  /** Name within the group: mass, at, stiffness. */
  readonly label: string;
  /** Description in one sentence. */
  readonly about: string;
  /** A number, a list of numbers of fixed length, one of the choices, true or false, or any other data. */
  readonly type: "number" | "numbers" | "choice" | "boolean" | "data";
  /** Value as written in the file, with its unit; else the default; undefined if there is none. */
  readonly value: unknown;
  /** True if the file contains it. If it is optional, the value undefined removes it. */
  readonly written: boolean;
  readonly optional: boolean;
  /** Labels and units of the numbers, in order. */
  readonly entries?: readonly SettingEntry[];
  /** Bounds of each number in SI units; `above` is an exclusive lower bound. */
  readonly least?: number;
  readonly above?: number;
  readonly most?: number;
  readonly choices?: readonly string[];
  /** For a choice that changes other keys too, e.g. the kind of a shape: path of the object to replace, and its new value per choice. */
  readonly replaces?: { readonly path: string; readonly by: Readonly<Record<string, unknown>> };
}
