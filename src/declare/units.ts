/** Quantities in files: a plain number is in SI units and radians; text such as "90 deg" contains its unit. */
import { checkName, checkText } from "../arguments.ts";
import { type Problem, valueText } from "../errors.ts";
import { readNumber } from "./plain-data.ts";

/** A value is divided by `per`, then multiplied by `times`: 1001 mm is 1.001 m and 90 deg is pi/2 to the last bit. */
type Factor = readonly [times: number, per: number];

/**
 * For each SI unit, the usual units that a file may use instead. A file may also replace every part of a compound unit by one of the same
 * dimension: `N s/mm` for `N s/m`.
 */
export const UNITS = {
  "": {}, // a pure number
  rad: { rad: [1, 1], deg: [Math.PI, 180] },
  "rad/s": { "rad/s": [1, 1], "deg/s": [Math.PI, 180], rpm: [Math.PI, 30] },
  "rad/s^2": { "rad/s^2": [1, 1], "deg/s^2": [Math.PI, 180] },
  m: { m: [1, 1], cm: [1, 100], mm: [1, 1000], km: [1000, 1] },
  "m/s": { "m/s": [1, 1], "cm/s": [1, 100], "mm/s": [1, 1000], "km/s": [1000, 1] },
  "m/s^2": { "m/s^2": [1, 1], "mm/s^2": [1, 1000] },
  "m/rad": { "m/rad": [1, 1], "mm/rad": [1, 1000], "m/rev": [1, 2 * Math.PI], "mm/rev": [1, 2000 * Math.PI] },
  s: { s: [1, 1], ms: [1, 1000], min: [60, 1], h: [3600, 1] },
  "1/s": { "1/s": [1, 1], "1/min": [1, 60] },
  "1/s^2": { "1/s^2": [1, 1] },
  "1/m": { "1/m": [1, 1], "1/km": [1, 1000] },
  kg: { kg: [1, 1], g: [1, 1000], t: [1000, 1] },
  "kg m^2": {
    "kg m^2": [1, 1],
    "kg cm^2": [1, 1e4],
    "kg mm^2": [1, 1e6],
    "g m^2": [1, 1e3],
    "g cm^2": [1, 1e7],
    "g mm^2": [1, 1e9],
  },
  N: { N: [1, 1], mN: [1, 1000], kN: [1000, 1] },
  "N m": { "N m": [1, 1], "N mm": [1, 1000], "mN m": [1, 1000], "kN m": [1000, 1] },
  "N/m": { "N/m": [1, 1], "N/mm": [1000, 1], "kN/m": [1000, 1] },
  "N m/rad": { "N m/rad": [1, 1], "N m/deg": [180, Math.PI] },
  "N s/m": { "N s/m": [1, 1], "kN s/m": [1000, 1] },
  "N m s/rad": { "N m s/rad": [1, 1], "N m s/deg": [180, Math.PI] },
  "N/s": { "N/s": [1, 1], "kN/s": [1000, 1] },
  "N m/s": { "N m/s": [1, 1], "kN m/s": [1000, 1] },
  "s/m": { "s/m": [1, 1], "s/mm": [1000, 1] },
  "s/rad": { "s/rad": [1, 1], "s/deg": [180, Math.PI] },
  "m^3/s^2": { "m^3/s^2": [1, 1], "km^3/s^2": [1e9, 1] },
  Pa: { Pa: [1, 1], kPa: [1000, 1], MPa: [1e6, 1], GPa: [1e9, 1], "N/mm^2": [1e6, 1] },
  "kg/m^3": { "kg/m^3": [1, 1], "g/cm^3": [1000, 1] },
  "N s": { "N s": [1, 1], "mN s": [1, 1000], "kN s": [1000, 1] },
  "N m s": { "N m s": [1, 1], "mN m s": [1, 1000] },
  "kg/m": { "kg/m": [1, 1], "g/m": [1, 1000] },
  "kg m": { "kg m": [1, 1], "g m": [1, 1000] },
  "m^2": { "m^2": [1, 1], "cm^2": [1, 1e4], "mm^2": [1, 1e6] },
  "m^4": { "m^4": [1, 1], "cm^4": [1, 1e8], "mm^4": [1, 1e12] },
  "N m^2": { "N m^2": [1, 1], "kN m^2": [1000, 1], "N mm^2": [1, 1e6] },
  T: { T: [1, 1], mT: [1, 1000], uT: [1, 1e6], nT: [1, 1e9] },
  "A m^2": { "A m^2": [1, 1] },
  Hz: { Hz: [1, 1], kHz: [1000, 1] },
  "m/N": { "m/N": [1, 1], "mm/N": [1, 1000] },
} as const satisfies Record<string, Record<string, Factor>>;

export type SiUnit = keyof typeof UNITS;

/** Parts of compound units, and the units that may replace them. */
const PARTS: Readonly<Record<string, Readonly<Record<string, Factor>>>> = (({ rad, m, s, kg, N }) => ({ rad, m, s, kg, N }))(
  UNITS,
);

