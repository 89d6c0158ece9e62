/** Text of numbers, units and durations. */

const superscript = (digits: string): string => digits.replace(/[-\d]/g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)]!));

/** `kg m^2/s` as kg·m²/s. The comma between several units, as in `m, rad`, is kept. */
export const unitText = (unit: string): string =>
  unit
    .replace(/\^(-?\d+)/g, (_, digits: string) => superscript(digits))
    .replaceAll(/, |[ *]/g, (between) => (between === ", " ? between : "·"));

/** A number with the given significant digits: 0.123457, −1.5e−13. */
export function numberText(x: number, digits = 6): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "not a number" : x > 0 ? "∞" : "−∞";
  const size = Math.abs(x);
  const rounded = Number(x.toPrecision(digits));
  const text = size !== 0 && (size < 1e-4 || size >= 10 ** Math.max(digits, 6)) ? rounded.toExponential() : String(rounded);
  return text.replaceAll("-", "−").replace("e+", "e");
}

/** A number as factor × 10^power with the given digits. The power is 0 for numbers between 0.01 and 1000. */
export function factorAndPower(x: number, digits = 2): { readonly factor: string; readonly power: number } {
  if (x === 0 || !Number.isFinite(x)) return { factor: numberText(x), power: 0 };
  const [mantissa, exponent] = x.toExponential(digits - 1).split("e") as [string, string];
  const power = Number(exponent);
  if (Math.abs(power) < 3) return { factor: numberText(x, digits), power: 0 };
  return { factor: String(Number(mantissa)).replace("-", "−"), power };
}

/** 10⁻¹³ */
export const powerOfTen = (power: number): string => `10${superscript(String(power))}`;

export interface TickLabels {
  /** Text of (x - offset) / 10^power for each tick x. */
  readonly labels: readonly string[];
  /** The offset as text, "" if it is zero. */
  readonly offset: string;
  readonly power: number;
}

/**
 * Labels of equally spaced ticks. They are short even if the numbers are tiny, huge or almost equal, because a common offset and power of
 * ten are separated. The report page contains the source text of this function, so it must not use anything outside it.
 */
export function tickLabels(ticks: readonly number[]): TickLabels {
  if (ticks.length === 0) return { labels: [], offset: "", power: 0 };
  const decimalPlace = (x: number): number => Math.floor(Math.log10(x) + 1e-3);
  const minus = (text: string): string => text.replace(/-/g, "−");
  const first = ticks[0]!;
  const last = ticks[ticks.length - 1]!;
  const largest = Math.max(Math.abs(first), Math.abs(last));
  const step = ticks.length > 1 ? (last - first) / (ticks.length - 1) : largest || 1;
  // If the labels would need five or more digits, a common offset is subtracted.
  const digits = largest > 0 ? decimalPlace(largest) - decimalPlace(step) : 0;
  const base = ticks.length > 1 && digits >= 5 ? ticks[ticks.length >> 1]! : 0;
  const span = Math.max(Math.abs(first - base), Math.abs(last - base));
  const spanPlace = span > 0 ? decimalPlace(span) : 0;
  const power = spanPlace >= 5 || spanPlace <= -4 ? spanPlace : 0;
  const unit = 10 ** decimalPlace(step);
  const extraDigit = Math.abs(step / unit - Math.round(step / unit)) > 0.05 ? 1 : 0; // steps of 2.5
  const decimals = Math.max(0, Math.min(15, power - decimalPlace(step) + extraDigit));
  const labels = ticks.map((x) => {
    const label = ((x - base) / 10 ** power).toFixed(decimals);
    return minus(Number(label) === 0 ? label.replace("-", "") : label);
  });
  const offset = base === 0 ? "" : minus(String(Number(base.toPrecision(Math.min(17, digits + 2)))));
  return { labels, offset, power };
}

/** 1 step, 5 steps; 1 body, 5 bodies. */
export const countText = (n: number, one: string, several = `${one}s`): string => `${n} ${n === 1 ? one : several}`;

/** A number with the given significant digits, without trailing zeros. */
export const shortNumber = (value: number, digits = 7): string => String(Number(value.toPrecision(digits)));

/** 8 ms, 3.2 s, 4 min 12 s, 2 h 5 min. */
export function durationText(seconds: number): string {
  if (seconds < 0.9995) return `${shortNumber(1000 * seconds, 3)} ms`;
  if (seconds < 60) return `${shortNumber(seconds, 3)} s`;
  const minutes = Math.round(seconds / 60);
  if (seconds < 3600) return `${Math.floor(seconds / 60)} min ${Math.floor(seconds % 60)} s`;
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}
