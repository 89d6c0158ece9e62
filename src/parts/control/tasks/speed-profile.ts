/** How fast a move goes from its start, s = 0, to its end, s = 1: phases of constant jerk, or a quintic. */

/** A stretch of time in which the way s of a move, from 0 to 1, has one form. */
export interface MovePhase {
  readonly start: number;
  readonly move: number;
  /** s, its speed and acceleration at the start; the acceleration stays or changes by `jerk`, but for a quintic of that duration. */
  readonly s: number;
  readonly speed: number;
  readonly acceleration: number;
  readonly jerk?: number;
  readonly quintic?: number;
}

/** How long a move takes; see MOVE in reference.ts. */
interface MoveTiming {
  readonly duration: number;
  readonly rise?: number | undefined;
  readonly soft?: number | undefined;
}

/** The phases of a move of this number that begins at t. */
export function movePhases({ duration, rise, soft = 0 }: MoveTiming, move: number, t: number): MovePhase[] {
  if (rise === undefined) return [{ start: t, move, s: 0, speed: 0, acceleration: 0, quintic: duration }];
  const speed = 1 / (duration - rise);
  const a = speed / (rise - soft);
  const half = 0.5 * speed * rise;
  if (soft > 0) return sCurvePhases(duration, rise, soft, a, move, t);
  return [
    { start: t, move, s: 0, speed: 0, acceleration: a },
    ...(duration > 2 * rise ? [{ start: t + rise, move, s: half, speed, acceleration: 0 }] : []),
    { start: t + duration - rise, move, s: 1 - half, speed, acceleration: -a },
  ];
}

/** Seven parts of constant jerk; those of no duration are left out. */
function sCurvePhases(duration: number, rise: number, soft: number, a: number, move: number, t: number): MovePhase[] {
  const jerk = a / soft;
  const plateau = rise - 2 * soft;
  const parts = [
    [soft, 0, jerk],
    [plateau, a, 0],
    [soft, a, -jerk],
    [duration - 2 * rise, 0, 0],
    [soft, 0, -jerk],
    [plateau, -a, 0],
    [soft, -a, jerk],
  ] as const;
  const phases: MovePhase[] = [];
  let [start, s, speed] = [t, 0, 0];
  for (const [d, acceleration, j] of parts) {
    if (!(d > 0)) continue;
    phases.push({ start, move, s, speed, acceleration, jerk: j });
    s += d * (speed + d * (acceleration / 2 + (d * j) / 6));
    speed += d * (acceleration + (d * j) / 2);
    start += d;
  }
  return phases;
}

/** Rest at the start. */
export const REST_AT_START: MovePhase = { start: 0, move: 0, s: 0, speed: 0, acceleration: 0 };
/** s, ṡ and s̈ as `along` found them last. */
export const profileState = new Float64Array(3);

/** Phases as numbers, so that nothing is boxed: start, s, speed, acceleration, jerk, and the duration of a quintic, else 0. */
const PHASE_COLUMNS = 6;
export const phaseTable = (phases: readonly MovePhase[]): Float64Array =>
  Float64Array.from(
    phases.flatMap(({ start, s, speed, acceleration, jerk = 0, quintic = 0 }) => [start, s, speed, acceleration, jerk, quintic]),
  );

/** s, ṡ and s̈ of phase number k at t, into `state`. */
export function evaluatePhase(table: Float64Array, k: number, t: number): void {
  const at = PHASE_COLUMNS * k;
  const d = t - table[at]!;
  const s = table[at + 1]!;
  const speed = table[at + 2]!;
  const acceleration = table[at + 3]!;
  const jerk = table[at + 4]!;
  const quintic = table[at + 5]!;
  if (quintic === 0) {
    profileState[0] = s + d * (speed + d * (acceleration / 2 + (d * jerk) / 6));
    profileState[1] = speed + d * (acceleration + (d * jerk) / 2);
    profileState[2] = acceleration + d * jerk;
  } else {
    const x = d / quintic;
    const w = x * (1 - x);
    profileState[0] = x * x * x * (10 + x * (6 * x - 15));
    profileState[1] = (30 * w * w) / quintic;
    profileState[2] = (60 * w * (1 - 2 * x)) / (quintic * quintic);
  }
}

/** The last phase that has begun at t; -1 before the first. */
export function lastStartedPhase(starts: Float64Array, t: number): number {
  let [low, high] = [-1, starts.length - 1];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= t) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Where the acceleration of one phase is not that with which the one before it ended; a quintic begins and ends with none. */
export const accelerationJumps = (phases: readonly MovePhase[]): number[] =>
  phases
    .filter((p, i) => {
      const before = phases[i - 1];
      if (p.jerk !== undefined || before?.jerk !== undefined) return false; // an S-curve has no jumps
      return p.start > 0 && p.acceleration !== (before?.acceleration ?? 0);
    })
    .map((p) => p.start);
