/** Speeds of playback: simulated seconds per second. */

/** Preferred time to play a whole run, s. Steps of 1, 2, 5 around it give 5.7 to 14.2 s. */
const PREFERRED_TIME = 9;
/** A run that takes between these times, s, plays in real time. */
const REAL_TIME = [5, 15] as const;

/** The speed of the series 1, 2, 5, 10 ... with which a run of this duration, s, plays in 5 to 15 s; 1 if real time does that. */
export function automaticSpeed(duration: number): number {
  if (!(duration > 0) || (duration >= REAL_TIME[0] && duration <= REAL_TIME[1])) return 1;
  const wanted = duration / PREFERRED_TIME;
  const exponent = Math.floor(Math.log10(wanted));
  const distance = (speed: number): number => Math.abs(Math.log(speed / wanted));
  return [1, 2, 5, 10].map((m) => decimal(m, exponent)).reduce((a, b) => (distance(b) < distance(a) ? b : a));
}

/** Speeds to choose from: from a hundredth of the automatic speed to a hundred times it, and real time. */
export function speedChoices(automatic: number): readonly number[] {
  const exponent = Math.floor(Math.log10(automatic) + 1e-9);
  const series = [-2, -1, 0, 1, 2].flatMap((k) => [1, 2, 5].map((m) => decimal(m, exponent + k)));
  return [...new Set([...series.filter((s) => s >= 0.0099 * automatic && s <= 101 * automatic), 1])].sort((a, b) => a - b);
}

/** m times a power of ten, as the nearest number to its decimal form. */
const decimal = (m: number, exponent: number): number => Number(`${m}e${exponent}`);

/** Reads a speed that a user has typed, such as "0.3", "0.3x" or "1/3". Undefined if it is none. */
export function parseSpeed(text: string): number | undefined {
  const match = /^\s*([\d.]+(?:e[+-]?\d+)?)\s*(?:\/\s*([\d.]+(?:e[+-]?\d+)?))?\s*[x×]?\s*$/i.exec(text);
  const speed = match ? Number(match[1]) / Number(match[2] ?? 1) : Number.NaN;
  return speed >= 1e-9 && speed <= 1e9 ? speed : undefined;
}

/** "0.05×", "2000×" */
export const speedText = (speed: number): string => `${Number(speed.toPrecision(3))}×`;
