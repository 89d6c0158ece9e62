/** Checks whether measurements can determine the unknowns of virtual links. */
import { ArgumentError } from "../../errors.ts";
import { freedomOf, type Measurement, measurementName } from "./measurement.ts";
import { gyration, MAX_LINKS, type RodData, type RodFreedom } from "./rod-model.ts";

/** Which unknowns the search has. */
export interface RodUnknowns {
  /** Number of joints. */
  readonly n: number;
  readonly freedoms: readonly RodFreedom[];
  /** Given cuts; undefined if they are searched. */
  readonly cuts: readonly number[] | undefined;
  /** True if joints and cuts have different positions. */
  readonly freeJoints: boolean;
}

/** Unknown positions, for messages and their number. */
export const unknownPositions = ({ cuts, freeJoints }: RodUnknowns): readonly ("cut" | "joint")[] =>
  cuts === undefined ? (freeJoints ? ["cut", "joint"] : ["cut"]) : freeJoints ? ["joint"] : [];

/** @throws ArgumentError for invalid or insufficient measurements */
export function checkMeasurements(rod: RodData, measurements: readonly Measurement[], unknowns: RodUnknowns): void {
  const { n, cuts, freedoms } = unknowns;
  if (!(Number.isInteger(n) && n >= 1 && n < MAX_LINKS))
    throw new ArgumentError("links", `two to thirteen links can be identified, got ${n + 1}`);
  for (const m of measurements) {
    if (!(m.value > 0 && Number.isFinite(m.value)))
      throw new ArgumentError("measurements", `${measurementName(m)} must be positive, got ${m.value}`);
    if (m.kind === "frequency" && !((m.mode ?? 1) >= 1 && (m.mode ?? 1) <= n))
      throw new ArgumentError(
        "measurements",
        `${measurementName(m)}: ${n + 1} links have ${n} modes; give more links or leave it out`,
      );
  }
  for (const [j, x] of (cuts ?? []).entries())
    if (!(x >= 0 && x > (cuts![j - 1] ?? -1) && x < rod.length))
      throw new ArgumentError(`cuts[${j}]`, `cut ${j + 1} must lie beyond the one before it and before the tip, got ${x}`);
  const twistsFreely = measurements.some((m) => m.kind === "frequency" && freedomOf(m) === "rx");
  if (twistsFreely && !(gyration(rod, "rx") > 0))
    throw new ArgumentError(
      "rod",
      "has no polar inertia, but frequencies of twist are given: give a diameter, width and height, or polarInertia",
    );
  checkCount(measurements, unknowns, freedoms);
}

// A slope by a force and a deflection by a moment are the same number.
const keyOf = (m: Measurement): string =>
  m.kind === "frequency"
    ? `f${m.mode ?? 1}/${m.tipMass ?? 0}/${m.tipInertia ?? 0}`
    : m.kind === "deflection-by-moment"
      ? "slope-by-force"
      : m.kind;

/** The stiffnesses of a freedom follow from its own measurements; the positions from all of them. */
function checkCount(measurements: readonly Measurement[], unknowns: RodUnknowns, freedoms: readonly RodFreedom[]): void {
  const { n } = unknowns;
  const positions = unknownPositions(unknowns);
  const keysByFreedom = freedoms.map((freedom) => new Set(measurements.filter((m) => freedomOf(m) === freedom).map(keyOf)));
  const missing = freedoms.flatMap((freedom, i) => {
    const statics = freedom === "rx" ? ["twist-by-torque"] : ["deflection-by-force", "slope-by-force", "slope-by-moment"];
    const about = freedom === "rz" ? "" : freedom === "ry" ? " about y" : " of twist";
    return [
      ...Array.from({ length: n }, (_, mode) => [`f${mode + 1}/0/0`, `frequency of mode ${mode + 1}${about}`] as const),
      ...statics.map((kind) => [kind, freedom === "ry" ? `${kind} about y` : kind] as const),
    ].flatMap(([key, text]) => (keysByFreedom[i]!.has(key) ? [] : [text]));
  });
  const total = keysByFreedom.reduce((sum, keys) => sum + keys.size, 0);
  const needed = (positions.length + freedoms.length) * n;
  const poor = freedoms.find((_, i) => keysByFreedom[i]!.size < n);
  const enoughOfEach = poor === undefined;
  if (total >= needed && enoughOfEach) return;
  const what = [...positions.map((p) => `${p}s`), "stiffnesses"].join(" and ");
  const counted =
    total >= needed
      ? `${n} stiffnesses ${poor === "ry" ? "about y" : poor === "rx" ? "of twist" : "about z"}, but ${keysByFreedom[freedoms.indexOf(poor!)]!.size} independent`
      : `${needed} unknowns (${what} of ${n} joints${freedoms.length > 1 ? ` in ${freedoms.length} freedoms` : ""}), but ${total} independent`;
  throw new ArgumentError(
    "measurements",
    `${counted} ${total === 1 ? "measurement" : "measurements"}. ` +
      `Measure also ${missing.join(", ") || "with masses on the tip"}${positions.includes("cut") ? "; or give the cuts" : ""}`,
  );
}