/** The parts of an SI unit, with their exponents, negative after the slash. */
const partsOf = (unit: SiUnit): readonly (readonly [part: string, exponent: number])[] =>
  unit.split("/").flatMap((factors, side) =>
    Array.from(factors.matchAll(/([A-Za-z]+)(?:\^(\d))?/g), ([, part, power = "1"]) => {
      return [part!, (side === 0 ? 1 : -1) * Number(power)] as const;
    }),
  );

/** Regular expression for a compound unit with any parts of the same dimensions, one group for each part. */
const compoundPattern = (unit: SiUnit): string =>
  unit.replaceAll("^", "\\^").replaceAll(/[A-Za-z]+/g, (part) => `(${Object.keys(PARTS[part] ?? { [part]: [1, 1] }).join("|")})`);

/** Factor of a unit in which files may write a quantity; undefined if its dimension is another one. */
function factorOf(name: string, unit: SiUnit): Factor | undefined {
  const usual: Readonly<Record<string, Factor>> = UNITS[unit];
  if (Object.hasOwn(usual, name)) return usual[name];
  const written = unit === "" ? null : new RegExp(`^${compoundPattern(unit)}$`).exec(name);
  if (written === null) return undefined;
  let [times, per] = [1, 1];
  for (const [i, [part, exponent]] of partsOf(unit).entries()) {
    const [above, below] = PARTS[part]?.[written[i + 1]!] ?? [1, 1];
    for (let k = 0; k < Math.abs(exponent); k++) {
      times *= exponent > 0 ? above : below;
      per *= exponent > 0 ? below : above;
    }
  }
  return [times, per];
}

export const isSiUnit = (unit: string): unit is SiUnit => Object.hasOwn(UNITS, unit);

/** The units in which a quantity may be written, for messages and the documentation. */
export function unitsOf(unit: SiUnit): readonly string[] {
  checkName("unit", unit, Object.keys(UNITS), "SI unit");
  return Object.keys(UNITS[unit]);
}

/** Factor from an SI unit to another unit of the same dimension; undefined if the dimension differs. */
export function factorTo(unit: string, siUnit: string): number | undefined {
  checkText("unit", unit);
  checkText("siUnit", siUnit);
  if (unit === siUnit) return 1;
  const factor = isSiUnit(siUnit) ? factorOf(unit, siUnit) : undefined;
  return factor && factor[1] / factor[0];
}

/** Regular expression for text with a unit, for editors. */
export const quantityPattern = (unit: SiUnit): string =>
  `^\\s*${NUMBER}\\s*(${[...unitsOf(unit).map((name) => name.replaceAll("^", "\\^")), compoundPattern(unit)].join("|")})\\s*$`;

const NUMBER = "[+-]?(?:\\d+\\.?\\d*|\\.\\d+)(?:[eE][+-]?\\d+)?";
const QUANTITY = new RegExp(`^\\s*(${NUMBER})(.*)$`, "s");
const MAX_QUANTITY_LENGTH = 60;

/** Text that begins like a number is parsed as a quantity. */
export const looksLikeQuantity = (text: string): boolean => /^\s*[+-]?\.?\d/.test(text);

/** A number, or text with a unit of the right dimension; returns the value in SI. */
export function readQuantity(value: unknown, unit: SiUnit, path: string, problems: Problem[]): number | undefined {
  if (unit === "" || typeof value !== "string" || !looksLikeQuantity(value)) return readNumber(value, path, problems);
  const [, number, unitText] = value.length > MAX_QUANTITY_LENGTH ? [] : (QUANTITY.exec(value) ?? []);
  const name = unitText?.replace(/\s+/g, " ").trim();
  const factor = name === undefined ? undefined : factorOf(name, unit);
  if (factor) return readNumber((Number(number) / factor[1]) * factor[0], path, problems);
  problems.push({
    path,
    message: unitProblem(name ?? "", unit),
    value: valueText(value),
    advice: `Accepted: ${unitsOf(unit).join(", ")}`,
  });
  return undefined;
}

/** `readQuantity` for a unit given as a string. A unit that is not in the table accepts plain numbers only. */
export const readQuantityInUnit = (value: unknown, unit: string, path: string, problems: Problem[]): number | undefined =>
  readQuantity(value, isSiUnit(unit) ? unit : "", path, problems);

function unitProblem(name: string, unit: SiUnit): string {
  if (name === "") return "text must have a number and a unit; a number without unit is written without quotes";
  const actual = (Object.keys(UNITS) as SiUnit[]).find((other) => factorOf(name, other));
  return actual === undefined
    ? `unknown unit "${name.slice(0, 20)}"`
    : `the unit ${name} is of the wrong dimension, ${actual} instead of ${unit}`;
}

/** An angle that is written without a unit and is more than a full turn: it may be in degrees. */
export function angleWarning(value: unknown, unit: string, path: string): Problem | undefined {
  if (unit !== "rad" || typeof value !== "number" || !(Math.abs(value) > 2 * Math.PI)) return undefined;
  const turns = Number((value / (2 * Math.PI)).toPrecision(3));
  return {
    path,
    message: `is ${turns} turns, because angles without a unit are in radians`,
    value: valueText(value),
    advice: `Write "${value} deg" for degrees, or "${value} rad" if it is meant so`,
  };
}
