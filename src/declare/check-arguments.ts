/** Checks of arguments at public entry points. Inner functions do not check, so hot loops lose no time. */
import { ArgumentError, valueText } from "../errors.ts";
import { didYouMean } from "./names.ts";

/** @throws ArgumentError if `options` is not an object, or has a key that is not known */
export function checkOptions(argument: string, options: unknown, known: readonly string[]): void {
  if (typeof options !== "object" || options === null || Array.isArray(options))
    throw new ArgumentError(argument, `must be an object with options, got ${valueText(options)}`);
  for (const key of Object.keys(options))
    if (!known.includes(key)) throw new ArgumentError(`${argument}.${key}`, `there is no such option. ${didYouMean(key, known)}`);
}

/** @throws ArgumentError if `values` is not a list of numbers of this length */
export function checkVector(argument: string, values: unknown, length: number, meaning = ""): void {
  const isList = Array.isArray(values) || (ArrayBuffer.isView(values) && !(values instanceof DataView));
  const what = `${length} numbers${meaning === "" ? "" : ` (${meaning})`}`;
  if (!isList) throw new ArgumentError(argument, `must be a list of ${what}, got ${valueText(values)}`);
  const list = values as ArrayLike<unknown>;
  if (list.length !== length) throw new ArgumentError(argument, `must have ${what}, got ${list.length}`);
  for (let i = 0; i < length; i++)
    if (typeof list[i] !== "number" || !Number.isFinite(list[i]))
      throw new ArgumentError(`${argument}[${i}]`, `must be a finite number, got ${valueText(list[i])}`);
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
