/** Numbers and units as people read them. */

const superscript = (digits: string): string => digits.replace(/[-\d]/g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)]!));

/** `kg m^2/s` as kg·m²/s. */
export const unitText = (unit: string): string =>
  unit.replace(/\^(-?\d+)/g, (_, digits: string) => superscript(digits)).replaceAll(/[ *]/g, "·");

/** A number in a table, with so many significant digits: 0.123457, −1.5e−13. */
export function numberText(x: number, digits = 6): string {
  if (!Number.isFinite(x)) return Number.isNaN(x) ? "not a number" : x > 0 ? "∞" : "−∞";
  const size = Math.abs(x);
  const rounded = Number(x.toPrecision(digits));
  const text = size !== 0 && (size < 1e-4 || size >= 10 ** Math.max(digits, 6)) ? rounded.toExponential() : String(rounded);
  return text.replaceAll("-", "−").replace("e+", "e");
}

/** A number in running text with its power of ten: 2.1 × 10⁻¹⁴. */
export function powerText(x: number, digits = 2): string {
  if (x === 0 || !Number.isFinite(x)) return numberText(x);
  const [mantissa, power] = x.toExponential(digits - 1).split("e") as [string, string];
  if (Math.abs(Number(power)) < 3) return numberText(x, digits);
  const ten = `10${superscript(power.replace("+", ""))}`;
  const factor = String(Number(mantissa)).replace("-", "−");
  return factor === "1" ? ten : `${factor} × ${ten}`;
}

export interface TickLabels {
  readonly labels: readonly string[];
  /** The unit, with what is common to the labels: 75.2557 + … 10⁻⁹ J. */
  readonly title: string;
}

/**
 * Labels of equally spaced ticks: short even where the numbers are tiny, huge, or all but equal, since what is common to
 * them (an offset, a power of ten) goes into the title. The page carries this function along as text: it must stand alone.
 */
export function tickLabels(ticks: readonly number[], unit: string): TickLabels {
  if (ticks.length === 0) return { labels: [], title: unit };
  const placeOf = (x: number): number => Math.floor(Math.log10(x) + 1e-3);
  const minus = (text: string): string => text.replace(/-/g, "−");
  const raised = (power: number): string =>
    `10${String(power).replace(/[-\d]/g, (c) => (c === "-" ? "⁻" : "⁰¹²³⁴⁵⁶⁷⁸⁹"[Number(c)]!))}`;

  const first = ticks[0]!;
  const last = ticks[ticks.length - 1]!;
  const largest = Math.max(Math.abs(first), Math.abs(last));
  const step = ticks.length > 1 ? (last - first) / (ticks.length - 1) : largest || 1;
  // From five digits between the largest number and the step on, what does not change is taken out.
  const digits = largest > 0 ? placeOf(largest) - placeOf(step) : 0;
  const base = ticks.length > 1 && digits >= 5 ? ticks[ticks.length >> 1]! : 0;
  const span = Math.max(Math.abs(first - base), Math.abs(last - base));
  const place = span > 0 ? placeOf(span) : 0;
  const power = place >= 5 || place <= -4 ? place : 0;
  const fraction = Math.abs(step / 10 ** placeOf(step) - Math.round(step / 10 ** placeOf(step))) > 0.05 ? 1 : 0;
  const decimals = Math.max(0, Math.min(15, power - placeOf(step) + fraction));
  const labels = ticks.map((x) => {
    const label = ((x - base) / 10 ** power).toFixed(decimals);
    return minus(Number(label) === 0 ? label.replace("-", "") : label);
  });
  const size = [power === 0 ? "" : raised(power), unit].filter((text) => text !== "").join(" ");
  const offset = base === 0 ? "" : `${minus(String(Number(base.toPrecision(Math.min(17, digits + 2)))))} + … `;
  return { labels, title: offset + size };
}
