/** Checks of arguments at public entry points. Inner functions do not check, so hot loops lose no time. */
import { ArgumentError, valueText } from "./errors.ts";

/** @throws ArgumentError if `options` is not an object, or has a key that is not known */
export function checkOptions(argument: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new ArgumentError(argument, `must be an object with options, got ${valueText(options)}`);
  for (const key of Object.keys(options))
    if (!known.includes(key)) throw new ArgumentError(`${argument}.${key}`, `there is no such option. ${didYouMean(key, known)}`);
}

/** @throws ArgumentError if `values` is not a list of numbers of this length */
export function checkVector(argument: string, values: unknown, length: number, meaning = ""): void {
  const what = `${length} numbers${meaning === "" ? "" : ` (${meaning})`}`;
  checkArray(argument, values, what);
  if (values.length !== length) throw new ArgumentError(argument, `must have ${what}, got ${values.length}`);
  checkFinite(argument, values);
}

function checkArray(argument: string, values: unknown, what: string): asserts values is ArrayLike<unknown> {
  if (!(Array.isArray(values) || (ArrayBuffer.isView(values) && !(values instanceof DataView))))
    refuseArgument(argument, `a list of ${what}`, values);
}

function checkFinite(argument: string, values: ArrayLike<unknown>): void {
  for (let i = 0; i < values.length; i++) checkNumber(`${argument}[${i}]`, values[i]);
}

/** @throws ArgumentError that says what the argument must be, which value was given, and what to do */
export function refuseArgument(argument: string, expected: string, value: unknown): never {
  throw new ArgumentError(argument, `must be ${expected}, got ${valueText(value)}`);
}

/** @throws ArgumentError if `value` is not an object that has all these members; `expected` says what it is and where it comes from */
export function checkMembers(argument: string, value: unknown, members: readonly string[], expected: string): void {
  const isObject = typeof value === "object" && value !== null;
  if (!isObject || members.some((key) => (value as Readonly<Record<string, unknown>>)[key] === undefined))
    refuseArgument(argument, expected, value);
}

/** @throws ArgumentError if `value` is not an array */
export function checkList(argument: string, value: unknown, items: string): asserts value is readonly unknown[] {
  if (!Array.isArray(value)) refuseArgument(argument, `a list of ${items}`, value);
}

/** @throws ArgumentError if `value` is not a list of text */
export function checkNames(argument: string, value: unknown, items: string): void {
  checkList(argument, value, items);
  const wrong = value.findIndex((name) => typeof name !== "string");
  if (wrong >= 0) refuseArgument(`${argument}[${wrong}]`, "text", value[wrong]);
}

/** @throws ArgumentError if `values` is not a list of finite numbers */
export function checkNumbers(argument: string, values: unknown, meaning = ""): asserts values is ArrayLike<number> {
  checkArray(argument, values, `numbers${meaning === "" ? "" : ` (${meaning})`}`);
  checkFinite(argument, values);
}

/** @throws ArgumentError if `value` is not text */
export function checkText(argument: string, value: unknown, meaning = ""): void {
  if (typeof value !== "string") refuseArgument(argument, `text${meaning === "" ? "" : `: ${meaning}`}`, value);
}

/** @throws ArgumentError if `value` is not a finite number */
export function checkNumber(argument: string, value: unknown): void {
  if (!Number.isFinite(value)) refuseArgument(argument, "a finite number", value);
}

/** @throws ArgumentError if `value` is not a finite number of at least `least` */
export function checkLeast(argument: string, value: unknown, least: number): void {
  if (!(Number.isFinite(value) && (value as number) >= least)) refuseArgument(argument, `a number of at least ${least}`, value);
}

/** @throws ArgumentError if `value` is not a whole number of at least `least` */
export function checkCount(argument: string, value: unknown, least = 0): void {
  if (!(Number.isSafeInteger(value) && (value as number) >= least))
    refuseArgument(argument, `a whole number of at least ${least}`, value);
}

/** @throws ArgumentError if `value` is not a finite number above 0 */
export function checkPositive(argument: string, value: unknown): void {
  if (!(typeof value === "number" && value > 0 && Number.isFinite(value)))
    throw new ArgumentError(argument, `must be a finite number above 0, got ${valueText(value)}`);
}

/** @throws ArgumentError if `name` is not one of the known names */
export function checkName(argument: string, name: unknown, known: readonly string[], what: string): void {
  if (typeof name === "string" && known.includes(name)) return;
  throw new ArgumentError(
    argument,
    `there is no ${what} named ${valueText(name)}. ${typeof name === "string" ? didYouMean(name, known) : `There are: ${known.join(", ")}`}`,
  );
}

/** Longer names are not compared with others: the comparison costs the product of the lengths. */
const MAX_COMPARED_LENGTH = 100;

/** Advice for an unknown name: the nearest known name if it is similar, else a list of known names. */
export function didYouMean(name: unknown, known: Iterable<string>): string {
  const names = [...known];
  const suggestion = typeof name === "string" ? nearestName(name, names) : undefined;
  if (suggestion !== undefined) return `Did you mean "${suggestion}"?`;
  if (names.length === 0) return "There are none";
  return `There ${names.length === 1 ? "is" : "are"}: ${names.slice(0, 12).join(", ")}${names.length > 12 ? `, and ${names.length - 12} more` : ""}`;
}

/** The known name with the fewest edits, if they are at most a third of the letters of `name`. */
function nearestName(name: string, known: readonly string[]): string | undefined {
  const lowerCaseName = name.toLowerCase();
  let best: string | undefined;
  let fewest = Math.min(3, Math.floor(name.length / 3)) + 1;
  for (const candidate of known) {
    if (Math.abs(candidate.length - name.length) >= fewest || name.length > MAX_COMPARED_LENGTH) continue;
    const edits = editDistance(lowerCaseName, candidate.toLowerCase());
    if (edits < fewest) {
      fewest = edits;
      best = candidate;
    }
  }
  return best;
}

/**
 * The known names that are most similar to `name`, best first. A name with hyphens is also compared by its parts: satelite is similar to
 * flexible-satellite.
 */
export function nearestNames(name: string, known: readonly string[], count: number): string[] {
  if (name.length > MAX_COMPARED_LENGTH) return [];
  const wanted = name.toLowerCase();
  const allowed = Math.min(3, Math.floor(name.length / 3));
  const edits = (candidate: string): number => {
    const lower = candidate.toLowerCase();
    if (lower.includes(wanted)) return 0;
    return Math.min(...[lower, ...lower.split("-")].map((part) => editDistance(wanted, part)));
  };
  return known
    .map((candidate) => ({ candidate, edits: edits(candidate) }))
    .filter((entry) => entry.edits <= allowed)
    .sort((a, b) => a.edits - b.edits)
    .slice(0, count)
    .map(({ candidate }) => candidate);
}

/** Number of insertions, deletions, replacements and swaps of neighbours that turn a into b. */
function editDistance(a: string, b: string): number {
  let beforePrevious: number[] = [];
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      let edits = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) edits = Math.min(edits, beforePrevious[j - 2]! + 1);
      row.push(edits);
    }
    beforePrevious = previous;
    previous = row;
  }
  return previous[b.length]!;
}
